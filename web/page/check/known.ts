/**
 * Tables of models, which `identify` doesn't name: scaled rotary tables, their frequencies, and ALiBi. This module includes the reader
 * of config.json: import it on demand.
 */

import { alibi, type RotarySpec, rotary, sinusoidal } from 'posenc';
import type { EncodingsOfOptions, ModelEncoding } from 'posenc/models';
import { formatError, formatScaling, formatWhole } from '../../figure/index.ts';
import { briefOf, rangesOf } from '../card.ts';
import { calling, literal } from '../kinds/javascript.ts';
import { groupsOf } from '../model.ts';
import { MODELS } from '../models.ts';
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
const codeOf = (name: string, spec: object, line: string) => [...calling(name, literal(spec)), line].join('\n');

/**
 * @param spec without sections, which change no table of text
 * @param names of models that have it
 * @param rounded whether its frequencies are rounded to bfloat16
 */
function rotaryOf(given: Given, spec: RotarySpec, names: string[], rounded: boolean): Known | undefined {
  const { data, rows, dim } = given;
  const exact = rotary(spec);
  const { scaling, base, ...rest } = spec;
  const encoding = rounded ? rotary({ ...rest, frequencies: Array.from(exact.frequencies, inBfloat16) }) : exact;
  const words = wordsOf(spec, names, rounded);
  if (rows === 1 || dim === 1) {
    const values = Float32Array.from(encoding.frequencies);
    // The last ones are tiny, so that float32's digits count.
    const fits = values.every((value, k) => Math.abs(data[k] - value) <= value * 2 ** -20 + printedOf(given));
    if (data.length !== values.length || !fits) return undefined;
    const what = `inv_freq, the frequencies of a rotary encoding ${words}`;
    return { what, values, code: codeOf('rotary', spec, 'const { frequencies } = encoding;') };
  }
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
  for (let heads = 1; heads <= MOST_HEADS; heads++) {
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
      const line = `const bias = encoding.bias(${rows}, ${dim}, ${literal(options)}); // ${heads} heads: this is head ${head}`;
      return {
        what: `ALiBi’s bias of head ${head}, from 0, of ${heads} heads`,
        values,
        code: codeOf('alibi', { heads }, line),
      };
    }
  }
}

/** What a table is, if it is one of a model. */
export function knownOf(given: Given): Known | undefined {
  const { rows, dim, data } = given;
  for (const { names, spec } of rotations().values()) {
    const { sections, sectionOrder, ...own } = spec;
    const found = rotaryOf(given, own, names, false) ?? rotaryOf(given, own, names, true);
    if (found) return found;
  }
  const width = rows === 1 || dim === 1 ? data.length : dim;
  for (const base of BASES) {
    for (const size of [width, 2 * width]) {
      const found = size % 2 === 0 && size <= 65536 && rotaryOf(given, { dim: size, base }, [], true);
      if (found) return found;
    }
  }
  return alibiOf(given);
}

/**
 * How a table compares with each kind of layers of a config.
 *
 * @returns a sentence for each
 */
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
  } else if (spec.dim === dim) values = sinusoidal(spec).encode(rows).data;
  if (!values) return `${name}, whose tables have other numbers of columns than yours.`;
  if (distanceOf(given, values) <= 1) return `${name}, and your table agrees.`;
  const off = data.map((value, k) => Math.abs(value - values[k]));
  const worst = off.indexOf(off.reduce((most, value) => Math.max(most, value), 0));
  const place = `in row ${Math.floor(worst / dim)}, column ${worst % dim}, counted from 0`;
  return `${name}, but your table is off by up to ${formatError(off[worst])}, ${place}.`;
}
