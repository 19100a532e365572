/**
 * Configurations of models with parts changed: `encodingOf`, `encodingsOf` and what a spec is for answer or throw a short error of posenc, and the object
 * stays as it is.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { encodingOf, encodingsOf } from 'posenc/models';
import { readGolden } from '../js/helpers.ts';
import { edited, edits, hostile, numbers } from './arbitraries.ts';
import { assertRefusal } from './arguments.ts';
import type { Fuzzer } from './fuzzers.ts';

await functions.load();
const posenc = functions as any;

const configs: any[] = JSON.parse(readGolden('models.json')).models.map(({ config }: any) => config);

/** Values that JSON can represent. */
const json = fc.oneof(numbers, hostile).filter((value) => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
});

const options = fc.record(
  {
    layerType: fc.constantFrom('full_attention', 'sliding_attention', 'other'),
    sequenceLength: numbers,
    part: fc.constantFrom('encoder', 'decoder', 'text', 'vision'),
  },
  { requiredKeys: [] },
);

const property = fc.property(fc.nat(configs.length - 1), edits(json, 4), options, (which, its, asked) => {
  const config = JSON.parse(JSON.stringify(edited(structuredClone(configs[which]), its)));
  const before = JSON.stringify(config);
  try {
    const { kind, spec } = encodingOf(config, asked as any);
    const rows = Number((spec as any).rows ?? 0) * Number((spec as any).dim ?? 0);
    // A large table would be drawn at random; a large grid's rows are made.
    if (kind !== 'none' && kind !== 'learned' && kind !== 'grid' && kind !== 'windowIndex' && !(rows > 2 ** 16))
      posenc[kind](spec);
  } catch (error) {
    assertRefusal(error);
  }
  try {
    const { layerType, ...others } = asked;
    const groups = encodingsOf(config, others as any);
    const layers = groups.flatMap((group) => group.layers ?? []);
    assert.equal(new Set(layers).size, layers.length, 'a layer has two encodings');
  } catch (error) {
    assertRefusal(error);
  }
  assert.equal(JSON.stringify(config), before, 'the configuration was changed');
});

export const fuzzers: Fuzzer[] = [{ name: 'configurations of models', property }];
