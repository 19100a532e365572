import type { View } from '../../web/page/types.ts';
import { expectRead, go, type Page, test } from './page.ts';
import { hashOfView, readState } from './panel.ts';

const LLAMA = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';
/** The second has the first and the last word of the first. */
const SENTENCES = [{ text: 'the king and the queen' }, { text: 'the old king and the queen' }];
const TABLE = { length: 40, dim: 20, base: 100, start: 7 } as const;
/** Its encoding is the same from any start on; the first row stands for a position before it. */
const LEARNED = { preset: 'learned', position: 3, start: 9 } as const;

/** Changes of each field that a figure reads, one after the other: several at once would hide one that isn't followed. */
const FIGURES: [panel: string, opened: Partial<View>, ...changes: Partial<View>[]][] = [
  [
    'table',
    {},
    { ...TABLE, preset: 'fairseq', layout: 'interleaved', scale: 2, numerics: 'bfloat16', position: 12 },
    { start: 2, dimension: 9, columns: 8, left: 3, preset: 'rotary' },
    LEARNED,
  ],
  ['waves', {}, { ...TABLE, waves: [0, 5], position: 12, maxFrequency: 0.5, preset: 'rotary' }, { length: 3000 }],
  [
    'bias',
    { preset: 'alibi' },
    { length: 40, start: 7, heads: 12, head: 3, causal: false, maxBias: 4, shift: -3, position: 9 },
  ],
  ['bias', { preset: 't5' }, { length: 300, start: 7, buckets: 16, maxDistance: 64, bidirectional: false, shift: -20 }],
  [
    'addition',
    {},
    SENTENCES[0],
    { ...SENTENCES[1], base: 100, start: 7, position: 9, root: true, effect: 'attention', own: true },
    { effect: 'pairs', embeddings: 'random', dim: 20, seed: 2 },
  ],
  [
    'sums',
    { preset: 'rotary' },
    { width: 7, begin: 250, rounded: true, slowed: 2, seed: 5, sum: '77 + 5', addends: 'nines' },
    { addends: 'own', preset: 't5', begin: 9 },
  ],
  [
    'rope',
    { preset: 'rotary' },
    { base: 100, dim: 16, rotaryDim: 8, start: 7, length: 40, position: 12, shift: 5, dimension: 6 },
    { together: false, scaling: LLAMA, shift: 300 },
  ],
  [
    'similarity',
    {},
    { ...TABLE, metric: 'dot', position: 12, shift: 5 },
    { metric: 'distance', preset: 'rotary' },
    LEARNED,
  ],
  ['frequencies', { preset: 'rotary' }, { base: 100, dim: 16, span: 300, dimension: 6, rotaryDim: 8, scaling: LLAMA }],
  ['precision', {}, { dim: 16, span: 300, base: 100, position: 31, dimension: 7, scale: 100 }],
];

/** The steps of Learn, with what their readers change. */
const STEPS: [step: number, ...changes: Partial<View>[]][] = [
  [1, { positions: false, shuffle: [3, 2, 1], wager: 1 }, ...SENTENCES],
  [2, { position: 200, base: 100, dim: 16, start: 7, length: 300 }],
  [3, { position: 10, shift: 4, start: 7, length: 40 }],
  [4, { base: 10, shift: 300, start: 7, length: 400 }, { base: 100 }],
  [5, { position: 2 }, ...SENTENCES],
  [6, { position: 200 }, ...SENTENCES],
  [7, { position: 30, shift: 9, dimension: 3, start: 7, length: 400, together: false }],
  [8, { position: 90 }, { position: 400 }],
];

const listSingle = (changes: Partial<View>[]) =>
  changes.flatMap((change) => Object.entries(change).map(([key, value]): Partial<View> => ({ [key]: value })));

let pages = 0;
/** Opens a view as a new page: with the query of before, only the view would change. */
const openAnew = (page: Page, hash: string) => page.goto(new URL(`?${pages++}${hash}`, page.url()).href);

test.describe('a figure after a change is the one that opens with that value', () => {
  for (const [panel, opened, ...changes] of FIGURES) {
    test(`${panel} ${opened.preset ?? ''}`, async ({ open }) => {
      const { page } = await open(hashOfView({ show: panel as View['show'], ...opened }));
      const { page: fresh } = await open();
      let view = opened;
      for (const change of listSingle(changes)) {
        view = { ...view, ...change };
        const hash = hashOfView({ show: panel as View['show'], ...view });
        await Promise.all([go(page, hash), openAnew(fresh, hash)]);
        await expectRead(page, () => readState(page, `#${panel}`), JSON.stringify(change)).toEqual(
          await readState(fresh, `#${panel}`),
        );
      }
    });
  }

  for (const [step, ...changes] of STEPS) {
    test(`step ${step}`, async ({ open }) => {
      const { page } = await open(`#step=${step}`);
      const { page: fresh } = await open(`#step=${step}`);
      let told = `#step=${step}`;
      for (const change of listSingle(changes)) {
        const more = new URLSearchParams(hashOfView(change).slice(1));
        more.delete('step');
        told += `&${more}`;
        await Promise.all([go(page, told), openAnew(fresh, told)]);
        await expectRead(page, () => readState(page, '#story'), JSON.stringify(change)).toEqual(
          await readState(fresh, '#story'),
        );
      }
    });
  }
});
