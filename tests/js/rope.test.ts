import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { computeScores, distancesTo } from '../../web/page/explore/score.ts';
import { findPlaces, measureApart, movePlace, type PlaceName } from '../../web/page/explore/selected-positions.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { MAX_LENGTH } from '../../web/spec/fields.ts';
import { MAX_POSITION } from '../../web/spec/ranges.ts';
import { assertAllNear } from './helpers.ts';

const { rotary } = posenc;
await posenc.load();

const DISTANCES = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
/** The mean of cos(distance · base^(-2i/dim)) over the pairs i, from 30-digit arithmetic, to four digits. */
const SCORES = [
  [
    { dim: 64, base: 10_000 },
    [1, 0.9662, 0.8845, 0.7479, 0.7004, 0.6054, 0.6111, 0.4346, 0.2839, 0.3537, 0.1854, 0.2629, -0.0397],
  ],
  [
    { dim: 128, base: 10_000 },
    [1, 0.9702, 0.8966, 0.7592, 0.7144, 0.6203, 0.5575, 0.4769, 0.3328, 0.3207, 0.2194, 0.2044, 0.1193],
  ],
  [
    { dim: 128, base: 500_000 },
    [1, 0.9779, 0.9239, 0.8275, 0.7957, 0.7295, 0.6967, 0.6022, 0.6015, 0.5595, 0.4703, 0.4791, 0.3471],
  ],
] as const;
/** Half a unit of the last digit, and the rounding of float32. */
const TOLERANCE = 0.5e-4 + 1e-6;

test('the score of ones is the mean cosine of their distance, on either side', () => {
  for (const [spec, scores] of SCORES) {
    for (const sign of [1, -1]) {
      const found = computeScores(
        rotary(spec),
        0,
        DISTANCES.map((distance) => sign * distance),
      );
      assertAllNear(found, scores, TOLERANCE, JSON.stringify(spec));
    }
  }
});

test('columns that do not turn count in full, and the attention factor twice', () => {
  const [turned] = computeScores(rotary({ dim: 32 }), 7, [0]);
  const [partial] = computeScores(rotary({ dim: 64, rotaryDim: 32 }), 7, [0]);
  assert.ok(Math.abs(partial - (turned + 1) / 2) < 1e-6);
  const spec = { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 4096 } as const;
  const scaled = rotary({ dim: 64, scaling: spec });
  assert.ok(scaled.attentionFactor > 1);
  assert.ok(Math.abs(computeScores(scaled, 9, [9])[0] - scaled.attentionFactor ** 2) < 1e-6);
});

test('a curve has every distance, or rising ones from the first to the last', () => {
  assert.deepEqual(distancesTo(0, 64), [0]);
  assert.deepEqual(distancesTo(511, 64), [...Array(512).keys()]);
  for (const [last, dim] of [
    [MAX_LENGTH - 1, 2],
    [MAX_LENGTH, 4096],
    [1024, 64],
    [600, 4096],
  ]) {
    const distances = distancesTo(last, dim);
    assert.equal(distances[0], 0);
    assert.equal(distances.at(-1), last);
    assert.ok(distances.length <= 1024);
    assert.ok(distances.every((distance, k) => k === 0 || distance > distances[k - 1]));
  }
});

const makeView = (patch: Partial<View>) => ({ ...INITIAL_VIEW, length: 100, position: 10, shift: 5, ...patch });

/** Where the query and the key are after one of them is moved. */
function after(view: View, name: PlaceName, to: number) {
  const { query, key } = findPlaces({ ...view, ...movePlace(view, name, to) });
  return [query, key];
}

test('one moves alone, or both keep their distance, inside the positions shown', () => {
  const alone = makeView({ together: false });
  assert.deepEqual(after(alone, 'query', 40), [40, 10]);
  assert.deepEqual(after(alone, 'key', 40), [15, 40]);
  assert.deepEqual(after(alone, 'query', -3), [0, 10]);
  assert.deepEqual(after(alone, 'key', 1000), [15, 99]);
  const both = makeView({ together: true });
  assert.deepEqual(after(both, 'query', 40), [40, 35]);
  assert.deepEqual(after(both, 'key', 40), [45, 40]);
  assert.deepEqual(after(both, 'query', -3), [5, 0]);
  assert.deepEqual(after(both, 'key', 1000), [99, 94]);
  assert.deepEqual(after(makeView({ together: true, shift: -5 }), 'key', 0), [0, 5]);
});

test('far positions move by one, exactly', () => {
  const start = MAX_POSITION - 99;
  const far = { start, position: start + 10 };
  assert.deepEqual(after(makeView({ ...far, together: true }), 'query', start + 16), [start + 16, start + 11]);
  assert.deepEqual(after(makeView({ ...far, together: false }), 'key', MAX_POSITION), [start + 15, MAX_POSITION]);
});

test('a query outside the positions shown can stay there, and no distance is beyond what an address takes', () => {
  const outside = makeView({ shift: 200, together: true });
  assert.deepEqual(after(outside, 'key', 50), [210, 10]);
  assert.deepEqual(after({ ...outside, together: false }, 'query', 20), [20, 10]);
  const wide = makeView({ length: MAX_LENGTH, position: MAX_LENGTH - 1, shift: MAX_LENGTH, together: false });
  assert.equal(movePlace(wide, 'key', 0).shift, MAX_LENGTH);
});

test('a distance is taken on the side that has room', () => {
  for (const [position, shift, ...taken] of [
    [10, 5, 20, 88, 89, 90],
    [10, -5, -8, -9, -10, 11, 20],
    [90, 5, 8, 9, -10, -50, -89, -90],
    [90, -5, -89, -90, -91],
  ])
    for (const apart of taken)
      assert.deepEqual(measureApart(makeView({ position, shift }), Math.abs(apart)), { position, shift: apart });
});
