import { find } from '../../figure/dom.js';
import { formatWhole } from '../../figure/numbers.js';
import { pickFile } from '../files/pick.js';
import { brokenRule, createTensors, FORMATS, POSITIONS, rulesOfTables, sizesOf } from '../files/tensors.js';
import { withPairs } from './pairs.js';

/**
 * @typedef {object} Given a table to compare
 * @property {Float32Array} data
 * @property {number} rows
 * @property {number} dim
 * @property {number} decimals of the printed numbers; 0 if the table was not printed
 * @property {boolean} both whether it is cosines and sines from two tensors, side by side
 */

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
/** @param {number[]} shape */
const objection = (shape) => brokenRule(shape, rulesOfTables(shape));

/**
 * @param {import('../files/parse.js').ReadTable} read
 * @param {number} most rows
 * @returns {Given}
 */
function givenOf({ data, shape, decimals, both = false }, most) {
  const [all, dim] = sizesOf(shape);
  const rows = Math.min(all, most);
  return { data: data.subarray(0, rows * dim), rows, dim, decimals, both };
}

/**
 * The text box and the files from which a table is read.
 *
 * @param {HTMLElement} root the panel
 * @param {object} options
 * @param {(given: Given) => Promise<boolean>} options.recognizes whether a tensor of a file is a known encoding
 * @param {(given: Given, outdated: () => boolean) => Promise<void>} options.onTable compares it
 * @param {() => void} options.onNone called if there is no table
 * @param {(busy: boolean) => void} options.onBusy
 * @param {import('../../figure/pending.js').Pending} options.pending
 * @returns {(text: string) => void} puts a text into the box and reads it
 */
export function createReading(root, { recognizes, onTable, onNone, onBusy, pending }) {
  const box = find(root, 'textarea', HTMLTextAreaElement);
  const summary = find(root, '.summary', HTMLElement);
  const problem = find(root, '.error', HTMLElement);
  find(root, '.formats', HTMLElement).append(`${FORMATS}. Paste it, or open or drop a file.`);
  /** Whether the box shows the text that is read. */
  let typed = true;

  /**
   * @param {import('../files/parse.js').ReadTable} read
   * @param {number} length of its first axis, which may have been read only in part
   * @param {() => boolean} outdated
   * @param {string} name where the box can't show it
   */
  const compare = async (read, length, outdated, name) => {
    const { shape, format } = read;
    const [rows, dim] = sizesOf(shape);
    const given = givenOf(read, Math.floor(MOST_VALUES / dim));
    await onTable(given, outdated);
    if (outdated()) return;
    const all = Math.max(rows, shape[0] < length ? length : 0);
    const cut = given.rows < all ? ` The first ${formatWhole(given.rows)} rows are compared.` : '';
    summary.textContent = `Read as ${format}: ${formatWhole(all)} positions × ${formatWhole(dim)} dimensions.${cut}`;
    if (!name) return;
    box.value = '';
    box.placeholder = `${name}\n\nPaste here to compare another.`;
  };

  const tensors = createTensors(root, {
    pending,
    objection,
    adapt: withPairs,
    rowsOf: (shape) => (shape[0] === 1 ? 1 : Math.floor(MOST_VALUES / shape[shape.length - 1])),
    likely: LIKELY,
    async choose(names, { read }, outdated) {
      if (names.length === 1) return names[0];
      const end = performance.now() + PATIENCE;
      for (const [k, name] of names.entries()) {
        if (performance.now() > end) break;
        summary.textContent = `Trying ${name}, ${k + 1} of ${names.length}…`;
        // The error is shown when this tensor is chosen.
        const probe = await read(name, PROBE).catch(() => undefined);
        if (outdated() || (probe && (await recognizes(givenOf(probe, PROBE))))) return name;
      }
      return names[0];
    },
    onTable: (read, { file, length }, outdated) => compare(read, length, outdated, file),
    onStart(text) {
      summary.textContent = text;
      problem.textContent = '';
      box.setAttribute('aria-invalid', 'false');
      onBusy(true);
    },
    onEnd(message) {
      onBusy(false);
      problem.textContent = message;
      if (!message) return;
      summary.textContent = '';
      box.setAttribute('aria-invalid', String(typed));
      onNone();
    },
  });

  /** Drops what was typed last and is not read yet. */
  let drop = () => {};
  /**
   * @param {string} text
   * @param {string} [name] where the box can't show it
   */
  const takeText = (text, name = '') => {
    drop();
    typed = name === '';
    tensors.forget();
    tensors.attempt('', async (outdated) => {
      if (text.trim() === '') {
        summary.textContent = '';
        return onNone();
      }
      const { tableOf } = await import('../files/open.js');
      const read = tableOf(text);
      const reason = objection(read.shape);
      if (reason) throw new Error(reason);
      await compare(read, read.shape[0], outdated, name);
    });
  };

  box.addEventListener('input', (event) => {
    drop();
    // A file whose comparison ends meanwhile would clear the box.
    tensors.forget();
    // Typed text may be incomplete.
    const keyed = /^(insertText|insertLine|delete)/.test(/** @type {InputEvent} */ (event).inputType ?? '');
    drop = pending.after(keyed ? PAUSE : 0, () => takeText(box.value));
  });
  box.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= MOST_SHOWN) return;
    event.preventDefault();
    takeText(text, `Pasted text of ${formatWhole(text.length)} characters, too many to show here`);
  });
  pickFile(root, (file) => {
    drop();
    typed = false;
    tensors.open(file);
  });

  return (text) => {
    box.value = text;
    takeText(text);
  };
}
