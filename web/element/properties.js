/**
 * The attributes and properties of elements: one of each for every field that an element has.
 *
 * @module
 */

import { attributeOf, fields } from '../figure/index.js';
import { ELEMENTS, THEMES } from '../spec/elements.js';

/**
 * @typedef {import('./base.js').PosencElement} PosencElement
 * @typedef {typeof import('./base.js').PosencElement} Kind
 * @typedef {import('../figure/types.js').View} View
 * @typedef {import('../figure/parse.js').Field<unknown>} Field
 */

/**
 * What an attribute asks for.
 *
 * @param {string} name
 * @param {string | null} text
 * @returns {Partial<View>}
 * @throws {Error} whose message completes "must be …"
 */
export function patchOf(name, text) {
  // The theme is no part of the view: the style sheet reads the attribute.
  if (name === 'theme') {
    if (text && !THEMES.includes(text)) throw new Error(THEMES.join(' or '));
    return {};
  }
  const key = /** @type {keyof View} */ (Object.keys(fields).find((known) => attributeOf(known) === name));
  const { initial, parse } = /** @type {Field} */ (fields[key]);
  if (text === null) return { [key]: initial };
  // A boolean attribute is true if it is present. Vue and others write "false" before the element is defined.
  return { [key]: typeof initial === 'boolean' ? !['no', 'false'].includes(text) : parse(text) };
}

/**
 * The text of a value of any kind, for an attribute, whose error then quotes it.
 *
 * @param {unknown} value
 * @param {(value: any) => string} [format] of lists and booleans
 */
export function attributeText(value, format = String) {
  try {
    return typeof value === 'boolean' || Array.isArray(value) ? format(value) : String(value);
  } catch {
    // Symbols in lists and objects without a prototype have no text.
    return typeof value;
  }
}

/**
 * Gives a kind of element its attributes and properties, and defines it if its name is not taken.
 *
 * @param {keyof typeof ELEMENTS} name
 * @param {Kind} kind
 */
export function define(name, kind) {
  const keys = ELEMENTS[name];
  kind.observedAttributes = ['theme', ...keys.map(attributeOf)];
  for (const key of keys) {
    const field = /** @type {Field} */ (fields[key]);
    const attribute = attributeOf(key);
    Object.defineProperty(kind.prototype, key, {
      configurable: true,
      enumerable: true,
      /** @this {PosencElement} */
      get() {
        const value = this.view[key];
        return Array.isArray(value) ? [...value] : value;
      },
      /**
       * @this {PosencElement}
       * @param {unknown} value
       */
      set(value) {
        const boolean = typeof field.initial === 'boolean';
        // Preact sets '' to remove a property.
        if (value === null || value === undefined || value === '' || (boolean && !value)) {
          // Without an attribute to remove, a value from a gesture is reset.
          if (this.hasAttribute(attribute)) this.removeAttribute(attribute);
          else this.restore(attribute);
        } else {
          // Any other value becomes the attribute, whose error is then shown.
          this.setAttribute(attribute, boolean ? '' : attributeText(value, field.format));
        }
      },
    });
  }
  const registry = globalThis.customElements;
  if (registry && !registry.get(name)) registry.define(name, kind);
}
