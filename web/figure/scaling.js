/**
 * The scaling of rotary frequencies as a line of text for a field and the address: `llama3 factor=8 lowFreqFactor=1 …`.
 *
 * @module
 */

/** @typedef {import('posenc').RotaryScaling} RotaryScaling */

/** The keys of each type, in the order in which they are written. @satisfies {Record<RotaryScaling['type'], string>} */
const TYPES = {
  linear: 'factor',
  ntk: 'factor',
  dynamic: 'factor maxPositionEmbeddings sequenceLength',
  yarn: 'factor originalMaxPositionEmbeddings betaFast betaSlow attentionFactor mscale mscaleAllDim truncate',
  longrope: 'factor originalMaxPositionEmbeddings attentionFactor sequenceLength shortFactor longFactor',
  llama3: 'factor lowFreqFactor highFreqFactor originalMaxPositionEmbeddings',
  proportional: 'partialRotaryFactor factor',
};

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * @param {string} key
 * @param {string} text
 */
function readValue(key, text) {
  if (key === 'truncate') {
    if (text === 'yes' || text === 'no') return text === 'yes';
    throw new Error('truncate=yes or truncate=no');
  }
  const several = /^(short|long)Factor$/.test(key);
  const parts = several ? text.split(',') : [text];
  if (!parts.every((part) => NUMBER.test(part))) throw new Error(`${key}= and ${several ? 'numbers' : 'a number'}`);
  const numbers = parts.map(Number);
  return several ? numbers : numbers[0];
}

/**
 * Parses the text. posenc checks the values.
 *
 * @param {string} text
 * @returns {RotaryScaling}
 */
export function parseScaling(text) {
  const [type, ...pairs] = text.trim().split(/\s+/);
  if (!Object.hasOwn(TYPES, type)) throw new Error(`a type (${Object.keys(TYPES).join(', ')}) and its key=value pairs`);
  const keys = TYPES[/** @type {keyof typeof TYPES} */ (type)].split(' ');
  /** @type {Record<string, unknown>} */
  const scaling = { type };
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^(\w+)=(.+)$/.exec(pair) ?? [];
    if (!keys.includes(key) || key in scaling) throw new Error(`${type} and each of ${keys.join('=, ')}= at most once`);
    scaling[key] = readValue(key, value);
  }
  return /** @type {any} */ (scaling);
}

/**
 * @param {RotaryScaling} scaling
 * @returns {string} the canonical text
 */
export function formatScaling(scaling) {
  const given = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (scaling));
  const write = (/** @type {unknown} */ value) =>
    typeof value === 'boolean' ? (value ? 'yes' : 'no') : Array.from([value].flat(), Number).join(',');
  const pairs = TYPES[scaling.type].split(' ').filter((key) => given[key] !== undefined);
  return [scaling.type, ...pairs.map((key) => `${key}=${write(given[key])}`)].join(' ');
}
