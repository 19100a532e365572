import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { storyNumbers } from './story-numbers.ts';

await posenc.load();

/** Replaces spaces of any width by plain ones. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

test('the numbers of the story are what the package computes', async () => {
  const read = (name: string) => readFileSync(new URL(`../../web/page/${name}.html`, import.meta.url), 'utf8');
  const html = read('index') + read('panels/rope');
  const said = [...html.matchAll(/<data[^>]*\bdata-number="([^"]*)"[^>]*>([^<]*)<\/data>/g)];
  const numbers = storyNumbers(posenc);
  for (const [, name, text] of said) assert.equal(plain(text), plain(numbers[name] ?? ''), name);
  assert.deepEqual([...new Set(said.map(([, name]) => name))].sort(), Object.keys(numbers).sort());
});

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
