/** Each property of each element: what is set is drawn, and what is unset is drawn as if it had never been set. */

import { expect, openSource, page, sharePage, test } from './page.ts';

type Properties = Record<string, unknown>;

const array = (data: number[], shape: number[]): unknown => ({ data, shape });

const LEARNED = { preset: 'learned' };
const ROTARY = { preset: 'rotary' };
const FAR = { start: 70000 };
/** Another value of each property, and the other properties with which it makes a difference. */
const DIALECT: Record<string, [unknown, Properties?]> = {
  ...{ dim: [10], base: [500], start: [3], numerics: ['bfloat16', FAR], preset: ['roformer'], layout: ['cos-sin'] },
  ...{ endpoint: [true], odd: ['zero', { dim: 7 }], maxFrequency: [0.5], scale: [2], position: [7], dimension: [5] },
  weights: [7, LEARNED],
};
// The waves have no selected column.
const { dimension: _, ...WITHOUT_DIMENSION } = DIALECT;
const TURNS: typeof DIALECT = {
  rotaryDim: [4, ROTARY],
  rotaryLayout: ['interleaved', ROTARY],
  scaling: ['linear factor=4', ROTARY],
};
const TABLE: typeof DIALECT = { length: [9], domain: [[-2, 2]], table: [array([1, 2, 3, 4, 5, 6], [3, 2])] };
const GIVEN = { embeddings: array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [6, 2]) };
const ELEMENTS: Record<string, typeof DIALECT> = {
  'posenc-heatmap': { ...DIALECT, ...TURNS, ...TABLE, left: [2, { columns: 3 }], columns: [3] },
  'posenc-waves': { ...WITHOUT_DIMENSION, ...TABLE, waves: [[1, 4]] },
  'posenc-rotary': {
    ...{ dim: [10], base: [500], start: [3], numerics: ['bfloat16', FAR], position: [7], dimension: [5], length: [9] },
    ...{ rotaryDim: [4], rotaryLayout: ['interleaved'], scaling: ['linear factor=4'], domain: [[-2, 2]] },
    ...{ left: [2, { columns: 3 }], columns: [3] },
  },
  'posenc-add': {
    ...{
      ...DIALECT,
      dim: [10],
      odd: ['zero', { dim: 7, dimension: 6 }],
      seed: [5],
      root: [true],
      embeddings: [GIVEN.embeddings],
    },
    ...{ labels: [['a', 'b', 'a', 'c', 'b', 'c'], GIVEN] },
  },
};
sharePage((site) => openSource(site, 'element-host.html', 'drawn', { viewport: { width: 700, height: 800 } }));

/**
 * Sets properties of a new element, or of the one that is there.
 *
 * @param name of a new element, or '' for the one that is there
 * @returns all that it shows: texts, colours, and where its marks are
 */
const drawn = (name: string, properties: Properties): Promise<string> =>
  page.evaluate(([name, properties]) => (globalThis as any).drawn(name, properties), [name, properties] as const);

for (const [name, properties] of Object.entries(ELEMENTS)) {
  test(`${name} draws each property that is set, and its default when it is unset`, async () => {
    for (const [property, [value, others = {}]] of Object.entries(properties)) {
      const before = await drawn(name, others);
      const after = await drawn('', { [property]: value });
      expect.soft(after === before, `${property}: nothing changed`).toBe(false);
      const again = await drawn('', { [property]: null, ...others });
      expect.soft(again === before, `${property}: its default is not drawn again`).toBe(true);
      const fresh = await drawn(name, { ...others, [property]: value });
      expect.soft(fresh === after, `${property}: a new element draws it otherwise`).toBe(true);
    }
  });
}

/** Runs in the page: what an element says of values of the wrong kind, thrown or shown. */
async function complaints() {
  const values = [
    true,
    -1.5,
    10n,
    'x',
    Symbol('x'),
    () => 1,
    {},
    [],
    ['x'],
    [Symbol('x')],
    [[1, 2], {}],
    new Date(NaN),
  ];
  const strange = [Object.create(null), [Object.create(null)], { length: 1e12 }, { data: 1, shape: Symbol('x') }];
  const arrays = [
    { data: new Float32Array(1), shape: { length: 1e12 } },
    { data: new Float32Array(1), shape: 1n },
    { data: new Float32Array(1), dims: [Symbol('x')] },
    { data: new Float32Array(1), shape: [1e9, 1e9] },
  ];
  const said: string[] = [];
  for (const name of ['posenc-heatmap', 'posenc-rotary', 'posenc-waves', 'posenc-add']) {
    const { observedAttributes, prototype } = customElements.get(name) as any;
    const keys: string[] = [];
    for (let at = prototype; at !== HTMLElement.prototype; at = Object.getPrototypeOf(at)) {
      for (const [key, { set }] of Object.entries(Object.getOwnPropertyDescriptors(at))) if (set) keys.push(key);
    }
    if (keys.length < observedAttributes.length) throw new Error(`${name} has few properties`);
    for (const key of new Set(keys)) {
      const element = document.createElement(name) as any;
      document.querySelector('main')?.replaceChildren(element);
      await element.ready;
      for (const value of [...values, ...strange, ...arrays]) {
        try {
          element[key] = value;
        } catch (error) {
          said.push(`${name}.${key} threw: ${(error as Error).message}`);
        }
        element.update();
        const shown = element.shadowRoot.querySelector('.error').textContent;
        if (shown) said.push(`${name}.${key} showed: ${shown}`);
      }
    }
  }
  return said;
}

test('a value of another kind is refused in the element’s own words', async () => {
  const said = await page.evaluate(complaints);
  expect(said.length).toBeGreaterThan(500);
  const own = /threw: posenc: \w+ must |showed: [\w-]+ must be .+, got “.*”\./;
  expect(said.filter((words) => !own.test(words))).toEqual([]);
  expect(said).toContain(
    'posenc-heatmap.domain showed: domain must be two numbers low < high within ±1e38, got “true”.',
  );
});
