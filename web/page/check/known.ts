/**
 * Tables of models, which `identify` doesn't name: scaled rotary tables, their frequencies, and ALiBi. This module includes the reader
 * of config.json: import it on demand.
 */

import { alibi, type RotarySpec, rotary, sinusoidal } from 'posenc';
import type { EncodingsOfOptions, ModelEncoding } from 'posenc/models';
import { formatError, formatScaling, formatWhole } from '../../figure/index.ts';
import { briefOf, rangesOf } from '../card.ts';
import { calling, literal } from '../families/parts.ts';
import { groupsOf } from '../model.ts';
import { MODELS } from '../models.ts';
import { KNOWN_BASES } from './departures.ts';
import type { Given } from './reading.ts';
import { nearestOf } from './right.ts';

export interface Known {
  /** What the table is, worded to follow “This is”. */
  what: string;
  values: Float32Array;
  code: string;
}

/** The most heads that slopes are tried for. */
const MOST_HEADS = 256;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** A number rounded to bfloat16, as models that are cast to it round their inv_freq. */
function inBfloat16(value: number) {
  float[0] = value;
  bits[0] = (bits[0] + 0x7fff + ((bits[0] >>> 16) & 1)) & 0xffff0000;
  return float[0];
}

/** How far printing may move a value: half of the last decimal, and a little. */
const printedOf = ({ decimals }: Given) => (decimals > 0 ? 0.6 * 10 ** -decimals : 0);

/** How far a value may be off: by its printing, and by the roundings of float32 in an angle that grows with the row. */
const toleranceOf = (given: Given) => printedOf(given) + given.rows * 2 ** -22 + 1e-6;

/** The largest difference between two tables, in units of what is allowed. */
export function distanceOf(given: Given, values: Float32Array) {
  const allowed = toleranceOf(given);
  return values.reduce((most, value, k) => Math.max(most, Math.abs(given.data[k] - value)), 0) / allowed;
}

/** Bases that models cast to bfloat16 have. */
const BASES = [1e4, 5e5, 1e6];
/** The factors of linear scalings and of YaRN's, and the lengths that YaRN scales. */
const FACTORS = [2, 4, 8, 16, 32, 3, 6, 10, 40];
const LENGTHS = [4096, 8192, 32768, 2048, 16384, 65536];

/** The rotations of the models that can be chosen, and the names of those that have them. */
function rotations(): Map<string, { names: string[]; spec: RotarySpec }> {
  const found = new Map<string, { names: string[]; spec: RotarySpec }>();
  for (const [name, file] of Object.entries(MODELS)) {
    for (const { kind, spec } of groupsOf(file)) {
      if (kind !== 'rotary') continue;
      const key = JSON.stringify(spec);
      found.set(key, { spec, names: [...new Set([...(found.get(key)?.names ?? []), name])] });
    }
  }
  return found;
}

function wordsOf({ base = 10000, scaling }: RotarySpec, names: string[], rounded: boolean): string {
  const scaled = scaling ? `, scaled by ${formatScaling(scaling)}` : '';
  const cast = rounded ? ', but its inv_freq is rounded to bfloat16' : '';
  return `of base ${formatWhole(base)}${scaled}${names.length > 0 ? `, as in ${names.join(', ')}` : ''}${cast}`;
}

/** The code of a call of posenc and a line after it. */
const codeOf = (name: string, spec: object, line: string) => `${calling(name, literal(spec))}${line}`;

/**
 * @param spec without sections, which change no table of text
 * @param names of models that have it
 * @param rounded whether its frequencies are rounded to bfloat16
 */
function rotaryOf(given: Given, spec: RotarySpec, names: string[], rounded: boolean): Known | undefined {
  const { data, rows, dim } = given;
  const isList = rows === 1 || dim === 1;
  const exact = rotary(spec);
  const { scaling, base, ...rest } = spec;
  const encoding = rounded ? rotary({ ...rest, frequencies: Array.from(exact.frequencies, inBfloat16) }) : exact;
  const words = wordsOf(spec, names, rounded);
  if (isList) {
    const values = Float32Array.from(encoding.frequencies);
    // The last ones are tiny, so that float32's digits count.
    const fits = values.every((value, k) => Math.abs(data[k] - value) <= value * 2 ** -20 + printedOf(given));
    if (data.length !== values.length || !fits) return undefined;
    const what = `inv_freq, the frequencies of a rotary encoding ${words}`;
    return { what, values, code: codeOf('rotary', spec, 'const { frequencies } = encoding;') };
  }
  // Two rows tell most tables apart.
  const first = nearestOf(encoding, data, 2, 0, dim);
  if (!first || distanceOf(given, first.values) > 1) return undefined;
  const right = nearestOf(encoding, data, rows, 0, dim);
  if (!right?.part || distanceOf(given, right.values) > 1) return undefined;
  const { names: parts, columns } = right.part;
  const line = `const { ${parts.join(', ')} } = encoding.tables(${rows}, { columns: '${columns}' });`;
  const what = `a rotary encoding’s table of ${right.holds}, ${words}`;
  return { what, values: right.values, code: codeOf('rotary', spec, line) };
}

function alibiOf(given: Given): Known | undefined {
  const { data, rows, dim } = given;
  if (rows === 1 || dim === 1) {
    if (data.length > MOST_HEADS) return undefined;
    const heads = data.length;
    const values = Float32Array.from(alibi({ heads }).slopes);
    if (distanceOf(given, values) > 1) return undefined;
    return {
      what: `ALiBi’s slopes of ${heads} heads`,
      values,
      code: codeOf('alibi', { heads }, 'const { slopes } = encoding;'),
    };
  }
  // The second row, one key back.
  const slope = Math.abs(data[dim]);
  if (!(slope > 0)) return undefined;
  const allowed = toleranceOf(given);
  // A slope of few heads is one of many heads, too: powers of two are likely, from 8 on.
  const counts = Array.from({ length: MOST_HEADS }, (_, k) => k + 1);
  for (const heads of new Set([8, 16, 32, 64, 128, 256, ...counts])) {
    const { slopes } = alibi({ heads });
    const head = Array.from(slopes).findIndex((value) => Math.abs(value / slope - 1) < 1e-3);
    if (head < 0) continue;
    for (const options of [{ symmetric: true }, {}]) {
      // Of one head: those of all would take up to a gigabyte.
      const biasAt = (i: number) => {
        const distance = (i % dim) - Math.floor(i / dim);
        return slopes[head] * (options.symmetric ? 0 - Math.abs(distance) : distance);
      };
      if (!data.every((value, i) => Math.abs(value - biasAt(i)) <= allowed)) continue;
      const values = data.map((_, i) => biasAt(i));
      const sizes = options.symmetric ? `${rows}, ${dim}, { symmetric: true }` : `${rows}, ${dim}`;
      const line = `const bias = encoding.bias(${sizes}); // ${heads} heads: this is head ${head}`;
      return {
        what: `ALiBi’s bias of head ${head}, from 0, of ${heads} heads`,
        values,
        code: codeOf('alibi', { heads }, line),
      };
    }
  }
}

/** The numbers of columns of a rotation that a table may be of. */
const widthsOf = ({ data, rows, dim }: Given) =>
  (rows === 1 || dim === 1 ? [2 * data.length] : [dim, 2 * dim]).filter((size) => size % 2 === 0 && size <= 65536);

/** Rotations at common bases. Of a list, its own base is tried, too. */
function plainOf(given: Given): RotarySpec[] {
  const { length, [length - 1]: last } = given.data;
  const own = Number((last ** (-length / (length - 1))).toPrecision(4));
  const isList = given.rows === 1 || given.dim === 1;
  const bases = isList && own >= 1.0001 && own <= 1e12 ? [...BASES, own] : BASES;
  return bases.flatMap((base) => widthsOf(given).map((dim) => ({ dim, base })));
}

/** Scaled rotations whose two fastest waves a table begins with. To compute the frequencies of all of them would take seconds. */
function scaledOf(given: Given): RotarySpec[] {
  const { data, rows, dim } = given;
  const isList = rows === 1 || dim === 1;
  const waves = isList ? [(angle: number) => angle] : [Math.cos, Math.sin];
  const begins = (base: number, size: number, divisor: number, scale: number) =>
    waves.some((wave) =>
      [0, 1].every((k) => {
        const expected = wave(base ** ((-2 * k) / size) / divisor) * (isList ? 1 : scale);
        return Math.abs(data[isList ? k : dim + k] - expected) <= toleranceOf(given);
      }),
    );
  return KNOWN_BASES.flatMap((base) =>
    widthsOf(given).flatMap((dim) =>
      FACTORS.flatMap((factor): RotarySpec[] => {
        const yarn = LENGTHS.map((length) => ({
          type: 'yarn' as const,
          factor,
          originalMaxPositionEmbeddings: length,
        }));
        return [
          ...(begins(base, dim, factor, 1) ? [{ dim, base, scaling: { type: 'linear' as const, factor } }] : []),
          ...(begins(base, dim, 1, 0.1 * Math.log(factor) + 1) ? yarn.map((scaling) => ({ dim, base, scaling })) : []),
        ];
      }),
    ),
  );
}

/** What a table is, if it is one of a model. */
export function knownOf(given: Given): Known | undefined {
  const models = Array.from(rotations().values(), ({ names, spec: { sections, sectionOrder, ...spec } }) => ({
    names,
    spec,
  }));
  const whole = models.filter(({ spec: { dim, rotaryDim = dim } }) => rotaryDim === dim);
  const unnamed = (spec: RotarySpec) => ({ spec, names: [] });
  for (const { names, spec } of [...whole, ...plainOf(given).map(unnamed), ...models]) {
    const found = rotaryOf(given, spec, names, false) ?? rotaryOf(given, spec, names, true);
    if (found) return found;
  }
  for (const spec of scaledOf(given)) {
    const found = rotaryOf(given, spec, [], false);
    if (found) return found;
  }
  return alibiOf(given);
}

/** How a table compares with each kind of layers of a config, a sentence for each. */
export const comparedWith = (given: Given, config: object, options: EncodingsOfOptions): string[] =>
  groupsOf(config, options).map((group) => {
    const { layerType, layers } = group;
    const of = [layerType, layers && `layers ${rangesOf(layers)}`].filter(Boolean).join(', ');
    return `${of || 'Your config'}: ${comparison(given, group)}`;
  });

function comparison(given: Given, encoding: ModelEncoding): string {
  const { data, rows, dim } = given;
  const { kind, spec } = encoding;
  const name = briefOf(encoding);
  if (kind === 'none') return `${name}, so there is nothing to compare.`;
  if (kind !== 'rotary' && kind !== 'sinusoidal') return `${name}, which is not compared.`;
  let values: Float32Array | undefined;
  if (kind === 'rotary') {
    const { sections, sectionOrder, ...own } = spec;
    values = nearestOf(rotary(own), data, rows, 0, dim)?.values;
    const unscaled = own.scaling && nearestOf(rotary({ ...own, scaling: undefined }), data, rows, 0, dim)?.values;
    const lacks = values && unscaled && distanceOf(given, values) > 1 && distanceOf(given, unscaled) <= 1;
    if (lacks) return `${name}, but your table lacks the scaling.`;
  } else if (spec.dim === dim) values = sinusoidal(spec).encode(rows).data;
  if (!values) return `${name}, whose tables have other numbers of columns than yours.`;
  if (distanceOf(given, values) <= 1) return `${name}, and your table agrees.`;
  const off = data.map((value, k) => Math.abs(value - values[k]));
  const worst = off.indexOf(off.reduce((most, value) => Math.max(most, value), 0));
  const place = `in row ${Math.floor(worst / dim)}, column ${worst % dim}, counted from 0`;
  return `${name}, but your table is off by up to ${formatError(off[worst])}, ${place}.`;
}
