import { formatAmount, formatWhole } from '../../figure/index.ts';
import type { Pending } from '../../figure/types.ts';
import type { ReadTable } from '../../files/parse-table.ts';
import { formatSizes, POSITION_NAMES, VECTOR_NAMES } from '../../files/shapes.ts';
import { dropOnes, withPairs } from '../../files/table-pairs.ts';
import { brokenRule, createReader, type Offer, rulesOfTables } from '../files/tensors.ts';
import { callWorker, dropCalls, startWorker } from './client.ts';

export interface GivenTable {
  data: Float32Array;
  /** [rows, dim], or the axes of a bias or a grid. */
  shape: number[];
  /** Of all heads. */
  rows: number;
  dim: number;
  /** The decimals of the printed numbers; 0 if the table was not printed. */
  decimals: number;
  /** Whether it is cosines and sines from two tensors, side by side. */
  both: boolean;
}

const LIKELY_TENSORS = new RegExp(`${POSITION_NAMES.source}| \\+ `, 'i');
const MOST_NAMES = 200_000;
/** The most values that are compared: this many take seconds if nothing matches. */
const LARGEST_TABLE = 2 ** 20;
/** The rows of a tensor that are enough to recognize it, and the milliseconds for trying tensors. */
const PROBE = 64;
const WORKER_PATIENCE = 10_000;
/** Milliseconds without a key before typed text is read. */
const TYPING_PAUSE = 200;
/** The most values of a bias or a grid in its axes, which is read whole. */
const LARGEST_WHOLE = 2 ** 25;

const isVector = ({ length }: number[]) => length === 1;

/** [heads, queries, keys], or the axes of a grid and its dim, which may come first, if that is what a table may be. */
function findAxes(shape: number[]) {
  const sizes = dropOnes(shape);
  const [dim, width] = [...sizes].reverse();
  const areAxes = sizes.length > 2 && (width <= dim || (sizes.length === 3 && width < sizes[0]));
  return areAxes && sizes.reduce((product, size) => product * size) <= LARGEST_WHOLE ? sizes : undefined;
}

/** @param name of the tensor, '' for that of a file with one, or ' + ' of two */
function findShapeProblem(shape: number[], name: string) {
  const isRight = isVector(shape) ? shape[0] > 0 && (name === '' || VECTOR_NAMES.test(name)) : findAxes(shape);
  return isRight ? '' : brokenRule(shape, rulesOfTables(shape));
}

/** @param max rows, unless it is a list or has several axes */
function readGiven({ data, shape: sizes, decimals, both = false }: ReadTable, max: number): GivenTable {
  const axes = findAxes(sizes);
  const dimOfAxes = axes?.[axes.length - 1] ?? 0;
  const [all, dim] = axes ? [data.length / dimOfAxes, dimOfAxes] : formatSizes(isVector(sizes) ? [1, ...sizes] : sizes);
  const rows = axes ? all : Math.min(all, max);
  // What is sent to the worker is all of a buffer.
  return { data: data.slice(0, rows * dim), shape: axes ?? [rows, dim], rows, dim, decimals, both };
}

/** What a table is read as. @param length of its first axis, which may have been read only in part */
function summarizeTable({ shape, format }: ReadTable, { rows, dim, ...given }: GivenTable, length: number) {
  if (given.shape.length > 2) return `Read as ${format}: ${given.shape.map(formatWhole).join(' × ')} values.`;
  if (isVector(shape)) return `Read as ${format}: a list of ${formatAmount(dim, 'number')}.`;
  const all = Math.max(formatSizes(shape)[0], shape[0] < length ? length : 0);
  const cut = rows < all ? ` The first ${formatWhole(rows)} rows are compared.` : '';
  return `Read as ${format}: ${formatAmount(all, 'position')} × ${formatAmount(dim, 'dimension')}.${cut}`;
}

/** The first tensor that passes, or the first of all if none does in time. */
async function findFirst(names: string[], passes: (name: string, k: number) => Promise<boolean>) {
  const end = performance.now() + WORKER_PATIENCE;
  for (const [k, name] of names.length > 1 ? names.entries() : []) {
    if (performance.now() > end) break;
    if (await passes(name, k)) return name;
  }
  return names[0];
}

async function readTableIn(text: string) {
  const read = await callWorker('readText', text);
  const reason = findShapeProblem(read.shape, read.both ? ' + ' : '');
  if (reason) throw new Error(reason);
  return read;
}

/** What is seen of the texts and files from which a table is read. */
export interface ReadingState {
  /** The text in the box, and the name of what was read in its place. */
  text: string;
  elsewhere: string;
  /** Whether the box shows the text that is read. */
  typed: boolean;
  summary: string;
  problem: string;
  busy: boolean;
  offer?: Offer;
}

export const NOTHING_READ: ReadingState = {
  text: '',
  elsewhere: '',
  typed: true,
  summary: '',
  problem: '',
  busy: false,
};

export function createReading({
  show,
  onTable,
  onNone,
  pending,
}: {
  show: (patch: Partial<ReadingState>) => void;
  onTable: (given: GivenTable, outdated: () => boolean) => Promise<void>;
  onNone: () => void;
  pending: Pending;
}) {
  const latest = pending.latest();
  // Draws whether it is a worker. The first call tells why there is none.
  startWorker().then(
    () => show({}),
    () => {},
  );

  const readNone = () => {
    show({ summary: '' });
    onNone();
  };

  const compare = async (read: ReadTable, length: number, outdated: () => boolean, name: string): Promise<void> => {
    const readable = readGiven(read, Math.floor(LARGEST_TABLE / read.shape[read.shape.length - 1]));
    await onTable(readable, outdated);
    if (outdated()) return;
    show({ summary: summarizeTable(read, readable, length), ...(name && { text: '', elsewhere: name }) });
  };

  const reader = createReader({
    pending,
    objection: findShapeProblem,
    adapt: withPairs,
    rowsOf: (shape) =>
      isVector(shape) || shape[0] === 1 || findAxes(shape)
        ? shape[0]
        : Math.floor(LARGEST_TABLE / shape[shape.length - 1]),
    likely: LIKELY_TENSORS,
    // The first that is a known encoding.
    choose: (names, { read, shape }, outdated) =>
      findFirst(names, async (name, k) => {
        show({ summary: `Trying ${name}, ${k + 1} of ${names.length}…` });
        // The error is shown when this tensor is chosen.
        const probe = await read(name, isVector(shape(name)) ? undefined : PROBE).catch(() => undefined);
        if (outdated()) return true;
        return probe !== undefined && (await callWorker('name', readGiven(probe, PROBE), false)).matches.length > 0;
      }),
    onTable: (read, { file, length }, outdated) => compare(read, length, outdated, file),
    onStart(message) {
      dropCalls();
      show({ summary: message, problem: '', busy: true });
    },
    onEnd(message) {
      if (message) readNone();
      show({ busy: false, problem: message });
    },
    onOffer: (offer) => show({ offer }),
  });

  const read = (input: string, name = ''): void => {
    latest.drop();
    show({ typed: name === '' });
    reader.forget();
    reader.attempt('', async (outdated) => {
      if (input.trim() === '') return readNone();
      const table = await readTableIn(input);
      await compare(table, table.shape[0], outdated, name);
    });
  };

  return {
    choose: reader.choose,
    fill(content: string) {
      show({ text: content });
      read(content);
    },
    open(file: File) {
      latest.drop();
      show({ typed: false });
      reader.open(file);
    },
    /** @param keyed whether it was typed, so that it may be incomplete */
    onInput(typedText: string, keyed: boolean) {
      show({ text: typedText });
      // A file whose comparison ends while something is typed would clear the box.
      reader.forget();
      latest.after(keyed ? TYPING_PAUSE : 0, () => read(typedText));
    },
    /** Takes a text that is too long to be shown. */
    onPaste(event: ClipboardEvent) {
      const pastedText = event.clipboardData?.getData('text/plain') ?? '';
      if (pastedText.length <= MOST_NAMES) return;
      event.preventDefault();
      read(pastedText, `Pasted text of ${formatWhole(pastedText.length)} characters, too many to show here`);
    },
  };
}
