/** `posenc table`: the numbers of an encoding. */

import type { ModelNote } from 'posenc/models';
import { chooseLayer, makeLayer, parseSpec, readLayers } from './encodings.ts';
import type { ChosenOptions } from './options.ts';
import { InputError } from './read-files.ts';
import { type WrittenNumbers, writeModelNotes, writeNumbers } from './write.ts';

const SPECS = ['rotary', 'sinusoidal', 'grid', 'alibi'] as const;

/** The most numbers of a table: a head of 128 columns at 131072 positions. */
const MOST_WRITTEN = 2 ** 24;

/** What can be said of an encoding, by its name in `--what`. */
function listTables(encoding: any, kind: string, { positions, length = 16, columns = 'pairs' }: ChosenOptions) {
  const { frequencies, slopes, spec } = encoding;
  const isBias = kind === 'alibi' || kind === 'relativeBuckets';
  if (isBias && positions && positions.length > 1) throw new InputError('--positions must be one query here');
  // One query of a position, or as many as there are keys.
  const [first] = positions ?? [];
  const call = first === undefined ? [length, length, { start: 0 }] : [1, first + 1, { start: first }];
  const width = isBias ? (slopes?.length ?? 1) * Number(call[1]) : 2 * (frequencies?.length ?? 1);
  if ((positions?.length ?? length) * width > MOST_WRITTEN)
    throw new InputError(`a table has at most ${MOST_WRITTEN} numbers: --length or --positions asks for more`);
  const labels = positions ?? Array.from({ length }, (_, k) => k);
  const makeWaves = (wave: 'cos' | 'sin') => () => {
    const axes = spec.sections && positions ? [positions, positions, positions] : (positions ?? length);
    const each = { columns: columns === 'pairs' ? columns : 'dim' };
    const { data, shape } = encoding.tables(kind === 'rotaryGrid' ? positions : axes, each)[wave];
    const width = shape[shape.length - 1];
    return { data, shape: [data.length / width, width], positions: labels };
  };
  const makeRows = () => {
    const rows = kind === 'grid' ? positions : (positions ?? length);
    return { ...encoding.encode(rows), positions: labels };
  };
  const makeList = (data: ArrayLike<number>) => () => ({ data, shape: [data.length] });
  const tables: Record<string, (() => Omit<WrittenNumbers, 'name'>) | undefined> = {
    inv_freq: frequencies && makeList(frequencies),
    cos: encoding.tables && makeWaves('cos'),
    sin: encoding.tables && makeWaves('sin'),
    rows: encoding.encode && makeRows,
    slopes: slopes && makeList(slopes),
    bias: slopes && (() => encoding.bias(...call)),
    buckets: encoding.index && (() => encoding.index(...call)),
  };
  return tables;
}

export async function writeTable([source]: string[], options: ChosenOptions) {
  const sources = SPECS.filter((name) => options[name] !== undefined);
  if (sources.length + Number(source !== undefined) !== 1)
    throw new InputError(`table needs a FILE, a MODEL or one of ${SPECS.map((name) => `--${name}`).join(', ')}`);
  const [name] = sources;
  // The length of a table is not that of the text, which scalings take.
  const answer = name
    ? { kind: name, spec: parseSpec(name, String(options[name])) }
    : chooseLayer(await readLayers(source, { part: options.part }), options.layer);
  const { kind, spec } = answer;
  if (kind === 'learned')
    throw new InputError(`its rows are learned: they are in its checkpoint, as ${(answer as any).tensor}`, 3);
  const { numerics, columns = 'pairs' } = options;
  // That in whose order a table has the columns of pairs.
  const layout = kind.startsWith('rotary') && columns !== 'pairs' && (columns === 'dim' ? 'half' : columns);
  const asked = { ...spec, ...(numerics && { numerics }) };
  const usual = makeLayer({ kind, spec: asked });
  const encoding = layout ? makeLayer({ kind, spec: { ...asked, layout } }) : usual;
  if (!encoding) throw new InputError('these layers have no encoding', 3);
  const tables = listTables(encoding, kind, options);
  const names = Object.keys(tables).filter((key) => tables[key]);
  const { what = 'nothing' } = options;
  if (!names.includes(what)) throw new InputError(`--what must be one of ${names.join(', ')}, got ${what}`);
  const numbers = tables[what]!();
  writeModelNotes(answer as { notes?: ModelNote[] });
  const { data, shape, positions } = numbers;
  await writeNumbers({ name: what, data, shape: [...shape], positions }, options.as ?? 'text', options.output);
  return 0;
}
