import './controls.css';
import './check.css';
import { colorize, grid, rotary, sinusoidal } from 'posenc';
import { element, find } from '../../figure/dom.js';
import { formatError } from '../../figure/numbers.js';
import { nextPaint } from '../../figure/slices.js';
import { createCode } from '../check/code.js';
import { createDifference } from '../check/difference.js';
import { EXAMPLES } from '../check/examples.js';
import { apart } from '../check/pairs.js';
import { createReading } from '../check/reading.js';
import { gridCodeOf, makingOf, rightOf, settingsOf } from '../check/right.js';
import { agreementOf, labelOf, NONE_FITS, numbersOf, verdictOf } from '../check/verdict.js';
import render from './check.html?markup';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('../check/reading.js').Given} Given
 */

/** The functions that make a compared table. */
const posenc = { grid, rotary, sinusoidal };

/**
 * @param {Given} given
 * @param {boolean} nearest whether tables that only come near are named too
 * @returns {Promise<Match[]>}
 */
async function matchesOf(given, nearest) {
  const { data, rows, dim, both } = given;
  const { identify } = await import('posenc/identify');
  // Comparing takes up to a second: the panel says first what it reads.
  await nextPaint();
  return identify(both ? apart(given) : { data, shape: [rows, dim] }, { nearest });
}

/**
 * Identifies the encoding of a pasted or opened table, its bugs, and the correct code.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function checkPanel(root, { change, pending }) {
  render(root);
  const findings = find(root, '.findings', HTMLElement);
  const known = find(root, '.known', HTMLElement);
  const verdict = find(root, '.verdict', HTMLElement);
  const agreement = find(root, '.agreement', HTMLElement);
  const choices = find(root, '.matches', HTMLFieldSetElement);
  const facts = find(root, '.facts', HTMLElement);
  const show = find(root, '.show', HTMLButtonElement);
  const shown = find(root, '.shown-or-not', HTMLElement);
  const subtracted = find(root, '.subtracted', HTMLElement);
  const elsewhere = find(root, '.elsewhere', HTMLElement);
  const difference = createDifference(subtracted, colorize);
  const code = createCode(root);
  /** @type {Given} */
  let given;
  /** @type {Match} */
  let compared;

  /** @param {Match} match */
  const drawMatch = (match) => {
    const { bugs } = match;
    const { rows, decimals } = given;
    compared = match;
    const right = rightOf(posenc, match, given);
    subtracted.hidden = !right;
    elsewhere.textContent = right ? '' : 'The correct table has a different shape, so no difference is drawn.';
    const largest = right ? difference.draw(given, match, right.values) : NaN;
    verdict.textContent = verdictOf(match, right?.holds);
    agreement.textContent = agreementOf(match, { largest, decimals });
    const numbers = {
      ...numbersOf(posenc, match, right),
      ...(right && { 'largest difference': formatError(largest) }),
      ...(bugs.length > 0 && { 'beyond the bug': formatError(match.maxError) }),
    };
    facts.replaceChildren(
      ...Object.entries(numbers).map(([name, value]) =>
        element('div', '', element('dt', '', name), element('dd', '', value)),
      ),
    );
    shown.textContent = '';
    show.disabled = false;
    try {
      settingsOf(posenc, match, rows);
    } catch (error) {
      show.disabled = true;
      shown.textContent = `The page can’t show it: ${/** @type {Error} */ (error).message}.`;
    }
    const making = match.kind === 'grid' ? { javascript: gridCodeOf(match.spec, rows) } : makingOf(posenc, match, rows);
    code.draw(making, match, !show.disabled);
  };

  /** @param {Match[]} [matches] absent if there is no table */
  const drawFindings = (matches) => {
    const none = matches?.length === 0;
    findings.classList.toggle('empty', !matches?.length);
    findings.classList.toggle('none', none);
    known.textContent = none ? NONE_FITS : '';
    if (!matches?.length) return;
    const [{ agree, cells }] = matches;
    choices.hidden = matches.length < 2;
    choices.replaceChildren(
      element('legend', '', agree < cells ? 'The most likely ones. Compared with' : 'All of these fit. Compared with'),
      ...matches.map((match, k) => {
        const radio = element('input', '');
        Object.assign(radio, { type: 'radio', name: 'match', checked: k === 0 });
        radio.addEventListener('change', () => drawMatch(match));
        return element('label', '', radio, labelOf(match));
      }),
    );
    drawMatch(matches[0]);
  };

  const read = createReading(root, {
    pending,
    recognizes: async (probe) => (await matchesOf(probe, false)).length > 0,
    async onTable(next, outdated) {
      const matches = await matchesOf(next, true);
      if (outdated()) return;
      given = next;
      drawFindings(matches);
    },
    onNone: () => drawFindings(),
    onBusy: (busy) => findings.setAttribute('aria-busy', String(busy)),
  });
  for (const button of root.querySelectorAll('button')) {
    const example = EXAMPLES[button.value];
    if (example) button.addEventListener('click', () => read(example(posenc)));
  }

  show.addEventListener('click', () => {
    const refusal = change(settingsOf(posenc, compared, given.rows), true);
    shown.textContent = refusal || 'All panels show it now.';
    if (!refusal) scrollTo({ top: 0 });
  });

  return () => {};
}
