import { alibi, load, relativeBuckets, rotary } from 'posenc';
import { formatWhole } from '../../web/figure/numbers.ts';
import { parseScaling } from '../../web/figure/scaling-text.ts';
import { EXAMPLE_MODELS } from '../../web/page/check/example-models.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { parseNumber } from '../printed.ts';
import { expectAxis, expectCells, expectLine, lineColours, readChart, recordLines } from './figures.ts';
import {
  act,
  bringNear,
  drop,
  expect,
  expectRead,
  find,
  hover,
  makeFile,
  openSettings,
  page,
  readHash,
  readout,
  readTable,
  sharePage,
  showView,
  test,
  text,
  violations,
} from './page.ts';
import { hashOfView } from './panel.ts';

await load();

const LLAMA = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';

const MAIN = ['choose', 'table', 'waves'];
const ADDED = ['addition', 'similarity', 'precision', 'sums'];
/** The panels of each family that are always in sight, in the page's order, and the figures below them, of which one is open. */
const SHOWN: Record<string, { main: string[]; below: string[] }> = {
  transformer: { main: MAIN, below: ADDED },
  // Random rows have no waves.
  'learned&source=random': { main: ['choose', 'table'], below: ['addition', 'similarity', 'sums'] },
  learned: { main: MAIN, below: ['addition', 'similarity', 'spectrum', 'sums'] },
  rotary: { main: MAIN, below: ['frequencies', 'rope', 'similarity', 'precision', 'sums'] },
  alibi: { main: ['choose', 'bias'], below: ['sums'] },
  t5: { main: ['choose', 'bias'], below: ['sums'] },
};

sharePage((site) => site.open('#step=0', {}, recordLines));

test.describe('families of encodings', () => {
  for (const wide of [1440, 320]) {
    test(`each shows its panels and no others, none wider than a page of ${wide} pixels`, {
      tag: wide === 320 ? '@width' : [],
    }, async () => {
      await page.setViewportSize({ width: wide, height: 900 });
      const shown = () => page.locator('#panels .panel:visible').evaluateAll((all) => all.map(({ id }) => id));
      const names = () =>
        find
          .names(page)
          .getByRole('button')
          .evaluateAll((all) => all.map((name) => name.getAttribute('value')));
      /** What is hidden and yet seen. */
      const escaped = () =>
        page.locator('#panels [hidden]').evaluateAll((all) => all.filter((node) => node.checkVisibility()).map(String));
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      for (const [preset, { main, below }] of Object.entries(SHOWN)) {
        await showView(page, `preset=${preset}`, '#choose');
        await expectRead(page, names).toEqual(below);
        await expectRead(page, escaped).toEqual([]);
        for (const id of below) {
          await bringNear(page, `#${id}`);
          await expectRead(page, shown, preset).toEqual([...main, id]);
          await expectRead(page, width, `${preset}, ${id}`).toBe(wide);
        }
        await bringNear(page, '#check');
        await expectRead(page, shown).toEqual(['check', 'model']);
        await expectRead(page, width, preset).toBe(wide);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    });
  }

  test('a family that lacks the open figure opens its first, and the figure is open again afterwards', async () => {
    await showView(page, 'show=similarity', '#similarity');
    for (const family of ['alibi', 'sinusoidal', 'alibi']) {
      await act(page, () => find.family(page).selectOption(family));
      await expect(find.panel(page, 'Similarity')).toBeVisible({ visible: family === 'sinusoidal' });
      await expect(find.panel(page, 'Sums')).toBeVisible({ visible: family === 'alibi' });
    }
    await expectRead(page, readHash).toBe('#preset=alibi&show=similarity');
  });

  test('the preset of RoFormer’s sinusoids says that it is not rotary', async () => {
    await showView(page, 'preset=roformer', '#choose');
    await openSettings(page);
    await expect(page.getByRole('radio', { name: /roformer’s sinusoids/ })).toBeVisible();
    await expect(page.getByText(/not RoFormer’s rotary embedding/)).toBeVisible();
  });

  test('a scaling or buckets that posenc refuses show posenc’s message, and the view stays', async () => {
    await showView(page, 'preset=rotary&dim=8', '#choose');
    await openSettings(page);
    const scaling = page.getByRole('combobox', { name: /^Scaling/ });
    const said = page.locator('#scaling-error');
    await scaling.selectOption('yarn');
    await expect(said).toHaveText(
      'Must be yarn with factor and originalMaxPositionEmbeddings, which are missing. Still showing none.',
    );
    await page.getByLabel('Factor', { exact: true }).fill('4');
    await expect(said).toHaveText(/^Must be yarn with originalMaxPositionEmbeddings, which is missing\./);
    await page.getByLabel('Positions in training').fill('0');
    await expect(said).toHaveText(/^scaling\.originalMaxPositionEmbeddings must be .+ Still showing none\.$/);
    const pasted = page.locator('#scaling-pasted');
    await pasted.fill(
      "{'rope_parameters': {'type': 'yarn', 'factor': 40, 'beta_slow': 2, 'rope_theta': 4e5, 'truncate': False}}",
    );
    await expectRead(page, readHash).toMatch(/base=400000/);
    await expect(said).toHaveText(/^Must be yarn with originalMaxPositionEmbeddings, which is missing\./);
    await pasted.fill(
      '{"rope_scaling": {"rope_type": "yarn", "factor": 40, "truncate": false, "original_max_position_embeddings": 4096, "mscale": null}, "rope_theta": 5e5}',
    );
    await expectRead(page, readHash).toMatch(
      /base=500000&scaling=yarn\+factor%3D40\+originalMaxPositionEmbeddings%3D4096\+truncate%3Dno$/,
    );
    await expect(page.getByLabel('Ramp between whole pairs')).toHaveValue('no');
    await pasted.fill('{"type": "su"}');
    await expect(scaling).toHaveValue('longrope');
    await pasted.fill('{"rope_scaling": {"rope_type": "fast"}}');
    await expect(page.locator('#scaling-pasted-error')).toHaveText(/^rope_type must be one of linear, ntk, /);
    await scaling.selectOption('linear');
    await page.getByLabel('Factor', { exact: true }).fill('4');
    await expect(said).toHaveText('');
    await expect(page.getByText(/Every frequency is divided by 4\./)).toBeVisible();
    await expectRead(page, readHash).toMatch(/scaling=linear\+factor%3D4$/);
    await find.family(page).selectOption('t5');
    await find.number(page, 'Buckets').fill('31');
    await expect(
      page.getByText('buckets must be even in this encoding, got 31. Still showing 32.', { exact: true }),
    ).toBeVisible();
    await find.family(page).selectOption('sinusoidal');
    await find.number(page, 'dimensions').fill('9');
    await act(page, () => find.number(page, 'dimensions').blur());
    await find.family(page).selectOption('rotary');
    await expect(page.getByText(/dim must be even in this encoding, got 9/)).toBeVisible();
  });

  test('the Rounding panel shows the error of tables at the end of a long context', async () => {
    const view = { dim: 128, base: 500000 };
    const shown = { preset: 'rotary' as const, ...view, scaling: LLAMA, span: 131072 };
    await showView(page, hashOfView({ ...shown, show: 'precision' }), '#precision');
    const [exact, float32, bfloat16] = (['exact', 'float32', 'bfloat16'] as const).map((numerics) => {
      const { cos, sin } = rotary({ ...view, scaling: parseScaling(LLAMA), numerics }).tables([131071]);
      return [...cos.data, ...sin.data];
    });
    const off = (row: number[]) =>
      String(Number(Math.max(...row.map((value, k) => Math.abs(value - exact[k]))).toPrecision(3)));
    await expect(page.locator('#precision .last')).toHaveText(
      `At position 131,071, the last of 131,072, the row is off by up to ${off(float32)} in float32 and by up to ${off(bfloat16)} in bfloat16.`,
    );
  });
});

/**
 * Expects a number as the page prints it, with four digits.
 *
 * @param said with its unit
 */
function expectPrinted(said: string, value: number) {
  const number = parseNumber(said.replace(/ positions| times/, ''));
  expect(Math.abs(number / value - 1), `${said} is not ${value}`).toBeLessThan(6e-4);
}

test.describe('frequencies', () => {
  const ROUNDING = [65536, 'for comparison'];
  const TRAINED = [4096, 'as trained'];
  const YARN = 'yarn factor=40 originalMaxPositionEmbeddings=4096 mscale=0.7 mscaleAllDim=1';
  const LONG = 'longrope factor=4 originalMaxPositionEmbeddings=4096 shortFactor=1,1,1,1 longFactor=1,2,4,8';
  /** A view of each kind of lengths in the key, and of pairs that don't turn. The slowest pair is selected, which scalings change most. */
  const VIEWS: [Partial<View>, ...(string | number)[][]][] = [
    [{ rotaryDim: 4, rotaryLayout: 'interleaved', span: 5000, dimension: 4 }, [5000, 'for comparison']],
    // The same encoding beside another length.
    [{ rotaryDim: 4, rotaryLayout: 'interleaved', span: 6000, dimension: 4 }, [6000, 'for comparison']],
    [{ scaling: 'dynamic factor=2 maxPositionEmbeddings=4096 sequenceLength=9000' }, TRAINED, [9000, 'of this text']],
    [{ scaling: LLAMA, span: 8192 }, [8192, 'as trained']],
    [{ scaling: YARN }, TRAINED, [163840, 'scaled']],
    [{ scaling: LONG, dim: 8 }, TRAINED, [16384, 'scaled']],
    [{ scaling: 'proportional partialRotaryFactor=0.5', dimension: 2 }, ROUNDING],
  ];

  function makeEncoding({ dim, base, rotaryDim, rotaryLayout: layout, scaling }: View) {
    const spec = { dim, base, layout, ...(rotaryDim && { rotaryDim }) };
    const plain = rotary(spec);
    const scaled = scaling ? rotary({ ...spec, scaling: parseScaling(scaling) }) : plain;
    const [before, after] = [plain, scaled].map(({ frequencies }) => [...frequencies].map((f) => (2 * Math.PI) / f));
    return { scaled, before, after };
  }

  async function expectChart(view: View, lengths: (string | number)[][]) {
    const { before, after } = makeEncoding(view);
    const chart = await readChart(page, '#frequencies', { log: true });
    expect(chart.names).toEqual(['pair', 'wavelength in positions']);
    const along = (values: (number | string)[]) =>
      values.map((y, x) => [x, Number(y)] as [number, number]).filter(([, y]) => Number.isFinite(y));
    const expected = [
      ...(view.scaling ? [along(before)] : []),
      along(after),
      ...lengths.map(([length]) => along(after.map(() => length))),
    ];
    expect(chart.lines.length).toBe(expected.length);
    const [[length]] = lengths as [number, string][];
    const turning = after.filter((wavelength) => length / wavelength >= 1).length;
    const scaled = view.scaling ? ', as scaled' : '';
    const said = `Pairs that turn at least once in ${formatWhole(length)} positions${scaled}: ${turning} of ${after.length}.`;
    await expect(page.getByText(said, { exact: true })).toBeVisible();
    for (const [k, points] of expected.entries()) expectLine(chart, chart.lines[k], points);

    // The key names the lines by their colours. It begins with the line in use, which is drawn above the other.
    const own = view.scaling ? ['in use', 'before scaling'] : ['in use'];
    const names = [...own, ...lengths.map(([length, name]) => `${formatWhole(Number(length))} positions, ${name}`)];
    const key = await page.locator('#frequencies .key span').evaluateAll((all) =>
      all.map((entry) => {
        const { borderTopColor, borderTopStyle } = getComputedStyle(entry.firstElementChild as Element);
        const context = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D;
        context.fillStyle = borderTopColor;
        return { name: entry.textContent, colour: context.fillStyle, dashed: borderTopStyle === 'dashed' };
      }),
    );
    const lines = chart.lines.map(({ colour, dashed }) => ({ colour, dashed }));
    const inOrder = view.scaling ? [lines[1], lines[0], ...lines.slice(2)] : lines;
    expect(key).toEqual(inOrder.map((line, k) => ({ name: names[k], ...line })));
    expect(new Set(lines.map(({ colour }) => colour)).size).toBe(lines.length);
    await expect(find.figure(page, /^Lines of the wavelengths/)).toHaveAttribute(
      'aria-label',
      new RegExp(
        `^Lines of the wavelengths of ${after.length} pairs${view.scaling ? ', before and after scaling' : ''}, `,
      ),
    );
  }

  async function expectWords(view: View, lengths: (string | number)[][]) {
    const { scaled, before, after } = makeEncoding(view);
    const { attentionFactor, softmaxFactor } = scaled;
    const factors = await text(page, '#frequencies .factors');
    const digits = (factor: number) => `${Number(factor.toPrecision(6))}:`;
    expect(factors).toContain(`The attention factor is ${digits(attentionFactor)}`);
    expect(factors.includes('The softmax factor')).toBe(softmaxFactor !== 1);
    if (softmaxFactor !== 1) expect(factors).toContain(`The softmax factor is ${digits(softmaxFactor)}`);

    const said = await readout(page, '#frequencies');
    const count = after.length;
    const { rotaryLayout, dimension } = view;
    if (dimension >= 2 * count) return expect(said).toEqual({ pair: 'none: the selected dimension does not turn' });
    const half = rotaryLayout === 'half';
    const pair = half ? dimension % count : dimension >> 1;
    expect(said.pair).toBe(
      `${pair}, dimensions ${half ? `${pair} and ${pair + count}` : `${2 * pair} and ${2 * pair + 1}`}`,
    );
    expect('before scaling' in said).toBe(view.scaling !== null);
    if (view.scaling) expectPrinted(said['before scaling'], before[pair]);
    if (!Number.isFinite(after[pair])) {
      expect([said.wavelength, said.slowed]).toEqual(['none: it stands still', '–']);
      return;
    }
    expectPrinted(said.wavelength, after[pair]);
    if (view.scaling) expectPrinted(said.slowed, after[pair] / before[pair]);
    for (const [length] of lengths) {
      expectPrinted(said[`turns in ${formatWhole(Number(length))} positions`], Number(length) / after[pair]);
    }
    expect(Object.keys(said).filter((name) => name.startsWith('turns')).length).toBe(lengths.length);
  }

  test('chart, key and read-out are those of the frequencies', async () => {
    for (const [patch, ...lengths] of VIEWS) {
      const set = { preset: 'rotary' as const, dim: 8, position: 5, dimension: 3, ...patch };
      await showView(page, hashOfView({ ...set, show: 'frequencies' }), '#frequencies');
      await test.step(JSON.stringify(patch), async () => {
        const view = { ...INITIAL_VIEW, ...set };
        await expectChart(view, lengths);
        await expectWords(view, lengths);
      });
    }
  });

  test('one selection with the table, also by keys', async () => {
    const view = hashOfView({ preset: 'rotary', dim: 128, position: 5, dimension: 124, show: 'frequencies' });
    await showView(page, view, '#frequencies');
    await find.figure(page, /^Lines of the wavelengths/).focus();
    await page.keyboard.press('Home');
    await expectRead(page, () => readout(page, '#frequencies')).toMatchObject({ pair: '0, dimensions 0 and 64' });
    await expectRead(page, () => readTable(page)).toMatchObject({ dimension: '0' });
    await expectRead(page, readHash).toBe('#preset=rotary&dim=128&position=5&dimension=0&show=frequencies');
  });

  test('a pair that stands still has no wave in the table', async () => {
    const scaling = 'proportional partialRotaryFactor=0.5';
    const view = hashOfView({ preset: 'rotary', dim: 8, scaling, position: 5, dimension: 2 });
    await showView(page, view, '#table');
    await expectRead(page, () => readTable(page)).toMatchObject({ wave: 'none' });
  });
});

test.describe('bias', () => {
  /** The value of each distance from 1 - length to length - 1 in each head; NaN if the key is masked. */
  function computeValues({
    preset,
    length,
    heads,
    maxBias,
    causal,
    buckets,
    maxDistance,
    bidirectional,
  }: View): number[][] {
    const distances = Array.from({ length: 2 * length - 1 }, (_, k) => k - length + 1);
    if (preset === 't5') {
      const { index } = relativeBuckets({ type: 't5', buckets, maxDistance, bidirectional });
      return [[...index(1, 2 * length - 1, { start: length - 1 }).data]];
    }
    const { bias } = alibi({ heads, maxBias });
    const rows = distances.map((distance) => bias(1, 1, { start: Math.abs(distance) }).data);
    return Array.from({ length: heads }, (_, head) =>
      rows.map((row, k) => (causal && distances[k] > 0 ? NaN : row[head])),
    );
  }

  async function expectMap(view: View) {
    const { preset, length, start, buckets, causal, head } = view;
    const heads = computeValues(view);
    const levels = heads[Math.min(head, heads.length - 1)];
    const most = preset === 'alibi' ? Math.abs(levels[0]) || 1 : buckets - 1;
    const values = new Float32Array(length * length);
    for (let row = 0; row < length; row++) {
      values.set(levels.slice(length - 1 - row, 2 * length - 1 - row), row * length);
    }
    // Masked cells show the background, which is hatched as their key is.
    await expectCells(page, '#bias', { values, columns: length, domain: [-most, most] });
    await expect(page.locator('#bias .masked')).toBeVisible({ visible: preset === 'alibi' && causal });
    for (const hatched of ['.plot canvas', '.masked i']) {
      await expect(page.locator(`#bias ${hatched}`)).toHaveCSS('background-image', /^linear-gradient/);
    }
    const far = start >= 1e5;
    for (const [side, name] of [
      ['rows', 'query'],
      ['columns', 'key'],
    ] as const) {
      const named = far ? `${name} − ${formatWhole(start)}` : name;
      await expectAxis(page, '#bias', side, { name: named, first: far ? 0 : start, count: length });
    }
    const marks = await page.locator('#bias .legend span').allTextContents();
    if (preset === 'alibi') {
      expect(Math.abs(parseNumber(marks[0]) / -most - 1)).toBeLessThan(6e-3);
      expect(marks.slice(1)).toEqual(['0', '']);
    } else expect(marks).toEqual(['', '0', String(buckets - 1)]);
    const axis = preset === 'alibi' ? 'bias' : 'bucket';
    await expect(
      page.getByRole('img', {
        name: `Map of the ${axis} of ${length} queries by ${length} keys from position ${start}.`,
        exact: true,
      }),
    ).toBeVisible();
    await expect(
      find
        .panel(page, 'Bias by distance')
        .getByText(
          preset === 't5'
            ? /^The bucket of each query/
            : causal
              ? /are masked: their cells have no bias\.$/
              : /slope in each head.+embeddings\.$/,
        ),
    ).toBeVisible();
  }

  async function expectLines(view: View) {
    const heads = computeValues(view);
    const { length } = view;
    const chosen = Math.min(view.head, heads.length - 1);
    const chart = await readChart(page, '#bias');
    expect(chart.names).toEqual(['key − query', view.preset === 'alibi' ? 'bias' : 'bucket']);
    const colours = await lineColours(page);
    const others = heads.filter((_, head) => head !== chosen);
    expect(chart.lines.length).toBe(heads.length);
    for (const [k, values] of [...others, heads[chosen]].entries()) {
      const line = chart.lines[k];
      const points = values.map((y, x) => [x - length + 1, y] as [number, number]);
      const seen = points.filter(([, y]) => !Number.isNaN(y));
      expectLine(chart, line, seen);
      if (view.preset === 'alibi') expectStraight(line.points.slice(0, length));
      const highlighted = k === others.length;
      expect(line.colour).toBe(colours[highlighted ? 1 : 2]);
      expect(line.alpha === 1).toBe(highlighted);
    }
    const some = heads.length > 1;
    await expect(find.figure(page, /^Lines? of the bi|^Line of the/)).toHaveAttribute(
      'aria-label',
      some ? new RegExp(`of ${heads.length} heads, with head ${chosen} highlighted,`) : /^Line of the/,
    );
  }

  /** Expects points on a straight line. */
  function expectStraight(points: [x: number, y: number][]) {
    const [[left, top], [right, bottom]] = [points[0], points[points.length - 1]];
    for (const [x, y] of points) {
      expect(Math.abs(y - top - ((x - left) * (bottom - top)) / (right - left))).toBeLessThan(0.01);
    }
  }

  async function expectWords(view: View) {
    const { preset, position, shift, start, length, heads, maxBias, causal, head } = view;
    const said = await readout(page, '#bias');
    const shown = position + shift >= start && position + shift < start + length;
    expect(said['query and key']).toBe(`${position} and ${position + shift}${shown ? '' : ' (not shown)'}`);
    expect(said['key − query'] ?? said['key - query']).toBe(String(shift));
    if (preset === 't5') return;
    await expect(find.number(page, 'Head')).toHaveValue(String(head));
    await expect(page.getByLabel('Head slider')).toHaveValue(String(Math.min(head, heads - 1)));
    await expect(page.getByLabel('Head slider')).toHaveAttribute('max', String(heads - 1));
    const { bias, slopes } = alibi({ heads, maxBias });
    const chosen = Math.min(head, heads - 1);
    expect(parseNumber(said['its slope'])).toBe(Number(slopes[chosen].toPrecision(6)));
    if (causal && shift > 0) {
      expect(said[`bias of head ${chosen}`]).toBe('none: masked');
      expect(said['weight in the softmax']).toBe('0');
      return;
    }
    const value = bias(1, 1, { start: Math.abs(shift) }).data[chosen];
    expect(parseNumber(said[`bias of head ${chosen}`])).toBe(Number(value.toPrecision(6)));
    const weight = parseNumber(said['weight in the softmax'].replace('times ', ''));
    expect(weight).toBe(Number(Math.exp(value).toPrecision(3)));
  }

  for (const [preset, patches] of [
    [
      'alibi',
      [
        {},
        { heads: 5, maxBias: 4, head: 3, shift: 3 },
        { start: 20, position: 23, shift: -10 },
        { causal: false, head: 100, start: 200000, position: 200005 },
      ],
    ],
    ['t5', [{}, { buckets: 8, maxDistance: 16, bidirectional: false, start: 7, position: 12, shift: 19 }]],
  ] as const) {
    test(`${preset}: map, lines, legend and read-out are those of the biases`, async () => {
      for (const patch of patches) {
        const set = { preset, length: 24, position: 9, shift: -2, ...patch };
        await showView(page, hashOfView(set), '#bias');
        await test.step(JSON.stringify(patch), async () => {
          const view = { ...INITIAL_VIEW, ...set };
          await expectMap(view);
          await expectLines(view);
          await expectWords(view);
        });
      }
      await expect(find.number(page, 'Head')).toBeVisible({ visible: preset === 'alibi' });
      await expect(page.locator('[data-field=dim]')).toBeHidden();
    });
  }

  test('a causal bias opens on a key that is seen, and a selection stays', async () => {
    const expectKey = async (pair: string, bias: RegExp) => {
      const said = await readout(page, '#bias');
      expect(said['query and key']).toBe(pair);
      expect(said['bias of head 0']).toMatch(bias);
    };
    await showView(page, '#preset=alibi', '#bias');
    await expectKey('5 and 1', /^-2$/);
    await showView(page, '#step=0', '#choose');
    await find.family(page).selectOption('alibi');
    await expectKey('5 and 1', /^-2$/);
    await expectRead(page, readHash).toBe('#preset=alibi');
    await hover(page, find.figure(page, /^Map of/), { row: 20, column: 60, rows: 128, columns: 128 });
    await expectKey('20 and 60', /masked/);
    await showView(page, '#position=9&shift=3', '#choose');
    await find.family(page).selectOption('alibi');
    await expectKey('9 and 12', /masked/);
    // The address doesn't say a shift of 8.
    await showView(page, '#preset=alibi&position=9', '#bias');
    await expectKey('9 and 17', /masked/);
  });

  test('longer texts are drawn in steps, which the panel says', async () => {
    await showView(page, hashOfView({ preset: 'alibi', length: 300, position: 100, shift: -40 }), '#bias');
    await expect(page.getByText('The map shows one in 2 of the 300 positions.', { exact: true })).toBeVisible();
    await expectAxis(page, '#bias', 'rows', { name: 'query', first: 0, count: 150, every: 2 });
    await hover(page, find.figure(page, /^Map of/), { row: 100, column: 30, rows: 150, columns: 150 });
    await page.mouse.down();
    await page.mouse.up();
    await expectRead(page, () => readout(page, '#bias')).toMatchObject({ 'query and key': '200 and 60' });
    await showView(page, hashOfView({ preset: 'alibi' }), '#bias');
    await expect(page.getByText(/^The map shows/)).toBeHidden();
  });

  test('one selection for map, lines, head and address', async () => {
    await showView(page, hashOfView({ preset: 'alibi', heads: 12, head: 9, start: 1000, position: 1060 }), '#bias');
    await hover(page, find.figure(page, /^Map of/), { row: 100, column: 30, rows: 128, columns: 128 });
    await page.mouse.down();
    await page.mouse.up();
    await expectRead(page, () => readout(page, '#bias')).toMatchObject({ 'query and key': '1100 and 1030' });
    await find.figure(page, /^Lines? of the bias/).focus();
    await page.keyboard.press('ArrowRight');
    await expectRead(page, () => readout(page, '#bias')).toMatchObject({ 'query and key': '1100 and 1031' });
    await expectRead(page, readHash).toMatch(/position=1100&shift=-69&head=9$/);
    await find.number(page, 'Head').fill('2');
    await expectRead(page, readHash).toMatch(/head=2$/);
    await page.getByLabel('Head slider').fill('1');
    await expectRead(page, readHash).toMatch(/head=1$/);
    await expect(find.number(page, 'Head')).toHaveValue('1');
    await find.number(page, 'Head').fill('200');
    await expect(
      page.getByText('Must be a whole number from 0 to 127. Still showing 1.', { exact: true }),
    ).toBeVisible();
  });

  for (const bidirectional of [true, false]) {
    test(`T5’s buckets${bidirectional ? '' : ' backwards'}: that of each distance, and what it holds`, async () => {
      const spec = { buckets: 20, maxDistance: 50, bidirectional };
      const { data } = relativeBuckets({ type: 't5', ...spec }).index(1, 401, { start: 200 });
      for (const shift of [-150, -31, -1, 0, 1, 12, 100]) {
        const view = hashOfView({ preset: 't5', ...spec, length: 300, position: 199, shift });
        await showView(page, view, '#bias');
        const said = await readout(page, '#bias');
        const bucket = data[200 + shift];
        const [first, last] = [data.indexOf(bucket) - 200, data.lastIndexOf(bucket) - 200];
        const one = first === last ? 'only this one' : `${first} to ${last}`;
        const ends = first === -200 ? `${last} and below` : last === 200 ? `${first} and above` : one;
        expect([said.bucket, said['distances in it']], `${shift}`).toEqual([String(bucket), ends]);
      }
    });
  }
});

test.describe('a model’s encoding', () => {
  const card = (selector: string) => page.locator(`#model ${selector}`);
  const model = () => find.panel(page, 'A model’s encoding');
  const figure = () => model().getByRole('link', { name: /^Its (table|biases) in Explore$/ });
  const frequencies = () => model().getByRole('link', { name: /frequencies/ });

  const facts = (): Promise<Record<string, string>> =>
    card('.facts div').evaluateAll((all) =>
      Object.fromEntries(all.map(({ children: [name, value] }) => [name.textContent, value.textContent])),
    );

  test('the config.json of Llama 3.1, pasted, is answered in place, and its links open Explore', async () => {
    await showView(page, 'dim=10&place=check', '#model');
    await expect(card('.card')).toBeHidden();
    await find.config(page).fill(JSON.stringify(EXAMPLE_MODELS['Llama 3.1 8B']));
    await expect(model().getByText('Rotary encoding', { exact: true })).toBeVisible();
    await expectRead(page, facts).toMatchObject({ 'columns that turn': 'all 128', base: '500,000' });
    await expect(model().getByRole('list', { name: 'What was assumed' })).toHaveText(
      'Not in the file, so as in transformers: layout half.',
    );
    await expect(card('.code pre')).toContainText("rotary({ dim: 128, base: 500000, layout: 'half', scaling: { type");
    await expectRead(page, () => violations(page, '#model')).toEqual([]);
    await expectRead(page, readHash, 'the panels stay').toBe('#dim=10&place=check');

    const preset = 'rotary' as const;
    const shown = { preset, dim: 128, base: 500000, scaling: LLAMA, span: 131072 };
    const link = frequencies();
    const href = hashOfView({ ...shown, show: 'frequencies', place: 'explore' });
    await expect(link).toHaveAttribute('href', href);
    await link.focus();
    await page.keyboard.press('Enter');
    await expectRead(page, readHash).toBe(href);
    await expect(find.figure(page, /^Lines of the wavelengths/)).toBeInViewport();
    await expect(page.getByText(/8192 positions, as trained\s*$/).first()).toBeVisible();
    await expect(find.panel(page, 'Explore')).toBeFocused();

    // The answer is still there.
    await page.goBack();
    await expectRead(page, readHash).toBe('#dim=10&place=check');
    await expect(model().getByText('Rotary encoding', { exact: true })).toBeVisible();
    await figure().click();
    await expectRead(page, readHash).toBe(hashOfView({ ...shown, show: 'table', place: 'explore' }));
    await expect(find.figure(page, /^Table of/)).toBeInViewport();
  });

  test('a model is chosen, opened or dropped; its part and layers too', async () => {
    await showView(page, 'place=check', '#model');
    const gemma = { model_type: 'gemma3_text', head_dim: 256, rope_theta: 1e6, rope_local_base_freq: 1e4 };
    const t5 = makeFile('config.json', JSON.stringify(EXAMPLE_MODELS['T5 small']));
    const t5Hash = '#preset=t5&bidirectional=no&show=bias';
    /** What is done, the address of the figure, its link, and the notes. */
    const asked: [() => Promise<unknown>, string, string, RegExp][] = [
      [
        () => find.model(page).selectOption('BLOOM 3B'),
        '#preset=alibi&heads=32&show=bias',
        'Its biases in Explore',
        /^$/,
      ],
      [
        () => find.model(page).selectOption('Whisper large v2'),
        '#preset=learned&dim=1280&rows=448&source=random&show=table',
        'Its table in Explore',
        /^Explore shows random rows, not the trained ones\.The decoder was taken: under “Part”/,
      ],
      [() => card('[type=file]').setInputFiles(t5), t5Hash, 'Its biases in Explore', /^The decoder was taken/],
      [
        () => drop(page, '#model', 'config.json', JSON.stringify(gemma)),
        '#preset=rotary&dim=256&show=table',
        'Its table in Explore',
        /layout half/,
      ],
      [
        () => page.getByLabel(/^full_attention, layers 5, 11/).check(),
        '#preset=rotary&dim=256&base=1000000&show=table',
        'Its table in Explore',
        /layout half/,
      ],
    ];
    for (const [ask, hash, link, notes] of asked) {
      await ask();
      await expectRead(page, readHash).toBe('#place=check');
      await expect(model().getByRole('alert')).toHaveText('');
      await expect(card('.card')).toBeVisible();
      await expect(figure()).toHaveText(link);
      await expect(figure()).toHaveAttribute('href', hash);
      await expect(frequencies()).toBeVisible({ visible: hash.includes('rotary') });
      await expect(card('.assumed')).toHaveText(notes);
    }
    // A cell for each layer.
    await expect(card('.bands .colour-0')).toHaveCount(22);
    await expect(card('.bands .colour-1')).toHaveCount(4);
    await expectRead(page, () => violations(page, '#model')).toEqual([]);
    await expect(model().getByRole('img')).toHaveAttribute(
      'aria-label',
      /^sliding_attention, layers 0–4, .*; full_attention, lay/,
    );
    await expect(page.getByLabel('Part', { exact: true })).toBeHidden();
    // What was chosen for one file doesn't apply to the next.
    await act(page, () => card('[type=file]').setInputFiles(t5));
    await expect(find.model(page)).toHaveValue('');
    await expect(page.getByLabel('Part', { exact: true })).toHaveValue('decoder');
    await expect(card('.layers')).toBeHidden();
    await expect(find.config(page)).toHaveValue(JSON.stringify(EXAMPLE_MODELS['T5 small']));
    await expectRead(page, async () => (await facts()).tensor).toMatch(/^decoder\.block\.0\..+\.weight$/);
  });

  // The other reasons are those of tests/js/families.test.ts.
  test('a model without a figure here is answered without links', async () => {
    await showView(page, 'dim=10&place=check', '#model');
    await find.config(page).fill(JSON.stringify({ model_type: 'llama', head_dim: 8192 }));
    await expect(
      model().getByText(/^The page can’t show this model: dim must be a whole number from 1 to 4096\.$/),
    ).toBeVisible();
    await expect(card('.code pre')).toHaveText(/= rotary\(\{/);
    for (const link of [figure(), frequencies()]) await expect(link).toBeHidden();
    await expect(model().getByRole('alert')).toHaveText('');
    await expectRead(page, readHash).toBe('#dim=10&place=check');
  });

  test('a file that can’t be read is refused with a reason, has no card, and the view stays', async () => {
    await showView(page, 'dim=10&place=check', '#model');
    const problem = model().getByRole('alert');
    for (const [content, message] of [
      ['{', /^This is not JSON: /],
      [{ model_type: 'nothing' }, /^Model_type "nothing" names no encoding/i],
    ] as [string | object, RegExp][]) {
      await find.config(page).fill(JSON.stringify(EXAMPLE_MODELS['BLOOM 3B']));
      await expect(card('.card')).toBeVisible();
      await find.config(page).fill(typeof content === 'string' ? content : JSON.stringify(content));
      await expect(problem).toHaveText(message);
      await expect(card('.card')).toBeHidden();
      await expect(card('.verdict')).toHaveText('');
      await expect(find.config(page)).toHaveAttribute('aria-invalid', 'true');
      await expectRead(page, readHash).toBe('#dim=10&place=check');
    }
    await card('[type=file]').setInputFiles(makeFile('big.json', Buffer.alloc(2 ** 20 + 1)));
    await expect(problem).toHaveText(/big\.json is too large for the config\.json of a model\.$/i);
    await act(page, () => find.config(page).fill(''));
    await expect(problem).toHaveText('');
    await expect(find.config(page)).toHaveAttribute('aria-invalid', 'false');
  });
});
