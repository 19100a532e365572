/** A notebook's part of a widget: its model, and what Python and the user do to it. */

/** @param {string} path of what is built */
const built = (path) => import(`../../${path}`);

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
/** @type {Record<string, unknown>} */
let state = {};
/** @type {Map<string, Set<() => void>>} */
let listeners = new Map();
/** @type {Record<string, unknown>[]} */
let sent = [];
/** The traits that are set since the last message. @type {Record<string, unknown>} */
let unsaved = {};
let end = () => {};

const fire = (/** @type {string} */ trait) => {
  for (const heard of [...(listeners.get(`change:${trait}`) ?? [])]) heard();
};
const model = {
  get: (/** @type {string} */ trait) => state[trait],
  set(/** @type {string} */ trait, /** @type {unknown} */ value) {
    state[trait] = unsaved[trait] = value;
    fire(trait);
  },
  save_changes() {
    sent.push(unsaved);
    unsaved = {};
  },
  on: (/** @type {string} */ event, /** @type {() => void} */ heard) =>
    listeners.set(event, (listeners.get(event) ?? new Set()).add(heard)),
  off: (/** @type {string} */ event, /** @type {() => void} */ heard) => listeners.get(event)?.delete(heard),
};

/** Arrays of bytes as numbers. @param {any} value */
const plain = (value) =>
  value?.data instanceof DataView
    ? { ...value, data: [...new Float32Array(value.data.buffer, value.data.byteOffset, value.data.byteLength / 4)] }
    : value;
const messages = () =>
  sent.map((message) => Object.fromEntries(Object.entries(message).map(([trait, value]) => [trait, plain(value)])));

Object.assign(globalThis, {
  widget: {
    messages,

    forget() {
      const before = messages();
      sent = [];
      return before;
    },

    /** @param {Record<string, unknown>} traits */
    async show(traits) {
      const { default: widget } = await built('build/anywidget.js');
      end();
      [state, listeners, sent, unsaved] = [traits, new Map(), [], {}];
      end = widget.render({ model, el: main });
    },

    /** @param {Record<string, unknown>} traits */
    receive(traits) {
      Object.assign(state, traits);
      Object.keys(traits).forEach(fire);
    },

    /**
     * @param {string} property
     * @param {unknown} value
     */
    choose(property, value) {
      const element = /** @type {any} */ (main.firstElementChild);
      element[property] = value;
      element.update();
      element.dispatchEvent(new Event('input'));
      element.dispatchEvent(new Event('change'));
    },

    end() {
      end();
      end = () => {};
      sent = [];
      return {
        elements: main.childElementCount,
        listeners: [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
      };
    },

    /**
     * @param {'sinusoidal' | 'rotary'} kind
     * @param {{ rows?: number, start?: number }} spec
     */
    async compute(kind, { rows = 12, start = 0, ...spec }) {
      const { load, sinusoidal, rotary } = await built('dist/posenc.js');
      await load();
      const numbers = (/** @type {import('posenc').Tensor} */ { shape, data }) => ({ shape, data: [...data] });
      if (kind === 'sinusoidal') return numbers(sinusoidal(spec).encode(rows, { start }));
      const { cos, sin } = rotary(spec).tables(rows, { start });
      return { cos: numbers(cos), sin: numbers(sin) };
    },
  },
});
