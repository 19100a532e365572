import { element } from '../../figure/index.ts';
import { initial } from '../state.ts';
import type { View } from '../types.ts';
import { toHash } from '../url.ts';

const AT_FREQUENCIES: Partial<View> = { preset: 'rotary', dim: 128, position: 0, pinned: true, show: 'frequencies' };

/** Llama 3.1’s. */
const SCALING = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';

/**
 * Llama 2’s first pair that doesn’t finish a turn in the length of its training, Llama 3.1’s first pair that is fully slowed, and the last
 * row of a table of GPT-2’s size.
 */
const VIEWS: [title: string, view: Partial<View>][] = [
  ['Beyond the trained length', { ...AT_FREQUENCIES, span: 4096, dimension: 46 }],
  ['Scaling', { ...AT_FREQUENCIES, base: 500000, scaling: SCALING, span: 131072, dimension: 35 }],
  [
    'Learned tables',
    { preset: 'learned', dim: 768, start: 960, length: 64, position: 1023, pinned: true, show: 'table' },
  ],
];

/** Gives each line on what lies beyond the figure a link, which opens another figure with its settings made. */
export function linkBeyond(root: HTMLElement) {
  VIEWS.forEach(([title, view], k) => {
    const link = element('a', '', title);
    link.href = toHash({ ...initial, ...view });
    root.children[k].prepend(link);
  });
}
