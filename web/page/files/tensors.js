import { find, formatWhole } from '../../figure/index.js';

/**
 * @typedef {import('./open.js').Opened} Opened
 * @typedef {import('./parse.js').ReadTable} ReadTable
 *
 * @typedef {object} Origin of a table
 * @property {string} file name of the file
 * @property {string} name of the tensor, if it has one
 * @property {number} length of its first axis, which may have been read only in part
 */

/** The supported formats. */
export const FORMATS = '.npy, .safetensors, or numbers as text: CSV, JSON, what Python prints';

/** The most tensors of a list: more can't be looked through, and a browser takes seconds to make it. */
const MOST_LISTED = 1000;

/** Likely names of tensors with positional encodings. */
export const POSITIONS = /pos|wpe|\bpe\b/i;

/**
 * The message of an error as a sentence.
 *
 * @param {unknown} error
 */
function sentenceOf(error) {
  const message = /** @type {Error} */ (error).message.replace('posenc: ', '');
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.?!]$/.test(message) ? '' : '.'}`;
}

/**
 * Why a panel can't show a tensor.
 *
 * @param {number[]} shape
 * @param {[right: boolean, rule: string][]} rules
 * @returns {string} the first broken rule and the shape, or ''
 */
export function brokenRule(shape, rules) {
  const [, rule] = rules.find(([right]) => !right) ?? [];
  return rule ? `${rule} This has the shape [${shape.join(', ')}].` : '';
}

/**
 * The rows and columns of a table, which may be a batch of one, or have one head.
 *
 * @param {number[]} shape
 */
export function sizesOf(shape) {
  if (shape.length <= 2) return shape;
  const [rows = 1, ...others] = shape.slice(0, -1).filter((size) => size !== 1);
  return [others.length > 0 ? NaN : rows, shape[shape.length - 1]];
}

/**
 * The rules for the shape of every table.
 *
 * @param {number[]} shape
 * @returns {[right: boolean, rule: string][]}
 */
export const rulesOfTables = (shape) => [
  [
    shape.length >= 2 && !Number.isNaN(sizesOf(shape)[0]),
    'A table must have the shape [length, dim], besides axes of size 1.',
  ],
  [!shape.includes(0), 'A table must not be empty.'],
];

/**
 * The names, with the likely ones first.
 *
 * @param {string[]} names
 * @param {RegExp} likely
 */
const likelyFirst = (names, likely) => [
  ...names.filter((name) => likely.test(name)),
  ...names.filter((name) => !likely.test(name)),
];

/**
 * The choices in a list of tensors.
 *
 * @param {string[]} fitting names that can be chosen
 * @param {Opened} opened
 */
function choicesOf(fitting, { names, shape }) {
  const possible = new Set(fitting);
  const listed = names.length > MOST_LISTED ? fitting.slice(0, MOST_LISTED) : names;
  const options = listed.map((name) => {
    const option = new Option(`${name} [${shape(name).join(', ')}]`, name);
    option.disabled = !possible.has(name);
    return option;
  });
  if (listed.length < names.length) {
    const others = new Option(`and ${formatWhole(names.length - listed.length)} others`);
    others.disabled = true;
    options.push(others);
  }
  return [new Option('Choose one', ''), ...options];
}

/**
 * The tensors that a panel can show, the likely ones first.
 *
 * @param {Opened} opened
 * @param {{ objection: (shape: number[]) => string, likely: RegExp }} panel
 */
function fittingOf({ names, shape }, { objection, likely }) {
  const fitting = names.filter((name) => objection(shape(name)) === '');
  if (fitting.length > 0) return likelyFirst(fitting, likely);
  throw new Error(names[0] === '' ? objection(shape('')) : 'It has no tensor of a suitable shape.');
}

/**
 * Runs attempts to read something. A new attempt cancels the one before.
 *
 * @param {object} panel
 * @param {import('../../figure/types.js').Pending} panel.pending
 * @param {(text: string) => void} panel.onStart
 * @param {(problem: string) => void} panel.onEnd called with the error, or ''
 */
export function createAttempts({ pending, onStart, onEnd }) {
  let latest = 0;
  /** @type {(name: string, work: (outdated: () => boolean) => Promise<void>) => Promise<void>} */
  const run = async (name, work) => {
    const mine = ++latest;
    const outdated = () => mine !== latest;
    let problem = '';
    onStart(`Reading${name && ` ${name}`}…`);
    try {
      await work(outdated);
    } catch (error) {
      problem = `${name && `${name}: `}${sentenceOf(error)}`;
    }
    if (!outdated()) onEnd(problem);
  };
  return {
    /**
     * @param {string} name of what is read
     * @param {(outdated: () => boolean) => Promise<void>} work
     */
    attempt: (name, work) => pending.until(run(name, work)),
    cancel() {
      latest++;
    },
  };
}

/**
 * Opens files for a panel and offers their tensors. A new attempt cancels the previous one, and a failure changes nothing.
 *
 * @param {HTMLElement} root holds a select in a block of class `tensor`
 * @param {object} panel
 * @param {import('../../figure/types.js').Pending} panel.pending
 * @param {(shape: number[]) => string} panel.objection why the panel can't show a tensor of this shape, or ''
 * @param {RegExp} panel.likely names of tensors that come first
 * @param {(names: string[], opened: Opened, outdated: () => boolean) => string | Promise<string>} [panel.choose] returns the tensor
 *   to show first, of those that the panel can show, the likely ones first. Default: the first.
 * @param {(opened: Opened) => Opened} [panel.adapt] changes an opened file for the panel. Default: the file as it is.
 * @param {(shape: number[]) => number} [panel.rowsOf] the number of slices along the first axis to read. Default: all.
 * @param {(table: ReadTable, origin: Origin, outdated: () => boolean) => void | Promise<void>} panel.onTable throws if it can't be
 *   shown
 * @param {(text: string) => void} panel.onStart called with a message about what is read
 * @param {(problem: string) => void} panel.onEnd called with the error, or ''
 */
export function createTensors(root, panel) {
  const { onTable, choose = ([first]) => first, adapt = (opened) => opened, rowsOf = () => Infinity } = panel;
  const block = find(root, '.tensor', HTMLElement);
  const select = find(block, 'select', HTMLSelectElement);
  /** @type {{ file: string, opened: Opened } | undefined} the file whose tensors are offered */
  let offered;
  /** @type {{ name: string, opened: Opened } | undefined} */
  let shown;

  const drawChoice = () => {
    block.hidden = (offered?.opened.names.length ?? 0) < 2;
    select.value = offered && shown?.opened === offered.opened ? shown.name : '';
  };
  const { attempt, cancel } = createAttempts({
    ...panel,
    onEnd(problem) {
      panel.onEnd(problem);
      drawChoice();
    },
  });

  /**
   * @param {string} file
   * @param {Opened} opened
   * @param {string} name
   */
  const show = (file, opened, name) =>
    attempt(name || file, async (outdated) => {
      const shape = opened.shape(name);
      const table = await opened.read(name, rowsOf(shape));
      if (outdated()) return;
      await onTable(table, { file, name, length: shape[0] }, outdated);
      if (!outdated()) shown = { name, opened };
    });
  select.addEventListener('change', () => {
    if (offered && select.value) show(offered.file, offered.opened, select.value);
  });

  return {
    attempt,
    /** @param {File} file */
    open: (file) =>
      attempt(file.name, async (outdated) => {
        const { openFile } = await import('./open.js');
        const opened = adapt(await openFile(file));
        if (outdated()) return;
        const fitting = fittingOf(opened, panel);
        offered = { file: file.name, opened };
        select.replaceChildren(...choicesOf(fitting, opened));
        const chosen = await choose(fitting.slice(0, MOST_LISTED), opened, outdated);
        if (!outdated()) await show(file.name, opened, chosen);
      }),
    forget() {
      cancel();
      offered = shown = undefined;
      drawChoice();
    },
  };
}
