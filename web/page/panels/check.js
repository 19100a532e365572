import './controls.css';
import './answer.css';
import './check.css';
import { grid, rotary, sinusoidal } from 'posenc';
import { element, find, formatError, formatWhole, nextPaint } from '../../figure/index.js';
import { beside } from '../check/beside.js';
import { createCode } from '../check/code.js';
import { createDifference } from '../check/difference.js';
import { EXAMPLES } from '../check/examples.js';
import { apart } from '../check/pairs.js';
import { createReading } from '../check/reading.js';
import { callOf, makingOf, rightOf, settingsOf } from '../check/right.js';
import {
  agreementOf,
  correctedOf,
  deviationsOf,
  inOrder,
  labelOf,
  NONE_FITS,
  nameOf,
  numbersOf,
  verdictOf,
} from '../check/verdict.js';
import render from './check.html?markup';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('posenc/identify').Matches} Matches
 * @typedef {import('../check/reading.js').Given} Given
 */

/** The functions that make a compared table. */
const posenc = { grid, rotary, sinusoidal };

/**
 * @param {Given} given
 * @param {boolean} nearest whether tables that only come near are named too
 * @returns {Promise<Matches>}
 */
async function matchesOf(given, nearest) {
  const { data, rows, dim, both } = given;
  const { identify } = await import('posenc/identify');
  // Comparing takes up to a second: the panel says first what it reads.
  await nextPaint();
  return identify(both ? apart(given) : { data, shape: [rows, dim] }, { nearest });
}

const fact = (/** @type {string} */ name, /** @type {string} */ value) =>
  element('div', '', element('dt', '', name), element('dd', '', value));

/**
 * A match: what it is, its difference from the table, its numbers and code, and the button that shows it on the page.
 *
 * @param {HTMLElement} root
 * @param {import('../types.js').Change} change
 */
function createMatch(root, change) {
  const part = (/** @type {string} */ selector) => find(root, selector, HTMLElement);
  const show = find(root, '.show', HTMLButtonElement);
  const shown = part('.shown-or-not');
  const subtracted = part('.subtracted');
  const drawDifference = createDifference(subtracted);
  const code = createCode(root);
  /** @type {Partial<import('../types.js').View>} */
  let settings = {};
  show.addEventListener('click', () => {
    const refusal = change({ ...settings, place: 'explore' }, true);
    shown.textContent = refusal || 'Explore shows it now.';
    if (!refusal) scrollTo({ top: 0 });
  });

  /** Whether the page's settings can make it. @type {(match: Match, rows: number) => boolean} */
  const offer = (match, rows) => {
    shown.textContent = '';
    try {
      settings = settingsOf(posenc, match, rows);
      return true;
    } catch (error) {
      shown.textContent = `The page can’t show it: ${/** @type {Error} */ (error).message}.`;
      return false;
    }
  };

  /** @type {(match: Match, given: Given) => void} */
  const drawMatch = (match, given) => {
    const { rows, dim, decimals } = given;
    const right = rightOf(posenc, match, given);
    subtracted.hidden = !right;
    part('.elsewhere').textContent = right ? '' : 'The correct table has a different shape, so no difference is drawn.';
    const largest = right ? drawDifference(given, nameOf(match), right.values, match) : NaN;
    const deviations = deviationsOf(posenc, match, given.data);
    part('.verdict').textContent = verdictOf(match, deviations, right?.holds);
    part('.agreement').textContent = agreementOf(match, { largest, decimals });
    const numbers = {
      ...numbersOf(posenc, match, right),
      ...(right && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    };
    const facts = Object.entries(numbers).map(([name, value]) => fact(name, value));
    part('.facts').replaceChildren(...facts);
    const corrected = correctedOf(match, deviations);
    const length = match.bugs.some(({ id }) => id === 'transposed') ? dim : rows;
    show.disabled = !offer(match, length);
    const making =
      corrected.kind === 'grid' || corrected.step
        ? { javascript: callOf(corrected, length) }
        : makingOf(posenc, corrected, length, right);
    code.draw(making, deviations, !show.disabled);
  };

  return {
    drawMatch,
    /** @type {(known: import('../check/known.js').Known, given: Given) => void} */
    drawKnown({ what, values, code: javascript }, given) {
      const largest = drawDifference(given, 'the model', values, { start: 0 });
      part('.verdict').textContent = `This is ${what}.`;
      part('.agreement').textContent = `All ${formatWhole(values.length)} values agree with that.`;
      part('.facts').replaceChildren(fact('largest difference', formatError(largest)));
      part('.elsewhere').textContent = '';
      subtracted.hidden = false;
      show.disabled = true;
      shown.textContent = '';
      code.draw({ javascript: `${javascript}\n` }, [], false);
    },
  };
}

/**
 * Identifies the encoding of a pasted or opened table, its bugs, and the correct code.
 *
 * @type {import('../types.js').Panel}
 */
export default function checkPanel(root, { change, pending }) {
  render(root);
  const findings = find(root, '.findings', HTMLElement);
  const known = find(root, '.known', HTMLElement);
  const choices = find(root, '.matches', HTMLFieldSetElement);
  const { drawMatch, drawKnown } = createMatch(root, change);
  const config = find(root, '.config', HTMLElement);
  /** @type {Given | undefined} */
  let compared;

  /** Compares the table with the config.json beside it. */
  const drawConfig = async () => {
    const [file, given] = [beside.current(), compared];
    const sentences =
      file && given && (await import('../check/known.js')).comparedWith(given, file.config, file.options);
    if (given !== compared || file !== beside.current()) return;
    config.hidden = !sentences;
    config.replaceChildren(...(sentences ?? []).map((sentence) => element('li', '', sentence)));
  };
  beside.follow(() => pending.until(drawConfig()));

  /** @type {(matches: Match[], given?: Given, model?: import('../check/known.js').Known, note?: string) => void} */
  const drawFindings = (matches, given, model, note) => {
    const none = given !== undefined && matches.length === 0 && !model;
    findings.classList.toggle('empty', matches.length === 0 && !model);
    findings.classList.toggle('none', none);
    known.textContent = none ? (note ? `This is no encoding’s table: ${note}.` : NONE_FITS) : '';
    compared = given;
    pending.until(drawConfig());
    if (!given || none) return;
    choices.hidden = model !== undefined || matches.length < 2;
    if (model) return drawKnown(model, given);
    const [{ agree, cells }] = matches;
    const radios = matches.map((match, k) => {
      const radio = Object.assign(element('input', ''), { type: 'radio', name: 'match', checked: k === 0 });
      radio.addEventListener('change', () => drawMatch(match, given));
      return element('label', '', radio, labelOf(match));
    });
    const said = agree < cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with';
    choices.replaceChildren(element('legend', '', said), ...radios);
    drawMatch(matches[0], given);
  };

  const read = createReading(root, {
    pending,
    recognizes: async (probe) => (await matchesOf(probe, false)).length > 0,
    async onTable(given, outdated) {
      const found = await matchesOf(given, true);
      const matches = inOrder(found);
      const [first] = matches;
      const isNamed = first && first.agree === first.cells && first.bugs.length === 0;
      const model = isNamed ? undefined : (await import('../check/known.js')).knownOf(given);
      if (!outdated()) drawFindings(matches, given, model, found.note);
    },
    onNone: () => drawFindings([]),
    onBusy: (busy) => findings.setAttribute('aria-busy', String(busy)),
  });
  for (const button of root.querySelectorAll('button')) {
    const example = EXAMPLES[button.value];
    if (example) button.addEventListener('click', () => read(example(posenc)));
  }

  return () => {};
}
