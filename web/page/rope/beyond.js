import { element } from '../../figure/index.js';
import { initial } from '../state.js';
import { toHash } from '../url.js';

/** @typedef {import('../types.js').View} View */

/** @type {Partial<View>} */
const AT_FREQUENCIES = { preset: 'rotary', dim: 128, position: 0, pinned: true, show: 'frequencies' };

/** Llama 3.1’s. */
const SCALING = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';

/**
 * Llama 2’s first pair that doesn’t finish a turn in the length of its training, Llama 3.1’s first pair that is fully slowed, and the last
 * row of a table of GPT-2’s size.
 *
 * @type {[title: string, view: Partial<View>][]}
 */
const VIEWS = [
  ['Beyond the trained length', { ...AT_FREQUENCIES, span: 4096, dimension: 46 }],
  ['Scaling', { ...AT_FREQUENCIES, base: 500000, scaling: SCALING, span: 131072, dimension: 35 }],
  [
    'Learned tables',
    { preset: 'learned', dim: 768, start: 960, length: 64, position: 1023, pinned: true, show: 'table' },
  ],
];

/**
 * Gives each line on what lies beyond the figure a link, which opens another figure with its settings made.
 *
 * @param {HTMLElement} root
 */
export function linkBeyond(root) {
  VIEWS.forEach(([title, view], k) => {
    const link = element('a', '', title);
    link.href = toHash({ ...initial, ...view });
    root.children[k].prepend(link);
  });
}
