/** `posenc table`: the numbers of an encoding. */

import { Problem } from './input.ts';
import { chooseLayer, type LayersAsked, make, parseSpec, readLayers } from './layers.ts';
import { type Numbers, writeNote, writeNumbers } from './output.ts';

const SPECS = ['rotary', 'sinusoidal', 'grid', 'alibi'] as const;

interface TableAsked extends LayersAsked, Partial<Record<(typeof SPECS)[number], string>> {
  layer?: number;
  what?: string;
  positions?: number[];
  columns?: string;
  numerics?: string;
  as?: string;
  output?: string;
}

/** Each pair's column as often as asked. */
function repeat(data: ArrayLike<number>, pairs: number, columns: string) {
  const pairOf: Record<string, (column: number) => number> = {
    dim: (column) => column % pairs,
    interleaved: (column) => column >> 1,
  };
  const find = pairOf[columns];
  if (!find) throw new Problem(`--columns must be one of pairs, dim, interleaved, got ${columns}`);
  return Array.from(
    { length: 2 * data.length },
    (_, i) => data[Math.floor(i / (2 * pairs)) * pairs + find(i % (2 * pairs))],
  );
}

/** What can be said of an encoding, by its name in `--what`. */
function listTables(encoding: any, kind: string, { positions, length = 16, columns = 'pairs' }: TableAsked) {
  const rows = positions ?? length;
  const labels = positions ?? Array.from({ length }, (_, k) => k);
  const { frequencies, slopes, spec } = encoding;
  const waves = (wave: 'cos' | 'sin') => () => {
    const asked =
      kind === 'rotaryGrid'
        ? (positions ?? undefined)
        : spec.sections && positions
          ? [positions, positions, positions]
          : rows;
    const { data, shape } = encoding.tables(asked)[wave];
    const pairs = shape[shape.length - 1];
    const all = columns === 'pairs' ? data : repeat(data, pairs, columns);
    return { data: all, shape: [data.length / pairs, all.length / (data.length / pairs)], positions: labels };
  };
  const lists = (data: ArrayLike<number>) => () => ({ data, shape: [data.length] });
  const first = positions?.[0];
  if (positions && (kind === 'alibi' || kind === 'relativeBuckets') && positions.length > 1)
    throw new Problem('--positions must be one query here');
  const queries = first === undefined ? length : 1;
  const start = { start: first ?? 0 };
  const known: Record<string, (() => Omit<Numbers, 'name'>) | undefined> = {
    inv_freq: frequencies && lists(frequencies),
    cos: encoding.tables && waves('cos'),
    sin: encoding.tables && waves('sin'),
    rows:
      encoding.encode &&
      (() => ({
        ...encoding.encode(kind === 'grid' ? positions : rows),
        positions: kind === 'grid' ? undefined : labels,
      })),
    slopes: slopes && lists(slopes),
    bias: slopes && (() => encoding.bias(queries, (first ?? 0) + (first === undefined ? length : 1), start)),
    buckets:
      encoding.index &&
      (() =>
        kind === 'windowIndex'
          ? encoding.index()
          : encoding.index(queries, first === undefined ? length : first + 1, start)),
  };
  return known;
}

export async function table([source]: string[], asked: TableAsked) {
  const given = SPECS.filter((name) => asked[name] !== undefined);
  if (given.length + Number(source !== undefined) !== 1)
    throw new Problem(`table needs a FILE, a MODEL or one of ${SPECS.map((name) => `--${name}`).join(', ')}`);
  const [name] = given;
  // The length of a table is not that of the text, which scalings take.
  const answer = name
    ? { kind: name, spec: parseSpec(name, String(asked[name])) }
    : chooseLayer(await readLayers(source, { part: asked.part }), asked.layer);
  const { kind, spec } = answer;
  if (kind === 'learned')
    throw new Problem(`its rows are learned: they are in its checkpoint, as ${(answer as any).tensor}`, 3);
  const encoding = make({ kind, spec: asked.numerics ? { ...spec, numerics: asked.numerics } : spec });
  if (!encoding) throw new Problem('these layers have no encoding', 3);
  const known = listTables(encoding, kind, asked);
  const names = Object.keys(known).filter((one) => known[one]);
  const compute = known[asked.what ?? ''];
  if (!compute) throw new Problem(`--what must be one of ${names.join(', ')}, got ${asked.what ?? 'nothing'}`);
  const numbers = compute();
  for (const { kind: sort, text } of (answer as any).notes ?? []) if (sort !== 'default') writeNote(text);
  const { data, shape, positions } = numbers;
  await writeNumbers(
    { name: String(asked.what), data, shape: [...shape], positions },
    asked.as ?? 'text',
    asked.output,
  );
  return 0;
}
