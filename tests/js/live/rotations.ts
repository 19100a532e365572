import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missing, runPython } from '../../python.ts';
import { normals, product, randomInteger, randomNumbers } from '../helpers.ts';
import { assertIsTheirGrid, assertIsTheirs, LAYOUTS, type Recorded } from '../rotations.ts';

test('rotations are those of the PyTorch that is here', async (t) => {
  const random = randomNumbers(22);
  const cases = Array.from({ length: 60 }, (_, seed) => {
    const rotaryDim = 2 * randomInteger(random, 1, 40);
    const spec = {
      dim: rotaryDim + (random() < 0.5 ? 0 : 2 * randomInteger(random, 1, 20)),
      rotaryDim,
      base: [10000, 500000, 1e6][randomInteger(random, 0, 2)],
      layout: LAYOUTS[randomInteger(random, 0, 1)],
    } as const;
    const [batch, heads, length] = [3, 5, 9].map((most) => randomInteger(random, 1, most));
    const line = () => Array.from({ length }, () => randomInteger(random, 0, 5000));
    const positions = random() < 0.5 ? line() : Array.from({ length: batch }, line);
    const shape = [batch, heads, length, spec.dim];
    return { spec, shape, positions, x: normals(seed, product(shape)) };
  });
  const script = [
    'import json, sys',
    'sys.dont_write_bytecode = True',
    'folder, cases = json.load(sys.stdin)',
    'sys.path.insert(0, folder)',
    'from make_rotary_torch import rotated',
    'for x, shape, arguments in cases:',
    '    x = torch.tensor(x).reshape(shape)',
    '    print([rotated(x.to(kind), *arguments).flatten().tolist() for kind in (torch.float32, torch.float64)])',
  ].join('\n');
  const input = JSON.stringify([
    fileURLToPath(new URL('../../golden', import.meta.url)),
    cases.map(({ spec, shape, positions, x }) => [[...x], shape, [positions, spec.rotaryDim, spec.base, spec.layout]]),
  ]);
  const output = await runPython('torch', script, input);
  if (!output) return t.skip(missing('torch'));
  const lines = String(output).trim().split('\n');
  assert.equal(lines.length, cases.length);
  for (const [i, { spec, shape, positions, x }] of cases.entries()) {
    const [float32, float64] = JSON.parse(lines[i]);
    assertIsTheirs(spec, positions, x, shape, { float32, float64 }, `${JSON.stringify(spec)}, ${shape}`);
  }
});

test('rotations are those of the models in the PyTorch that is here', async (t) => {
  const random = randomNumbers(41);
  const made = Array.from({ length: 60 }, (_, input) => {
    const [height, width, tokens] = [1, 1, 0].map((least) => randomInteger(random, least, 9));
    const dim = 4 * randomInteger(random, 1, 8);
    const merge = randomInteger(random, 1, 3);
    const sections = [1, 1, 1].map((least) => randomInteger(random, least, 6));
    const sum = sections.reduce((total, pairs) => total + pairs);
    const referenceShape = [height, width].map(() => randomInteger(random, 1, 20));
    const plain = { dim, shape: [height, width], classToken: tokens };
    const models: (() => Pick<Recorded, 'model' | 'arguments' | 'spec' | 'positions'>)[] = [
      () => ({
        model: 'qwen2_vl',
        arguments: [height * merge, width * merge, merge, 50.5],
        spec: { dim, preset: 'qwen2-vl', shape: [height * merge, width * merge], mergeSize: merge, base: 50.5 },
      }),
      () => ({
        model: 'pixtral',
        arguments: [height, width, 777],
        spec: { dim, preset: 'pixtral', shape: [height, width], base: 777 },
      }),
      () => ({ model: 'dinov3', arguments: [height, width], spec: { ...plain, preset: 'dinov3' } }),
      () => ({
        model: 'rotary_cat',
        arguments: [height, width, referenceShape],
        spec: { ...plain, preset: 'eva02', referenceShape },
      }),
      () => ({
        model: 'rotary_cat',
        arguments: [height, width, referenceShape, 1, 'xy'],
        spec: { ...plain, preset: 'llama4', referenceShape },
      }),
      () => ({
        model: 'llama4',
        arguments: [height],
        spec: { dim, preset: 'llama4', shape: [height, height], classToken: 1 },
        positions: [...Array.from({ length: height ** 2 }, (_, cell) => cell + 1), 0],
      }),
      () => ({
        model: 'flux',
        arguments: [tokens, height, width, sections.map((pairs) => 2 * pairs)],
        spec: { dim: 2 * sum, preset: 'flux', shape: [1, height, width], sections, classToken: tokens },
      }),
    ];
    const made = models[input % models.length]();
    const { spec } = made;
    const shape = [product(spec.shape) + Number(spec.classToken ?? 0), spec.dim];
    return { ...made, input, shape };
  });
  const script = [
    'import json, sys',
    'sys.dont_write_bytecode = True',
    'folder, cases = json.load(sys.stdin)',
    'sys.path.insert(0, folder)',
    'from make_rotary_grid_torch import rotated',
    'for x, shape, model, arguments in cases:',
    '    x = torch.tensor(x).reshape(shape)',
    '    kinds = (torch.float32, torch.float64)',
    '    print([rotated(model, x.to(kind), arguments).flatten().tolist() for kind in kinds])',
  ].join('\n');
  const input = JSON.stringify([
    fileURLToPath(new URL('../../golden', import.meta.url)),
    made.map(({ model, arguments: given, input, shape }) => [[...normals(input, product(shape))], shape, model, given]),
  ]);
  const output = await runPython('torch', script, input);
  if (!output) return t.skip(missing('torch'));
  const lines = String(output).trim().split('\n');
  assert.equal(lines.length, made.length);
  for (const [i, one] of made.entries()) {
    const [float32, float64] = JSON.parse(lines[i]);
    assertIsTheirGrid({ ...one, float32, float64 });
  }
});
