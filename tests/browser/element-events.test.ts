/** What the elements tell the page around them, and what moves their cell. */

import type { Page } from '@playwright/test';
import { expect, look, set, test } from './elements.ts';
import { act, expectRead, measureBox } from './page.ts';

/**
 * The middle of a cell, among so many rows and columns.
 *
 * @param part selector
 */
async function middle(page: Page, part: string, [row, column]: [number, number], [rows, columns]: [number, number]) {
  const box = await measureBox(page.locator(part));
  return { x: box.x + ((column + 0.5) / columns) * box.width, y: box.y + ((row + 0.5) / rows) * box.height };
}

/** Counts the events of the first element. */
const listen = (page: Page) =>
  look(page, (node) => {
    node.told = [];
    for (const type of ['input', 'change']) node.addEventListener(type, () => node.told.push(type));
  });

/** Expects these events since the last ones. */
async function expectTold(page: Page, events: string[], what?: string) {
  await expectRead(page, () => look(page, ({ told }) => told), what).toEqual(events);
  await look(page, (node, count) => node.told.splice(0, count), events.length);
}

type Gesture = [
  name: string,
  perform: (page: Page) => Promise<unknown>,
  events: string[],
  now: Record<string, unknown>,
];

const pointTo = (part: string, cell: [number, number], sizes: [number, number]) => async (page: Page) => {
  const { x, y } = await middle(page, part, cell, sizes);
  await page.mouse.move(x, y);
};
async function click(page: Page) {
  await page.mouse.down();
  await page.mouse.up();
}
const press = (part: string, key: string) => (page: Page) => page.locator(part).press(key);
const push = (part: string) => (page: Page) => page.locator(part).click();

const BOTH = ['input', 'change'];

/** A table of 16 positions and 8 dimensions. */
const TABLE: Gesture[] = [
  ['pointing', pointTo('.plot', [9, 2], [16, 8]), ['input'], { position: 9, dimension: 2 }],
  ['a click', click, ['change'], { position: 9 }],
  ['pointing elsewhere, when it is pinned', pointTo('.plot', [3, 3], [16, 8]), [], { position: 9, dimension: 2 }],
  ['an arrow', press('.plot', 'ArrowDown'), BOTH, { position: 10, dimension: 2 }],
  ['zooming in', push('.tools [value="2"]'), BOTH, { length: 8, columns: 4 }],
  ['Shift and an arrow', press('.plot', 'Shift+ArrowLeft'), BOTH, { left: 0, columns: 4 }],
  ['Shift and an arrow down', press('.plot', 'Shift+ArrowDown'), BOTH, { start: 6, length: 8 }],
  ['the whole table', push('.whole'), BOTH, { start: 0, length: 16, columns: null, left: 0 }],
  ['equals, a plus without Shift', press('.plot', '='), BOTH, { length: 8, columns: 4 }],
  ['minus', press('.plot', '-'), BOTH, { length: 16, columns: null }],
  ['Escape', press('.plot', 'Escape'), [], { position: 10 }],
];

const GESTURES: Record<string, Gesture[]> = {
  '<posenc-heatmap length="16" dim="8"></posenc-heatmap>': TABLE,
  '<posenc-rotary length="16" dim="8"></posenc-rotary>': TABLE,
  '<posenc-waves length="16" dim="8"></posenc-waves>': [
    ['pointing', pointTo('.u-over', [0, 9], [1, 16]), ['input'], { position: 9 }],
    ['a click', click, ['change'], { position: 9 }],
    ['a key', press('.chart', 'ArrowRight'), BOTH, { position: 10 }],
  ],
  '<posenc-heatmap length="4" dim="8"></posenc-heatmap>': [
    ['a page of less than a row', press('.plot', 'PageUp'), BOTH, { position: 2 }],
  ],
  '<posenc-waves length="4" dim="8"></posenc-waves>': [
    ['a page of less than a row', press('.chart', 'PageDown'), BOTH, { position: 2 }],
  ],
  // One in two rows is drawn.
  '<posenc-waves length="4096" dim="8" position="20"></posenc-waves>': [
    ['a key', press('.chart', 'ArrowRight'), BOTH, { position: 22 }],
  ],
  '<posenc-add dim="8" start="3"></posenc-add>': [
    ['pointing', pointTo('.sum .plot', [9, 2], [12, 8]), ['input'], { position: 12, dimension: 2 }],
    ['a click', click, ['change'], { position: 12, dimension: 2 }],
    ['an arrow', press('.encoding .plot', 'ArrowRight'), BOTH, { position: 12, dimension: 3 }],
    ['Escape in a field', press('#root', 'Escape'), [], {}],
    ['pointing, when it is still pinned', pointTo('.sum .plot', [3, 3], [12, 8]), [], { position: 12 }],
    ['√dim', push('#root'), BOTH, { root: true }],
  ],
};

for (const [markup, gestures] of Object.entries(GESTURES)) {
  test(`${markup} tells each gesture once`, async ({ show }) => {
    const { page } = await show(markup);
    await listen(page);
    for (const [name, perform, events, now] of gestures) {
      await perform(page);
      await expectTold(page, events, name);
      const names = Object.keys(now);
      const values = await look(page, (node, names) => names.map((name) => node[name]), names);
      expect.soft(Object.fromEntries(names.map((name, k) => [name, values[k]])), name).toEqual(now);
    }
    // What a user does changes no attribute.
    await expectRead(page, () => look(page, (node) => node.outerHTML.replace(/ data-lm[^ >]*/, ''))).toBe(markup);
  });
}

test('a gesture keeps a property that was set in the same frame', async ({ show }) => {
  const { page } = await show('<posenc-heatmap length="16" dim="8" position="3"></posenc-heatmap>');
  const now = await look(page, (node) => {
    node.base = 100;
    const key = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true });
    node.shadowRoot.querySelector('.plot').dispatchEvent(key);
    return [node.base, node.value.position];
  });
  expect(now).toEqual([100, 4]);
});

test('dragging and the wheel tell each move, and their end', async ({ show }) => {
  const { page } = await show('<posenc-heatmap length="16" dim="8" start="100"></posenc-heatmap>');
  await listen(page);
  const { x, y } = await middle(page, '.plot', [8, 4], [16, 8]);
  const { height } = await measureBox(page.locator('.plot'));
  await page.mouse.move(x, y);
  await expectTold(page, ['input']);
  // The right button opens the browser's menu.
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(x, y - height / 4);
  await expectRead(page, () => look(page, ({ start }) => start)).toBe(100);
  await page.mouse.up({ button: 'right' });
  await page.mouse.move(x, y);
  await look(page, (node) => node.told.splice(0));
  await page.mouse.down();
  for (const rows of [2, 4]) await page.mouse.move(x, y - (rows * height) / 16);
  await expectTold(page, ['input', 'input']);
  await page.mouse.up();
  await expectTold(page, ['change']);
  await expectRead(page, () => look(page, ({ start, length }) => [start, length])).toEqual([104, 16]);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -50);
  await page.keyboard.up('Control');
  await expect.poll(() => look(page, (node) => node.told)).toEqual(BOTH);
  await expectRead(page, () => look(page, ({ length }) => length)).toBe(10);
  const touch = (type: string, ...places: number[]) =>
    page.locator('.plot').evaluate(
      (target, [type, places]) => {
        const touches = places.map((at, identifier) => new Touch({ identifier, target, clientX: at, clientY: at }));
        target.dispatchEvent(new TouchEvent(type, { touches, cancelable: true }));
      },
      [type, places] as const,
    );
  await look(page, (node) => node.told.splice(0));
  for (const end of ['touchend', 'touchcancel']) {
    await touch('touchstart', 100, 200);
    await touch('touchmove', 90, 210);
    await touch(end);
    await expectTold(page, BOTH, end);
  }
});

test('input reports a value set from outside: once, after drawing, and only if it differs', async ({ show }) => {
  const { page } = await show('<posenc-heatmap length="16" dim="8"></posenc-heatmap><posenc-add></posenc-add>');
  const told = await page.evaluate(async () => {
    const [heatmap, add] = [...document.querySelectorAll('posenc-heatmap, posenc-add')] as any[];
    let told: unknown[] = [];
    for (const node of [heatmap, add]) {
      for (const type of ['input', 'change']) {
        node.addEventListener(type, () => {
          const drawn = node.shadowRoot.querySelector('.readout .value').textContent;
          told.push([type, drawn, { ...node.value }]);
        });
      }
    }
    const data = Float32Array.from({ length: 12 }, (_, k) => k);
    const steps = [
      () => Object.assign(heatmap, { dim: 16, preset: 'fairseq', position: 7, dimension: 1 }),
      () => heatmap.setAttribute('position', '9'),
      // Neither the cell nor its value.
      () => heatmap.setAttribute('length', '32'),
      () => Object.assign(heatmap, { theme: 'dark', left: 2, columns: 8, domain: [-2, 2], position: 9 }),
      () => heatmap.setAttribute('dim', 'x'),
      () => heatmap.removeAttribute('dim'),
      () => Object.assign(heatmap, { table: { data, shape: [3, 4] } }),
      () => Object.assign(heatmap, { table: { data: data.map((value) => -value), shape: [3, 4] } }),
      () => Object.assign(heatmap, { table: null, dim: 4 }).setAttribute('dim', '64'),
      () => Object.assign(add, { embeddings: { data, shape: [3, 4] }, position: 1, dimension: 2 }),
      // Without a sum there is no value.
      () => Object.assign(add, { dim: 8 }),
    ];
    const results = [];
    for (const step of steps) {
      step();
      const early = told.length;
      for (const node of [heatmap, add]) await node.settled();
      results.push([early, told]);
      told = [];
    }
    return results;
  });
  const round = (value: number) => Number(Math.fround(value).toFixed(6));
  const seen = told.map(([early, events]) => {
    expect(early).toBe(0);
    return (events as any[]).map(([type, drawn, { position, dimension, value }]) => {
      expect(type).toBe('input');
      if (position !== undefined) expect(drawn).toBe(String(position));
      return [position, dimension, value && round(value)];
    });
  });
  // fairseq's first rate is 1 and the last 1/10000, of half as many as there are columns.
  const rate = (dim: number) => 10000 ** (-1 / (dim / 2 - 1));
  expect(seen).toEqual([
    [[7, 1, round(Math.sin(7 * rate(16)))]],
    [[9, 1, round(Math.sin(9 * rate(16)))]],
    ...[[], [], []],
    [[9, 1, round(Math.sin(9 * rate(64)))]],
    [[2, 1, 9]],
    [[2, 1, -9]],
    [[9, 1, round(Math.sin(9 * rate(64)))]],
    [[1, 2, round(6 + Math.sin(1 / 100))]],
    [[undefined, undefined, undefined]],
  ]);
});

test('events bubble out of the element, those of its fields and their keys do not', async ({ open }) => {
  const { page } = await open('<posenc-add dim="8"></posenc-add>');
  await page.evaluate(() => {
    const told = [] as any[];
    Object.assign(globalThis, { told });
    for (const type of ['input', 'change', 'keydown']) {
      document.addEventListener(type, (event) => {
        const { target, composed } = event;
        told.push([type, composed, (target as any).value?.position]);
      });
    }
  });
  const told = () => page.evaluate(() => (globalThis as any).told);
  await page.locator('.sum .plot').press('ArrowDown');
  const both = [
    ['input', true, 6],
    ['change', true, 6],
  ];
  await expectRead(page, told).toEqual(both);
  // Keys without a function here are left to the page.
  await page.locator('.sum .plot').press('x');
  await expectRead(page, told).toEqual([...both, ['keydown', true, 6]]);
  await page.locator('#root').check();
  await expectRead(page, told).toEqual([...both, ['keydown', true, 6], ...both]);
});

test('a click pins the cell; properties still move it; the first Escape is the cell’s, the next the dialog’s', async ({
  show,
}) => {
  const { page } = await show('<dialog><posenc-heatmap length="16" dim="8" position="3"></posenc-heatmap></dialog>');
  await act(page, () => page.evaluate(() => document.querySelector('dialog')?.showModal()));
  const over = (position: number) => pointTo('.plot', [position, 0], [16, 8])(page);
  const expectAt = (position: number) => expectRead(page, () => look(page, (node) => node.position)).toBe(position);
  const pin = page.locator('.pin');
  // A cell selected by an attribute is not pinned.
  await over(9);
  await expectAt(9);
  await expect(pin).toHaveText(/Click to keep this cell/);
  await click(page);
  await expect(pin).toHaveText(/^Kept/);
  await over(12);
  await expectAt(9);
  await set(page, { position: 5 });
  await over(11);
  await expectAt(5);
  await page.keyboard.press('Escape');
  await expect(pin).toHaveText(/Click to keep this cell/);
  await over(2);
  await expectAt(2);
  await expect(page.locator('dialog')).toHaveAttribute('open', '');
  await page.keyboard.press('Escape');
  await expect(page.locator('dialog')).not.toHaveAttribute('open');
});

test('a key that is released as its handler moves the focus has one event', async ({ show }) => {
  for (const name of ['posenc-heatmap', 'posenc-waves']) {
    const { page } = await show(`<${name}></${name}>`);
    await listen(page);
    await look(page, (node) => node.addEventListener('change', () => node.shadowRoot.activeElement.blur()));
    await page.locator('[tabindex="0"]').first().press('ArrowRight');
    await expectTold(page, BOTH, name);
  }
});

test('a pointer that moves within a cell fires no event', async ({ show }) => {
  const { page } = await show('<posenc-heatmap length="4" dim="4"></posenc-heatmap>');
  const plot = page.locator('.plot');
  await plot.hover({ position: { x: 5, y: 5 } });
  await listen(page);
  for (const x of [7, 9]) await plot.hover({ position: { x, y: 5 } });
  await expectTold(page, []);
  await plot.hover({ position: { x: 9, y: 150 } });
  await expectTold(page, ['input']);
});

test('the pointer hits the right cell when the page is magnified or scaled', async ({ show }) => {
  const { page } = await show(
    '<div id="box"><posenc-heatmap length="16" dim="8"></posenc-heatmap><posenc-waves length="16"></posenc-waves></div>',
  );
  for (const style of ['scale: 0.6', 'scale: 1', 'zoom: 1.5']) {
    await page.locator('#box').evaluate((node, style) => {
      node.style.cssText = `transform-origin: 0 0; ${style}`;
    }, style);
    for (const [name, part, cell, sizes] of [
      ['posenc-heatmap', '.plot', [11, 5], [16, 8]],
      ['posenc-waves', '.u-over', [0, 11], [1, 16]],
    ] as [string, string, [number, number], [number, number]][]) {
      const figure = page.locator(`${name} ${part}`);
      await act(page, () => figure.evaluate((node) => node.scrollIntoView({ block: 'center' })));
      await pointTo(`${name} ${part}`, cell, sizes)(page);
      await click(page);
      const position = () => page.locator(name).evaluate((node) => (node as any).position);
      await expectRead(page, position, `${name}, ${style}`).toBe(11);
    }
  }
});
