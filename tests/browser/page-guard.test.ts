import type { View } from '../../web/page/types.ts';
import { expectRead, go, type Page, test } from './page.ts';
import { hashOfView, readState } from './panel.ts';

const LLAMA = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';
/** The second has the first and the last word of the first. */
const SENTENCES = [{ text: 'the king and the queen' }, { text: 'the old king and the queen' }];
const TABLE = { length: 40, dim: 20, base: 100, start: 7 } as const;

/** Changes, one after the other, of each field that a figure reads. */
const FIGURES: [panel: string, opened: Partial<View>, changes: Partial<View>[]][] = [
  [
    'table',
    {},
    [
      ...[TABLE, { preset: 'fairseq', start: 2 }, { layout: 'interleaved' }, { scale: 2 }, { numerics: 'bfloat16' }],
      ...[{ position: 12 }, { dimension: 9 }, { left: 3, columns: 8 }, { preset: 'rotary' }, { preset: 'learned' }],
    ] as Partial<View>[],
  ],
  [
    'waves',
    {},
    [TABLE, { waves: [0, 5] }, { position: 12 }, { maxFrequency: 0.5 }, { length: 3000 }, { preset: 'rotary' }],
  ],
  [
    'bias',
    { preset: 'alibi' },
    [{ length: 40 }, { heads: 12 }, { head: 3 }, { causal: false }, { maxBias: 4 }, { shift: -3 }, { position: 9 }],
  ],
  [
    'bias',
    { preset: 't5' },
    [{ length: 300 }, { buckets: 16 }, { maxDistance: 64 }, { bidirectional: false }, { shift: -20 }],
  ],
  [
    'addition',
    {},
    [
      ...[...SENTENCES, { base: 100 }, { position: 2 }, { root: true }, { effect: 'attention' }, { own: true }],
      ...[{ effect: 'pairs' }, { embeddings: 'random', dim: 20 }, { seed: 2 }],
    ] as Partial<View>[],
  ],
  [
    'sums',
    { preset: 'rotary' },
    [
      ...[{ width: 7 }, { begin: 250 }, { rounded: true }, { slowed: 2 }, { seed: 5 }, { addends: 'nines' }],
      ...[{ addends: 'own', sum: '77 + 5' }, { preset: 't5' }],
    ] as Partial<View>[],
  ],
  [
    'rope',
    { preset: 'rotary' },
    [
      { base: 100, dim: 16 },
      { rotaryDim: 8 },
      { position: 12 },
      { shift: 5 },
      { dimension: 6 },
      { together: false },
      { scaling: LLAMA },
    ],
  ],
  [
    'similarity',
    {},
    [TABLE, { metric: 'dot' }, { position: 12 }, { shift: 5 }, { metric: 'distance' }, { preset: 'rotary' }],
  ],
  [
    'frequencies',
    { preset: 'rotary' },
    [{ base: 100, dim: 16 }, { span: 300 }, { dimension: 6 }, { rotaryDim: 8 }, { scaling: LLAMA }],
  ],
  ['precision', {}, [{ dim: 16, span: 300 }, { base: 100 }, { position: 31 }, { dimension: 7 }, { scale: 100 }]],
];

/** The steps of Learn, with what their readers change. */
const STEPS: [step: number, changes: Partial<View>[]][] = [
  [1, [{ positions: false }, { shuffle: [3, 2, 1], wager: 1 }, ...SENTENCES]],
  [2, [{ position: 200 }, { base: 100 }, { dim: 16 }]],
  [3, [{ position: 10 }, { shift: 4 }]],
  [4, [{ base: 10 }, { shift: 300 }, { base: 100 }]],
  [5, [{ position: 2 }, ...SENTENCES]],
  [6, [{ position: 200 }, ...SENTENCES]],
  [7, [{ position: 30 }, { shift: 9 }, { dimension: 3 }, { together: false }]],
  [8, [{ position: 90 }, { position: 400 }]],
];

const label = (patch: Partial<View>) => Object.keys(patch).join(' and ');

let pages = 0;
/** Opens a view as a new page: with the query of before, only the view would change. */
const openAnew = (page: Page, hash: string) => page.goto(new URL(`?${pages++}${hash}`, page.url()).href);

test.describe('a figure after a change is the one that opens with that value', () => {
  for (const [panel, opened, changes] of FIGURES) {
    test(`${panel} ${opened.preset ?? ''}`, async ({ open }) => {
      const { page } = await open(hashOfView({ show: panel as View['show'], ...opened }));
      const { page: fresh } = await open();
      let view = opened;
      for (const change of changes) {
        view = { ...view, ...change };
        const hash = hashOfView({ show: panel as View['show'], ...view });
        await Promise.all([go(page, hash), openAnew(fresh, hash)]);
        await expectRead(page, () => readState(page, `#${panel}`), label(change)).toEqual(
          await readState(fresh, `#${panel}`),
        );
      }
    });
  }

  for (const [step, changes] of STEPS) {
    test(`step ${step}`, async ({ open }) => {
      const { page } = await open(`#step=${step}`);
      const { page: fresh } = await open(`#step=${step}`);
      let told = `#step=${step}`;
      for (const change of changes) {
        const more = new URLSearchParams(hashOfView(change).slice(1));
        more.delete('step');
        told += `&${more}`;
        await Promise.all([go(page, told), openAnew(fresh, told)]);
        await expectRead(page, () => readState(page, '#story'), label(change)).toEqual(
          await readState(fresh, '#story'),
        );
      }
    });
  }
});
