/** `posenc table`: the numbers of an encoding. */

import { writeFileSync } from 'node:fs';
import * as posenc from 'posenc';
import { writeNpy } from 'posenc/files';
import { Failure } from './failure.ts';
import { chooseLayer, groupsOf, nameLayers, readArguments, readConfig, readCount } from './read.ts';
import { formatNumber, makeEncoding } from './show.ts';

/** The options that name a kind, and what is printed of it by default. */
const KINDS = {
  rotary: { kind: 'rotary', what: ['inv_freq', 'cos', 'sin'] },
  sinusoidal: { kind: 'sinusoidal', what: ['rows'] },
  grid: { kind: 'grid', what: ['rows'] },
  'rotary-grid': { kind: 'rotaryGrid', what: ['cos', 'sin'] },
  alibi: { kind: 'alibi', what: ['slopes', 'bias'] },
  'relative-buckets': { kind: 'relativeBuckets', what: ['buckets'] },
} as const;

const FORMS = ['text', 'csv', 'json', 'npy', 'c'];

const text = { type: 'string' } as const;
const OPTIONS = {
  ...{ rotary: text, sinusoidal: text, grid: text, 'rotary-grid': text, alibi: text, 'relative-buckets': text },
  ...{ what: text, layer: text, part: text, positions: text, length: text, columns: text, numerics: text, as: text },
  output: { ...text, short: 'o' },
} as const;

/** The value of a field: a number, a flag, sizes such as 14x14, or a word. */
function readField(value: string): unknown {
  if (/^[-+.\d]/.test(value) && Number.isFinite(Number(value))) return Number(value);
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d+(x\d+)+$/.test(value) ? value.split('x').map(Number) : value;
}

/** The spec of fields: dim=128,scaling.type=llama3. */
export function readFields(given: string): object {
  const spec: any = {};
  for (const part of given.split(',').filter(Boolean)) {
    const [, name, value] = /^([\w.]+)=(.+)$/.exec(part) ?? [];
    if (!name) throw new Failure(`a field is name=value, got ${part}`);
    const [last, ...path] = name.split('.').reverse();
    let place = spec;
    for (const step of path.reverse()) place = place[step] ??= {};
    place[last] = readField(value);
  }
  return spec;
}

interface Table {
  what: string;
  data: ArrayLike<number>;
  shape: number[];
  /** What the rows are. */
  names?: number[];
}

function compute(encoding: any, what: string, positions: number[], columns: string | undefined): Table {
  const { kind, spec } = encoding;
  const count = positions.length;
  if (what === 'inv_freq') return { what, data: encoding.frequencies, shape: [encoding.frequencies.length] };
  if (what === 'slopes') return { what, data: encoding.slopes, shape: [encoding.slopes.length] };
  if (what === 'bias') {
    const { data, shape } = encoding.bias(count, count);
    return { what, data, shape };
  }
  if (what === 'buckets') {
    const { data, shape } = encoding.index(count, count);
    return { what, data, shape };
  }
  if (what === 'rows') {
    const { data, shape } = encoding.encode(positions);
    return { what, data, shape, names: positions };
  }
  // In halves or side by side, whatever the layout of the model.
  const layout = columns === 'interleaved' ? 'interleaved' : columns === 'dim' ? 'half' : spec.layout;
  const { sections, sectionOrder, ...plain } = spec;
  const laid = (posenc as any)[kind](kind === 'rotary' ? { ...plain, layout } : { ...spec, layout });
  const tables = laid.tables(positions, { columns: columns === 'pairs' ? 'pairs' : 'dim' });
  const { data, shape } = tables[what];
  return { what, data, shape, names: positions };
}

/** Numbers as nested lists. */
function nest(data: string[], [size, ...sizes]: number[], open = '[', close = ']'): string {
  if (size === undefined) return data[0];
  const each = data.length / size;
  const parts = Array.from({ length: size }, (_, k) => nest(data.slice(k * each, (k + 1) * each), sizes, open, close));
  return `${open}${parts.join(sizes.length > 0 ? ',\n ' : ', ')}${close}`;
}

/** Rows under each other, each with its position, in lines of at most 100 characters. */
function align(rows: string[][], names: number[] | undefined): string {
  const width = Math.max(...rows.flat().map(({ length }) => length)) + 1;
  const labels = rows.map((_, k) => (rows.length > 1 || names ? `${names?.[k] ?? k}:` : ''));
  const margin = Math.max(...labels.map(({ length }) => length)) + 1;
  const most = Math.floor((100 - margin) / width);
  return rows
    .flatMap((row, k) =>
      Array.from({ length: Math.ceil(row.length / most) }, (_, line) => {
        const cells = row.slice(line * most, (line + 1) * most).map((cell) => cell.padStart(width));
        return `${(line === 0 ? labels[k] : '').padEnd(margin)}${cells.join('')}`;
      }),
    )
    .join('\n');
}

/** 9 digits name a float32 number. */
function format({ what, data, shape, names }: Table, form: string): string | Uint8Array {
  const cells = Array.from(data, formatNumber);
  const columns = shape.length > 1 ? shape[shape.length - 1] : 1;
  const rows = Array.from({ length: cells.length / columns }, (_, row) =>
    cells.slice(row * columns, (row + 1) * columns),
  );
  if (form === 'npy') return writeNpy({ data: Float32Array.from(data), shape });
  if (form === 'json') return nest(cells, shape);
  if (form === 'csv') return rows.map((row) => row.join(',')).join('\n');
  if (form === 'text') return align(rows, names);
  const [type, suffix] = what === 'buckets' ? ['int', ''] : ['float', 'f'];
  const literal = (cell: string) => `${suffix && !/[.e]/.test(cell) ? `${cell}.0` : cell}${suffix}`;
  const sizes = shape.map((size) => `[${size}]`).join('');
  return `static const ${type} ${what}${sizes} = ${nest(cells.map(literal), shape, '{', '}')};`;
}

export async function printTable(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const named = (Object.keys(KINDS) as (keyof typeof KINDS)[]).filter((name) => values[name] !== undefined);
  if (named.length + positionals.length !== 1)
    throw new Failure(
      `table takes one FILE, MODEL, or option of ${Object.keys(KINDS)
        .map((name) => `--${name}`)
        .join(', ')}`,
    );
  let encoding: any;
  let notes: { text: string }[] = [];
  if (named.length > 0) {
    const fields = readFields(values[named[0]] as string);
    encoding = (posenc as any)[KINDS[named[0]].kind]({
      ...fields,
      ...(values.numerics && { numerics: values.numerics }),
    });
  } else {
    const options = values.part ? { part: values.part as any } : {};
    const groups = chooseLayer(groupsOf(await readConfig(positionals[0]), options), readCount(values.layer, 'layer'));
    const [group, ...others] = groups.filter(({ kind }) => kind !== 'none' && kind !== 'learned');
    const kinds = groups.map(({ kind }) => (kind === 'none' ? 'no positions' : kind)).join(', ');
    if (!group) throw new Failure(`the model has ${kinds}: no table follows from its file`, 3);
    if (others.some(({ kind, spec }) => JSON.stringify([kind, spec]) !== JSON.stringify([group.kind, group.spec])))
      throw new Failure(`--layer must be given, since layers differ: ${groups.map(nameLayers).join('; ')}`);
    notes = group.notes ?? [];
    const numerics =
      values.numerics && 'numerics' in (makeEncoding(group).spec ?? {}) ? { numerics: values.numerics } : {};
    encoding = makeEncoding({ ...group, spec: { ...group.spec, ...numerics } } as any);
  }
  const usual = Object.values(KINDS).find(({ kind }) => kind === encoding.kind)?.what as readonly string[] | undefined;
  const { what = usual?.[0] ?? '', as: form = 'text', columns } = values;
  if (!usual?.includes(what))
    throw new Failure(`--what must be ${usual?.join(' or ')} for ${encoding.kind}, got ${what}`);
  if (!FORMS.includes(form)) throw new Failure(`--as must be one of ${FORMS.join(', ')}, got ${form}`);
  if (columns !== undefined && !['dim', 'pairs', 'interleaved'].includes(columns))
    throw new Failure(`--columns must be dim, pairs or interleaved, got ${columns}`);
  const listed = values.positions?.split(',').map((position) => Number(position));
  if (listed?.some((position) => !Number.isFinite(position)))
    throw new Failure(`--positions must be numbers, got ${values.positions}`);
  const length = readCount(values.length, 'length', 1) ?? encoding.rows ?? 16;
  const positions = listed ?? Array.from({ length }, (_, position) => position);
  const made = format(compute(encoding, what, positions, columns), form);
  for (const { text } of notes) console.error(`note: ${text}`);
  const bytes = typeof made === 'string' ? `${made}\n` : made;
  if (values.output) writeFileSync(values.output, bytes);
  else process.stdout.write(bytes);
  return 0;
}
