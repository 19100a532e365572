import * as posenc from 'posenc';
import { followTheme, themeChanged } from '../figure/colours.js';
import { element } from '../figure/dom.js';
import { kindOf } from '../figure/kinds.js';
import { createPending } from '../figure/pending.js';
import { changed, initial, PINNED, selected } from '../figure/state.js';
import { sheetOf } from '../figure/style.js';
import { createTables } from '../figure/table.js';
import { THEMES } from '../spec/elements.js';
import { attributeText, patchOf } from './properties.js';

/**
 * @typedef {import('../figure/state.js').View} View
 * @typedef {import('../figure/state.js').Context} Context
 * @typedef {import('../figure/state.js').Render} Render
 */

/** Without a document, importing this module has no effect. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * A panel as a custom element. Its view comes from attributes, properties and gestures. Gestures change properties but no attributes, as
 * typing changes the value of an input. Errors are shown in the part `error`, and the last good picture stays.
 */
export class PosencElement extends Base {
  /** The id of the section, which style sheets use. */
  static section = '';
  static label = '';
  /** The style sheets. @type {string[]} */
  static rules = [];
  /** The only preset that it shows. Without one, the preset is a field. @type {View['preset'] | undefined} */
  static preset;
  /** One sheet per kind of element. @type {WeakMap<typeof PosencElement, CSSStyleSheet>} */
  static #sheets = new WeakMap();

  /** The view that must be valid for a view to be shown. @type {(view: View) => View} */
  static needed = (view) => view;

  /** @type {string[]} */
  static observedAttributes = [];
  /**
   * Fills the section.
   *
   * @type {(root: HTMLElement, context: Context, element: any) => Render}
   */
  static panel;

  /** Settled when it has drawn, or shows why it cannot. @type {Promise<void>} */
  #ready;
  /** @type {() => void} */
  #settle = () => {};
  /** @type {HTMLElement} */
  #section;
  /** @type {HTMLElement} */
  #error;
  /** The errors of attributes, by name. @type {Map<string, string>} */
  #mistakes = new Map();
  /** The view that is asked for. @type {View} */
  #wanted = { ...initial, preset: this.#kind.preset ?? initial.preset };
  /** The last view asked for that could be shown. @type {View} */
  #view = this.#wanted;
  /** @type {ReturnType<typeof createTables> | undefined} */
  #tables;
  /** @type {Render | undefined} */
  #render;
  #started = false;
  #pending = createPending();
  /** Says that the changes are drawn; absent if there are none. @type {(() => void) | undefined} */
  #drawn;
  /** The cell at the last `input` event. */
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
    // The error comes first, where people see it.
    root.append(this.#error, this.#section);
    const sheet = PosencElement.#sheets.get(this.#kind) ?? sheetOf(rules);
    PosencElement.#sheets.set(this.#kind, sheet);
    root.adoptedStyleSheets = [sheet];
    // Typing inside sends no events of this element, and no keys to the page around it.
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

  settled() {
    return this.#pending.settled();
  }

  /** The view that is drawn next: the one asked for, or the last good one if that cannot be shown. */
  get view() {
    return this.#tables && this.#objection(this.#wanted) ? this.#view : this.#wanted;
  }

  get theme() {
    return this.getAttribute('theme');
  }

  set theme(theme) {
    if (theme === null || theme === undefined) this.removeAttribute('theme');
    else this.setAttribute('theme', attributeText(theme));
  }

  /** The selected cell, or undefined before there is a table. */
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

  /** The encoding that is shown, or undefined before it is loaded. */
  get encoding() {
    return this.#tables?.tableOf(this.view).encoding;
  }

  connectedCallback() {
    // Without this attribute, JupyterLab handles keys as its shortcuts.
    if (!this.hasAttribute('data-lm-suppress-shortcuts')) this.setAttribute('data-lm-suppress-shortcuts', 'true');
    // Properties that were set before the element was defined are set again.
    for (const name of Object.keys(this)) {
      if (!(name in this.#kind.prototype)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      try {
        Reflect.set(this, name, value);
      } catch (error) {
        // The code that set it has returned, and the other properties must still be set.
        console.error(error);
      }
    }
    this.#unfollow = followTheme(/** @type {ShadowRoot} */ (this.shadowRoot));
    this.#onTheme();
    if (!this.#started) this.#pending.until(this.#start());
  }

  adoptedCallback() {
    // A style sheet belongs to one document, so the new document needs another. A template's document has no window and shows nothing.
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
      if (text && !THEMES.includes(text))
        this.#mistakes.set(name, `theme must be ${THEMES.join(' or ')}, got “${text}”.`);
      this.#onTheme();
      return this.patch({});
    }
    try {
      this.patch(patchOf(name, text));
    } catch (error) {
      this.#mistakes.set(name, `${name} must be ${/** @type {Error} */ (error).message}, got “${text}”.`);
      this.patch({});
    }
  }

  /**
   * Sets properties to the values of their attributes.
   *
   * @param {...string} names of the attributes
   */
  restore(...names) {
    for (const name of names) this.attributeChangedCallback(name, null, this.getAttribute(name));
  }

  /**
   * Asks for another view. Several changes before the next frame are drawn together.
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
      await posenc.load();
      this.#tables = createTables(posenc);
      this.#accept();
      const { tableOf } = this.#tables;
      this.#render = this.#kind.panel(
        this.#section,
        { posenc, tableOf, change: this.#change, pending: this.#pending },
        this,
      );
      this.#draw(this.#render);
      // Observable's views, for example, wait for a first value.
      this.#tell(true);
    } catch (error) {
      console.error(error);
      // It tries again when it is put into a page again.
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
   * Changes that the panel asks for.
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
    // A pointer may move within the same cell, and a field may be left as it was: that is no change. A list is parsed anew each time.
    const moved = /** @type {(keyof View)[]} */ (Object.keys(patch)).some((key) => `${before[key]}` !== `${next[key]}`);
    if (moved) this.#tell(true);
    if (settled && settled !== 'hover') this.#send('change');
    return '';
  };

  /** @param {Render} render which may go on in later frames */
  #draw(render) {
    this.#pending.until(Promise.resolve(render(this.#view))).catch(console.error);
  }

  /**
   * Sends `input` for the selected cell.
   *
   * @param {boolean} anyway whether to send it even if the cell has not changed
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
   * The reason why a view cannot be shown here, or ''.
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

  /** Makes the view asked for the current one if it can be shown, and shows the errors. */
  #accept() {
    if (!this.#tables) return;
    const objection = this.#objection(this.#wanted);
    if (!objection) this.#view = this.#wanted;
    const said = [...this.#mistakes.values(), objection].filter(Boolean).join(' ');
    if (this.#error.textContent !== said) this.#error.textContent = said;
  }

  #schedule() {
    if (this.#drawn) return;
    this.#drawn = this.#pending.begin();
    requestAnimationFrame(() => this.update());
  }

  /** Draws changes at once, and shows their errors, instead of in the next frame. */
  update() {
    if (!this.#drawn) return;
    this.#drawn();
    this.#drawn = undefined;
    this.#accept();
    if (!this.#render) return;
    this.#section.classList.toggle('pinned', this.#view.pinned);
    this.#draw(this.#render);
    this.#tell(false);
  }
}
