/** The front end of the Python widgets, with a model like that of a notebook. */

import { link, type WidgetModel } from '../../web/notebooks/anywidget/link.ts';
import { expect, expectRead, openSource, page, sharePage, test } from './page.ts';

sharePage((site) => openSource(site, 'widget.html', 'widget'));

/** What Python's traits say that nobody has set. */
const COMMON = {
  ...{ base: 10000, start: 0, numerics: 'exact', rotary_dim: null, rotary_layout: 'half', scaling: null },
  ...{ position: null, dimension: null, theme: null, value: null, error: '' },
};
const ANY_PRESET = {
  ...{ preset: 'transformer', column_layout: null, endpoint: null, odd: null, max_frequency: null, scale: null },
  ...{ rows: 1024, weights: 0 },
};
const TABLE = { length: 12, dim: 8, domain: null };
const STATES = {
  heatmap: { ...COMMON, ...ANY_PRESET, ...TABLE, left: 0, columns: null, table: null },
  rotary: { ...COMMON, ...TABLE, left: 0, columns: null, cos: null, sin: null },
  waves: { ...COMMON, ...ANY_PRESET, ...TABLE, waves: [], table: null },
  add: {
    ...{ ...COMMON, ...ANY_PRESET, root: false, seed: 1 },
    ...{ embeddings: null, labels: [], sum: null },
  },
};

/** The traits of each widget that the browser may change too, and another value of each. */
const MOVES = {
  ...{ base: 500, numerics: 'float32', preset: 'fairseq', column_layout: 'sin-cos', endpoint: true, odd: 'zero' },
  ...{ max_frequency: 0.5, scale: 2, start: 3 },
};
const CHANGES = {
  heatmap: { ...MOVES, length: 5, dim: 6, rows: 20, weights: 3 },
  rotary: { base: 500, rotary_dim: 4, rotary_layout: 'interleaved', scaling: 'linear factor=4', length: 5, start: 3 },
  waves: { ...MOVES, length: 5, dim: 6 },
  add: { ...MOVES, root: true, seed: 2 },
};
/** Those of the selection and the view. */
const LOOKS = {
  heatmap: { position: 4, dimension: 3, domain: [-2, 2], left: 2, columns: 4 },
  rotary: { position: 4, dimension: 3, domain: [-2, 2], left: 2, columns: 4 },
  waves: { position: 4, dimension: 3, domain: [-2, 2], waves: [1, 3] },
  add: { position: 2, dimension: 3 },
};
const NAMES = Object.keys(STATES) as (keyof typeof STATES)[];

const formatProperty = (trait: string) =>
  trait === 'column_layout' ? 'layout' : trait.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A widget in place of the one before it, when it has answered for the first time. */
async function show(name: keyof typeof STATES, traits?: object) {
  const state = { element: `posenc-${name}`, ...STATES[name], ...traits };
  await page.evaluate((state) => (globalThis as any).widget.show(state), state);
  await expect.poll(() => messages()).not.toHaveLength(0);
  return forget();
}

/** What the browser has told Python, a message each; arrays are shape and numbers. */
const messages = (): Promise<Record<string, any>[]> => page.evaluate(() => (globalThis as any).widget.messages());
/** The messages so far, which are forgotten. */
const forget = () => page.evaluate(() => (globalThis as any).widget.forget());
/** Python sets traits. */
const receive = (traits: object) => page.evaluate((traits) => (globalThis as any).widget.receive(traits), traits);
/** The user changes a property in the element. */
const choose = (property: string, value: unknown) =>
  page.evaluate(([property, value]) => (globalThis as any).widget.choose(property, value), [property, value]);
const propertyNow = (property: string) =>
  page.evaluate((property) => (document.querySelector('main > *') as any)[property], property);

/** All that was told, the last value of each trait. */
const told = async () => Object.assign({}, ...(await messages()));

/** The results that the package computes in the page. */
const computed = (name: string, spec: object) =>
  page.evaluate(([name, spec]) => (globalThis as any).widget.compute(name, spec), [name, spec] as const);

test('the first answer has the selected cell and the table, and no error', async () => {
  const [answer] = await show('heatmap');
  const { data } = await computed('sinusoidal', { dim: 8 });
  expect(answer.table).toEqual({ shape: [12, 8], data, computed: true });
  expect(answer.error).toBe('');
  const { position, dimension, value } = answer.value;
  expect(value).toBe(data[8 * position + dimension]);
});

test('the first answer of a rotary widget has cosines and sines, and that of an addition the sum', async () => {
  const [{ cos, sin }] = await show('rotary');
  const tables = await computed('rotary', { dim: 8 });
  expect(cos).toEqual({ ...tables.cos, computed: true });
  expect(sin).toEqual({ ...tables.sin, computed: true });
  await show('add', { embeddings: { shape: [2, 4], data: [0, 0, 0, 0, 1, 1, 1, 1] } });
  const { data } = await computed('sinusoidal', { dim: 4, rows: 2 });
  await receive({ scale: 1 });
  await expect
    .poll(async () => (await told()).sum?.data)
    .toEqual(data.map((value: number, k: number) => Math.fround(value + (k < 4 ? 0 : 1))));
});

for (const name of NAMES) {
  test(`each trait of the ${name} that Python sets reaches the element`, async () => {
    await show(name);
    for (const [trait, value] of Object.entries({ ...CHANGES[name], ...LOOKS[name] })) {
      await receive({ [trait]: value });
      await expectRead(page, () => propertyNow(formatProperty(trait)), trait).toEqual(value);
    }
  });

  test(`each trait of the ${name} that the user changes comes back to Python with the results`, async () => {
    for (const [trait, value] of Object.entries(CHANGES[name])) {
      // A row of a learned table counts in a learned table alone.
      await show(name, ['rows', 'weights'].includes(trait) ? { preset: 'learned' } : {});
      await choose(formatProperty(trait), value);
      await expect.poll(async () => (await told())[trait], trait).toEqual(value);
      const results = { heatmap: ['table'], waves: ['table'], rotary: ['cos', 'sin'], add: ['sum'] }[name];
      for (const result of results)
        await expectRead(page, async () => (await told())[result], `${result} after ${trait}`).toBeTruthy();
    }
  });

  test(`a look at the ${name} comes back to Python without the results`, async () => {
    for (const [trait, value] of Object.entries(LOOKS[name])) {
      await show(name);
      await choose(formatProperty(trait), value);
      await expect.poll(async () => (await told())[trait], trait).toEqual(value);
      const [first] = await messages();
      for (const result of ['table', 'cos', 'sin', 'sum']) expect(first, trait).not.toHaveProperty(result);
    }
  });
}

test('each trait of Python’s that changes the results brings new ones', async () => {
  await show('heatmap');
  for (const [trait, value] of Object.entries(MOVES)) {
    await forget();
    await receive({ [trait]: value, table: null });
    await expect.poll(async () => (await told()).table?.shape, trait).toEqual([12, 8]);
  }
  const { data } = await computed('sinusoidal', {
    ...{ preset: 'fairseq', dim: 8, base: 500, numerics: 'float32', layout: 'sin-cos', endpoint: true, odd: 'zero' },
    ...{ maxFrequency: 0.5, scale: 2, rows: 12, start: 3 },
  });
  await expectRead(page, async () => (await told()).table.data).toEqual(data);
});

test('a wrong trait is an error without a value, and the next right one ends it', async () => {
  await show('heatmap');
  await receive({ base: 0, table: null });
  await expect.poll(async () => (await told()).error).toMatch(/base/);
  await expectRead(page, async () => (await told()).value).toBe(null);
  // The last good picture still has a cell.
  await choose('position', 3);
  await expect.poll(async () => (await told()).position).toBe(3);
  await expectRead(page, async () => (await told()).value).toBe(null);
  await forget();
  await receive({ base: 100 });
  await expect.poll(async () => (await told()).error).toBe('');
  const { data } = await computed('sinusoidal', { dim: 8, base: 100 });
  await expectRead(page, async () => (await told()).table.data).toEqual(data);
});

test('traits that do not fit together are an error', async () => {
  for (const [traits, reason] of [
    [{ preset: 'mlx', dim: 7 }, /even/],
    [{ preset: 'learned', rows: 12, start: 1 }, /11/],
    [{ preset: 'learned', rows: 4097, dim: 4096 }, /4,?096/],
    [{ start: 2 ** 53 - 11 }, /2⁵³/],
    [{ domain: [2, 1] }, /domain/],
    [{ domain: [1] }, /domain/],
  ] as const) {
    const [{ error, table }] = await show('heatmap', traits);
    expect([error, table]).toEqual([expect.stringMatching(reason), null]);
  }
  const [waves] = await show('waves', { waves: [...Array(9).keys()] });
  expect(waves.error).toMatch(/waves/);
  const embeddings = { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] };
  const [add] = await show('add', { preset: 'mlx', embeddings });
  expect(add.error).toMatch(/even/);
});

test('a table of Python’s own is shown and not sent back, until it is taken away', async () => {
  await show('heatmap', { table: { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] } });
  await expectRead(page, () => propertyNow('length')).toBe(2);
  await expectRead(page, () => propertyNow('dim')).toBe(3);
  await receive({ position: 1, dimension: 2 });
  await expect.poll(async () => (await told()).value).toEqual({ position: 1, dimension: 2, value: 6 });
  // What it replaces waits.
  await receive(CHANGES.heatmap);
  await expectRead(page, () => Promise.all(['start', 'length', 'dim'].map(propertyNow))).toEqual([0, 2, 3]);
  await expectRead(page, told).not.toHaveProperty('table');
  await receive({ table: null });
  await expect.poll(async () => (await told()).table?.shape).toEqual([5, 6]);
});

test('too large a result is not sent, and the error says why', async () => {
  const [answer] = await show('heatmap', { length: 2 ** 20, dim: 4 });
  expect(answer.table).toBe(null);
  expect(answer.error).toBe('At most 2097152 numbers are sent, not the 4194304 of table.');
  // Only columns that turn have numbers.
  const [{ cos }] = await show('rotary', { length: 1024, dim: 4096, rotary_dim: 2 });
  expect(cos.shape).toEqual([1024, 1]);
  const [{ table }] = await show('heatmap', { length: 2 ** 19, dim: 4 });
  expect(table.shape).toEqual([2 ** 19, 4]);
});

test('embeddings with labels are those of the element', async () => {
  await show('add', { embeddings: { shape: [2, 4], data: [1, 2, 3, 4, 5, 6, 7, 8] }, labels: ['one', 'two'] });
  await expectRead(page, () => propertyNow('labels')).toEqual(['one', 'two']);
  const [shape, first] = await page.evaluate(() => {
    const { embeddings } = document.querySelector('main > *') as any;
    return [embeddings.shape, [...embeddings.data]];
  });
  expect([shape, first]).toEqual([
    [2, 4],
    [1, 2, 3, 4, 5, 6, 7, 8],
  ]);
});

test('without a theme of its own a widget has that of its surroundings', async () => {
  await show('waves');
  await expect.poll(() => propertyNow('theme')).toBe('light');
  await page.evaluate(() => document.body.style.setProperty('background', '#111'));
  await expect.poll(() => propertyNow('theme')).toBe('dark');
  await receive({ theme: 'light' });
  await expectRead(page, () => propertyNow('theme')).toBe('light');
  await page.evaluate(() => document.body.style.removeProperty('background'));
});

test('a widget that is taken away says nothing more, and leaves no listener', async () => {
  await show('heatmap');
  const left = await page.evaluate(async () => {
    const { widget } = globalThis as any;
    widget.choose('position', 3);
    const left = widget.end();
    // A look is told after a tenth of a second, before this timer ends.
    await new Promise((passed) => setTimeout(passed, 200));
    return left;
  });
  expect(left).toEqual({ elements: 0, listeners: 0 });
  await receive({ base: 7 });
  await expectRead(page, messages).toEqual([]);
});

test('a link that has ended hears nothing, even where off throws', () => {
  let calls = 0;
  let change = () => {};
  const on = (_: string, call: () => void) => {
    change = call;
  };
  const { listen, end } = link({ on } as WidgetModel);
  listen('base', () => calls++);
  change();
  end();
  change();
  expect(calls).toBe(1);
});
