import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { moduleOf } from '../../../web/page/check/code.js';
import { makingOf } from '../../../web/page/check/right.js';
import { codeOf } from '../../../web/page/code.js';
import { missing, runPython } from '../../python.js';

await posenc.load();
const [ROWS, BATCH] = [12, 2];

/** Runs every module on the same numbers. */
const PYTHON = `
import json, sys
for code, name, shape in json.load(sys.stdin):
    names = {}
    exec(code, names)
    count = 1
    for size in shape:
        count *= size
    x = torch.arange(count).reshape(shape) / count
    sys.stdout.buffer.write(names[name]()(x).float().contiguous().numpy().tobytes())
`;

/** @type {[kind: 'sinusoidal' | 'rotary', spec: any][]} */
const SPECS = [
  ['sinusoidal', { dim: 8 }],
  ['sinusoidal', { dim: 9, preset: 'tensor2tensor' }],
  ['sinusoidal', { dim: 8, preset: 'fairseq', numerics: 'bfloat16' }],
  ['rotary', { dim: 8 }],
  ['rotary', { dim: 8, layout: 'interleaved', rotaryDim: 4, base: 500 }],
  ['rotary', { dim: 8, rotaryDim: 6, scaling: { type: 'yarn', factor: 4, originalMaxPositionEmbeddings: 64 } }],
  ['rotary', { dim: 8, layout: 'interleaved', scaling: { type: 'linear', factor: 2 } }],
];

test('the modules offered for copying match posenc', async (t) => {
  const start = 3;
  const made = SPECS.map(([kind, spec]) => {
    const counts = { start, maxError: 0, agree: 1, cells: 1 };
    const match = /** @type {any} */ ({
      kind,
      preset: spec.preset ?? 'transformer',
      spec,
      ...counts,
    });
    const { view, encoding } = makingOf(posenc, match, ROWS);
    const code = moduleOf(
      view,
      codeOf('pytorch', view, encoding, () => new Float32Array(0)),
    );
    return [code, kind === 'rotary' ? 'RotaryEmbedding' : 'PositionalEncoding', [BATCH, ROWS, spec.dim]];
  });
  const output = await runPython('torch', PYTHON, JSON.stringify(made));
  if (!output) return t.skip(missing('torch'));
  let from = 0;
  for (const [kind, spec] of SPECS) {
    const count = BATCH * ROWS * spec.dim;
    const got = new Float32Array(new Uint8Array(output.subarray(from, from + 4 * count)).buffer);
    from += 4 * count;
    const x = Float32Array.from({ length: count }, (_, k) => k / count);
    const shape = [BATCH, ROWS, spec.dim];
    const { data } =
      kind === 'rotary'
        ? posenc.rotary({ ...spec, start }).apply(x, { shape })
        : {
            data: x.map(
              (value, k) => value + posenc.sinusoidal({ ...spec, start }).encode(ROWS).data[k % (count / BATCH)],
            ),
          };
    got.forEach((value, k) => {
      assert.ok(Math.abs(value - data[k]) < 2e-6, `${JSON.stringify(spec)}, ${k}: ${value}, not ${data[k]}`);
    });
  }
});
