import { find, formatWhole } from '../../figure/index.ts';
import type { Pending } from '../../figure/types.ts';
import type { ReadTable } from '../files/parse.ts';
import { pickFile } from '../files/pick.ts';
import { brokenRule, createTensors, FORMATS, POSITIONS, rulesOfTables, sizesOf } from '../files/tensors.ts';
import { withPairs } from './pairs.ts';

/** A table to compare. */
export interface Given {
  data: Float32Array;
  rows: number;
  dim: number;
  /** The decimals of the printed numbers; 0 if the table was not printed. */
  decimals: number;
  /** Whether it is cosines and sines from two tensors, side by side. */
  both: boolean;
}

/** Likely names, which are offered first. */
const LIKELY = new RegExp(`${POSITIONS.source}| \\+ `, 'i');
/** Longer texts are read but not shown, since they would slow the box down. */
const MOST_SHOWN = 200_000;
/** The most values that are compared. So many take seconds if the table matches nothing. */
const MOST_VALUES = 2 ** 20;
/** The rows of a tensor that are enough to recognize it, and the milliseconds for trying tensors. */
const PROBE = 64;
const PATIENCE = 10_000;
/** Milliseconds without a key before typed text is read. */
const PAUSE = 200;
const objection = (shape: number[]) => brokenRule(shape, rulesOfTables(shape));

/** @param most rows */
function givenOf({ data, shape, decimals, both = false }: ReadTable, most: number): Given {
  const [all, dim] = sizesOf(shape);
  const rows = Math.min(all, most);
  return { data: data.subarray(0, rows * dim), rows, dim, decimals, both };
}

/**
 * What a table is read as.
 *
 * @param given what of it is compared
 * @param length of its first axis, which may have been read only in part
 */
function summaryOf({ shape, format }: ReadTable, { rows, dim }: Given, length: number) {
  const all = Math.max(sizesOf(shape)[0], shape[0] < length ? length : 0);
  const cut = rows < all ? ` The first ${formatWhole(rows)} rows are compared.` : '';
  return `Read as ${format}: ${formatWhole(all)} positions × ${formatWhole(dim)} dimensions.${cut}`;
}

/** The first tensor that passes, or the first of all if none does in time. */
async function firstOf(names: string[], passes: (name: string, k: number) => Promise<boolean>) {
  const end = performance.now() + PATIENCE;
  for (const [k, name] of names.length > 1 ? names.entries() : []) {
    if (performance.now() > end) break;
    if (await passes(name, k)) return name;
  }
  return names[0];
}

async function tableIn(text: string) {
  const { tableOfText } = await import('../files/open.ts');
  const read = tableOfText(text);
  const reason = objection(read.shape);
  if (reason) throw new Error(reason);
  return read;
}

/**
 * The box, into which a table is typed or pasted.
 *
 * @param onInput called at once
 * @param onText called when it pauses, with a name if the box can't show the text
 */
function createBox(
  root: HTMLElement,
  pending: Pending,
  onInput: () => void,
  onText: (text: string, name?: string) => void,
) {
  const box = find(root, 'textarea', HTMLTextAreaElement);
  const problem = find(root, '.error', HTMLElement);
  const latest = pending.latest();
  box.addEventListener('input', (event) => {
    latest.drop();
    onInput();
    // Typed text may be incomplete.
    const keyed = /^(insertText|insertLine|delete)/.test((event as InputEvent).inputType ?? '');
    latest.after(keyed ? PAUSE : 0, () => onText(box.value));
  });
  box.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= MOST_SHOWN) return;
    event.preventDefault();
    onText(text, `Pasted text of ${formatWhole(text.length)} characters, too many to show here`);
  });
  return {
    /** Drops what was typed last and is not read yet. */
    drop: latest.drop,
    fill(text: string) {
      box.value = text;
      onText(text);
    },
    /** @param name of what is read, which the box can't show */
    empty(name: string) {
      box.value = '';
      box.placeholder = `${name}\n\nPaste here to compare another.`;
    },
    complain(message: string, own: boolean): void {
      problem.textContent = message;
      box.setAttribute('aria-invalid', String(own && message !== ''));
    },
  };
}

/** The tensors of files, of which the first known one is compared. */
const openTensors = (
  root: HTMLElement,
  recognizes: (given: Given) => Promise<boolean>,
  summary: HTMLElement,
  panel: Pick<Parameters<typeof createTensors>[1], 'pending' | 'onTable' | 'onStart' | 'onEnd'>,
) =>
  createTensors(root, {
    ...panel,
    objection,
    adapt: withPairs,
    rowsOf: (shape) => (shape[0] === 1 ? 1 : Math.floor(MOST_VALUES / shape[shape.length - 1])),
    likely: LIKELY,
    choose: (names, { read }, outdated) =>
      firstOf(names, async (name, k) => {
        summary.textContent = `Trying ${name}, ${k + 1} of ${names.length}…`;
        // The error is shown when this tensor is chosen.
        const probe = await read(name, PROBE).catch(() => undefined);
        return outdated() || (probe !== undefined && recognizes(givenOf(probe, PROBE)));
      }),
  });

/**
 * The text box and the files from which a table is read.
 *
 * @param root the panel
 * @returns puts a text into the box and reads it
 */
export function createReading(
  root: HTMLElement,
  {
    recognizes,
    onTable,
    onNone,
    onBusy,
    pending,
  }: {
    /** Whether a tensor of a file is a known encoding. */
    recognizes: (given: Given) => Promise<boolean>;
    /** Compares it. */
    onTable: (given: Given, outdated: () => boolean) => Promise<void>;
    /** Called if there is no table. */
    onNone: () => void;
    onBusy: (busy: boolean) => void;
    pending: Pending;
  },
): (text: string) => void {
  const summary = find(root, '.summary', HTMLElement);
  find(root, '.formats', HTMLElement).append(`${FORMATS}. Paste it, or open or drop a file.`);
  /** Whether the box shows the text that is read. */
  let typed = true;

  const readNone = () => {
    summary.textContent = '';
    onNone();
  };

  const compare = async (read: ReadTable, length: number, outdated: () => boolean, name: string): Promise<void> => {
    const given = givenOf(read, Math.floor(MOST_VALUES / sizesOf(read.shape)[1]));
    await onTable(given, outdated);
    if (outdated()) return;
    summary.textContent = summaryOf(read, given, length);
    if (name) box.empty(name);
  };

  const tensors = openTensors(root, recognizes, summary, {
    pending,
    onTable: (read, { file, length }, outdated) => compare(read, length, outdated, file),
    onStart(text) {
      summary.textContent = text;
      box.complain('', typed);
      onBusy(true);
    },
    onEnd(message) {
      onBusy(false);
      if (message) readNone();
      box.complain(message, typed);
    },
  });

  const takeText = (text: string, name = ''): void => {
    box.drop();
    typed = name === '';
    tensors.forget();
    tensors.attempt('', async (outdated) => {
      if (text.trim() === '') return readNone();
      const read = await tableIn(text);
      await compare(read, read.shape[0], outdated, name);
    });
  };
  // A file whose comparison ends while something is typed would clear the box.
  const box = createBox(root, pending, tensors.forget, takeText);
  pickFile(root, (file) => {
    box.drop();
    typed = false;
    tensors.open(file);
  });

  return box.fill;
}
