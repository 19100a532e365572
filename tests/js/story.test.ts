import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';

await posenc.load();

test('the first 100,000 rows all differ when they are only stored in bfloat16, as Rounding says', async () => {
  for (const base of [10, 10000, 1e12]) {
    const { data } = posenc.sinusoidal({ dim: 64, base }).encode(100_000, { dtype: 'bfloat16' });
    const rows = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const different = new Set(
      Array.from({ length: 100_000 }, (_, row) => rows.toString('latin1', row * 128, row * 128 + 128)),
    );
    assert.equal(different.size, 100_000, `base ${base}`);
  }
});
