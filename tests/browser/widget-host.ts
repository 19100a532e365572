/** A notebook's part of a widget: its model, and what Python and the user do to it. */

import type { Tensor } from 'posenc';

/** @param path of what is built */
const built = (path: string) => import(`../../${path}`);

const main = document.querySelector('main') as HTMLElement;
let state: Record<string, unknown> = {};
let listeners = new Map<string, Set<() => void>>();
let sent: Record<string, unknown>[] = [];
/** The traits that are set since the last message. */
let unsaved: Record<string, unknown> = {};
let end = () => {};

const fire = (trait: string) => {
  for (const heard of [...(listeners.get(`change:${trait}`) ?? [])]) heard();
};
const model = {
  get: (trait: string) => state[trait],
  set(trait: string, value: unknown) {
    state[trait] = unsaved[trait] = value;
    fire(trait);
  },
  save_changes() {
    sent.push(unsaved);
    unsaved = {};
  },
  on: (event: string, heard: () => void) => listeners.set(event, (listeners.get(event) ?? new Set()).add(heard)),
  off: (event: string, heard: () => void) => listeners.get(event)?.delete(heard),
};

/** Arrays of bytes as numbers, unless they are many. */
const plain = (value: any) =>
  value?.data instanceof DataView && value.data.byteLength < 2 ** 20
    ? { ...value, data: [...new Float32Array(value.data.buffer, value.data.byteOffset, value.data.byteLength / 4)] }
    : value;
/** Numbers as the bytes that Python sends, at an address that no array of floats may have. */
const readBytes = (value: any) => {
  const bytes = Uint8Array.of(0, ...new Uint8Array(Float32Array.from(value.data).buffer), 0);
  return { ...value, data: new DataView(bytes.buffer, 1, bytes.length - 2) };
};
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

    async show(traits: Record<string, unknown>) {
      const { default: widget } = await built('build/anywidget.js');
      end();
      const { embeddings } = traits;
      state = embeddings ? { ...traits, embeddings: readBytes(embeddings) } : traits;
      [listeners, sent, unsaved] = [new Map(), [], {}];
      end = widget.render({ model, el: main });
    },

    receive(traits: Record<string, unknown>) {
      Object.assign(state, traits);
      Object.keys(traits).forEach(fire);
    },

    choose(property: string, value: unknown) {
      const element = main.firstElementChild as any;
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

    async compute(kind: 'sinusoidal' | 'rotary', { rows = 12, start = 0, ...spec }: { rows?: number; start?: number }) {
      const { load, sinusoidal, rotary } = await built('dist/posenc.js');
      await load();
      const numbers = ({ shape, data }: Tensor) => ({ shape, data: [...data] });
      if (kind === 'sinusoidal') return numbers(sinusoidal(spec).encode(rows, { start }));
      const { cos, sin } = rotary(spec).tables(rows, { start });
      return { cos: numbers(cos), sin: numbers(sin) };
    },
  },
});
