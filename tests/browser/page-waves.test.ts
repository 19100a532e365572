import type { Page } from '@playwright/test';
import * as posenc from 'posenc';
import { writeNpy } from 'posenc/files';
import { parseNumber } from '../printed.ts';
import { readChart, recordLines } from './figures.ts';
import {
  bringNear,
  expect,
  expectRead,
  find,
  makeFile,
  measureBox,
  near,
  openSettings,
  pixels,
  readHash,
  readout,
  settled,
  showView,
  test,
  text,
} from './page.ts';

await posenc.load();

const tableRows = async (page: Page) => {
  await bringNear(page, '#waves');
  return page
    .locator('#waves tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace('−', '-'))),
    );
};

/** The fraction of the chart covered by lines, which are more colourful than grid and paper. */
const inked = async (page: Page) => {
  const { width, height, data } = await pixels(page, '#waves canvas');
  let count = 0;
  for (let k = 0; k < data.length; k += 4) {
    const rgb = data.subarray(k, k + 3);
    if (Math.max(...rgb) - Math.min(...rgb) > 48) count++;
  }
  return count / (width * height);
};

const FAR = 2 ** 53 - 128;
for (const [hash, spec, length, caption, note] of [
  [
    '#',
    { dim: 64 },
    128,
    'Columns 8, 20, and 34 are solid sines. Columns 9, 21, and 35 are dashed cosines.',
    'Of the table’s 64 columns, the chart leaves out 8 too fast to follow, 22 that would crowd it, and 28 too slow to move visibly.',
  ],
  ['#dim=2&length=50', { dim: 2 }, 50, 'Column 0 is a solid sine. Column 1 is a dashed cosine.', ''],
  [
    '#preset=fairseq&dim=7',
    { dim: 7, preset: 'fairseq' },
    128,
    'Column 1 is a solid sine. Column 4 is a dashed cosine.',
    'Of the table’s 7 columns, the chart leaves out 2 too fast to follow, 2 too slow to move visibly, and 1 of zeros.',
  ],
  [
    '#layout=cos-sin&endpoint=yes&dim=32&length=4096',
    { dim: 32, layout: 'cos-sin', endpoint: true },
    4096,
    'Columns 8, 10, and 13 are dashed cosines. Columns 24, 26, and 29 are solid sines.',
    'Of the table’s 32 columns, the chart leaves out 16 too fast to follow, 6 that would crowd it, and 4 too slow to move visibly.',
  ],
  [
    `#start=${FAR}`,
    { dim: 64 },
    128,
    'Columns 8, 20, and 34 are solid sines. Columns 9, 21, and 35 are dashed cosines.',
    'Of the table’s 64 columns, the chart leaves out 8 too fast to follow, 22 that would crowd it, and 28 too slow to move visibly.',
  ],
] as const) {
  test(`the waves chosen for ${hash} are those that can be seen`, async ({ open }) => {
    const { page } = await open(hash);
    const rows = await tableRows(page);
    const { column, encode } = posenc.sinusoidal(spec);
    const shown = rows.map(([dimension]) => Number(dimension));
    const wavelength = (dimension: number) => (2 * Math.PI) / column(dimension).frequency;
    expect(rows.map(([, wave]) => wave)).toEqual(shown.map((dimension) => column(dimension).wave));
    const position = Number((await text(page, '#waves .at')).replace(/\D/g, ''));
    const { data } = encode([position]);
    rows.forEach(([, , period, value], k) => {
      expect(Number(period.replace(',', '')) / wavelength(shown[k])).toBeCloseTo(1, 3);
      expect(Number(value)).toBeCloseTo(data[shown[k]], 6);
    });

    // The fastest of at most 8 cycles and the slowest that moves, one in the middle between them, and all columns of each.
    const all = Array.from({ length: spec.dim }, (_, dimension) => dimension);
    const seen = all.map(wavelength).filter((period) => period >= length / 8 && period <= 8 * length);
    const [fastest, slowest] = [Math.min(...seen), Math.max(...seen)];
    const aside = (period: number) => Math.abs(Math.log(period / Math.sqrt(fastest * slowest)));
    const chosen = [...new Set(shown.map(wavelength))];
    expect([chosen[0], chosen[chosen.length - 1]]).toEqual([fastest, slowest]);
    expect(chosen.length).toBe(Math.min(new Set(seen).size, 3));
    if (chosen.length === 3) expect(aside(chosen[1]) < Math.min(...seen.map(aside)) + 1e-9).toBeTruthy();
    expect([...shown].sort((a, b) => a - b)).toEqual(all.filter((dimension) => chosen.includes(wavelength(dimension))));

    await bringNear(page, '#waves');
    await expect(page.getByText(caption, { exact: true })).toBeVisible();
    await expectRead(page, async () => (await text(page, '#waves .missing')).trim()).toBe(note);
    await expect(page.locator('#waves .chart')).toHaveAttribute(
      'aria-label',
      new RegExp(`^Lines of the dimensions ${shown.join(', ')} along`),
    );
    const part = await inked(page);
    expect(part > 0.005 && part < 0.5, `${part} of the chart is lines`).toBeTruthy();
  });
}

for (const [hash, caption, note, shown] of [
  [
    '#length=1048576',
    'Column 62 is a solid sine. Column 63 is a dashed cosine.',
    'Every wave is too fast to follow at this length, so the chart shows the slowest. Of the table’s 64 columns, the chart leaves out 62 too fast to follow.',
    '62, 63',
  ],
  [
    '#maxFrequency=1e-6&dim=8',
    'Column 0 is a solid sine. Column 1 is a dashed cosine.',
    'Every wave is too slow to move visibly at this length, so the chart shows the fastest. Of the table’s 8 columns, the chart leaves out 6 too slow to move visibly.',
    '0, 1',
  ],
  [
    '#base=1e12&dim=4&length=1000',
    'Column 0 is a thin sine. Column 1 is a thin cosine.',
    'Every wave is too fast to follow or too slow to move visibly at this length, so the chart shows the nearest. Of the table’s 4 columns, the chart leaves out 2 too slow to move visibly.',
    '0, 1',
  ],
  ['#preset=fairseq&waves=8,9,24', 'Columns 8, 9, and 24 are solid sines.', '', '8, 9, 24'],
  ['#preset=fairseq&waves=40', 'Column 40 is a dashed cosine.', '', '40'],
  [
    '#length=512&waves=0,1,31',
    'Column 0 is a thin sine. Column 1 is a thin cosine. Column 31 is a dashed cosine.',
    '',
    '0, 1, 31',
  ],
  ['#preset=fairseq&dim=5&waves=0,4', 'Column 0 is a solid sine. Column 4 holds zeros.', '', '0, 4'],
  [
    '#length=1048576&waves=0,60,70',
    'Column 60 is a solid sine.',
    'Not in this table: 70. Too fast to draw at this length: 0.',
    '0, 60',
  ],
]) {
  test(`the lines of ${hash}, where no wave can be seen or columns are asked for, are said`, async ({ open }) => {
    const { page } = await open(hash);
    await expectRead(page, async () => (await tableRows(page)).map(([dimension]) => dimension).join(', ')).toBe(shown);
    await bringNear(page, '#waves');
    await expect(page.getByText(caption, { exact: true })).toBeVisible();
    await expectRead(page, async () => (await text(page, '#waves .missing')).trim()).toBe(note);
    await expectRead(page, async () => (await inked(page)) > 0.002).toBeTruthy();
  });
}

test('a wave too fast for any sample fills its band', async ({ open }) => {
  const { page } = await open('#maxFrequency=1e6&dim=2&length=9');
  await bringNear(page, '#waves .chart');
  await expectRead(page, async () => (await inked(page)) > 0.4).toBeTruthy();
});

/** Opens a table from a file. */
async function given(page: Page, data: Float32Array, dim: number) {
  await find.rows(page).setInputFiles(makeFile('mine.npy', writeNpy({ data, shape: [data.length / dim, dim] })));
  await page.getByText('The rows of mine.npy.').waitFor({ state: 'attached' });
  await settled(page);
}

test('columns of a given table are shown unchanged, and are not waves', async ({ open }) => {
  const { page } = await open('#preset=learned&source=random');
  await openSettings(page);
  for (const [dim, caption, note] of [
    [
      64,
      'Columns 8, 9, 16, 17, 24, and 25 hold given values.',
      'Of the table’s 64 columns, the chart leaves out 58 that would crowd it.',
    ],
    [3, 'Columns 0, 1, and 2 hold given values.', ''],
    [1, 'Column 0 holds given values.', ''],
  ] as const) {
    await given(page, posenc.embedding({ rows: 40, dim, seed: 0 }).weights, dim);
    await expectRead(page, async () =>
      (await tableRows(page)).every(([, wave, wavelength]) => wave === 'given' && wavelength === '–'),
    ).toBeTruthy();
    await bringNear(page, '#waves');
    await expect(page.getByText(caption, { exact: true })).toBeVisible();
    await expectRead(page, async () => (await text(page, '#waves .missing')).trim()).toBe(note);
    await expectRead(page, async () => (await inked(page)) > 0.005).toBeTruthy();
  }
});

test('values beyond the colours of a given table have their place in the chart', async ({ open }) => {
  const { page } = await open('#preset=learned&source=random&waves=1');
  await openSettings(page);
  // The colours end at three standard deviations.
  const { weights } = posenc.embedding({ rows: 40, dim: 2, seed: 0 });
  weights[5 * 2 + 1] = 9;
  await given(page, weights, 2);
  const dot = await measureBox(await near(page, '#waves .u-cursor-pt'));
  const plot = await measureBox(page.locator('#waves .u-over'));
  expect(dot.y).toBeGreaterThan(plot.y);
  expect(dot.y + dot.height).toBeLessThan(plot.y + plot.height / 3);
});

test('of columns that the table lacks nothing is drawn', async ({ open }) => {
  const { page } = await open('#dim=4&waves=8,9');
  await expect(await near(page, '#waves .drawn')).toHaveText('');
});

test('the ticks follow the first position and the length, and gestures in the table', async ({ open }) => {
  const { page } = await open('#step=0', {}, recordLines);
  const expectTicks = async ({ start, length }: { start: number; length: number }) => {
    const { names, place } = await readChart(page, '#waves');
    const [name] = names;
    const from = Math.abs(start) + length > 1e5 ? 0 : start;
    expect(name === 'position').toBe(from === start);
    if (from !== start) expect(parseNumber(name.replace(/^position [+−] /, ''))).toBe(Math.abs(start));
    const [canvas, plot] = await Promise.all(
      ['canvas', '.u-over'].map((part) => measureBox(page.locator(`#waves ${part}`))),
    );
    for (const row of [0, length - 1]) {
      const part = (canvas.x + place(from + row, 0)[0] - plot.x) / plot.width;
      expect(Math.abs(part - (row + 0.5) / length), `row ${row} from ${start}`).toBeLessThan(0.006);
    }
  };
  const views = [0, 100, 1e15, -1e15].map((start) => ({ start, length: 128 }));
  for (const shown of [...views, { start: 9, length: 50 }]) {
    await showView(page, `#start=${shown.start}&length=${shown.length}`, '#waves');
    await expectTicks(shown);
  }
  // Both panels are drawn while the other one is used.
  await find.figure(page, /^Table of/).focus();
  await page.keyboard.press('Shift+ArrowDown');
  const { start, length } = Object.fromEntries(new URLSearchParams((await readHash(page)).slice(1)));
  expect(start).not.toBe('9');
  await expectTicks({ start: Number(start), length: Number(length) });
});
