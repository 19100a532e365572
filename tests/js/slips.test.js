import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SLIPS } from '../../web/page/check/slips.js';

test('every bug that identify names has its lines, and no other', () => {
  const folder = new URL('../../web/posenc/identify/', import.meta.url);
  const source = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const ids = [...source.join('').matchAll(/(?:\bid: |\badd\()'([a-z0-9-]+)'/g)].map(([, id]) => id);
  assert.deepEqual(Object.keys(SLIPS).sort(), [...new Set(ids)].sort());
});
