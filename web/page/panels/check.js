import './controls.css';
import './answer.css';
import './check.css';
import { grid, rotary, sinusoidal } from 'posenc';
import { element, find, formatError, nextPaint } from '../../figure/index.js';
import { createCode } from '../check/code.js';
import { createDifference } from '../check/difference.js';
import { EXAMPLES } from '../check/examples.js';
import { apart } from '../check/pairs.js';
import { createReading } from '../check/reading.js';
import { gridCodeOf, makingOf, rightOf, settingsOf } from '../check/right.js';
import { ascending } from '../check/slips.js';
import { agreementOf, deviationsOf, labelOf, NONE_FITS, numbersOf, verdictOf } from '../check/verdict.js';
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
  return (match, given) => {
    const { rows, decimals } = given;
    const right = rightOf(posenc, match, given);
    subtracted.hidden = !right;
    part('.elsewhere').textContent = right ? '' : 'The correct table has a different shape, so no difference is drawn.';
    const largest = right ? drawDifference(given, match, right.values) : NaN;
    const deviations = deviationsOf(posenc, match, given.data);
    part('.verdict').textContent = verdictOf(match, deviations, right?.holds);
    part('.agreement').textContent = agreementOf(match, { largest, decimals });
    const numbers = {
      ...numbersOf(posenc, match, right),
      ...(right && { 'largest difference': formatError(largest) }),
      ...(match.bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    };
    const facts = Object.entries(numbers).map(([name, value]) =>
      element('div', '', element('dt', '', name), element('dd', '', value)),
    );
    part('.facts').replaceChildren(...facts);
    show.disabled = !offer(match, rows);
    const making = match.kind === 'grid' ? { javascript: gridCodeOf(match.spec, rows) } : makingOf(posenc, match, rows);
    code.draw(making, deviations, !show.disabled);
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
  const drawMatch = createMatch(root, change);

  /** @type {(matches: Matches, given?: Given) => void} */
  const drawFindings = (found, given) => {
    const matches = found.map((match) => ascending(match, given?.rows ?? 0));
    const none = given !== undefined && matches.length === 0;
    findings.classList.toggle('empty', matches.length === 0);
    findings.classList.toggle('none', none);
    known.textContent = none ? (found.note ? `This is no encoding’s table: ${found.note}.` : NONE_FITS) : '';
    if (!given || none) return;
    const [{ agree, cells }] = matches;
    const radios = matches.map((match, k) => {
      const radio = Object.assign(element('input', ''), { type: 'radio', name: 'match', checked: k === 0 });
      radio.addEventListener('change', () => drawMatch(match, given));
      return element('label', '', radio, labelOf(match));
    });
    const said = agree < cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with';
    choices.hidden = matches.length < 2;
    choices.replaceChildren(element('legend', '', said), ...radios);
    drawMatch(matches[0], given);
  };

  const read = createReading(root, {
    pending,
    recognizes: async (probe) => (await matchesOf(probe, false)).length > 0,
    async onTable(given, outdated) {
      const matches = await matchesOf(given, true);
      if (!outdated()) drawFindings(matches, given);
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
