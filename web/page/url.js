import { conflict, fields, initial } from './state.js';

/** @typedef {import('./state.js').View} View */

/** Browsers refuse a page that rewrites its address too often. */
const PAUSE = 250;

const keys = /** @type {(keyof View)[]} */ (Object.keys(fields));

/** @param {View} view */
export function toHash(view) {
  /** @type {(key: keyof View) => string} */
  const text = (key) => /** @type {(value: unknown) => string} */ (fields[key].format)(view[key]);
  const encode = (/** @type {string} */ value) =>
    // A lone surrogate has no UTF-8: it travels as the replacement character.
    encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
      .replaceAll('%2C%20', ',')
      .replaceAll('%20', '+');
  return `#${keys.map((key) => `${key}=${encode(text(key))}`).join('&')}`;
}

/**
 * Reads a view from an address. What isn't understood keeps its initial value and is noted, shortened.
 *
 * @param {string} hash
 * @returns {{ view: View, notes: string[] }}
 */
export function fromHash(hash) {
  /** @type {Record<string, unknown>} */
  const view = { ...initial };
  /** @type {string[]} */
  const notes = [];
  const short = (/** @type {string} */ text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    if (!Object.hasOwn(fields, key)) {
      notes.push(`“${short(key)}” is not a setting`);
      continue;
    }
    try {
      view[key] = fields[/** @type {keyof View} */ (key)].parse(text);
    } catch (error) {
      notes.push(`${key} must be ${/** @type {Error} */ (error).message}, not “${short(text)}”`);
    }
  }
  const result = /** @type {View} */ (/** @type {unknown} */ (view));
  const clash = conflict(result);
  if (clash) {
    notes.push(`start must be ${clash}`);
    result.start = initial.start;
  }
  return { view: result, notes };
}

/**
 * Keeps the address in step with the view: one history entry a gesture, written when it pauses or ends.
 *
 * @returns {(view: View, settled: boolean) => void}
 */
export function createAddress() {
  let inGesture = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (view, settled) => {
    clearTimeout(timer);
    const write = () => {
      const hash = toHash(view);
      if (hash !== location.hash) history[inGesture ? 'replaceState' : 'pushState'](null, '', hash);
      inGesture = !settled;
    };
    if (settled) write();
    else timer = setTimeout(write, PAUSE);
  };
}
