import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toHash } from '../../web/page/address.ts';
import { nameFile } from '../../web/page/families/index.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { ALL, code, computeResult, split } from './page-code.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the page’s JavaScript makes the very table, bias or buckets shown', () => {
  const imported = new Set<string>();
  const blocks = ALL.map((view) => {
    const lines = code('javascript', view);
    const [, names, rest] = /^import \{ ([\w, ]+) \} from 'posenc';\n(.*)$/s.exec(lines) ?? assert.fail(lines);
    for (const name of names.split(', ')) imported.add(name);
    return `{ ${rest}; process.stdout.write(Buffer.from(${computeResult(view).name}.data.buffer)); }\n`;
  });
  // A module from standard input belongs to this package.
  const run = (input: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-'], { input, cwd: root, maxBuffer: 2 ** 28 });
  const { stdout, stderr } = run(`import { ${[...imported].join(', ')} } from 'posenc';\n${blocks.join('')}`);
  assert.equal(String(stderr), '');
  split(stdout, ALL).forEach((made, k) => {
    assert.deepEqual(made, computeResult(ALL[k]).data, toHash(ALL[k]));
  });
  const whole = run(`${code('javascript', INITIAL_VIEW)}console.log(table.shape.join());`);
  assert.equal(String(whole.stdout), '128,64\n', String(whole.stderr));
});

test('the page’s code reads like handwritten code', () => {
  assert.equal(
    code('pytorch', { ...INITIAL_VIEW, start: 7, dim: 9 }),
    `import torch

start, length, dim, base = 7, 128, 9, 10000

positions = torch.arange(start, start + length, dtype=torch.float64)[:, None]
frequencies = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
angles = positions * frequencies

table = torch.stack([torch.sin(angles), torch.cos(angles)], dim=2).reshape(length, dim + 1)[:, :dim]
table = table.to(torch.float32)
`,
  );
  assert.equal(
    code('pytorch', { ...INITIAL_VIEW, preset: 'learned' }),
    `import torch
from torch import nn

torch.manual_seed(0)
embedding = nn.Embedding(1024, 64)
table = embedding.weight.detach()[0:128]
`,
  );
  assert.equal(
    code('pytorch', { ...INITIAL_VIEW, preset: 'alibi', heads: 12, start: 7 }),
    `import torch

start, length, heads, max_bias = 7, 128, 12, 8

positions = torch.arange(start, start + length, dtype=torch.float64)
distances = positions[None, :] - positions[:, None]  # key - query

power = 8  # the largest power of 2 below heads
others = torch.arange(1, 2 * (heads - power), 2, dtype=torch.float64) / (2 * power)
exponents = torch.cat([torch.arange(1, power + 1, dtype=torch.float64) / power, others])
slopes = 2.0 ** (-max_bias * exponents)
bias = slopes[:, None, None] * distances
bias = torch.where(distances > 0, -torch.inf, bias)  # keys after the query are masked
bias = bias.to(torch.float32)
`,
  );
  assert.match(
    code('pytorch', { ...INITIAL_VIEW, start: 2 ** 40 }),
    /# float64 angles are off by up to 0\.00024 radians so far/,
  );
  assert.doesNotMatch(code('pytorch', { ...INITIAL_VIEW, start: 2 ** 20 }), /#/);
});

test('the page’s PyTorch code says that it leaves out the rounding, and computes the same otherwise', () => {
  for (const preset of ['transformer', 'rotary'] as const) {
    const rounded = code('pytorch', { ...INITIAL_VIEW, preset, numerics: 'bfloat16' });
    const line = '# In float64: the rounding to bfloat16 is left out.\n';
    assert.ok(rounded.includes(line), rounded);
    assert.equal(rounded.replace(line, ''), code('pytorch', { ...INITIAL_VIEW, preset }));
  }
});

test('the names of files describe their content', () => {
  const name = (patch: Partial<View>) => nameFile({ ...INITIAL_VIEW, ...patch }, 'npy');
  assert.equal(name({}), 'posenc-transformer-128x64.npy');
  assert.equal(
    name({
      preset: 'fairseq',
      base: 500,
      start: -2,
      layout: 'cos-sin',
      odd: 'pad',
      endpoint: false,
      numerics: 'float32',
    }),
    'posenc-fairseq-base-500-float32-cos-sin-endpoint-false-odd-pad-128x64-from--2.npy',
  );
  assert.equal(name({ preset: 'learned', weights: 3, length: 7 }), 'posenc-learned-seed-3-7x64.npy');
  assert.equal(
    name({ preset: 'rotary', rotaryDim: 32, base: 500, scaling: 'linear factor=4', rotaryLayout: 'interleaved' }),
    'posenc-rotary-interleaved-linear-base-500-rotaryDim-32-128x64.npy',
  );
});
