/** The attributes and properties of elements: one of each for every field that an element has. */

import { figureFields, formatAttribute } from '../figure/index.ts';
import type { FigureView } from '../figure/types.ts';
import { ELEMENTS, THEMES } from '../spec/elements.ts';
import type { PosencElement } from './posenc-element.tsx';

type ElementName = keyof typeof ELEMENTS;
/** The fields of an element that types.ts declares, or never if they aren't those of web/spec. */
type Declared<
  N extends ElementName,
  Own = keyof FigureView & keyof HTMLElementTagNameMap[N],
  Its = (typeof ELEMENTS)[N][number],
> = [Own, Its] extends [Its, Own] ? Own : never;
type ElementField = import('../figure/field-text.ts').FieldParser<unknown>;

/**
 * What an attribute asks for.
 *
 * @throws {Error} whose message completes "must be …"
 */
export function parseAttribute(name: string, text: string | null): Partial<FigureView> {
  // The theme is no part of the view: the style sheet reads the attribute.
  if (name === 'theme') {
    if (text && !THEMES.includes(text)) throw new Error(THEMES.join(' or '));
    return {};
  }
  const key = Object.keys(figureFields).find((field) => formatAttribute(field) === name) as keyof FigureView;
  const { initial, kind, parse } = figureFields[key] as ElementField & { kind: string };
  if (text === null) return { [key]: initial };
  // A boolean attribute is true if it is present. Frameworks write "true" and "false" before the element is defined.
  const plain = typeof initial === 'boolean' || (kind === 'flag' && ['', 'true', 'false'].includes(text));
  return { [key]: plain ? !['no', 'false'].includes(text) : parse(text) };
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

const PROPERTY_KEYS: { [N in ElementName]: readonly Declared<N>[] } = ELEMENTS;

/** Gives a kind of element its attributes and properties, and defines it if its name is not taken. */
export function define(name: ElementName, kind: typeof PosencElement) {
  const keys: readonly (keyof FigureView)[] = PROPERTY_KEYS[name];
  kind.observedAttributes = ['theme', ...keys.map(formatAttribute)];
  for (const key of keys) {
    const field = figureFields[key] as ElementField;
    const attribute = formatAttribute(key);
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
