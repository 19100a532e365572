import { load } from 'posenc';
import { followTheme, themeChanged } from '../figure/colours.js';
import { element } from '../figure/dom.js';
import { kindOf, TABLELESS_FIELDS } from '../figure/kinds.js';
import { attributeOf, changed, fields, initial, PINNED, selected, TABLE_FIELDS } from '../figure/state.js';
import { sheetOf } from '../figure/style.js';
import { createTables } from '../figure/table.js';

/**
 * @typedef {import('../figure/state.js').View} View
 * @typedef {import('../figure/state.js').Context} Context
 * @typedef {import('../figure/state.js').Render} Render
 * @typedef {import('../figure/state.js').Field<unknown>} Field
 */

/** Where there is no document, importing this changes nothing. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/** The fields of a table of any preset. */
const ANY_TABLE = TABLE_FIELDS.filter((key) => !fields[key].local && !TABLELESS_FIELDS.includes(key));

/**
 * The fields of a kind of element: those of its table, the rows and the cell that are shown, and its own.
 *
 * @param {typeof PosencElement} kind
 * @returns {(keyof View)[]}
 */
function fieldsOf({ preset, own }) {
  /** @type {readonly (keyof View)[]} */
  const table = preset ? ['dim', ...kindOf({ preset }).fields] : ANY_TABLE;
  return [...table, 'length', 'start', 'position', 'dimension', ...own];
}

/**
 * A panel as a custom element. Its view comes from attributes and properties, and from whoever uses it: that changes the
 * properties but no attribute, as typing does an input's value. What can't be read or shown is said in the part `error`, and
 * what was shown last stays.
 */
export class PosencElement extends Base {
  /** The name of the section, by which the style sheets know it. */
  static section = '';
  static label = '';
  /** Rules of the style sheets. @type {string[]} */
  static rules = [];
  /** The one preset that it shows; without, there is a field for it. @type {View['preset'] | undefined} */
  static preset;
  /** Fields of its own. @type {readonly (keyof View)[]} */
  static own = [];
  /** One for all elements of a kind. @type {WeakMap<typeof PosencElement, CSSStyleSheet>} */
  static #sheets = new WeakMap();

  /** What has to be possible, to show a view. @type {(view: View) => View} */
  static needed = (view) => view;

  /** @type {string[]} */
  static observedAttributes = [];
  /**
   * Fills the section.
   *
   * @type {(root: HTMLElement, context: Context, element: any) => Render}
   */
  static panel;

  /** Settled when it has drawn, or has said why it can't. @type {Promise<void>} */
  #ready;
  /** @type {() => void} */
  #settle = () => {};
  /** @type {HTMLElement} */
  #section;
  /** @type {HTMLElement} */
  #error;
  /** What is wrong with an attribute, by its name. @type {Map<string, string>} */
  #mistakes = new Map();
  /** What has been asked for. @type {View} */
  #wanted = { ...initial, preset: this.#kind.preset ?? initial.preset };
  /** The last of it that could be shown. @type {View} */
  #view = this.#wanted;
  /** @type {ReturnType<typeof createTables> | undefined} */
  #tables;
  /** @type {Render | undefined} */
  #render;
  #started = false;
  #due = false;
  /** The cell that `input` told last. */
  #told = '';
  #unfollow = () => {};
  #onTheme = () => themeChanged(/** @type {ShadowRoot} */ (this.shadowRoot));

  constructor() {
    super();
    this.#ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { section, label, rules } = this.#kind;
    this.#section = element('section', 'panel');
    this.#section.id = section;
    this.#section.setAttribute('aria-label', label);
    this.#error = element('p', 'error');
    this.#error.setAttribute('role', 'alert');
    this.#error.setAttribute('part', 'error');
    const root = this.attachShadow({ mode: 'open' });
    // First, where it is seen.
    root.append(this.#error, this.#section);
    const sheet = PosencElement.#sheets.get(this.#kind) ?? sheetOf(rules);
    PosencElement.#sheets.set(this.#kind, sheet);
    root.adoptedStyleSheets = [sheet];
    // What is typed inside is no value of this element's, and no key for the page around it.
    for (const type of ['input', 'change']) root.addEventListener(type, (event) => event.stopPropagation());
    root.addEventListener('keydown', (event) => {
      const { key, target } = /** @type {KeyboardEvent} */ (event);
      const typing = /** @type {Element} */ (target).closest('input, select, textarea');
      if (key === 'Escape' && this.#view.pinned && !typing) {
        this.patch({ pinned: false });
        this.#accept();
        event.preventDefault();
      }
      if (typing || event.defaultPrevented) event.stopPropagation();
    });
  }

  get #kind() {
    return /** @type {typeof PosencElement} */ (this.constructor);
  }

  get ready() {
    return this.#ready;
  }

  /** What is shown, or will be. */
  get view() {
    this.#accept();
    return this.#tables ? this.#view : this.#wanted;
  }

  get theme() {
    return this.getAttribute('theme');
  }

  set theme(theme) {
    if (theme === null || theme === undefined) this.removeAttribute('theme');
    else this.setAttribute('theme', theme);
  }

  /** The selected cell; undefined before there is a table. */
  get value() {
    return this.cell;
  }

  set value(cell) {
    if (cell) Object.assign(this, { position: cell.position, dimension: cell.dimension });
  }

  /** @type {{ position: number, dimension: number, value: number } | undefined} */
  get cell() {
    const { position, dimension } = selected(this.view);
    const dims = /** @type {const} */ ([dimension, dimension + 1]);
    const [value] = this.encoding?.encode([position], { dims }).data ?? [];
    return value === undefined ? undefined : { position, dimension, value };
  }

  /** Of what is shown; undefined before it is loaded. */
  get encoding() {
    return this.#tables?.tableOf(this.view).encoding;
  }

  connectedCallback() {
    // JupyterLab would take keys for its shortcuts.
    if (!this.hasAttribute('data-lm-suppress-shortcuts')) this.setAttribute('data-lm-suppress-shortcuts', 'true');
    // Properties that were set before the element was defined.
    for (const name of Object.keys(this)) {
      if (!(name in this.#kind.prototype)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      try {
        Reflect.set(this, name, value);
      } catch (error) {
        // Whoever set it is gone, and the others count.
        console.error(error);
      }
    }
    this.#unfollow = followTheme(/** @type {ShadowRoot} */ (this.shadowRoot));
    this.#onTheme();
    if (!this.#started) this.#start();
  }

  adoptedCallback() {
    // It has lost its style: a sheet is one document's. A template's document has no window, and shows nothing.
    const view = this.ownerDocument.defaultView;
    if (!view) return;
    /** @type {ShadowRoot} */ (this.shadowRoot).adoptedStyleSheets = [sheetOf(this.#kind.rules, view)];
  }

  disconnectedCallback() {
    this.#unfollow();
  }

  /**
   * @param {string} name
   * @param {string | null} _before
   * @param {string | null} text
   */
  attributeChangedCallback(name, _before, text) {
    this.#mistakes.delete(name);
    if (name === 'theme') {
      if (text && !['light', 'dark'].includes(text))
        this.#mistakes.set(name, `theme must be light or dark, got “${text}”.`);
      this.#onTheme();
      return this.patch({});
    }
    const key = /** @type {keyof View} */ (fieldsOf(this.#kind).find((known) => attributeOf(known) === name));
    const { initial: none, parse } = /** @type {Field} */ (fields[key]);
    try {
      // A boolean attribute is there or it isn't; Vue and others write "false" before the element is defined.
      const value = text === null ? none : typeof none === 'boolean' ? !['no', 'false'].includes(text) : parse(text);
      this.patch({ [key]: value });
    } catch (error) {
      this.#mistakes.set(name, `${name} must be ${/** @type {Error} */ (error).message}, got “${text}”.`);
      this.patch({});
    }
  }

  /**
   * Sets properties to what their attributes say.
   *
   * @param {...string} names of the attributes
   */
  restore(...names) {
    for (const name of names) this.attributeChangedCallback(name, null, this.getAttribute(name));
  }

  /**
   * Asks for another view: several changes are drawn at once.
   *
   * @param {Partial<View>} more
   */
  patch(more) {
    this.#wanted = { ...this.#wanted, ...more };
    this.#schedule();
  }

  async #start() {
    this.#started = true;
    try {
      const posenc = await load();
      this.#tables = createTables(posenc);
      this.#accept();
      const { tableOf } = this.#tables;
      this.#render = this.#kind.panel(this.#section, { posenc, tableOf, change: this.#change }, this);
      this.#render(this.#view);
      // Who waits for a first value, as Observable's views do, is told.
      this.#tell(true);
    } catch (error) {
      console.error(error);
      // Put into the page again, it tries again.
      this.#started = false;
      this.#tables = undefined;
      this.#render = undefined;
      this.#section.replaceChildren();
      const { message } = /** @type {Error} */ (error);
      this.#error.textContent = `The encodings can’t be computed here: ${message.replace('posenc: ', '')}`;
    }
    this.#settle();
  }

  /**
   * What the panel asks for.
   *
   * @type {import('../figure/state.js').Change}
   */
  #change = (patch, settled) => {
    const next = changed(this.#view, patch, settled);
    if (next === this.#view) return PINNED;
    const objection = this.#objection(next);
    if (objection) return objection;
    const before = this.#view;
    this.#wanted = next;
    this.#accept();
    this.#schedule();
    // A pointer moves on in the same cell, too.
    const moved = /** @type {(keyof View)[]} */ (Object.keys(patch)).some((key) => before[key] !== next[key]);
    if (moved) this.#tell(true);
    if (settled && settled !== 'hover') this.#send('change');
    return '';
  };

  /**
   * Tells of the selected cell.
   *
   * @param {boolean} anyway also where it is the one that was told last
   */
  #tell(anyway) {
    const cell = Object.values(this.cell ?? {}).join();
    if (!anyway && cell === this.#told) return;
    this.#told = cell;
    this.#send('input');
  }

  /** @param {string} type */
  #send(type) {
    this.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  /**
   * Why a view can't be shown here, or ''.
   *
   * @param {View} view
   */
  #objection(view) {
    const { section, needed } = this.#kind;
    if (!kindOf(view).panels.some((panel) => panel === section)) {
      return `preset must be another one in ${this.localName}, got “${view.preset}”.`;
    }
    return this.#tables?.objection(needed(view)) ?? '';
  }

  /** Takes over what is wanted, if it can be shown. */
  #accept() {
    if (!this.#tables) return;
    const objection = this.#objection(this.#wanted);
    if (!objection) this.#view = this.#wanted;
    const said = [...this.#mistakes.values(), objection].filter(Boolean).join(' ');
    if (this.#error.textContent !== said) this.#error.textContent = said;
  }

  #schedule() {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => {
      this.#due = false;
      this.#accept();
      if (!this.#render) return;
      this.#section.classList.toggle('pinned', this.#view.pinned);
      this.#render(this.#view);
      this.#tell(false);
    });
  }
}

/**
 * Gives a kind of element its attributes and properties, and defines it where its name is free.
 *
 * @param {string} name
 * @param {typeof PosencElement} kind
 */
export function define(name, kind) {
  const keys = fieldsOf(kind);
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
        // Preact sets '' where a property is taken away.
        if (value === null || value === undefined || value === '' || (boolean && !value)) {
          // What somebody did goes too, where there is no attribute to be removed.
          if (this.hasAttribute(attribute)) this.removeAttribute(attribute);
          else this.restore(attribute);
        } else {
          // Whatever else it is, the attribute will say what is wrong with it.
          const known = typeof value === 'boolean' || Array.isArray(value);
          this.setAttribute(attribute, boolean ? '' : known ? field.format(value) : String(value));
        }
      },
    });
  }
  const registry = globalThis.customElements;
  if (registry && !registry.get(name)) registry.define(name, kind);
}
