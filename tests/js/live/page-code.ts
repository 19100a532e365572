import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { toHash } from '../../../web/page/address.ts';
import { missing, runPython } from '../../python.ts';
import {
  ALIBI,
  code,
  computeResult,
  computeValues,
  FAR,
  getTable,
  split,
  T5,
  TABLES,
  type View,
  views,
} from '../page-code.ts';

/** The code leaves out the rounding of other arithmetic. */
const EXACT = TABLES.filter(({ numerics }) => numerics === 'exact');

/** Runs each piece of code in its own scope, checks the kind of its result and writes it. */
const RUN = `
import json, sys
import numpy
for case in json.load(sys.stdin):
    scope = {}
    exec(case["code"], scope)
    made = numpy.asarray(scope[case["name"]])
    assert made.dtype == case["dtype"] and list(made.shape) == case["shape"], (case["code"], made.shape, made.dtype)
    sys.stdout.buffer.write(made.astype("int32" if case["dtype"] == "int64" else "float32").tobytes())
`;

/**
 * The results of PyTorch code: tables and biases unchanged, indices as int32.
 *
 * @returns none if PyTorch is not installed
 */
async function madeByPython(t: TestContext, shown: View[]): Promise<(Float32Array | Int32Array)[]> {
  const cases = shown.map((view) => {
    const { name, dtype, shape } = computeResult(view);
    return { code: code('pytorch', view), name, dtype, shape };
  });
  const bytes = await runPython('torch', RUN, JSON.stringify(cases));
  if (!bytes) t.skip(missing('torch'));
  return bytes ? split(bytes, shown) : [];
}

/**
 * @returns the largest error of the formula in float64: its angles are rounded at each step, the logarithms of their frequencies too;
 *   then the value is rounded
 */
function formulaError({ start, length, base, maxFrequency }: View, scale = 1): number {
  const farthest = Math.max(Math.abs(start), Math.abs(start + length)) * (maxFrequency ?? 1);
  const angle = farthest * 2 ** -53 * (4 + Math.log(base));
  return Math.abs(scale) * (Math.min(angle, 2) + 2 ** -24);
}

function assertNear(actual: Float32Array | Int32Array, view: View, most: number) {
  const expected = computeValues(view);
  const worst = Math.max(...actual.map((value, k) => Math.abs(value - expected[k])));
  assert.ok(worst <= most, `${toHash(view)}: ${worst} is more than ${most}`);
}

describe('code of PyTorch', () => {
  test('makes the table shown, for every preset, setting and seed', async (t) => {
    const tables = await madeByPython(t, EXACT);
    for (const [k, view] of EXACT.entries()) {
      if (!tables[k]) break;
      const [, scale] = getTable(view).range;
      assertNear(tables[k], view, view.preset === 'learned' ? 2e-6 : formulaError(view, scale));
    }
  });

  test('makes ALiBi’s bias to a float32 step, for any number of heads', async (t) => {
    const biases = await madeByPython(t, ALIBI);
    for (const [k, view] of ALIBI.entries()) {
      if (!biases[k]) break;
      const { data } = computeResult(view);
      // Powers may be rounded the other way in float64, so a few of the values in float32 too.
      const near = (value: number, i: number) =>
        value === data[i] || Math.abs(value - data[i]) <= Math.max(2 ** -23 * Math.abs(data[i]), 2 ** -149);
      assert.ok(biases[k].every(near), toHash(view));
      const other = biases[k].filter((value, i) => value !== data[i]).length;
      assert.ok(other <= 0.01 * data.length, `${toHash(view)}: ${other} values are rounded the other way`);
    }
  });

  test('makes T5’s very buckets', async (t) => {
    const indices = await madeByPython(t, T5);
    for (const [k, view] of T5.entries()) {
      if (!indices[k]) break;
      assert.deepEqual(indices[k], computeResult(view).data, toHash(view));
    }
  });

  test('is as far off as it is said to be, and no further', async (t) => {
    const near = 2 ** 27 - 128;
    const shown = views([
      ...[near, 2 ** 32, 2 ** 40, 2 ** 48, FAR - 123, -FAR].map((start) => ({ start, length: 128 })),
      { start: 2 ** 50, length: 128, preset: 'mlx', dim: 512 },
      { start: 2 ** 40, length: 128, maxFrequency: 2 * Math.PI, scale: -3 },
    ]);
    const tables = await madeByPython(t, shown);
    for (const [k, view] of shown.entries()) {
      if (!tables[k]) break;
      const expected = computeValues(view);
      const worst = Math.max(...tables[k].map((value, i) => Math.abs(value - expected[i])));
      const [, angle] = /off by up to (\S+) radians/.exec(code('pytorch', view)) ?? [];
      assert.equal(angle === undefined, view.start === near, toHash(view));
      const [, scale] = getTable(view).range;
      // The angle is printed with two digits. The value is also rounded to float32.
      const most = Math.min(Number(angle ?? 0) * 1.05, 2) * scale + 2 ** -24;
      assert.ok(worst <= most && (angle === undefined || worst > most / 6), `${toHash(view)}: ${worst}, not ${most}`);
    }
  });
});
