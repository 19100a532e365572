import type { Locator, Page } from '@playwright/test';
import { load, rotary } from 'posenc';
import { computeScores, distancesTo } from '../../web/page/explore/score.ts';
import { expectRings, readChart, recordLines } from './figures.ts';
import {
  act,
  expect,
  expectRead,
  find,
  measureBox,
  page,
  readHash,
  settled,
  sharePage,
  showView,
  test,
} from './page.ts';

await load();

const STEP = '#story .rope';
const PANEL = '#rope';
const encoding = rotary({ dim: 64 });
const scoreAt = (distance: number) => computeScores(encoding, distance, [0])[0].toFixed(2).replace('-', '−');

/**
 * The parts of the figure.
 *
 * @param root selector
 */
const findParts = (page: Page, root: string) => {
  const figure = page.locator(root);
  return {
    figure,
    query: figure.getByRole('slider', { name: 'Query at m =' }),
    key: figure.getByRole('slider', { name: 'Key at n =' }),
    pair: figure.getByRole('slider', { name: 'Pair' }),
    both: figure.getByRole('checkbox', { name: 'Move both' }),
    score: figure.locator('.figure-number b'),
    how: figure.locator('.how'),
    chart: figure.locator('.chart'),
  };
};

/**
 * The positions beside the sliders.
 *
 * @param root selector
 */
async function readPlaces(page: Page, root: string) {
  await settled(page);
  return page.locator(`${root} :is(.query, .key) b`).allTextContents();
}

/** The directions of the hands in degrees, clockwise from the top. */
const readDirections = (figure: Locator) =>
  figure.locator('.hand .drawn').evaluateAll((lines) =>
    Object.fromEntries(
      lines.map((line) => {
        const [x, y] = ['x2', 'y2'].map((end) => Number(line.getAttribute(end)));
        const name = line.parentElement?.classList.contains('query') ? 'query' : 'key';
        return [name, ((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360];
      }),
    ),
  );

/**
 * Drags a hand around the clock.
 *
 * @param root selector
 * @param degrees clockwise
 */
async function drag(
  page: Page,
  root: string,
  name: 'query' | 'key',
  degrees: number,
  button: 'left' | 'right' = 'left',
) {
  const figure = page.locator(root);
  const from = (await readDirections(figure))[name];
  const { x, y, width, height } = await measureBox(figure.locator('.face svg'));
  const radius = (0.8 * 14 * width) / 56;
  const move = (direction: number) => {
    const angle = (direction * Math.PI) / 180;
    return page.mouse.move(x + width / 2 + radius * Math.sin(angle), y + height / 2 - radius * Math.cos(angle));
  };
  await move(from);
  await page.mouse.down({ button });
  for (let part = 1; part <= 8; part++) await move(from + (degrees * part) / 8);
  await page.mouse.up({ button });
  await settled(page);
}

test.describe('the query and the key', () => {
  sharePage((site) => site.open('#step=7', {}, recordLines));

  const show = (hash: string, root = STEP) => showView(page, hash, root);

  test('the step’s figure has the score of its two positions', async () => {
    await show('#step=7');
    const { score, how, figure, pair } = findParts(page, STEP);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['5', '2']);
    await expect(score).toHaveText('0.80');
    await expect(how).toHaveText('3 apart; this pair’s hands are 17.19° apart, cosine 0.96');
    await expect(pair).toHaveAttribute('aria-valuetext', '8: 5.73° per position');
    const { query, key } = await readDirections(figure);
    expect([query, key].map((degrees) => degrees.toFixed(1))).toEqual(['28.6', '11.5']);
    await expect(page.locator(STEP).locator('[id]'), 'a page may have two of it').toHaveCount(0);
  });

  test('a dragged hand takes the other along, and the score stays', async () => {
    await show('#step=7');
    const { score, how, both } = findParts(page, STEP);
    await expect(both).toBeChecked();
    const before = await how.textContent();
    await drag(page, STEP, 'query', 10 * 5.73, 'right');
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['5', '2']);
    await drag(page, STEP, 'query', 10 * 5.73);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['15', '12']);
    await drag(page, STEP, 'key', -4 * 5.73);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['11', '8']);
    await expect(score).toHaveText('0.80');
    await expect(how).toHaveText(before ?? '');
    // The whole way round and on.
    await drag(page, STEP, 'key', 360 + 5 * 5.73);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['79', '76']);
    await drag(page, STEP, 'query', -3 * 360);
    await expectRead(page, () => readPlaces(page, STEP), 'as far as the first position').toEqual(['3', '0']);
    await expectRead(page, readHash).toBe('#step=7&position=0');
  });

  test('a hand dragged alone changes the distance and the score', async () => {
    await show('#step=7&together=no');
    const { score, how } = findParts(page, STEP);
    await drag(page, STEP, 'query', 5 * 5.73);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['10', '2']);
    await expect(score).toHaveText(scoreAt(8));
    await drag(page, STEP, 'key', 16 * 5.73);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['10', '18']);
    await expect(score).toHaveText(scoreAt(8));
    await expect(how).toHaveText('8 apart; this pair’s hands are 45.84° apart, cosine 0.70');
    await expectRead(page, readHash).toBe('#step=7&position=18&shift=-8&together=no');
  });

  test('keys move the hands and choose the pair', async () => {
    const { query, key, pair, both, score, figure } = findParts(page, STEP);
    await show('#step=7&position=40&shift=-8');
    await query.press('End');
    await expectRead(page, () => readPlaces(page, STEP), 'the key is further on').toEqual(['503', '511']);
    await expectRead(page, readHash).toBe('#step=7&position=511&shift=-8');
    await show('#step=7');
    await query.focus();
    for (const name of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(name);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['6', '3']);
    await page.keyboard.press('End');
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['511', '508']);
    await expect(score).toHaveText('0.80');
    await both.uncheck();
    await key.focus();
    await page.keyboard.press('Home');
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['511', '0']);
    await expect(score).toHaveText(scoreAt(511));
    const known = { Home: '0: 57.3° per position', End: '31: 0.00764° per position' };
    for (const [name, said] of Object.entries(known)) {
      await pair.press(name);
      await expect(pair).toHaveAttribute('aria-valuetext', said);
      const frequency = encoding.frequencies[name === 'Home' ? 0 : 31];
      const expected = (((511 * frequency * 180) / Math.PI) % 360).toFixed(3);
      await expectRead(page, async () => (await readDirections(figure)).query.toFixed(3)).toBe(expected);
      await expect(score, 'the score is that of all pairs').toHaveText(scoreAt(511));
    }
    await expectRead(page, readHash).toBe('#step=7&position=0&dimension=31&shift=511&together=no');
  });

  test('two sliders that move within a frame are both followed', async () => {
    for (const [hash, root] of [
      ['#step=7', STEP],
      ['#preset=rotary&length=512&position=2&shift=3&show=rope', PANEL],
    ]) {
      await show(hash, root);
      await act(page, () => findParts(page, root).both.uncheck());
      await page.locator(root).evaluate((figure) => {
        for (const name of ['query', 'key']) {
          const slider = figure.querySelector(`.${name} input`) as HTMLInputElement;
          slider.stepUp(20);
          slider.dispatchEvent(new Event('input', { bubbles: true }));
        }
      });
      await expectRead(page, () => readPlaces(page, root)).toEqual(['25', '22']);
    }
  });

  test('the curve has the present distance marked, and a click on it sets another', async () => {
    await show('#step=7');
    const { chart, score } = findParts(page, STEP);
    const values = computeScores(encoding, 0, distancesTo(511, 64));
    await expectRings(page, STEP, await readChart(page, STEP, { bendX: Math.log1p }), [[3, values[3]]]);
    const plot = await measureBox(chart.locator('.u-over'));
    await page.mouse.click(plot.x + (plot.width * Math.log(65)) / Math.log(512), plot.y + plot.height / 2);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['66', '2']);
    await expect(score).toHaveText('0.43');
    await chart.focus();
    await page.keyboard.press('Home');
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['2', '2']);
    await expect(score).toHaveText('1.00');
  });

  test('playing moves both, and the score stays', async () => {
    await show('#step=7');
    const { figure, score } = findParts(page, STEP);
    await figure.getByRole('button', { name: 'Play' }).click();
    await expect(figure.locator('.query b')).toHaveText(/^\d\d/);
    await expect(score).toHaveText('0.80');
    await figure.getByRole('button', { name: 'Pause' }).click();
    const [query, key] = (await readPlaces(page, STEP)).map(Number);
    expect(query - key).toBe(3);
  });

  test('playing ends where the query has no position', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    await show(`#preset=rotary&dim=8&length=8&start=${last - 7}&position=${last - 5}&shift=4`, PANEL);
    const { figure } = findParts(page, PANEL);
    await figure.getByRole('button', { name: 'Play' }).click();
    await expect(figure.locator('.problem')).toHaveText(/There is no position/);
    await expect(figure.locator('.play')).toHaveCount(0);
  });

  test('with another encoding of the page the step still turns', async ({ open }) => {
    const { page } = await open('#step=7&preset=transformer');
    await expect(findParts(page, STEP).score).toHaveText('0.80');
    await expect(page.locator(PANEL)).toBeHidden();
    await showView(page, '#step=7&preset=alibi', STEP);
    await expect(findParts(page, STEP).score).toHaveText('0.80');
  });

  test('the panel shows the page’s own encoding, at any positions', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    const start = last - 127;
    await show(`#preset=rotary&dim=128&base=500000&start=${start}&position=${last - 32}&shift=32`, PANEL);
    const { score, query, key, figure } = findParts(page, PANEL);
    const llama = rotary({ dim: 128, base: 500_000 });
    await expect(score).toHaveText('0.70');
    await expectRead(page, () => readPlaces(page, PANEL)).toEqual(['9,007,199,254,740,991', '9,007,199,254,740,959']);
    const { cos, sin } = llama.tables([last]);
    const direction = ((Math.atan2(sin.data[4], cos.data[4]) * 180) / Math.PI + 360) % 360;
    await expectRead(page, async () => (await readDirections(figure)).query).toBeCloseTo(direction, 3);
    await query.press('ArrowLeft');
    await expectRead(page, () => readPlaces(page, PANEL)).toEqual(['9,007,199,254,740,990', '9,007,199,254,740,958']);
    await key.press('Home');
    await expectRead(page, () => readPlaces(page, PANEL)).toEqual(['9,007,199,254,740,896', '9,007,199,254,740,864']);
    await show(`#preset=rotary&start=${start}&position=${last}&shift=8`, PANEL);
    await expect(page.locator(`${PANEL} .problem`)).toHaveText(/There is no position/);
    await expect(figure.locator('.face')).toBeHidden();
  });

  test('the panel says what else its score depends on', async () => {
    for (const [setting, said] of [
      ['', /q · k \/ 64, is the mean cosine of the angles of all 32 pairs\./],
      ['&rotaryDim=32', /16 pairs\..*The 32 columns that don’t turn/],
      [
        '&scaling=yarn+factor%3D4+originalMaxPositionEmbeddings%3D4096',
        /The attention factor multiplies cosines by 1\.3/,
      ],
      ['&numerics=bfloat16', /In bfloat16 the angles are rounded/],
    ] as [string, RegExp][]) {
      await show(`#preset=rotary${setting}`, PANEL);
      await expect(page.locator(`${PANEL} .made`), setting).toHaveText(said);
    }
    await show('#preset=rotary&rotaryDim=32&position=5&dimension=40', PANEL);
    await expect(findParts(page, PANEL).pair, 'that dimension does not turn').toHaveValue('0');
  });

  test('nothing moves below the figure when the step comes', async () => {
    const heights = [];
    for (const step of [6, 7]) {
      await show(`#step=${step}`, '#story');
      heights.push((await measureBox(find.steps(page))).y);
    }
    expect(heights[1]).toBeCloseTo(heights[0], 0);
  });

  test('on a phone a finger drags its hands but scrolls elsewhere', async ({ open }) => {
    const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await open('#step=7', options);
    const { score, figure } = findParts(page, STEP);
    const { x, y, width, height } = await measureBox(figure.locator('.face svg'));
    const debug = await page.context().newCDPSession(page);
    const pointAt = (degrees: number) => {
      const angle = (degrees * Math.PI) / 180;
      return { x: x + width / 2 + 0.25 * width * Math.sin(angle), y: y + height / 2 - 0.25 * width * Math.cos(angle) };
    };
    const swipe = async ([first, ...points]: { x: number; y: number }[]) => {
      await debug.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [first] });
      for (const point of points)
        await debug.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] });
      await debug.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await settled(page);
    };
    const { query } = await readDirections(figure);
    await swipe(Array.from({ length: 12 }, (_, k) => pointAt(query + k * 2 * 5.73)));
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['27', '24']);
    await expect(score).toHaveText('0.80');
    await expectRead(page, () => page.evaluate(() => scrollY)).toBe(0);
    // The hands point down and to the left by now.
    const elsewhere = pointAt(0);
    await swipe(Array.from({ length: 12 }, (_, k) => ({ ...elsewhere, y: elsewhere.y - 10 * k })));
    await expectRead(page, () => page.evaluate(() => scrollY)).toBeGreaterThan(50);
    await expectRead(page, () => readPlaces(page, STEP)).toEqual(['27', '24']);
  });
});
