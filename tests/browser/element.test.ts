/** What the elements show and tell of what they are given. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { colorize, load, rotary, type Tensor } from 'posenc';
import { INITIAL_FIGURE } from '../../web/figure/figure-state.ts';
import { ELEMENTS, expect, look, set, test } from './elements.ts';
import { expectAxis, expectCells, expectLine, readChart, recordLines } from './figures.ts';
import { act, expectRead, formula, pixels, settled } from './page.ts';

/** What a read-out prints for a value. */
const printed = (value: number) => value.toPrecision(9).replace('-', '−');

/** The error of the first element. */
const findError = (page: Page) => page.locator('[part=error]').first();

test('attributes and properties agree', async ({ show }) => {
  const { page } = await show('<posenc-heatmap max-frequency="0.5" endpoint></posenc-heatmap>');
  const told = await look(page, async (node) => {
    const before = { maxFrequency: node.maxFrequency, endpoint: node.endpoint, dim: node.dim, layout: node.layout };
    node.dim = 8;
    node.layout = 'sin-cos';
    node.endpoint = null;
    node.setAttribute('start', '100');
    node.removeAttribute('max-frequency');
    const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
    const { start, maxFrequency, layout, endpoint } = node;
    const flags = ['false', 'true', 'no', ''].map((text) => {
      node.setAttribute('endpoint', text);
      return node.endpoint;
    });
    node.endpoint = null;
    return {
      flags,
      before,
      attributes,
      now: [start, maxFrequency, layout, endpoint],
      row: [...node.table.data.slice(0, 8)],
    };
  });
  expect(told.flags).toEqual([false, true, false, true]);
  expect(told.before).toEqual({ maxFrequency: 0.5, endpoint: true, dim: 64, layout: null });
  expect(told.attributes).toEqual({ dim: '8', layout: 'sin-cos', start: '100' });
  expect(told.now).toEqual([100, null, 'sin-cos', null]);
  const row = [0, 2, 4, 6, 1, 3, 5, 7].map((column) => Math.fround(formula(100, column, { dim: 8 })));
  expect(told.row).toEqual(row);
});

test('JupyterLab’s shortcuts are told to leave its keys alone, and only there it writes an attribute', async ({
  show,
}) => {
  const own = '<posenc-waves data-lm-suppress-shortcuts="false"></posenc-waves>';
  const { page } = await show(`<div class="lm-Widget"><p><posenc-heatmap></posenc-heatmap></p>${own}</div>`);
  await expectRead(page, () => look(page, (node) => node.getAttributeNames())).toEqual(['data-lm-suppress-shortcuts']);
  await expect(page.locator('posenc-waves')).toHaveAttribute('data-lm-suppress-shortcuts', 'false');
});

test('an element in another document has a style sheet of that document, and is drawn on', async ({ show }) => {
  for (const name of ['posenc-heatmap', 'posenc-waves']) {
    const { page } = await show(`<${name} pinned></${name}><iframe width="1000" height="600"></iframe>`);
    const moved = await look(page, async (node) => {
      document.querySelector('iframe')?.contentDocument?.body.append(node);
      Object.assign(node, { length: 300, dim: 512, position: 200 });
      await node.settled();
      return [node.shadowRoot.adoptedStyleSheets.length, node.shadowRoot.querySelector('[part=readout]').textContent];
    });
    expect(moved).toEqual([1, expect.stringContaining('200')]);
  }
});

test('figure-only leaves the figure, which keeps its height and works on', async ({ show }) => {
  const names = ['posenc-heatmap', 'posenc-rotary', 'posenc-waves', 'posenc-add'];
  const { page } = await show(names.map((name) => `<${name}></${name}>`).join(''));
  const sizes = () =>
    page.evaluate(
      (names) => names.map((name) => document.querySelector(name)?.getBoundingClientRect().height ?? 0),
      names,
    );
  const before = await sizes();
  expect(Math.max(...before.slice(0, 3)), 'the column of a blog has room').toBeLessThan(750);
  for (const name of names) await set(page, { figureOnly: true }, name);
  const after = await sizes();
  for (const [i, height] of after.entries()) expect(height).toBeLessThan([440, 440, 360, 560][i]);
  await expect(
    page.locator('[part=readout], [part=caption], [part=controls], .legend').filter({ visible: true }),
  ).toHaveCount(0);
  await expect(page.locator('[part=figure]').filter({ visible: true })).toHaveCount(4);
  await page.locator('posenc-rotary .plot').click();
  const position = () => page.locator('posenc-rotary').evaluate((node: any) => node.value.position);
  await expectRead(page, position).toBeGreaterThan(40);
  for (const off of ['false', 'no', null]) {
    const set = await page.locator('posenc-waves').evaluate((node: any, off) => {
      node.figureOnly = true;
      const add = document.querySelector('posenc-add') as any;
      if (off) node.setAttribute('figure-only', off);
      else node.removeAttribute('figure-only');
      add.setAttribute('root', off ?? 'no');
      return [node.figureOnly, add.root];
    }, off);
    expect(set, `figure-only=${off}`).toEqual([false, false]);
    await expectRead(page, async () => (await sizes())[2]).toBe(before[2]);
  }
});

test('a rotary encoding is shown but not added; biases have no table', async ({ show }) => {
  const { page } = await show(
    '<posenc-heatmap preset="rotary" dim="6" rotary-dim="4" rotary-layout="interleaved" scaling="linear factor=2" length="3"></posenc-heatmap>' +
      '<posenc-waves preset="rotary"></posenc-waves><posenc-add preset="rotary"></posenc-add>' +
      '<posenc-heatmap id="bias" preset="alibi"></posenc-heatmap>',
  );
  const { shape, dims, row } = await look(page, ({ table: { shape, dims, data } }) => ({
    shape,
    dims,
    row: [...data.slice(12)],
  }));
  expect(shape).toEqual([3, 6]);
  expect(dims).toEqual([3, 6]);
  const wanted = [Math.cos(1), Math.sin(1), Math.cos(0.01), Math.sin(0.01), 0, 0];
  for (const [k, value] of row.entries()) expect(value).toBeCloseTo(wanted[k], 7);
  await expect(page.locator('[part=error]:not(:empty)')).toHaveText([
    /^preset must be transformer or .* or learned in posenc-add \(posenc-rotary shows .*\), got “rotary”\.$/,
    /^preset must be transformer or .* or rotary in posenc-heatmap \(.* alibi and .*\), got “alibi”\.$/,
  ]);
});

test('the rotary element shows posenc’s cosines and sines, and its properties are its attributes', async ({ show }) => {
  const { page } = await show(
    '<posenc-rotary dim="12" base="500000" rotary-dim="8" rotary-layout="interleaved" scaling="ntk factor=2" length="5" start="100" position="103" dimension="3"></posenc-rotary>',
  );
  await load();
  const told = ({ cos, sin }: { cos: Tensor; sin: Tensor }) => ({
    cos: [...cos.data],
    sin: [...sin.data],
    shape: [5, 4],
  });
  const read = () =>
    look(page, ({ tables: { cos, sin }, value }) => ({
      tables: { cos: [...cos.data], sin: [...sin.data], shape: cos.shape },
      value,
    }));
  const spec = { dim: 12, base: 500000, rotaryDim: 8, scaling: { type: 'ntk', factor: 2 } } as const;
  const expected = rotary({ ...spec, layout: 'interleaved' }).tables(5, { start: 100 });
  const before = await read();
  expect(before.tables).toEqual(told(expected));
  // The sine of the second pair.
  expect(before.value).toEqual({ position: 103, dimension: 3, value: expected.sin.data[3 * 4 + 1] });
  await expect(page.locator('.readout')).toContainText(printed(before.value.value));
  await expect(page.locator('.readout')).toContainText('sine, pair 1');
  const { cos, sin } = expected;
  const row = (k: number) => [cos.data[k], sin.data[k]];
  const cells = Array.from({ length: 5 }, (_, position) =>
    [0, 1, 2, 3].flatMap((pair) => row(position * 4 + pair)).concat([0, 0, 0, 0]),
  );
  await expectCells(page, '#table', { values: Float32Array.from(cells.flat()), columns: 12, domain: [-1, 1] });

  const properties = { rotaryLayout: 'half', scaling: null, numerics: 'float32', start: 7, dimension: 1 };
  await set(page, properties);
  const attributes = await look(page, (node) => {
    const attributes = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
    node.setAttribute('base', '10000');
    return { ...attributes, properties: [node.base, node.rotaryLayout, node.scaling] };
  });
  expect(attributes).toEqual({
    ...{ dim: '12', base: '500000', 'rotary-dim': '8', 'rotary-layout': 'half', length: '5', start: '7' },
    ...{ position: '103', dimension: '1', numerics: 'float32' },
    properties: [10000, 'half', null],
  });
  const other = rotary({ dim: 12, rotaryDim: 8, numerics: 'float32' }).tables(5, { start: 7 });
  const now = await read();
  expect(now.tables).toEqual(told(other));
  expect(now.value).toEqual({ position: 11, dimension: 1, value: other.cos.data[4 * 4 + 1] });
  // It lacks the properties of other encodings.
  const others = () => look(page, (node) => ['preset', 'layout', 'rows', 'table'].filter((name) => name in node));
  await expectRead(page, others).toEqual([]);
});

test('several waves, an array as a property', async ({ show }) => {
  const { page } = await show('<posenc-waves waves="0, 1"></posenc-waves>');
  const rows = page.locator('tbody tr td:first-child');
  await expect(rows).toHaveText(['0', '1']);
  await set(page, { waves: [3, 5, 9] });
  await expect(rows).toHaveText(['3', '5', '9']);
  await expectRead(page, () => look(page, (node) => node.getAttribute('waves'))).toBe('3, 5, 9');
  // An empty list, like no list, leaves the choice to the element.
  for (const waves of [[], null]) {
    await set(page, { waves, dim: 6 });
    await expectRead(page, () => look(page, (node) => node.waves)).toEqual([]);
    await expect(page.locator('.drawn')).toHaveText('Column 2 is a solid sine. Column 3 is a dashed cosine. ');
    await set(page, { waves: [4] });
    await expect(page.locator('.drawn')).toHaveText('Column 4 is a solid sine. ');
  }
});

test('a given table is drawn unchanged, and taken away again', async ({ show }) => {
  const { page } = await show('<posenc-heatmap start="5"></posenc-heatmap>');
  const values = Float32Array.from({ length: 12 }, (_, k) => (k % 2 ? k - 6 : 6 - k));
  await set(page, { table: { data: [...values], shape: [3, 4] }, value: { position: 2, dimension: 3 } });
  const told = await look(page, ({ table: { shape, data }, preset, value }) => ({
    shape,
    data: [...data],
    preset,
    value,
  }));
  expect(told).toEqual({
    ...{ shape: [3, 4], data: [...values], preset: 'learned' },
    value: { position: 2, dimension: 3, value: values[11] },
  });
  await expectCells(page, '#table', { values, columns: 4, domain: [-6, 6] });
  await expectAxis(page, '#table', 'rows', { name: 'position', first: 0, count: 3 });
  // Another table of the same shape, read by its columns.
  const turned = values.map((_, k) => values[(k % 4) * 3 + Math.floor(k / 4)]);
  await set(page, { table: { data: [...turned], shape: [3, 4] } });
  await expectCells(page, '#table', { values: turned, columns: 4, domain: [-6, 6] });
  await set(page, { table: undefined });
  await expectRead(page, () => look(page, ({ preset, start, table }) => [preset, start, table.shape])).toEqual([
    ...['transformer', 5, [128, 64]],
  ]);
});

test('the colours of a given table span its values, and the legend says so', async ({ show }) => {
  const { page } = await show('<posenc-heatmap></posenc-heatmap>');
  const legend = page.locator('#table .legend span');
  // Rows of their own values: of both signs, of one, far from 0, all the same, zeros, and one that is far larger.
  const outlier = [Array.from({ length: 100 }, (_, k) => (k ? (-1) ** k : 101))];
  for (const [rows, domain, marks] of [
    [[[-0.25, 1]], null, ['−1', '0', '1']],
    [[[0.25], [0.75]], null, ['0.25', '0.5', '0.75']],
    [[[-3], [0]], null, ['−3', '−1.5', '0']],
    [[[1000], [1001]], null, ['1000', '1000.5', '1001']],
    [[[-2], [-2]], null, ['−2', '0', '2']],
    [[[0], [0]], null, ['−1', '0', '1']],
    [outlier, null, ['−30.4', '0', '≥ 30.4']],
    [[[-0.25, 1]], '-0.5, 0.5', ['−0.5', '0', '≥ 0.5']],
    [[[-0.25, 1]], '0 4', ['≤ 0', '2', '4']],
  ] as [number[][], string | null, string[]][]) {
    await set(page, { domain, table: { data: rows.flat(), shape: [rows.length, rows[0].length] } });
    await expect(legend).toHaveText(marks);
  }
  await set(page, { value: { position: 0, dimension: 1 } });
  await expect(page.locator('.caption .waves')).toHaveText('Its values are shown as they are.');
  await expect(page.locator('.readout .pair').last()).toHaveText(/row 0 of a given table$/);
  await set(page, { table: null, domain: null, preset: 'learned' });
  await expect(page.locator('.caption .waves')).toHaveText(/^Its values are trained/);
  await expect(legend).toHaveText(['≤ −3', '0', '≥ 3']);

  await show('<posenc-waves waves="0"></posenc-waves>');
  await set(page, { table: { data: [-0.25, 1], shape: [1, 2] } });
  await expect(page.locator('tbody td:nth-child(2)')).toHaveText('given');
  await expect(page.locator('.drawn')).toHaveText('Column 0 holds given values. ');
});

test('a domain sets the colours of the heatmap, and a wrong one changes nothing', async ({ show }) => {
  const { page } = await show('<posenc-heatmap length="2" dim="2" domain="-2, 2"></posenc-heatmap>');
  const values = Float32Array.of(0, 1, Math.sin(1), Math.cos(1));
  const drawn = async (domain: [number, number]) => {
    await expectCells(page, '#table', { values, columns: 2, domain });
    // The profile of the last row has its colours.
    const [{ data: colormap }, { data }] = [
      await pixels(page, '.legend canvas'),
      await pixels(page, '.along-row canvas'),
    ];
    const colours = colorize(values.subarray(2), { colormap: Uint8Array.from(colormap), domain });
    for (const at of [0, 4])
      expect(data.includes(Buffer.from(colours.subarray(at, at + 4))), `${domain}, ${at}`).toBe(true);
  };
  const domains = () => look(page, (node) => [node.domain, node.getAttribute('domain')]);
  await drawn([-2, 2]);
  await set(page, { domain: [0, 4] });
  await expectRead(page, domains).toEqual([[0, 4], '0, 4']);
  await drawn([0, 4]);
  for (const domain of ['1, 1', '2, 1', '1, 1, 2', '1', '0, 1e39', 'x', '0, NaN']) {
    await set(page, { domain });
    await expect(findError(page)).toHaveText(`domain must be two numbers low < high within ±1e38, got “${domain}”.`);
  }
  await drawn([0, 4]);
  await set(page, { domain: null });
  await expectRead(page, domains).toEqual([null, null]);
  await expect(findError(page)).toHaveText('');
  await drawn([-1, 1]);
});

test('the waves draw the columns of their table, on the axis of their domain', async ({ open }) => {
  const { page } = await open('<posenc-waves length="6" dim="4" waves="2, 3"></posenc-waves>', {
    prepare: recordLines,
  });
  /** Expects a line for each column, given as a function of the position. */
  const expectLines = async (last: number, columns: ((position: number) => number)[]) => {
    const chart = await readChart(page, '#waves');
    expect(chart.names).toEqual(['position', 'value']);
    expect(chart.lines).toHaveLength(columns.length);
    for (const [k, column] of columns.entries()) {
      const { length } = chart.lines[k].points;
      expectLine(
        chart,
        chart.lines[k],
        Array.from({ length }, (_, point) => (point * last) / (length - 1)).map((x) => [x, column(x)]),
      );
    }
    return chart.lines;
  };
  const [sine, cosine] = await expectLines(5, [(x) => Math.sin(x / 100), (x) => Math.cos(x / 100)]);
  expect([sine.dashed, cosine.dashed, cosine.colour]).toEqual([false, true, sine.colour]);

  await set(page, { table: { data: [1, 2, 3, 4, 5, 6, 7, 8, 9], shape: [3, 3] }, waves: [0, 2] });
  const given = [(x: number) => 1 + 3 * x, (x: number) => 3 + 3 * x];
  const [first, third] = await expectLines(2, given);
  expect([first.dashed, third.dashed, third.colour === first.colour]).toEqual([false, false, false]);
  const { place } = await readChart(page, '#waves');
  await set(page, { domain: [0, 20] });
  await expectLines(2, given);
  const { place: wider } = await readChart(page, '#waves');
  const height = (at: typeof place) => Math.abs(at(0, 9)[1] - at(0, 1)[1]);
  expect(height(wider) / height(place)).toBeCloseTo(8 / 20, 1);
});

test('embeddings and their sum with the encoding', async ({ show }) => {
  const { page } = await show('<posenc-add></posenc-add>');
  // Without embeddings it shows a sentence.
  const sample = await look(page, ({ sum, value }) => [sum.shape, value.position, value.dimension]);
  expect(sample).toEqual([[12, 64], 5, 4]);

  const told = await look(page, async (node) => {
    const data = Float32Array.from({ length: 3 * 4 }, (_, k) => k / 8);
    node.embeddings = { data, dims: [3, 4] };
    node.labels = ['a', 'b', 'a'];
    node.root = true;
    node.start = 7;
    node.value = { position: 8, dimension: 1 };
    data.fill(9); // the element has a copy
    node.labels.push('c'); // and gives one
    await node.settled();
    node.sum.data.fill(9);
    const { sum, value, embeddings, labels, dim, length } = node;
    return { sum: [...sum.data], shape: sum.shape, value, given: embeddings.data[1], labels, dim, length };
  });
  expect(told).toMatchObject({ shape: [3, 4], dim: 4, length: 3, given: 1 / 8, labels: ['a', 'b', 'a'] });
  // √dim is 2; a rounding each of encoding and sum.
  for (const [k, value] of told.sum.entries()) {
    const exact = (2 * k) / 8 + formula(7 + Math.floor(k / 4), k % 4, { dim: 4 });
    const rounding = 2 ** -23 * Math.max(Math.abs(exact), 1);
    expect(Math.abs(value - exact), `${k}: ${value}, not ${exact}`).toBeLessThanOrEqual(rounding);
  }
  expect(told.value).toEqual({ position: 8, dimension: 1, value: told.sum[5] });
  await expect(page.locator('.readout .pair').last()).toContainText(told.sum[5].toFixed(5).replace('-', '−'));
  await expect(page.locator('.readout .pair').first()).toHaveText('token b');
});

for (const width of [240, 320, 400])
  test(`no element is wider than ${width} pixels where it has no more`, { tag: width === 240 ? '@width' : [] }, async ({
    open,
  }) => {
    const body = ELEMENTS.replace(/([\w-]+),? ?/g, '<$1 preset="mlx" start="9007199254740000"></$1>');
    const { page } = await open(body, { viewport: { width, height: 900 } });
    const wide = await page
      .locator(ELEMENTS)
      .evaluateAll((all) => all.map((node) => node.scrollWidth - innerWidth + 16));
    expect(wide).toEqual([0, 0, 0, 0]);
    await expectRead(page, () => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

test('the README’s example does what it says', async ({ open }) => {
  const readme = readFileSync(new URL('../../web/element/README.md', import.meta.url), 'utf8');
  const [, example] = /```html\n(.*?)```/s.exec(readme) ?? [];
  expect(example).toMatch(/node_modules\/posenc\/dist\//);
  const logged: Promise<any>[] = [];
  const { page } = await open('', {
    html: `<!doctype html>${example.replace('node_modules/posenc/dist/', './')}`,
    async prepare(page) {
      page.on('console', (message) => {
        if (message.type() === 'log') logged.push(message.args()[0].jsonValue());
      });
    },
  });
  await expect.poll(() => logged.length).toBe(2);
  await settled(page);
  await page.locator('posenc-add .sum .plot').hover({ position: { x: 1, y: 1 } });
  await expect.poll(() => logged.length).toBe(3);
  const [first, sum, cell] = await Promise.all(logged);
  // √8 · 0.5 and the encoding.
  const values = Object.values(sum);
  expect(values).toHaveLength(24);
  for (const [k, value] of values.entries()) {
    expect(value).toBeCloseTo(Math.SQRT2 + formula(Math.floor(k / 8), k % 8, { dim: 8 }), 6);
  }
  expect(first).toEqual({ position: 2, dimension: 4, value: values[2 * 8 + 4] });
  expect(cell).toEqual({ position: 0, dimension: 0, value: values[0] });
  await expect(page.locator('posenc-waves tbody tr')).toHaveCount(4);
  await expect(page.locator('posenc-heatmap .readout')).toHaveText(/sine, pair 4/);
});

test('a wrong attribute shows an error, the picture stays, and a right one clears the error', async ({ show }) => {
  const { page } = await show('<posenc-heatmap dim="16" length="20"></posenc-heatmap>');
  await expect(findError(page)).toBeHidden();
  const state = () => look(page, ({ shadowRoot }) => shadowRoot.querySelector('section').innerText);
  const before = await state();
  for (const [name, value, said] of [
    ['dim', '0', 'dim must be a whole number from 1 to 4096, got “0”.'],
    ['preset', '<b>x</b>', /^preset must be transformer or .* got “<b>x<\/b>”\.$/],
    [
      'preset',
      'llama',
      /^preset must be .* or learned( or rotary)? in .* encodingOf of posenc\/models .* got “llama”\.$/,
    ],
    ['start', '9007199254740990', 'The last position, first + length − 1, must be below 2⁵³.'],
    ['max-frequency', 'fast', /^max-frequency must be a number/],
    ['theme', 'grey', 'theme must be light or dark, got “grey”.'],
  ] as [string, string, string | RegExp][]) {
    const right = await look(page, (node, name) => node.getAttribute(name), name);
    await look(page, (node, [name, value]) => node.setAttribute(name, value), [name, value]);
    await expect(findError(page)).toHaveText(said);
    await expectRead(page, state).toBe(before);
    await look(
      page,
      (node, [name, right]) => (right === null ? node.removeAttribute(name) : node.setAttribute(name, right)),
      [name, right] as any,
    );
    await expect(findError(page)).toHaveText('');
  }
});

test('nonsense is refused with a reason, and what was there stays', async ({ show }) => {
  const { page } = await show('<posenc-heatmap></posenc-heatmap><posenc-add></posenc-add>');
  for (const [value, position, empty] of [
    [{ position: Number.NaN, dimension: 1.5 }, 5, false],
    [{ position: -5, dimension: -5 }, 0, false],
    [{}, 5, true],
    ['x', 5, true],
    [null, 5, true],
  ] as [unknown, number, boolean][]) {
    for (const name of ['posenc-heatmap', 'posenc-add']) {
      await set(page, { value }, name);
      await expectRead(page, () => page.locator(name).evaluate((node) => (node as any).value.position)).toBe(position);
    }
    await expectRead(page, async () => (await findError(page).textContent()) === '', JSON.stringify(value)).toBe(empty);
  }
  const told = await page.evaluate(() => {
    const [heatmap, add] = [...document.querySelectorAll('posenc-heatmap, posenc-add')] as any[];
    const six = new Float32Array(6);
    const attempts = [
      [add, 'embeddings', { data: six, shape: [2, 4] }],
      [add, 'embeddings', { data: new Float32Array(10000), shape: [2, 5000] }],
      [heatmap, 'table', { data: Float32Array.of(1, Number.NaN), shape: [1, 2] }],
      [heatmap, 'table', { data: six, shape: [1, 2, 3] }],
    ];
    const refusals = attempts.map(([node, name, given]) => {
      try {
        node[name] = given;
        return 'taken';
      } catch (error) {
        return String(error).replace('posenc: ', '');
      }
    });
    return { refusals, sum: add.sum.shape, table: heatmap.table.shape };
  });
  expect(told.refusals).toEqual([
    'RangeError: embeddings must have as many numbers as its shape, got 6 for [2,4]',
    'RangeError: embeddings must have at most 4096 dimensions, got 5000',
    'RangeError: table must be finite, got NaN at 1',
    'TypeError: table must have a Float32Array data and a shape of 2 axes',
  ]);
  expect([told.sum, told.table]).toEqual([
    [12, 64],
    [128, 64],
  ]);
});

test('reading a property neither draws nor shows an error; settled() waits for both', async ({ show }) => {
  const { page } = await show('<posenc-add></posenc-add>');
  const told = await look(page, async (add) => {
    const { shadowRoot } = add;
    const texts = () => ['[part=error]', '.input-formula'].map((part) => shadowRoot.querySelector(part).textContent);
    const before = add.sum.data[0];
    add.root = true;
    add.setAttribute('seed', '-1');
    const { sum, value, seed } = add;
    const early = texts();
    await add.settled();
    return { changed: sum.data[0] !== before, position: value.position, seed, early, late: texts() };
  });
  expect(told).toEqual({
    ...{ changed: true, position: 5, seed: 1 },
    early: ['', 'embedding + encoding'],
    late: ['seed must be a whole number from 0 to 4,294,967,295, got “-1”.', '√64 · embedding + encoding'],
  });
});

test('settled() waits for everything that is put off, in every element', async ({ show }) => {
  const names = ['posenc-heatmap', 'posenc-rotary', 'posenc-waves', 'posenc-add'];
  const { page } = await show('');
  const told = await page.evaluate(async (names) => {
    const main = document.querySelector('main') as HTMLElement;
    const told = [];
    for (const name of names) {
      const node = document.createElement(name) as any;
      main.replaceChildren(node);
      const drawn = () => {
        const part = node.shadowRoot.querySelector('.readout .value, tbody td:last-child');
        const canvas = node.shadowRoot.querySelector('.plot canvas, .chart canvas');
        return [part?.textContent ?? '', canvas?.toDataURL() ?? ''].join();
      };
      const early = drawn();
      // It loads, draws and measures itself first.
      await node.settled();
      const first = drawn();
      Object.assign(node, { base: 50, position: 3 });
      const asked = drawn();
      await node.settled();
      const second = drawn();
      const later = await new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(drawn())));
      });
      told.push([early === first, first === asked, asked === second, second === later]);
    }
    return told;
  }, names);
  expect(told).toEqual(names.map(() => [false, true, false, true]));
});

test('update draws changes and shows errors at once, and only then', async ({ show }) => {
  const { page } = await show('<posenc-add dim="8"></posenc-add>');
  const told = await look(page, (node) => {
    const state = () => ['[part=error]', '.problem'].map((part) => node.shadowRoot.querySelector(part).textContent);
    const drawn = state();
    let inputs = 0;
    node.addEventListener('input', () => inputs++);
    node.embeddings = { data: new Float32Array(32), shape: [4, 8] };
    node.labels = ['a', 'b'];
    node.setAttribute('base', '0');
    const before = state();
    node.update();
    const wrong = state();
    node.labels = null;
    node.removeAttribute('base');
    node.update();
    const right = state();
    const events = inputs;
    node.update();
    return { drawn, before, wrong, right, events: [events, inputs - events] };
  });
  expect(told).toEqual({
    ...{ drawn: ['', ''], before: ['', ''], right: ['', ''] },
    wrong: [
      expect.stringMatching(/^base must be /),
      expect.stringMatching(/^There must be one label per row, got 2 for 4/),
    ],
    // The value is undefined, and then known again.
    events: [2, 0],
  });
});

test('what was set before the element was defined counts; a wrong property does not block the others', async ({
  open,
}) => {
  const { page, problems } = await open('', {
    html: '<!doctype html><title>Bare</title><posenc-waves></posenc-waves>',
  });
  const told = await page.evaluate(async () => {
    const waves = document.querySelector('posenc-waves') as any;
    Object.assign(waves, { table: { data: [1], shape: [1, 1] }, dim: 8, waves: [1, 2], position: 3 });
    await import(new URL('element.js', location.href).href as any);
    const add = document.createElement('posenc-add') as any;
    add.root = true;
    add.embeddings = { data: new Float32Array(12), shape: [3, 4] };
    // Readable before anything is loaded.
    const early = [add.root, add.length, add.dim, waves.dim];
    document.body.append(add);
    await Promise.all([add.ready, waves.ready]);
    // An array that is read is a separate copy.
    waves.waves.push(9);
    const other = document.createElement('posenc-waves') as any;
    const now = [add.length, add.sum.shape, waves.table.shape, waves.value.position, waves.waves];
    return { early, now, own: Object.keys(waves), dim: waves.getAttribute('dim'), others: other.waves };
  });
  expect(told).toEqual({
    early: [true, 3, 4, 8],
    now: [3, [3, 4], [128, 8], 3, [1, 2]],
    ...{ own: [], dim: '8', others: INITIAL_FIGURE.waves },
  });
  expect(problems.splice(0)).toEqual([expect.stringMatching(/TypeError: posenc: table must have a Float32Array/)]);
});

test('what can’t load says why, and loads when it is put into the page again', async ({ open }) => {
  const { page, problems } = await open('<posenc-heatmap></posenc-heatmap>', {
    prepare: (page) =>
      page.addInitScript(() => {
        const { instantiate } = WebAssembly;
        const fail = () => {
          Object.assign(WebAssembly, { instantiate });
          return Promise.reject(new Error('out of memory'));
        };
        Object.assign(WebAssembly, { instantiate: fail });
      }),
  });
  await expect(page.getByRole('alert')).toHaveText(/^The encodings can’t be computed here: /);
  problems.splice(0);
  await page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement;
    main.append(main.lastElementChild as Element);
  });
  await expect(page.getByRole('img', { name: /^Table of/ })).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
});

test('properties and attributes that are unset give the default again, even after a gesture', async ({ show }) => {
  const { page } = await show('<posenc-heatmap preset="fairseq" dim="8"></posenc-heatmap><posenc-add></posenc-add>');
  await page.locator('.tools button[value="2"]').click();
  await act(page, () => page.locator('#root').check());
  const told = await page.evaluate(() => {
    const [heatmap, add] = [...document.querySelectorAll('posenc-heatmap, posenc-add')] as any[];
    const chosen = [heatmap.length, heatmap.columns, add.root];
    Object.assign(heatmap, { length: undefined, columns: null, theme: undefined });
    add.root = false;
    // Preact removes a property like this, and Vue sets an attribute like this.
    heatmap.dim = '';
    add.setAttribute('root', 'false');
    const now = [heatmap.length, heatmap.columns, heatmap.dim, heatmap.getAttribute('theme'), add.root];
    const given = { data: new Float32Array(6), shape: [2, 3] };
    Object.assign(heatmap, { table: given }).table = null;
    Object.assign(add, { embeddings: given }).embeddings = undefined;
    return { chosen, now, restored: [heatmap.preset, heatmap.dim, heatmap.length, add.dim, add.length] };
  });
  expect(told).toEqual({
    chosen: [64, 4, true],
    now: [128, null, 64, null, false],
    restored: ['fairseq', 64, 128, 64, 128],
  });
});

test('a learned table needs only as many rows as the text is long', async ({ show }) => {
  const { page } = await show('<posenc-add preset="learned" rows="12"></posenc-add>');
  await expect(findError(page)).toHaveText('');
  await expectRead(page, () => look(page, ({ sum, preset }) => [sum.shape, preset])).toEqual([[12, 64], 'learned']);
  await set(page, { rows: 11 });
  await expect(page.locator('.problem')).toHaveText(/only the positions 0 to 10\./);
});
