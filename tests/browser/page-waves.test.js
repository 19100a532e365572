import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'posenc';
import { bringNear, settle, startPage, text } from './helpers.js';

const posenc = await load();

describe('waves and clocks', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /** @param {import('playwright-core').Page} page */
  const tableRows = async (page) => {
    await bringNear(page, '#waves');
    return page
      .locator('#waves tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').replace('−', '-'))),
      );
  };

  /** @param {import('playwright-core').Page} page */
  const hands = async (page) => {
    await bringNear(page, '#clocks');
    await page.locator('.dials li').first().waitFor();
    return page
      .locator('.dials li')
      .evaluateAll((dials) =>
        dials.map((dial) => [
          Number(dial.querySelector('.pair')?.textContent),
          Number(dial.querySelector('.hand')?.getAttribute('x2')) / 20,
          Number(dial.querySelector('.hand')?.getAttribute('y2')) / -20,
        ]),
      );
  };

  test('the lines are the table’s columns, whatever their order', async () => {
    for (const preset of /** @type {const} */ (['transformer', 'tensor2tensor', 'mlx'])) {
      const { page, problems } = await site.open(`#preset=${preset}&dim=8&position=9&waves=0,1,4,5`);
      const encoding = posenc.sinusoidal({ dim: 8, preset });
      const { data } = encoding.encode([9]);
      const rows = await tableRows(page);
      assert.deepEqual(
        rows.map(([dimension]) => dimension),
        ['0', '1', '4', '5'],
      );
      for (const [dimension, wave, period, value] of rows) {
        const column = Number(dimension);
        const interleaved = preset === 'transformer';
        assert.equal(wave, (interleaved ? column % 2 === 0 : column < 4) ? 'sine' : 'cosine');
        const frequency = encoding.frequencies[interleaved ? column >> 1 : column % 4];
        const wavelength = (2 * Math.PI) / frequency;
        assert.ok(
          Math.abs(Number(period.replace(',', '')) / wavelength - 1) < 1e-3,
          `${preset} ${dimension}: ${period}`,
        );
        assert.ok(Math.abs(Number(value) - data[column]) < 6e-7, `${preset} ${dimension}: ${value}`);
      }
      assert.deepEqual(problems, []);
      await page.close();
    }
  });

  test('waves too fast for the length are left out, and said', async () => {
    const { page } = await site.open('#length=1048576&waves=0,60,70');
    assert.equal(
      (await text(page, '#waves .missing')).trim(),
      'Not in this table: 70. Too fast to draw at this length: 0.',
    );
    assert.equal((await tableRows(page)).length, 2);
    await page.close();
  });

  test('the keyboard moves the position, here and everywhere', async () => {
    const { page } = await site.open();
    await bringNear(page, '#waves .chart');
    await page.locator('#waves .chart').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal(await text(page, '#waves .at'), 'at position 7');
    assert.match(await text(page, '#clocks output'), /^Position 7:/);
    assert.match(page.url(), /position=7/);
    await page.close();
  });

  test('each hand points to its pair’s sine and cosine', async () => {
    for (const [hash, spec] of /** @type {const} */ ([
      ['#position=5', { dim: 64 }],
      ['#preset=roformer&dim=7&position=100', { dim: 7, preset: 'roformer' }],
      ['#preset=mlx&dim=32&position=3', { dim: 32, preset: 'mlx' }],
      ['#layout=cos-sin&dim=12&start=9007199254740800&position=9007199254740900', { dim: 12, layout: 'cos-sin' }],
    ])) {
      const { page, problems } = await site.open(hash);
      const position = Number(new URLSearchParams(hash.slice(1)).get('position'));
      const { frequencies } = posenc.sinusoidal(spec);
      // The turn of each hand, from the paper's columns at the same frequencies.
      const shown = await hands(page);
      assert.equal(shown.length, Math.floor(spec.dim / 2));
      for (const [pair, sine, cosine] of shown) {
        const at = posenc.sinusoidal({ dim: 2, maxFrequency: frequencies[pair] }).encode([position]).data;
        // Far out a frequency rounded to float64 is not the same frequency.
        if (position < 1e6) assert.ok(Math.hypot(sine - at[0], cosine - at[1]) < 1e-6, `${hash}, pair ${pair}`);
        assert.ok(Math.abs(Math.hypot(sine, cosine) - 1) < 1e-6, `${hash}, pair ${pair}`);
      }
      assert.deepEqual(problems, []);
      await page.close();
    }
  });

  test('many pairs: some have clocks, and it is said how many', async () => {
    const { page } = await site.open('#dim=1024');
    const shown = await hands(page);
    assert.equal(shown.length, 32);
    assert.deepEqual([shown[0][0], shown[31][0]], [0, 511]);
    assert.equal(await text(page, '#clocks .note'), '32 of 512 pairs have a clock here.');
    await page.close();
  });

  test('buttons, slider and play move the hands to the last position', async () => {
    const { page, problems } = await site.open('#length=12');
    await bringNear(page, '#clocks');
    await page.getByRole('button', { name: '+1, one position on' }).click();
    await settle(page);
    assert.match(await text(page, '#clocks output'), /^Position 6:/);
    await page.getByLabel('Position', { exact: true }).fill('9');
    await settle(page);
    assert.match(await text(page, '#clocks output'), /^Position 9:/);
    await page.selectOption('#clocks select', '16');
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await settle(page);
    assert.match(await text(page, '#clocks output'), /^Position 11:/);
    assert.match(page.url(), /position=11/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('with reduced motion the hands go from position to position', async () => {
    const { page } = await site.open('#length=4&position=0', { reducedMotion: 'reduce' });
    await bringNear(page, '#clocks');
    const seen = await page.evaluate(async () => {
      const hand = /** @type {Element} */ (document.querySelector('.hand'));
      const button = /** @type {HTMLButtonElement} */ (document.querySelector('#clocks .play'));
      const found = new Set([hand.getAttribute('x2')]);
      button.click();
      while (button.textContent !== 'Play') {
        await new Promise(requestAnimationFrame);
        found.add(hand.getAttribute('x2'));
      }
      return found.size;
    });
    assert.ok(seen <= 4, `${seen} places of a hand at 4 positions`);
    await page.close();
  });
});
