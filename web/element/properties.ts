/** The attributes and properties of elements: one of each for every field that an element has. */

import { attributeOf, fields } from '../figure/index.ts';
import type { View } from '../figure/types.ts';
import { ELEMENTS, THEMES } from '../spec/elements.ts';
import type { PosencElement } from './base.ts';

type Kind = typeof PosencElement;
type Name = keyof typeof ELEMENTS;
/** The fields of an element that types.ts declares, or never if they aren't those of web/spec. */
type Declared<N extends Name, Own = keyof View & keyof HTMLElementTagNameMap[N], Its = (typeof ELEMENTS)[N][number]> = [
  Own,
  Its,
] extends [Its, Own]
  ? Own
  : never;
type Field = import('../figure/parse.ts').Field<unknown>;

/**
 * What an attribute asks for.
 *
 * @throws {Error} whose message completes "must be …"
 */
export function patchOf(name: string, text: string | null): Partial<View> {
  // The theme is no part of the view: the style sheet reads the attribute.
  if (name === 'theme') {
    if (text && !THEMES.includes(text)) throw new Error(THEMES.join(' or '));
    return {};
  }
  const key = Object.keys(fields).find((known) => attributeOf(known) === name) as keyof View;
  const { initial, parse } = fields[key] as Field;
  if (text === null) return { [key]: initial };
  // A boolean attribute is true if it is present. Vue and others write "false" before the element is defined.
  return { [key]: typeof initial === 'boolean' ? !['no', 'false'].includes(text) : parse(text) };
}

/**
 * The text of a value of any kind, for an attribute, whose error then quotes it.
 *
 * @param format of lists and booleans
 */
export function attributeText(value: unknown, format: (value: any) => string = String) {
  try {
    return typeof value === 'boolean' || Array.isArray(value) ? format(value) : String(value);
  } catch {
    // Symbols in lists and objects without a prototype have no text.
    return typeof value;
  }
}

const KEYS: { [N in Name]: readonly Declared<N>[] } = ELEMENTS;

/** Gives a kind of element its attributes and properties, and defines it if its name is not taken. */
export function define(name: Name, kind: Kind) {
  const keys: readonly (keyof View)[] = KEYS[name];
  kind.observedAttributes = ['theme', ...keys.map(attributeOf)];
  for (const key of keys) {
    const field = fields[key] as Field;
    const attribute = attributeOf(key);
    Object.defineProperty(kind.prototype, key, {
      configurable: true,
      enumerable: true,
      get(this: PosencElement) {
        const value = this.view[key];
        return Array.isArray(value) ? [...value] : value;
      },
      set(this: PosencElement, value: unknown) {
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
