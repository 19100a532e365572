/** The ranges and defaults of the Python widgets equal those in JavaScript. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load, sinusoidal } from 'posenc';
import { PosencAdd, PosencHeatmap, PosencRotary, PosencWaves } from 'posenc/element';
import { kindOf, PRESETS as LISTED } from '../../web/figure/kinds.js';
import { attributeOf, conflict, fields, initial } from '../../web/figure/state.js';
import { LIMITS } from '../../web/posenc/check.js';
import { PRESETS } from '../../web/spec/presets.js';
import { BASE } from '../../web/spec/ranges.js';
import { runPython } from '../python.js';

/**
 * @typedef {object} PythonField
 * @property {unknown} default null where the preset or the element has one
 * @property {string[]} [words]
 * @property {number} [low]
 * @property {number} [high]
 * @property {number} [most] of a list
 *
 * @typedef {Record<string, PythonField>} PythonFields
 */

const path = fileURLToPath(new URL('../../web/notebooks/anywidget/posenc/_fields.py', import.meta.url));
const script = `import json
public = {name: value for name, value in runpy.run_path(${JSON.stringify(path)}).items() if name.isupper()}
print(json.dumps(public))`;
/**
 * @type {{ POSITION: number, LENGTH: number, DIM: number, WEIGHTS: number, COLOUR: number, PRESETS: string[], STARTS: Record<string, number> }
 *   & Record<'ENCODING' | 'ANY_PRESET' | 'TABLE' | 'HEATMAP' | 'WAVES' | 'ADD', PythonFields>}
 */
const python = JSON.parse(String(await runPython('runpy', script, '')));
const { ENCODING, ANY_PRESET, TABLE, HEATMAP, WAVES, ADD } = python;

/** @param {string} trait */
function propertyOf(trait) {
  if (trait === 'column_layout') return 'layout'; // in a notebook `layout` is the widget's own trait
  return trait.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

const kinds = /** @type {const} */ ([
  ['Heatmap', PosencHeatmap, { ...ENCODING, ...ANY_PRESET, ...TABLE, ...HEATMAP }, []],
  ['Rotary', PosencRotary, { ...ENCODING, ...TABLE, ...HEATMAP }, []],
  ['Waves', PosencWaves, { ...ENCODING, ...ANY_PRESET, ...TABLE, ...WAVES }, []],
  // The embeddings say how many there are.
  ['Add', PosencAdd, { ...ENCODING, ...ANY_PRESET, ...ADD }, ['length', 'dim']],
]);
for (const [name, kind, traits, without] of kinds) {
  test(`the traits of Python's ${name} are the attributes of its element`, () => {
    const { observedAttributes } = /** @type {{ observedAttributes: string[] }} */ (/** @type {unknown} */ (kind));
    const expected = observedAttributes.filter((attribute) => !without.some((other) => other === attribute));
    const attributes = Object.keys(traits).map((trait) => attributeOf(propertyOf(trait)));
    assert.deepEqual(attributes.sort(), expected.sort());
  });
}

test('Python has the presets of JavaScript, and their first positions', async () => {
  assert.deepEqual(python.PRESETS, [...Object.keys(PRESETS), 'learned', 'rotary']);
  const listed = LISTED.filter((preset) => kindOf({ preset }).panels.includes('table'));
  assert.deepEqual(python.PRESETS, listed);
  await load();
  for (const preset of /** @type {(keyof typeof PRESETS)[]} */ (Object.keys(PRESETS))) {
    assert.equal(python.STARTS[preset] ?? 0, sinusoidal({ preset, dim: 4 }).spec.start, preset);
  }
});

// The theme is not a field of the view.
const { theme, ...shared } = ENCODING;
for (const [name, python] of Object.entries({ ...shared, ...ANY_PRESET, ...TABLE, ...HEATMAP, ...WAVES, ...ADD })) {
  const key = /** @type {keyof typeof fields} */ (propertyOf(name));
  const { parse } = fields[key];
  /** @param {unknown} value */
  const refusal = (value) => {
    try {
      parse(String(value));
      return '';
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  };

  test(`${name} is in Python what ${key} is in the element`, () => {
    const { default: start, words, low, high, most } = python;
    // Defaults of the element or the preset may be left to them.
    const left = ['start', 'position', 'dimension'].includes(name);
    assert.deepEqual(start, left ? null : initial[key]);
    // The page has more presets.
    if (words && name !== 'preset') assert.equal(refusal('?'), words.join(' or '));
    if (low !== undefined && high !== undefined) {
      const whole = most !== undefined || refusal('?').includes('whole');
      const step = (/** @type {number} */ end) => (whole ? 1 : Math.max(Math.abs(end) * 2 ** -52, Number.MIN_VALUE));
      for (const end of [low, high]) assert.equal(refusal(end), '', `${end}`);
      for (const beyond of [low - step(low), high + step(high)]) assert.notEqual(refusal(beyond), '', `${beyond}`);
    }
    if (most !== undefined) {
      const numbers = Array.from({ length: most + 1 }, (_, number) => number);
      assert.equal(refusal(numbers.slice(1)), '');
      assert.notEqual(refusal(numbers), '');
    }
  });
}

test('the limits of encodings are the same in both', () => {
  const { base, start } = ENCODING;
  const { weights } = ANY_PRESET;
  assert.deepEqual([base.low, base.high], [...BASE]);
  assert.deepEqual([start.low, start.high, python.POSITION], [-LIMITS.position, LIMITS.position, LIMITS.position]);
  for (const { low, high } of [weights, ADD.seed, ADD.dropout_seed]) assert.deepEqual([low, high], [0, LIMITS.seed]);
});

test('colours span as much in both', () => {
  const { parse } = fields.domain;
  assert.deepEqual(parse(`${-python.COLOUR}, ${python.COLOUR}`), [-python.COLOUR, python.COLOUR]);
  assert.throws(() => parse(`0, ${python.COLOUR * (1 + 2 ** -52)}`));
});

test('a learned table has as many numbers at most in both', () => {
  const view = { ...initial, preset: /** @type {const} */ ('learned'), dim: python.DIM };
  const rows = python.WEIGHTS / python.DIM;
  assert.equal(conflict({ ...view, rows }), '');
  assert.notEqual(conflict({ ...view, rows: rows + 1 }), '');
});
