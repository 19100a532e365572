import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlibiSpec } from 'posenc';
import * as posenc from 'posenc';
import { HALVES, readGolden, rounded } from './helpers.ts';

await posenc.load();
const { alibi, relativeBuckets, windowIndex } = posenc;
type Biased = { source: 'Bloom' | 'MPT' | 'Falcon'; spec: AlibiSpec; start: number; values: number[] };
/** The records of make_relative.py. */
const recorded = JSON.parse(readGolden('relative.json'));

/** The rows of a flat array. */
const splitRows = (data: ArrayLike<number>, width: number) =>
  Array.from({ length: data.length / width }, (_, row) => Array.from(data).slice(row * width, (row + 1) * width));

const line = (
  { index }: { index: (queries: number, keys: number) => { data: Int32Array } },
  from: number,
  to: number,
) => {
  // key - query from `from` to `to`, by one query with keys after it and one with keys before it.
  const length = Math.max(to, -from) + 1;
  const { data } = index(length, length);
  return Array.from({ length: to - from + 1 }, (_, i) => {
    const distance = from + i;
    return distance < 0 ? data[-distance * length] : data[distance];
  });
};

test('biases of 16 bits are rounded once', () => {
  // In float32 the last two are ties of 16 bits, which they aren't.
  const { slopes, bias } = alibi({ heads: 3, slopes: [0.7, 1 + 2 ** -8 + 2 ** -30, 1 + 2 ** -11 + 2 ** -30] });
  for (const dtype of HALVES) {
    const { data, dtype: its } = bias(1, 300, { dtype, start: 299 });
    assert.equal(its, dtype);
    const expected = Uint16Array.from(data, (_, i) => rounded(slopes[Math.floor(i / 300)] * ((i % 300) - 299), dtype));
    assert.deepEqual(data, expected, dtype);
  }
});

test('buckets of DeBERTa are those of its formula in integers, however near the farthest position is', () => {
  for (const middle of [1, 2, 3, 8, 27]) {
    for (const last of [middle + 1, middle + 2, 2 * middle, 3 * middle, middle ** 2, 4 * middle ** 3]) {
      if (last <= middle) continue;
      // The bucket of d is middle + n with the least n for which (d / middle)^(middle - 1) <= (last / middle)^n.
      const [m, l, times] = [BigInt(middle), BigInt(last), BigInt(middle - 1)];
      let n = 0n;
      const expected = (far: number) => {
        if (far <= middle) return far;
        while (n < m && BigInt(far) ** times * m ** n > l ** n * m ** times) n++;
        return middle + Number(n);
      };
      const { index } = relativeBuckets({ type: 'deberta', buckets: 2 * middle, maxPositions: last + 1 });
      const { data } = index(1, last + 10, { start: last + 9 });
      for (let far = 0; far < data.length; far++) {
        const found = data[data.length - 1 - far];
        assert.equal(found, Math.min(expected(far) + 2 * middle, 4 * middle - 1), `${middle}, ${last}: ${far}`);
      }
    }
  }
});

test('buckets of the largest specs are found without huge powers', () => {
  const LARGEST = 65536;
  for (const [buckets, maxPositions] of [
    [8192, 4098],
    [8192, 6000],
    [LARGEST, LARGEST / 2 + 2],
    [LARGEST, LARGEST + 1],
    [LARGEST, 2 ** 52],
  ]) {
    const { index } = relativeBuckets({ type: 'deberta', buckets, maxPositions });
    const { data } = index(1, 200_000, { start: 100_000 });
    assert.ok(
      data.every((bucket, i) => i === 0 || bucket <= data[i - 1]),
      `${buckets}, ${maxPositions}`,
    );
    const middle = buckets / 2;
    assert.deepEqual([data[100_000 - middle], data[100_000 + middle]], [buckets + middle, middle]);
    if (maxPositions < 100_000) assert.equal(data[100_001 - maxPositions], 2 * buckets - 1);
  }
  for (const maxDistance of [LARGEST / 4 + 1, 2 ** 52]) {
    const { data } = relativeBuckets({ type: 't5', buckets: LARGEST, maxDistance }).index(100_000, 1);
    assert.ok(
      data.every((bucket, i) => i === 0 || bucket >= data[i - 1]),
      `${maxDistance}`,
    );
    assert.equal(data[LARGEST / 4], LARGEST / 4);
  }
});

test('powers are compared for few distances, whatever the spec', () => {
  const { BigInt: made } = globalThis;
  let count = 0;
  globalThis.BigInt = ((value: number) => {
    count++;
    return made(value);
  }) as unknown as BigIntConstructor;
  try {
    for (const buckets of [2, 4, 16, 256, 1000, 65536]) {
      for (const maxPositions of [2, 3, 100, 1000, (buckets / 2) ** 2 + 1, 2 ** 31, 2 ** 52].map((more) =>
        Math.min(buckets / 2 + more, 2 ** 52),
      )) {
        count = 0;
        relativeBuckets({ type: 'deberta', buckets, maxPositions }).index(1, 100_000, { start: 0 });
        assert.ok(count < 1000, `${buckets}, ${maxPositions}: ${count}`);
      }
    }
  } finally {
    globalThis.BigInt = made;
  }
});

test("biases of ALiBi are Bloom's, Falcon's and MPT's", () => {
  for (const { source, spec, start, values } of recorded.alibi as Biased[]) {
    const { data } = alibi(spec).bias(1, values.length / spec.heads, { start });
    assert.equal(data.length, values.length);
    // Bloom rounds a base to float32 and takes its powers, up to the number of heads: the relative error, 2^-24, grows with the
    // exponent. MPT's exponents are exact here. pow, the products and our own rounding add less than 5 · 2^-24. Falcon rounds the
    // slopes to bfloat16 after that.
    const error = { Bloom: (spec.heads + 5) * 2 ** -24, MPT: 5 * 2 ** -24, Falcon: 2 ** -8 + 2 ** -16 }[source];
    for (const [i, value] of data.entries()) {
      const right = Math.abs(value - values[i]) <= error * Math.abs(values[i]);
      assert.ok(right, `${source}, ${JSON.stringify(spec)}: ${i} is ${value}`);
    }
  }
});

test('buckets are those of T5, MPNet, WavLM, DeBERTa, Wav2Vec2-BERT and SpeechT5', () => {
  for (const { source, spec, from, to, steps, mirrored = false } of recorded.buckets) {
    const relative = relativeBuckets(spec);
    const found = line(relative, from, to);
    if (mirrored) for (const [i, index] of found.entries()) found[i] = relative.count - 1 - index;
    const changes = found.flatMap((index, i) => (index === found[i - 1] ? [] : [[from + i, index]]));
    assert.deepEqual(changes, steps, `${source}, ${JSON.stringify(spec)}`);
  }
});

test("windows are Swin's, BEiT's and Data2Vec's", () => {
  for (const { source, spec, rows } of recorded.windows) {
    const { data, shape } = windowIndex(spec).index();
    const found = splitRows(data, shape[1]);
    for (const row in rows) assert.deepEqual(found[Number(row)], rows[row], `${source}, ${spec.shape}, row ${row}`);
  }
});

test('a window of one axis or three has an index for each difference, and three for a class token', () => {
  for (const shape of [[4], [2, 3, 2]]) {
    const { data, shape: sides } = windowIndex({ shape, classToken: true }).index();
    const places = shape.reduce((product, n) => product * (2 * n - 1), 1);
    const findPlace = (query: number, key: number) =>
      shape.reduceRight(
        ([place, step, q, k], n) => [
          place + step * ((q % n) - (k % n) + n - 1),
          step * (2 * n - 1),
          Math.floor(q / n),
          Math.floor(k / n),
        ],
        [0, 1, query, key],
      )[0];
    for (const [i, index] of data.entries()) {
      const [query, key] = [Math.floor(i / sides[1]) - 1, (i % sides[1]) - 1];
      const special = query < 0 ? places + (key < 0 ? 2 : 0) : places + 1;
      assert.equal(index, query < 0 || key < 0 ? special : findPlace(query, key), `${shape}: ${i}`);
    }
  }
});

test("biases from a table are T5's, WavLM's and BEiT's", () => {
  for (const { source, spec, shape, values } of recorded.biases) {
    const [heads, queries, keys] = shape;
    const makeTable = (rows: number) => Float32Array.from({ length: rows * heads }, (_, i) => i);
    const [buckets, window] = 'type' in spec ? [relativeBuckets(spec)] : [undefined, windowIndex(spec)];
    const bias = buckets
      ? buckets.bias(makeTable(buckets.count), queries, keys, { start: 0 })
      : window.bias(makeTable(window.count));
    assert.deepEqual(bias.shape, shape);
    assert.deepEqual([...bias.data], values, `${source}, ${JSON.stringify(spec)}`);
  }
});

test('slopes are powers of two, in float64', () => {
  for (const [i, slope] of alibi({ heads: 12, maxBias: 4 }).slopes.entries()) {
    const step = i < 8 ? (i + 1) / 8 : (2 * i - 15) / 16;
    assert.ok(Math.abs(slope / 2 ** (-4 * step) - 1) < 1e-14, `slope ${i} is ${slope}`);
  }
});

test('biases of every head follow the distance, causal ones and symmetric ones too', () => {
  const { slopes, bias } = alibi({ heads: 3 });
  for (const options of [{}, { causal: true }, { symmetric: true }]) {
    const { causal, symmetric } = { causal: false, symmetric: false, ...options };
    for (const start of [2, 2 ** 24 + 1])
      for (const [i, value] of bias(4, 7, { start, ...options }).data.entries()) {
        const distance = (i % 7) - start - (Math.floor(i / 7) % 4);
        const expected = slopes[Math.floor(i / 28)] * (symmetric ? -Math.abs(distance) : distance);
        assert.ok(value === (causal && distance > 0 ? -Infinity : Math.fround(expected)), `${i} is ${value}`);
      }
  }
});

test('own slopes, one for each head', () => {
  const { slopes, bias } = alibi({ heads: 3, slopes: [0.5, -2, 0] });
  assert.deepEqual([...slopes], [0.5, -2, 0]);
  const step = Array.from(bias(1, 3, { start: 2 }).data, (value) => value + 0);
  assert.deepEqual(step, [-1, -0.5, 0, 4, 2, 0, 0, 0, 0]);
});
