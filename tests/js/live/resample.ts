import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load, type ResampleOptions, resample } from 'posenc';
import { missing, runPython } from '../../python.ts';
import { normals, product, randomInteger, randomNumbers, ulp } from '../helpers.ts';

await load();

type Case = Required<ResampleOptions> & { from: number[]; to: number[] };

test('tables at another size are those of the PyTorch that is here', async (t) => {
  const random = randomNumbers(31);
  const cases = Array.from({ length: 60 }, (_, seed) => {
    const axes = randomInteger(random, 1, 2);
    const sizes = () => Array.from({ length: axes }, () => randomInteger(random, 1, 24));
    const antialias = random() < 0.5;
    const options = {
      ...{ from: sizes(), to: sizes(), prefix: randomInteger(random, 0, 2), antialias },
      mode: axes === 1 ? 'linear' : random() < 0.5 ? 'bicubic' : 'bilinear',
      // PyTorch has no such call for one axis.
      offset: (axes === 1 && antialias) || random() < 0.5 ? 0 : 0.1,
    } as Case;
    return { options, table: normals(seed, 3 * (options.prefix + product(options.from))) };
  });
  const script = [
    'import json, sys',
    'sys.dont_write_bytecode = True',
    'folder, cases = json.load(sys.stdin)',
    'sys.path.insert(0, folder)',
    'from make_torch import resampled',
    'for table, arguments in cases:',
    '    table = torch.tensor(table).reshape(1, -1, 3)',
    '    print([resampled(table.to(kind), *arguments).flatten().tolist() for kind in (torch.float64, torch.float32)])',
  ].join('\n');
  const input = JSON.stringify([
    fileURLToPath(new URL('../../golden', import.meta.url)),
    cases.map(({ options: { from, to, prefix, mode, antialias, offset }, table }) => [
      [...table],
      [from, to, prefix, mode, antialias, offset],
    ]),
  ]);
  const output = await runPython('torch', script, input);
  if (!output) return t.skip(missing('torch'));
  const lines = String(output).trim().split('\n');
  assert.equal(lines.length, cases.length);
  let most = 0;
  for (const [i, { options, table }] of cases.entries()) {
    const { data } = resample(table, options);
    const [exact, theirs] = JSON.parse(lines[i]);
    assert.equal(data.length, exact.length);
    // DINOv2 also keeps a table of the right size.
    if (`${options.from}` === `${options.to}`) continue;
    for (const [j, value] of data.entries()) {
      const what = `${JSON.stringify(options)}: element ${j} is ${value}`;
      assert.ok(Math.abs(value - exact[j]) <= ulp(exact[j]) / 2 + 1e-11, `${what}, not ${exact[j]}`);
      const off = Math.abs(value - theirs[j]) / Math.max(10, ...options.from);
      assert.ok(off <= 1e-6, `${what}, not ${theirs[j]}`);
      most = Math.max(most, off);
    }
  }
  t.diagnostic(`float32 is at most ${most.toExponential(1)} of the longest axis off`);
});
