import { dimensionAxis, positionAxis } from '../../figure/axes.js';
import { element, find, say } from '../../figure/dom.js';
import { createHeatmap } from '../../figure/heatmap.js';
import { KINDS } from '../../figure/kinds.js';
import { createLegend } from '../../figure/legend.js';
import { formatError, formatValue, formatWhole } from '../../figure/numbers.js';
import { fields, MAX_LENGTH, TABLE_FIELDS } from '../../figure/state.js';
import { loadFiles } from '../lazy.js';
import { readTable } from '../parse.js';
import { pickFile } from '../pick.js';
import render from './check.html?markup';

/**
 * @typedef {import('../../figure/state.js').View} View
 * @typedef {import('../parse.js').ReadTable} ReadTable
 * @typedef {import('posenc').Match & { kind: 'sinusoidal' }} Match
 * @typedef {import('posenc').SinusoidalSpec} Spec
 */

/** Longer texts are read, but would only slow the box down. */
const MOST_SHOWN = 200_000;
/** Values that are compared; the rows past them are not. */
const MOST_VALUES = 2 ** 22;
/** Milliseconds without a key before what is typed is read. */
const PAUSE = 200;

const NONE_FITS =
  `No variant fits. Compared were ${KINDS.sinusoidal.presets.join(', ')}, each at any base and scale and from ` +
  'first positions up to some hundred thousand, exact and in the arithmetic of float32 and bfloat16, and with sine and ' +
  'cosine swapped or a usual slip in the exponent. A learned table, or one with something added to it, is none of these.';

const EXAMPLE = { rows: 24, dim: 16 };

/** @param {number} difference */
const signed = (difference) => `${difference < 0 ? '−' : ''}${formatError(Math.abs(difference))}`;

/**
 * A table as it would be printed.
 *
 * @param {Float32Array} values
 * @param {'pytorch' | 'numpy'} style
 */
function print(values, style) {
  const torch = style === 'pytorch';
  const [before, gap, after] = torch ? ['tensor([', ', ', '])'] : ['[', ' ', ']'];
  const rows = Array.from({ length: EXAMPLE.rows }, (_, row) => {
    const cells = values.subarray(row * EXAMPLE.dim, (row + 1) * EXAMPLE.dim);
    return `[${Array.from(cells, (x) => x.toFixed(torch ? 4 : 8).padStart(torch ? 7 : 11)).join(gap)}]`;
  });
  return `${before}${rows.join(`${gap.trim()}\n${' '.repeat(before.length)}`)}${after}`;
}

/**
 * The fields in which a match differs from its preset, besides numbers.
 *
 * @param {Match} match
 * @returns {Record<string, string>}
 */
function furtherOf({ spec }) {
  const words = { true: 'yes', false: 'no' };
  const further = ['layout', 'endpoint', 'odd', 'numerics'].map((key) => {
    const value = String(/** @type {Record<string, unknown>} */ (spec)[key]);
    return [key, /** @type {Record<string, string>} */ (words)[value] ?? value];
  });
  return Object.fromEntries(further.filter(([, value]) => value !== 'undefined'));
}

/**
 * Which variant made a table that is pasted or opened, and how far it is from it.
 *
 * @param {HTMLElement} root
 * @param {import('../../figure/state.js').Context} context
 * @returns {import('../../figure/state.js').Render}
 */
export function checkPanel(root, { posenc, change }) {
  render(root);
  const box = find(root, 'textarea', HTMLTextAreaElement);
  const tensors = find(root, '.tensors', HTMLElement);
  const tensor = find(root, '.tensors select', HTMLSelectElement);
  const summary = find(root, '.summary', HTMLElement);
  const problem = find(root, '.error', HTMLElement);
  const findings = find(root, '.findings', HTMLElement);
  const known = find(root, '.known', HTMLElement);
  const verdict = find(root, '.verdict', HTMLElement);
  const slip = find(root, '.slip', HTMLElement);
  const choices = find(root, '.matches', HTMLFieldSetElement);
  const facts = find(root, '.facts', HTMLElement);
  const show = find(root, '.show', HTMLButtonElement);
  const shown = find(root, '.shown-or-not', HTMLElement);
  const minuend = find(root, '.minuend', HTMLElement);
  const readout = find(root, '.readout', HTMLElement);
  const sampling = find(root, '.sampling', HTMLElement);

  /** @type {View} */
  let current;
  /** The table that is compared. @type {{ data: Float32Array, rows: number, dim: number, decimals: number }} */
  let table;
  /**
   * The match it is compared with, and the rows that this makes.
   *
   * @type {{ match: Match, expected: Float32Array } | undefined}
   */
  let compared;

  const read = (/** @type {number} */ row, /** @type {number} */ dimension) => {
    if (!compared) return;
    const { match, expected } = compared;
    const at = row * table.dim + dimension;
    say(readout, {
      position: formatWhole(match.start + row),
      dimension: String(dimension),
      yours: formatValue(table.data[at]),
      [match.preset]: formatValue(expected[at]),
      difference: signed(table.data[at] - expected[at]),
    });
  };
  const legend = createLegend(find(root, '.legend', HTMLElement), ['', '0', '']);
  const heatmap = createHeatmap(find(root, '.heatmap', HTMLElement), {
    colorize: posenc.colorize,
    onCursor(row, dimension) {
      heatmap.moveTo(row, dimension);
      read(row, dimension);
    },
    onScale({ rows, columns }) {
      sampling.textContent =
        rows > 1 || columns > 1
          ? 'More cells than pixels: each pixel shows a mean, in which single differences fade.'
          : '';
    },
  });

  /**
   * The settings of the page that make a match, or why there are none.
   *
   * @param {Match} match
   * @returns {Partial<View>}
   */
  const settingsOf = ({ preset, spec, start }) => {
    const asked = { ...spec, preset, start, length: Math.min(table.rows, MAX_LENGTH) };
    const patch = Object.fromEntries(
      [...TABLE_FIELDS, 'start', 'length', 'left', 'columns'].map((name) => {
        const key = /** @type {keyof View} */ (name);
        const field = /** @type {import('../../figure/state.js').Field<unknown>} */ (fields[key]);
        const value = /** @type {Record<string, unknown>} */ (asked)[key] ?? field.initial;
        try {
          return [key, field.parse(field.format(value))];
        } catch (error) {
          throw new Error(`${key} must be ${/** @type {Error} */ (error).message}`);
        }
      }),
    );
    // Made here: the table that all panels show is kept for them, and no other.
    const zeroOf = (/** @type {Spec} */ spec) => posenc.sinusoidal(spec).spec.zeroAt;
    const settable = /** @type {Spec} */ (KINDS.sinusoidal.spec({ ...current, ...patch }));
    if (zeroOf(settable) !== zeroOf(spec)) throw new Error('no setting moves the row of zeros');
    return patch;
  };

  /** @param {Match} match */
  const drawMatch = (match) => {
    const { data, rows, dim, decimals } = table;
    const { preset, start, maxError, note = '' } = match;
    const { base, scale, maxFrequency, zeroAt } = posenc.sinusoidal(match.spec).spec;
    const expected = posenc.sinusoidal(match.spec).encode(rows, { start }).data;
    compared = { match, expected };
    const difference = data.map((value, k) => value - expected[k]);
    const worst = difference.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

    slip.textContent = note ? `A known slip: ${note}.` : '';
    const number = (/** @type {number} */ value) => formatWhole(Number(value.toPrecision(8)));
    /** @type {Record<string, string>} */
    const said = {
      base: number(base),
      'first position': formatWhole(start),
      scale: number(scale),
      'max frequency': number(maxFrequency),
      ...(zeroAt === undefined ? {} : { 'row of zeros': formatWhole(zeroAt) }),
      ...furtherOf(match),
    };
    said['largest difference'] = formatError(worst);
    if (worst > 2 * maxError) said['beyond the slip'] = formatError(maxError);
    facts.replaceChildren(
      ...Object.entries(said).map(([name, value]) =>
        element('div', '', element('dt', '', name), element('dd', '', value)),
      ),
    );

    const printed = decimals > 0 && decimals < 8 && maxError <= 0.6 * 10 ** -decimals;
    const why =
      worst === 0
        ? 'Every value is equal to the last bit.'
        : printed
          ? `A print with ${decimals} decimals is no closer.`
          : '';
    shown.textContent = why;
    try {
      settingsOf(match);
      show.disabled = false;
    } catch (error) {
      show.disabled = true;
      shown.textContent = `${why} The page can’t show it: ${/** @type {Error} */ (error).message}.`;
    }

    minuend.textContent = preset;
    const most = worst || 1;
    const label = formatError(worst);
    legend.label(worst ? [signed(-worst), '0', label] : ['', '0', '']);
    heatmap.draw({
      values: difference,
      rows,
      columns: dim,
      domain: [-most, most],
      rowAxis: Number.isInteger(start) ? positionAxis(start, rows) : { ...positionAxis(0, rows), name: 'row' },
      columnAxis: dimensionAxis(dim),
      label: `Your table less ${preset}’s: ${rows} rows by ${dim} dimensions, differences up to ${label}.`,
    });
    read(heatmap.cursor.row, heatmap.cursor.column);
  };

  /** @param {Match[]} [matches] none where there is no table */
  const drawFindings = (matches) => {
    const none = matches?.length === 0;
    findings.classList.toggle('empty', !matches?.length);
    findings.classList.toggle('none', none);
    known.textContent = none ? NONE_FITS : '';
    if (!matches?.length) return;
    const [{ preset, note }] = matches;
    verdict.textContent = `It is ${preset}’${/s$/.test(preset) ? '' : 's'} table${note ? ', but for a slip' : ''}.`;
    choices.hidden = matches.length < 2;
    choices.replaceChildren(
      element('legend', '', 'All of these fit. Compared with'),
      ...matches.map((match, k) => {
        const radio = element('input', '');
        Object.assign(radio, { type: 'radio', name: 'match', checked: k === 0 });
        radio.addEventListener('change', () => drawMatch(match));
        const further = Object.entries(furtherOf(match)).map(([key, value]) => `, ${key}: ${value}`);
        return element('label', '', radio, `${match.preset}${further.join('')}`);
      }),
    );
    drawMatch(matches[0]);
  };

  /** @param {ReadTable} read */
  const compare = ({ data, shape, kind, decimals }) => {
    const dim = shape[shape.length - 1];
    const size = `[${shape.join(', ')}]`;
    if (shape.length < 2 || shape.length > 3 || (shape.length === 3 && shape[0] !== 1 && shape[1] !== 1)) {
      throw new Error(`A table is [length, dim], with or without a batch of one. This has the shape ${size}.`);
    }
    if (data.length === 0) throw new Error(`A table of the shape ${size} has no values.`);
    const strange = data.findIndex((value) => !Number.isFinite(value));
    if (strange >= 0) {
      const place = `Row ${Math.floor(strange / dim) + 1}, column ${(strange % dim) + 1}`;
      throw new Error(`${place}, counted from 1, is ${data[strange]} in float32. Only finite numbers can be compared.`);
    }
    const all = data.length / dim;
    const rows = Math.min(all, Math.floor(MOST_VALUES / dim));
    table = { data: data.subarray(0, rows * dim), rows, dim, decimals };
    const cut = rows < all ? ` The first ${formatWhole(rows)} rows are compared.` : '';
    const matches = posenc
      .identify({ data: table.data, shape: [rows, dim] })
      .filter((match) => match.kind === 'sinusoidal');
    summary.textContent = `Read as ${kind}: ${formatWhole(all)} positions × ${formatWhole(dim)} dimensions.${cut}`;
    return matches;
  };

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let latest = 0;
  /**
   * Reads a table, compares it, and says what came of it, unless another was given meanwhile.
   *
   * @param {string} what is read, for the time it takes
   * @param {() => Promise<ReadTable | undefined>} source
   * @param {string} [name] stands in the box for what it can't show. Where that is not read, the box is left as it was
   */
  const take = async (what, source, name = '') => {
    clearTimeout(timer);
    const mine = ++latest;
    const refuse = (/** @type {string} */ message) => {
      problem.textContent = message;
      box.setAttribute('aria-invalid', String(message !== '' && !name));
    };
    summary.textContent = what;
    refuse('');
    try {
      const read = await source();
      // The line above is to be seen before a long comparison.
      await new Promise((resolve) => setTimeout(resolve, read && read.data.length > 2 ** 16 ? 30 : 0));
      if (mine !== latest) return;
      if (!read) summary.textContent = '';
      drawFindings(read && compare(read));
      if (!name) return;
      box.value = '';
      box.placeholder = `${name}\n\nPaste here to compare another.`;
    } catch (error) {
      if (mine !== latest) return;
      summary.textContent = '';
      drawFindings();
      const message = /** @type {Error} */ (error).message.replace('posenc: ', '');
      refuse(`${message[0].toUpperCase()}${message.slice(1)}${/[.?!]$/.test(message) ? '' : '.'}`);
    }
  };

  /**
   * @param {string} text
   * @param {string} [name]
   */
  const takeText = (text, name) => {
    tensors.hidden = true;
    take(text ? 'Reading…' : '', async () => (text.trim() ? readTable(text) : undefined), name);
  };

  /** @param {File} given */
  const takeFile = (given) => {
    tensors.hidden = true;
    const saying = `Reading ${given.name}…`;
    const open = async () => {
      const { openTable } = await loadFiles();
      const { names, read } = await openTable(given);
      tensors.hidden = names.length < 2;
      tensor.replaceChildren(...names.map((name) => new Option(name)));
      tensor.onchange = () => take(saying, () => read(tensor.value), given.name);
      return read(names[0]);
    };
    take(saying, open, given.name);
  };

  box.addEventListener('input', (event) => {
    clearTimeout(timer);
    // What is typed is not yet whole.
    const typed = /^(insertText|insertLine|delete)/.test(/** @type {InputEvent} */ (event).inputType ?? '');
    timer = setTimeout(() => takeText(box.value), typed ? PAUSE : 0);
  });
  box.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length <= MOST_SHOWN) return;
    event.preventDefault();
    takeText(text, `Pasted text of ${formatWhole(text.length)} characters, too many to show here`);
  });
  pickFile(root, takeFile);

  const { rows, dim } = EXAMPLE;
  /** @type {Record<string, () => string>} */
  const examples = {
    tutorial: () => print(posenc.sinusoidal({ dim, numerics: 'float32' }).encode(rows).data, 'pytorch'),
    // Each column has an exponent of its own, where a sine and its cosine share one.
    slip() {
      const own = posenc.sinusoidal({ dim, maxFrequency: 10000 ** (-1 / dim) }).encode(rows).data;
      const values = posenc
        .sinusoidal({ dim })
        .encode(rows)
        .data.map((value, k) => (k % 2 ? own[k] : value));
      return print(values, 'numpy');
    },
  };
  for (const button of root.querySelectorAll('button')) {
    const example = examples[button.value];
    if (!example) continue;
    button.addEventListener('click', () => {
      box.value = example();
      takeText(box.value);
    });
  }

  show.addEventListener('click', () => {
    if (!compared) return;
    const refusal = change(settingsOf(compared.match), true);
    shown.textContent = refusal || 'It is what all panels show now.';
    if (!refusal) scrollTo({ top: 0 });
  });

  return (view) => {
    current = view;
  };
}
