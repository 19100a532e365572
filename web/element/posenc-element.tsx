import { load } from 'posenc';
import { type FunctionComponent, render } from 'preact';
import { createStore, findKind, followTheme, INITIAL_FIGURE, selected, themeChanged } from '../figure/index.ts';
import type { FigureView, PanelProps } from '../figure/types.ts';
import { FAMILIES } from '../spec/families.ts';
import { attributeText, parseAttribute } from './properties.ts';

/** A style sheet for `adoptedStyleSheets`, which security policies allow where they forbid `<style>`. */
function createSheet(rules: readonly string[], view: Pick<typeof globalThis, 'CSSStyleSheet'> = globalThis) {
  const sheet = new view.CSSStyleSheet();
  // jsdom has style sheets without it.
  sheet.replaceSync?.(rules.join('\n'));
  return sheet;
}

/** Without a document, importing this module has no effect. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * A panel as a custom element. Its view comes from attributes, properties and gestures. Gestures change properties but no attributes, as
 * typing changes the value of an input. Errors are shown in the part `error`, and the last good picture stays.
 */
export class PosencElement extends Base {
  /** The section’s id, and its class in style sheets. */
  static section = '';
  static label = '';
  static rules: string[] = [];
  /** The only preset that it shows. Without one, the preset is a field. */
  static preset: FigureView['preset'] | undefined;
  static #sheets = new WeakMap<typeof PosencElement, CSSStyleSheet>();

  /** The view that must be valid for a view to be shown. */
  static needed = (view: FigureView): FigureView => view;

  static observedAttributes: string[] = [];
  static Panel: FunctionComponent<PanelProps & { element: any }>;

  /** Settled when it has drawn, or shows why it cannot. */
  #ready: Promise<void>;
  #settle = (): void => {};
  #section: HTMLElement;
  #error: HTMLElement;
  /** The errors of attributes, by name. */
  #mistakes = new Map<string, string>();
  /** Whether posenc is loading or loaded. */
  #started = false;
  #loaded = false;
  #store = this.#createStore();
  /** The cell at the last `input` event. */
  #told: string | undefined;
  #unfollow = () => {};
  #onTheme = () => themeChanged(this.shadowRoot as ShadowRoot);

  constructor() {
    super();
    this.#ready = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { section, label, rules } = this.#kind;
    this.#section = document.createElement('section');
    this.#section.className = `panel ${section}`;
    this.#section.id = section;
    this.#section.setAttribute('aria-label', label);
    this.#error = document.createElement('p');
    this.#error.className = 'error';
    this.#error.setAttribute('role', 'alert');
    this.#error.setAttribute('part', 'error');
    const root = this.attachShadow({ mode: 'open' });
    // The error comes first, where people see it.
    root.append(this.#error, this.#section);
    const sheet = PosencElement.#sheets.get(this.#kind) ?? createSheet(rules);
    PosencElement.#sheets.set(this.#kind, sheet);
    root.adoptedStyleSheets = [sheet];
    // Typing inside sends no events of this element, and no keys to the page around it.
    for (const type of ['input', 'change']) root.addEventListener(type, (event) => event.stopPropagation());
    root.addEventListener('keydown', (event) => {
      const { key, target } = event as KeyboardEvent;
      const typing = (target as Element).closest('input, select, textarea');
      if (key === 'Escape' && this.view.pinned && !typing) {
        this.patch({ pinned: false });
        event.preventDefault();
      }
      if (typing || event.defaultPrevented) event.stopPropagation();
    });
  }

  get #kind() {
    return this.constructor as typeof PosencElement;
  }

  get ready() {
    return this.#ready;
  }

  settled() {
    return this.#store.pending.settled();
  }

  /** The view that is drawn next: the one asked for, or the last good one if that cannot be shown. */
  get view() {
    return this.#store.current();
  }

  get theme() {
    return this.getAttribute('theme');
  }

  set theme(theme) {
    if (theme === null || theme === undefined) this.removeAttribute('theme');
    else this.setAttribute('theme', attributeText(theme));
  }

  /** Whether the style sheet shows the figure alone. */
  get figureOnly() {
    return !['no', 'false', null].includes(this.getAttribute('figure-only'));
  }

  set figureOnly(only) {
    this.toggleAttribute('figure-only', Boolean(only));
  }

  /** The selected cell, or undefined before there is a table. */
  get value() {
    return this.cell;
  }

  set value(cell) {
    if (cell) Object.assign(this, { position: cell.position, dimension: cell.dimension });
  }

  get cell(): { position: number; dimension: number; value: number } | undefined {
    const { position, dimension } = selected(this.view);
    const dims = [dimension, dimension + 1] as const;
    const [value] = this.encoding?.encode([position], { dims }).data ?? [];
    return value === undefined ? undefined : { position, dimension, value };
  }

  /** The encoding that is shown, or undefined before it is loaded. */
  get encoding() {
    return this.#loaded ? this.getTable(this.view).encoding : undefined;
  }

  protected getTable(view: FigureView) {
    return this.#store.getTable(view);
  }

  connectedCallback() {
    // Without this attribute, JupyterLab handles keys as its shortcuts. Elsewhere it would surprise frameworks that hydrate.
    const mark = 'data-lm-suppress-shortcuts';
    if (this.closest('.lm-Widget') && !this.hasAttribute(mark)) this.setAttribute(mark, 'true');
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
    this.#unfollow = followTheme(this.shadowRoot as ShadowRoot);
    this.#onTheme();
    if (!this.#started) this.#store.pending.until(this.#start());
  }

  adoptedCallback() {
    // A style sheet belongs to one document, so the new document needs another. A template's document has no window and shows nothing.
    const view = this.ownerDocument.defaultView;
    if (!view) return;
    (this.shadowRoot as ShadowRoot).adoptedStyleSheets = [createSheet(this.#kind.rules, view)];
  }

  disconnectedCallback() {
    this.#unfollow();
  }

  attributeChangedCallback(name: string, _before: string | null, text: string | null) {
    this.#mistakes.delete(name);
    let patch = {};
    try {
      patch = parseAttribute(name, text);
    } catch (error) {
      const { message } = error as Error;
      this.#mistakes.set(name, name === 'preset' ? this.#unshown(text) : `${name} must be ${message}, got “${text}”.`);
    }
    if (name === 'theme') this.#onTheme();
    this.patch(patch);
  }

  #unshown(preset: string | null) {
    const families = Object.values(FAMILIES).filter(({ panels }) =>
      panels.some((panel) => panel === this.#kind.section),
    );
    const names = families.flatMap(({ presets }) => [...presets]).join(' or ');
    return `preset must be ${names} in ${this.localName} (posenc-rotary shows rotary encodings, alibi and relativeBuckets of posenc make biases, encodingOf of posenc/models reads a model’s config.json), got “${preset}”.`;
  }

  /** Sets properties to the values of their attributes. */
  restore(...names: string[]) {
    for (const name of names) this.attributeChangedCallback(name, null, this.getAttribute(name));
  }

  /** Asks for another view. Several changes before the next frame are drawn together. */
  patch(more: Partial<FigureView>) {
    this.#store.ask(more);
  }

  async #start() {
    this.#started = true;
    try {
      await load();
      this.#loaded = true;
      // Observable's views, for example, wait for the first value, which is emitted when it is drawn.
      this.patch({});
      this.update();
    } catch (error) {
      console.error(error);
      // It tries again when it is put into a page again.
      this.#started = false;
      this.#loaded = false;
      render(null, this.#section);
      const { message } = error as Error;
      this.#error.textContent = `The encodings can’t be computed here: ${message.replace('posenc: ', '')}`;
    }
    this.#settle();
  }

  #createStore() {
    const { preset = INITIAL_FIGURE.preset, section, needed } = this.#kind;
    const store: ReturnType<typeof createStore<FigureView>> = createStore({
      view: { ...INITIAL_FIGURE, preset },
      loading: () => (this.#loaded ? undefined : this.#ready),
      refuse: (view, objection) =>
        findKind(view).panels.some((panel) => panel === section) ? objection(needed(view)) : this.#unshown(view.preset),
      draw: (view) => {
        if (!this.#loaded) return;
        const { Panel } = this.#kind;
        this.#section.classList.toggle('pinned', view.pinned);
        render(<Panel view={view} context={store} root={this.#section} element={this} />, this.#section);
        this.#tell(false);
      },
      onChange: (before, patch, settled) => {
        const { view } = this;
        // A pointer may move within the same cell, and a field may be left as it was: that is no change. A list is parsed anew each time.
        const keys = Object.keys(patch) as (keyof FigureView)[];
        if (keys.some((key) => `${before[key]}` !== `${view[key]}`)) this.#tell(true);
        if (settled && settled !== 'hover') this.#send('change');
      },
      onRefusal: (reason) => {
        const errorText = [...this.#mistakes.values(), reason].filter(Boolean).join(' ');
        if (this.#error.textContent !== errorText) this.#error.textContent = errorText;
      },
    });
    return store;
  }

  /** Sends `input` for the selected cell if it has changed, or `anyway`. */
  #tell(anyway: boolean) {
    const cell = Object.values(this.cell ?? {}).join();
    if (!anyway && cell === this.#told) return;
    this.#told = cell;
    this.#send('input');
  }

  #send(type: string) {
    this.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  /** Draws changes at once, and shows their errors, instead of in the next frame. */
  update() {
    this.#store.update();
  }
}
