/** Comparisons of what encodingOf gives with what the classes of transformers do, which tests/golden/models.json records. */

import assert from 'node:assert/strict';
import * as functions from 'posenc';
import { encodingOf as strict } from 'posenc/models';
import { readGolden } from './helpers.ts';

await functions.load();
export const posenc = functions as any;
export const { models, positions, types } = JSON.parse(readGolden('models.json'));
/** Specs are read here without asking for their kind. */
export const encodingOf = strict as (config: any, options?: any) => any;

/** Freezes all objects in a value, so that a write throws. */
function frozen(value: any) {
  if (Object(value) === value) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** @returns the spec with all defaults */
function resolved({ kind, spec }: any): any {
  if (kind === 'rotary') {
    const { scaling, ...fields } = posenc.rotary(spec).spec;
    if (!scaling) return fields;
    // These fields can replace each other: their results are compared as numbers.
    const { mscale, mscaleAllDim, attentionFactor, ...others } = scaling;
    return { ...fields, scaling: others };
  }
  // A preset stands for its fields.
  if (kind === 'sinusoidal') return { ...posenc.sinusoidal(spec).spec, preset: undefined };
  if (kind === 'alibi') return { maxBias: 8, ...spec };
  if (kind === 'grid') return posenc.grid(spec).spec;
  if (kind === 'rotaryGrid') {
    const { classToken, ...fields } = posenc.rotaryGrid(spec).spec;
    return { ...fields, classToken: Number(classToken) };
  }
  return spec;
}

/** What the recordings note of a rotation, and what encodingOf says of it. */
const ROTATIONS = [
  [/A learned table is added as well/, /a learned table is added as well/],
  [/The turned pairs are written as halves/, /rotated columns come in the half layout/],
  [/It turns backwards/, /rotates by the opposite angle/],
];

function assertEncoding(config: any, options: object | undefined, expected: any, what: string) {
  const found = encodingOf(frozen(config), options);
  assert.equal(found.kind, expected.kind, what);
  if (found.kind === 'none') return;
  // A class without an image_size takes images of any size, and no shape is recorded.
  const { shape } = found.spec;
  const spec = found.kind === 'rotaryGrid' ? { shape, ...expected.spec } : expected.spec;
  assert.deepEqual(resolved(found), resolved({ ...expected, spec }), what);
  if (found.tensor !== undefined) assert.equal(found.tensor, expected.tensor ?? found.tensor, what);
  // The name of LongT5's depends on the kind of its attention, which posenc does not read.
  else if (config.model_type !== 'longt5') assert.equal(expected.tensor, undefined, what);
  if (found.kind.startsWith('rotary')) {
    for (const [recorded, said] of ROTATIONS)
      assert.equal(said.test(found.note ?? ''), recorded.test(expected.note ?? ''), `${what}: ${found.note}`);
  }
  if (found.kind === 'rotary') {
    const { frequencies, attentionFactor, softmaxFactor } = posenc.rotary(found.spec);
    const pairs = frequencies.length;
    const places = [0, 1, pairs >> 1, pairs - 1];
    // PyTorch's float32 powers and divisions are off by up to 4e-7 of the frequency, YaRN's ramps by 2e-6.
    for (const [i, frequency] of (expected.frequencies ?? []).entries()) {
      const own = frequencies[places[i]];
      assert.ok(Math.abs(own - frequency) <= 3e-6 * Math.abs(frequency), `${what}: ${own} for ${frequency}`);
    }
    // Eight digits are recorded.
    assert.ok(Math.abs(attentionFactor / (expected.attentionFactor ?? 1) - 1) < 1e-7, what);
    const leavesOut = /leaves softmaxFactor out/.test(found.note);
    assert.ok(Math.abs((leavesOut ? 1 : softmaxFactor) / (expected.softmaxFactor ?? 1) - 1) < 1e-7, what);
  }
  if (found.kind === 'alibi' && expected.slopes) {
    const { slopes } = posenc.alibi(found.spec);
    // Falcon's are bfloat16.
    for (const [i, slope] of expected.slopes.entries()) {
      assert.ok(Math.abs(slopes[i * (slopes.length - 1)] / slope - 1) < 2 ** -8, what);
    }
  }
  if (expected.count === undefined) return;
  assert.equal(posenc[found.kind](found.spec).count, expected.count, what);
}

export function assertEncodings(
  config: any,
  { expected, layers = {}, parts = {} }: { expected?: any; layers?: Record<string, any>; parts?: Record<string, any> },
  what: string,
) {
  if (expected) assertEncoding(config, undefined, expected, what);
  for (const [layerType, of] of Object.entries(layers)) {
    assertEncoding(config, { layerType }, of, `${what}, ${layerType}`);
  }
  for (const [part, of] of Object.entries(parts)) assertEncoding(config, { part }, of, `${what}, ${part}`);
}
