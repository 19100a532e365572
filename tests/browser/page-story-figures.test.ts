import type { Locator, Page } from '@playwright/test';
import * as posenc from 'posenc';
import { formatLength, formatValue, minus } from '../../web/figure/numbers.ts';
import { createScores } from '../../web/figure/scores.ts';
import { SENTENCE_TOKENS, SHORT_SENTENCE_TOKENS } from '../../web/figure/sentence.ts';
import { createSums, flatColumns } from '../../web/page/story/measures.ts';
import { chartOf, expectAxis, expectCells, expectLine, expectRings, lineColours, recordLines } from './figures.ts';
import { boxOf, expect, hashOf, pixels, settled, showView, test } from './page.ts';

/** The fields of the address. */
type Fields = Record<string, string | number | number[] | undefined>;

await posenc.load();
/** What the first and the sixth step's figures have. */
const DIM = 64;
const STAGE = '.stage .figure:not([hidden])';

const addressOf = (fields: Fields) =>
  `#${new URLSearchParams(Object.entries(fields).map(([key, value]) => [key, `${value}`]))}`;

/**
 * Rows of a sinusoidal table, made without the page's own code.
 *
 * @param positions a count from the start, or the positions themselves
 */
function rowsOf(fields: Fields, positions: number | number[]) {
  const { dim = 64, base = 10000, start = 0, preset, layout, scale, maxFrequency } = fields;
  const given = Object.entries({ dim, base, preset, layout, scale, maxFrequency }).filter(([, value]) => value);
  const encoding = posenc.sinusoidal(Object.fromEntries(given) as any);
  if (typeof positions === 'number') return encoding.encode(positions, { start: Number(start) }).data;
  return encoding.encode(positions).data;
}

/** The words of the fifth step's sentence. */
const WORDS = SENTENCE_TOKENS.map(({ piece }) => String(piece).trim());

/** The map that shows values by the page's own colours. */
const painted =
  (colormap: Buffer, domain: [number, number], words: string[]) =>
  /**
   * @param values a row per word
   * @param order of the rows
   */
  (values: ArrayLike<number>, beside?: string[], order: number[] = [...words.keys()]) => {
    const dim = values.length / words.length;
    const colours = posenc.colorize(Float32Array.from(values), { colormap, domain });
    return order.map((row) => [
      words[row],
      colours.subarray(row * dim * 4, (row + 1) * dim * 4).join(),
      beside?.[row] ?? '',
    ]);
  };

/** What the maps of a figure show: per map the word of each row, its colours, and the text beside it. */
const mapsOf = (figure: Locator): Promise<Record<string, [word: string, colours: string, beside: string][]>> =>
  figure.evaluate((root) => {
    const said = (row: Element, part: string) => row.querySelector(part)?.textContent ?? '';
    const coloursOf = (canvas: HTMLCanvasElement) => {
      const copy = new OffscreenCanvas(canvas.width, 1).getContext('2d');
      copy?.drawImage(canvas, 0, 0);
      return copy?.getImageData(0, 0, canvas.width, 1).data.join() ?? '';
    };
    return Object.fromEntries(
      Array.from(root.querySelectorAll('figure'), (map) => [
        map.classList[0],
        Array.from(map.querySelectorAll('li'), (row) => [
          said(row, '.word'),
          coloursOf(row.querySelector('canvas') as HTMLCanvasElement),
          said(row, '.most'),
        ]),
      ]),
    );
  });

/** The clocks of a figure. */
const clocksOf = (figure: Locator) =>
  figure.locator('.dials li').evaluateAll((clocks) =>
    clocks.map((clock) => {
      const said = (part: string) => {
        const node = clock.querySelector(part) as HTMLElement;
        return node.checkVisibility() ? node.textContent : '';
      };
      const hand = (name: string) => {
        const line = clock.querySelector(name) as Element;
        return ['x2', 'y2'].map((end) => Number(line.getAttribute(end)));
      };
      const arc = clock.querySelector('.arc')?.getAttribute('d') ?? '';
      return {
        ...{ pair: said('.pair'), turns: said('.turns'), bit: said('.bit') },
        ...{ hand: hand('.hand'), ahead: hand('.ahead'), arc: arc.match(/A12 12 0 (\d \d)/)?.[1] },
      };
    }),
  );

/** Whether a hand has turned by an angle, clockwise from the top. */
function expectHand([x, y]: number[], angle: number) {
  expect(Math.hypot(x - 20 * Math.sin(angle), y + 20 * Math.cos(angle)), `(${x}, ${y}) at ${angle}`).toBeLessThan(1e-4);
}

/** Settings with the start view before and after each, so that nothing else changes with it and redraws the figure. */
function oneByOne<Setting>(settings: Setting[]) {
  const start = {} as Partial<Setting>;
  return [start, ...settings.flatMap((setting) => [setting as Partial<Setting>, start])];
}

/** The points of values from a place on. */
const along = (values: ArrayLike<number>, first: number) =>
  Array.from(values, (y, k) => [first + k, y] as [number, number]);

const squeezed = (said: string) => said.replace(/\s+/g, ' ').trim();

let page: Page;
let problems: string[];
let figure: Locator;
/** The colours of lines. */
let lines: string[];
test.beforeAll(async ({ site }) => {
  ({ page, problems } = await site.open('#step=1', {}, recordLines));
  figure = page.locator(STAGE);
  lines = await lineColours(page);
});
test.afterEach(() => expect(problems.splice(0)).toEqual([]));
test.afterAll(() => page.close());

/** The colours of all maps. */
async function colours() {
  await showView(page, '#step=0', '#table');
  return (await pixels(page, '#table .legend canvas')).data;
}

const show = (step: number, fields: Fields = {}) => showView(page, addressOf({ step, ...fields }), STAGE);

test.describe('the scores of attention along a text', () => {
  /** @returns each score at the selected position, and along the text */
  const scores = async (): Promise<Record<string, string[]>> =>
    Object.fromEntries(
      await figure.locator('tbody tr').evaluateAll((rows) =>
        rows.map((row) => {
          const [name, ...values] = [...row.children].map((cell) => (cell.textContent ?? '').replaceAll('−', '-'));
          return [name.replace(/^\W+/, ''), values];
        }),
      ),
    );

  test('an added score drifts with its words, and a rotary one stays', async () => {
    await show(6);
    await expect(figure.locator('.figure-number b')).toHaveText('0.729910');
    const said = await scores();
    expect(said.added).toEqual(['4.154792', '1.714 to 5.564']);
    expect(said['position · position']).toEqual(['3.537983', 'the same']);
    expect(said.rotary).toEqual(['0.729910', 'the same']);
    await expect(figure.locator('[id]')).toHaveCount(0);
  });

  test('with random weights even the positions’ own part drifts', async () => {
    await show(6);
    await figure.locator('input').check();
    expect(await hashOf(page)).toMatch(/mixing=yes/);
    const said = await scores();
    expect(said.added[1]).toBe('-2.256 to 1.705');
    expect(said['position · position'][1]).toBe('-1.389 to 1.138');
    expect(said.rotary).toEqual(['-0.084171', 'the same']);
    await figure.locator('input').uncheck();
    expect(await hashOf(page)).not.toMatch(/mixing/);
  });

  test('each setting changes the table and the lines, which show the same scores', async () => {
    const scoresOf = createScores();
    const [dog, , man] = SHORT_SENTENCE_TOKENS;
    const start = { base: 10000, start: 0, length: 24, shift: 2, position: 9, seed: 1 };
    const changes = oneByOne([
      { position: 3 },
      { shift: -5 },
      { length: 31 },
      { start: 6 },
      { base: 50 },
      { seed: 4 },
      { mixing: 'yes' },
      { preset: 'roformer' },
      { scale: 2 },
    ]);
    for (const setting of changes) {
      const fields = { ...start, ...setting };
      const { shift, length, position } = fields;
      await show(6, fields);
      const { start: from, count } = { start: fields.start + Math.max(-shift, 0), count: length - Math.abs(shift) };
      const encoding = {
        encode: (count: number, { start }: { start: number }) => ({
          data: rowsOf({ ...fields, start }, count),
        }),
      } as any;
      const view = { ...fields, dim: DIM, mixing: 'mixing' in setting };
      const expected = scoresOf([man, dog], view, encoding, { start: from, count, step: 1 });
      const place = Math.min(Math.max(position - from, 0), count - 1);
      const said = JSON.stringify(setting);
      await expect(figure.locator('tbody tr td:nth-child(2)'), said).toHaveText(
        ['added', 'words', 'wordPosition', 'positionWord', 'positions', 'rotary'].map((key) => {
          const values = expected[key as keyof typeof expected];
          return values ? formatValue(values[place]) : '–';
        }),
      );
      await expect(figure.locator('.at'), said).toHaveText(`at p = ${from + place}`);
      const { added, rotary } = expected;
      const chart = await chartOf(page, STAGE);
      expect(chart.lines.map(({ colour }) => colour)).toEqual([lines[2], lines[1]]);
      const points = [added, rotary ?? []].map((values) => along(values, from));
      for (const [k, line] of chart.lines.entries()) expectLine(chart, line, points[k]);
      await expectRings(
        page,
        STAGE,
        chart,
        points.map((line) => line[place]),
      );
    }
    await show(6, start);
    await expect(figure.locator('tbody tr td:first-child')).toHaveText([
      ...['added', '= word · word', '+ word · position', '+ position · word', '+ position · position', 'rotary'],
    ]);
    const swatches = figure.locator('tbody tr:has(.swatch)');
    await expect(swatches).toHaveText([/^added/, /^rotary/]);
    const colours = await swatches.locator('.swatch').evaluateAll((all) => all.map((one) => one.getAttribute('style')));
    expect(colours).toEqual([expect.stringContaining('--line-2'), expect.stringContaining('--line-1')]);
  });

  test('the keyboard moves the pair, whose terms add up at every place', async () => {
    await show(6);
    await figure.locator('.chart').focus();
    for (const key of ['End', 'ArrowLeft', 'Home', 'PageUp', 'ArrowRight']) {
      await page.keyboard.press(key);
      await settled(page);
      const said = Object.entries(await scores()).map(([name, [here]]) => [name, Number(here)]);
      const { added, rotary, ...terms } = Object.fromEntries(said);
      const sum = Object.values<number>(terms).reduce((total, term) => total + term, 0);
      expect(Math.abs(added - sum), `${added}, not ${sum}`).toBeLessThan(3e-6);
      expect(rotary).toBe(0.72991);
    }
    expect(await hashOf(page)).toMatch(/position=52/);
    await expect(figure.locator('.at')).toHaveText(/at p = 52/);
  });

  test('the pair stays inside the table in either order', async () => {
    for (const [hash, part, said] of [
      ['&length=40&start=100&shift=-39&position=100', '.at', /at p = 139/],
      ['&length=40&shift=40', '.problem', /No two of the 40 positions are 40 apart/],
      // A table that can't have the step's dimensions.
      ['&preset=learned&rows=524288&dim=7', '.figure-number b', '–'],
      ['&preset=learned&rows=524288&dim=7', '.figure-note', /even dim/],
      ['&length=5000&mixing=yes', '.figure-note', /The lines show one position in 5\./],
      ['&preset=learned&rows=20&length=20', '.problem', ''],
    ] as [string, string, RegExp | string][]) {
      await showView(page, `#step=6${hash}`, STAGE);
      await expect(figure.locator(part), hash).toHaveText(said);
    }
    expect((await scores()).rotary[1]).toBe('the same');
  });
});

test.describe('the figures of the story', () => {
  const number = async () => {
    await settled(page);
    return squeezed((await figure.locator('.figure-number').textContent()) ?? '').replaceAll('−', '-');
  };
  const press = (name: string) => figure.getByRole('button', { name, exact: true }).click();

  test('numbers have two decimals to the eye, and all of them in the text and the title', async () => {
    for (const [step, fields] of [
      [2, {}],
      [3, {}],
      [4, {}],
      [5, {}],
      [6, {}],
      [7, {}],
    ] as [number, Fields][]) {
      await show(step, fields);
      await settled(page);
      const numbers = await figure.locator('.decimals').evaluateAll((all) =>
        all.map((node) => ({
          shown: getComputedStyle(node, '::before').content.replace(/^"(.*?)".*$/, '$1'),
          width: node.firstElementChild?.getBoundingClientRect().width ?? Infinity,
          text: node.textContent,
          title: (node as HTMLElement).title,
        })),
      );
      expect(numbers.length, `step ${step}`).toBeGreaterThan(0);
      for (const { shown, width, text, title } of numbers) {
        expect(title).toBe(text);
        expect(width, `step ${step}: ${text}`).toBeLessThanOrEqual(1);
        expect(shown).toMatch(/^−?\d+\.\d\d$/);
        const [two, six] = [shown, text].map((one) => Number(one?.replace('−', '-')));
        expect(Math.abs(two - six), `step ${step}: ${shown} for ${text}`).toBeLessThanOrEqual(0.005000001);
      }
    }
  });

  test('each figure has the dimensions that its step tells of, whatever the page has', async () => {
    for (let step = 2; step <= 6; step++) {
      await show(step);
      const told = await number();
      for (const dim of [152, 7, 1000]) {
        await show(step, { dim });
        expect(await number(), `step ${step}, dim ${dim}`).toBe(told);
        await expect(figure.locator('.problem')).toHaveText('');
      }
      // Biases have no table to show.
      for (const preset of ['alibi', 't5']) {
        await show(step, { preset });
        expect(await number(), `step ${step}, ${preset}`).toBe(told);
      }
    }
    // A table that can't have these dimensions is shown with its own.
    await show(4, { preset: 'learned', rows: 2 ** 19, dim: 8 });
    expect(await number()).toMatch(/of 8 columns/);
  });

  test('all eight bits flip from 127 to 128, and the clocks move as far as in every step', async () => {
    await show(2);
    const bits = async () =>
      (await clocksOf(figure))
        .map(({ bit }) => bit)
        .reverse()
        .join('');
    expect(await number()).toBe('bits flipped 1 encoding moved 1.1168');
    expect(await bits()).toBe('01111111');
    await figure.locator('.first').focus();
    await page.keyboard.press('Enter');
    expect(await number()).toBe('bits flipped 8 encoding moved 1.1168');
    expect(await bits()).toBe('10000000');
    await expect(figure.locator('[id]')).toHaveCount(0);
    await show(2, { start: -4, position: -3 });
    expect(await bits()).toBe('11111101');
  });

  test('each setting turns the counting clocks', async () => {
    const changes = [{ position: 41 }, { base: 30 }, { layout: 'sin-cos' }];
    for (const setting of oneByOne(changes)) {
      const fields = { dim: 16, base: 256, position: 127, ...setting };
      await show(2, setting);
      const { dim, base, position } = fields;
      const [before, row] = [position - 1, position].map((at) => rowsOf(fields, [at]));
      const moved = Math.hypot(...row.map((value, k) => value - before[k])).toFixed(4);
      expect(await number(), JSON.stringify(setting)).toMatch(new RegExp(`encoding moved ${moved}$`));
      const clocks = await clocksOf(figure);
      expect(clocks.length).toBe(dim / 2);
      clocks.forEach(({ pair, turns, bit, hand }, k) => {
        const frequency = base ** (-k / (dim / 2));
        expect([pair, turns]).toEqual([`${k}`, formatLength((2 * Math.PI) / frequency)]);
        expect(bit).toBe(`${(position >> k) & 1}`);
        expectHand(hand, position * frequency);
      });
    }
  });

  test('playing counts up, and is not announced', async () => {
    await show(2, { length: 140 });
    const status = figure.locator('.figure-number');
    await press('Play');
    await expect(status).toHaveAttribute('aria-live', 'off');
    await expect(figure.locator('.figure-note')).toHaveText(/From position 138 to 139\./);
    await expect(figure.locator('.play')).toHaveText('Play');
    await expect(status).toHaveAttribute('aria-live', 'polite');
  });

  test('playing stops when out of sight', async () => {
    await show(2, { length: 1000, position: 0 });
    await press('Play');
    await expect(figure.locator('.play')).toHaveText('Pause');
    await page.getByRole('link', { name: 'Explore', exact: true }).click();
    await expect(figure.locator('.play')).toHaveText('Play');
  });

  test('with reduced motion the hands jump from position to position', async () => {
    await show(2, { length: 4, position: 0 });
    const places = await figure.evaluate(async (root) => {
      const hand = root.querySelector('.hand') as Element;
      const button = root.querySelector('.play') as HTMLButtonElement;
      const found = new Set([hand.getAttribute('x2')]);
      button.click();
      while (button.textContent !== 'Play') {
        await new Promise(requestAnimationFrame);
        found.add(hand.getAttribute('x2'));
      }
      return found.size;
    });
    expect(places).toBeLessThanOrEqual(4);
  });

  test('eight hours are a third of a turn from any start', async () => {
    await show(3);
    const note = figure.locator('.figure-note');
    expect(await number()).toBe(
      '8 positions turn the hand by 120° sine 0.500000 and 0.500000, cosine 0.866025 and -0.866025',
    );
    for (let hour = 2; hour <= 34; hour += 8) {
      await expect(note).toHaveText(new RegExp(`At positions ${hour} and ${hour + 8}\\.`));
      const [{ hand, ahead }] = await clocksOf(figure);
      expectHand(hand, (hour * Math.PI) / 12);
      expectHand(ahead, (hour * Math.PI) / 12 + (2 * Math.PI) / 3);
      await press('Move on by 8');
    }
    await expect(figure.locator('.first')).toBeDisabled();
    await press('Back to the start');
    await expect(note).toHaveText(/At positions 2 and 10\./);
    await expect(figure.locator('[id]')).toHaveCount(0);
  });

  test('blue and orange are the sine and the cosine, and the hands have other colours', async () => {
    await show(3);
    await expect(figure.locator('.lines')).toHaveText('sinecosine');
    const colours = await figure.evaluate((root) => {
      const strokeOf = (part: string) => getComputedStyle(root.querySelector(part) as Element).stroke;
      const probe = root.appendChild(document.createElement('i'));
      const lines = [1, 2].map((line) => {
        probe.style.color = `var(--line-${line})`;
        return getComputedStyle(probe).color;
      });
      probe.remove();
      return { lines, hands: ['.hand', '.ahead', '.arc'].map(strokeOf) };
    });
    for (const hand of colours.hands) expect(colours.lines).not.toContain(hand);
    expect(colours.hands[0]).not.toBe(colours.hands[1]);
  });

  test('each setting turns the hands of the circle, and its lines are the sine and the dashed cosine', async () => {
    const hour = Math.PI / 12;
    for (const setting of oneByOne([
      { position: 20 },
      { shift: 15 },
      { shift: -5, position: 9 },
      { maxFrequency: 0.5 },
      { length: 30 },
      { start: 100, position: 105 },
      { layout: 'cos-sin' },
      { scale: 2 },
    ])) {
      const fields = { position: 2, shift: 8, start: 0, length: 49, maxFrequency: hour, scale: 1, ...setting };
      const { position, shift, start, length, maxFrequency: frequency, scale } = fields;
      await show(3, setting);
      const said = JSON.stringify(setting);
      const [clock] = await clocksOf(figure);
      expectHand(clock.hand, position * frequency);
      expectHand(clock.ahead, (position + shift) * frequency);
      const turn = shift * frequency;
      expect(clock.arc, said).toBe(`${Number(Math.abs(turn) > Math.PI)} ${Number(turn > 0)}`);
      const degrees = Number((((turn * 180) / Math.PI) % 360).toFixed(2));
      expect(await number(), said).toContain(`${shift} positions turn the hand by ${degrees}°`);
      expect(await number(), said).toContain(`sine ${(scale * Math.sin(position * frequency)).toFixed(6)}`);
      await expect(figure.locator('.figure-note'), said).toHaveText(
        new RegExp(`At positions ${minus(`${position} and ${position + shift}`)}\\.`),
      );
      const chart = await chartOf(page, STAGE);
      expect(chart.lines.map(({ colour, dashed }) => [colour, dashed])).toEqual([
        [lines[1], false],
        [lines[2], true],
      ]);
      for (const [k, wave] of [Math.sin, Math.cos].entries()) {
        const positions = Array.from({ length: 2048 }, (_, at) => start + (at * (length - 1)) / 2047);
        const curve = positions.map((at) => chart.place(at, scale * wave(at * frequency)));
        const { points } = chart.lines[k];
        const aside = points.map(([x, y]) => Math.min(...curve.map(([left, top]) => Math.hypot(x - left, y - top))));
        expect(Math.max(...aside), said).toBeLessThan(2);
        for (const end of [0, -1]) expect(points.at(end)?.[0], said).toBeCloseTo(curve.at(end)?.[0] ?? NaN, -1);
      }
      const guide = minus((scale * Math.sin(position * frequency)).toFixed(6));
      await expect(figure.locator('.chart'), said).toHaveAttribute('aria-label', new RegExp(`the sine is ${guide}\\.`));
    }
  });

  test('a small base is noise and a large one is flat', async () => {
    await show(4);
    const flat = 'columns move by less than 0.01 in 512 positions';
    expect(await number()).toBe(`cosine at distance 64 0.434565 3 of 64 ${flat}`);
    await press('10¹²');
    expect(await number()).toBe(`cosine at distance 64 0.834845 41 of 64 ${flat}`);
    await expect(figure.locator('[aria-pressed=true]')).toHaveText('10¹²');
    await press('base 10');
    expect(await number()).toBe(`cosine at distance 64 -0.019093 0 of 64 ${flat}`);
    expect(await hashOf(page)).toBe('#step=4&base=10');
    await figure.locator('.chart').focus();
    await page.keyboard.press('Home');
    expect(await number()).toMatch(/^cosine at distance 1 0\.889676/);
    await expect(figure.locator('[id]')).toHaveCount(0);
  });

  test('each setting changes the table and the line of the base figure', async () => {
    const colormap = await colours();
    const changes = [{ base: 10 }, { start: 9 }, { length: 15 }, { shift: 4 }, { preset: 'roformer' }];
    for (const setting of oneByOne(changes)) {
      const fields = { length: 20, dim: 64, shift: 7, start: 0, ...setting };
      const { length, dim, shift, start } = fields;
      await show(4, fields);
      const said = JSON.stringify(setting);
      const values = rowsOf(fields, length);
      const first = values.subarray(0, dim);
      const cosines = posenc.similarity(first, { to: { data: values, shape: [length, dim] } }).data;
      const flat = `${flatColumns(values, dim)} of ${dim} columns`;
      expect(await number(), said).toContain(`distance ${shift} ${cosines[shift].toFixed(6)} ${flat}`);
      await expectCells(page, STAGE, { values, columns: dim, domain: [-1, 1], colormap });
      await expectAxis(page, STAGE, 'rows', { name: 'position', first: start, count: length });
      const chart = await chartOf(page, STAGE, { bendX: Math.log });
      const points = along(cosines.subarray(1), 1);
      expect(chart.lines.map(({ colour }) => colour)).toEqual([lines[1]]);
      expectLine(chart, chart.lines[0], points);
      await expectRings(page, STAGE, chart, [points[shift - 1]]);
    }
  });

  test('a sum gives back words and, in many dimensions, positions', async () => {
    await show(5);
    const note = figure.locator('.figure-note');
    expect(await number()).toBe('positions read back 6 of 12 words 12 of 12');
    expect((await figure.locator('.sum .most').allTextContents()).join().match(/✗/g)?.length).toBe(6);
    await press('512 dimensions');
    expect(await number()).toBe('positions read back 11 of 12 words 12 of 12');
    await expect(figure.locator('[aria-pressed=true]')).toHaveText('512 dimensions');
    await expect(note).toHaveText(/encoding 16\.000, embedding 22\.437: 0\.713 times/);
    await figure.getByLabel('embeddings × √dim').check();
    await expect(note).toHaveText(/0\.0315 times/);
    expect(await hashOf(page)).toBe('#step=5&dim=512&root=yes');
    await expect(figure.locator('[id]')).toHaveCount(0);
  });

  test('each setting changes the three maps of the sum', async () => {
    const colormap = await colours();
    const sumsOf = createSums();
    for (const setting of oneByOne([
      { dim: 512 },
      { base: 30 },
      { start: 7 },
      { seed: 5 },
      { root: 'yes' },
      { preset: 'roformer' },
    ])) {
      const fields = { dim: 64, start: 0, seed: 1, ...setting };
      const { dim, start } = fields;
      await show(5, setting);
      const [tokens, words] = [SENTENCE_TOKENS, WORDS];
      const view = { ...fields, root: 'root' in setting };
      const sums = sumsOf(tokens, view, rowsOf(fields, 512));
      const bound = 3 * (view.root ? Math.sqrt(dim) : 1);
      const map = painted(colormap, [-bound, bound], words);
      const told = sums.positions.map((position, k) => {
        const place = position === k ? '✓' : `✗ ${start + position}`;
        return `${sums.words[k] === tokens[k].id ? '✓' : '✗'} ${place}`;
      });
      expect(await mapsOf(figure), JSON.stringify(setting)).toEqual({
        embedding: map(sums.embeddings),
        encoding: map(sums.encodings),
        sum: map(sums.sums, told),
      });
    }
  });

  test('a note says what can’t be shown', async () => {
    for (const [step, fields, said] of [
      [2, { preset: 'learned', length: 20 }, /no clocks/],
      [3, { preset: 'learned', length: 20 }, /no clocks/],
      [3, { start: 2 ** 53 - 49, position: 2 ** 53 - 1 }, /There is no position/],
      [4, { length: 1 }, 'One position has no distance to others.'],
      [5, { preset: 'learned', rows: 12, length: 12 }, ''],
      [5, { preset: 'learned', rows: 11, length: 11 }, /only the positions 0 to 10/],
    ] as [number, Fields, string | RegExp][]) {
      await show(step, fields);
      await expect(figure.locator('.problem'), `${step} ${JSON.stringify(fields)}`).toHaveText(said);
    }
  });
});

test.describe('the room of the story’s figures', () => {
  for (const [width, lowest] of [
    [390, 620],
    [1440, 790],
  ]) {
    test(`a figure with its number and its button fits on a screen, ${width} pixels wide`, async ({ open }) => {
      const { page } = await open('#step=1', { viewport: { width, height: 844 } });
      for (const step of [1, 2, 3, 4, 5]) {
        await showView(page, `#step=${step}`, STAGE);
        const { y, height } = await boxOf(page.locator(STAGE));
        expect(y + height, `step ${step}`).toBeLessThanOrEqual(lowest);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `step ${step}`).toBe(width);
      }
    });
  }
});
