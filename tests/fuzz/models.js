/**
 * Configurations of models with parts changed: `encodingOf`, `encodingsOf` and what a spec is for answer or throw a short error of posenc, and the object
 * stays as it is.
 *
 * @module
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as functions from 'posenc';
import { encodingOf, encodingsOf } from 'posenc/models';
import { readGolden } from '../js/helpers.js';
import { edited, edits, hostile, numbers } from './arbitraries.js';
import { assertRefusal } from './arguments.js';

/** @import { Fuzzer } from './fuzzers.js' */

await functions.load();
const posenc = /** @type {any} */ (functions);

/** @type {any[]} */
const configs = JSON.parse(readGolden('models.json')).models.map((/** @type {any} */ { config }) => config);

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
    const { kind, spec } = encodingOf(config, /** @type {any} */ (asked));
    const rows = Number(/** @type {any} */ (spec).rows ?? 0) * Number(/** @type {any} */ (spec).dim ?? 0);
    // A large table would be drawn at random; a large grid's rows are made.
    if (kind !== 'none' && kind !== 'learned' && kind !== 'grid' && kind !== 'windowIndex' && !(rows > 2 ** 16))
      posenc[kind](spec);
  } catch (error) {
    assertRefusal(error);
  }
  try {
    const { layerType, ...others } = asked;
    const groups = encodingsOf(config, /** @type {any} */ (others));
    const layers = groups.flatMap((group) => group.layers ?? []);
    assert.equal(new Set(layers).size, layers.length, 'a layer has two encodings');
  } catch (error) {
    assertRefusal(error);
  }
  assert.equal(JSON.stringify(config), before, 'the configuration was changed');
});

/** @type {Fuzzer[]} */
export const fuzzers = [{ name: 'configurations of models', property }];
