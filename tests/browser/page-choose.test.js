import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'posenc';
import { writeNpy } from 'posenc/files';
import { bringNear, hashOf, openSettings, readout, settle, startPage, text, visitAll } from './helpers.js';

const posenc = await load();

describe('choosing an encoding', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} preset
   */
  const radio = (page, preset) => page.locator(`.presets input[value=${preset}]`);

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} preset
   */
  const pick = async (page, preset) => {
    if (preset === 'learned') return page.selectOption('.family', 'learned');
    if ((await page.inputValue('.family')) !== 'sinusoidal') await page.selectOption('.family', 'sinusoidal');
    await openSettings(page);
    await radio(page, preset).check();
  };

  /** @param {import('playwright-core').Page} page */
  const settings = async (page) => Object.fromEntries(new URLSearchParams((await hashOf(page)).slice(1)));

  /**
   * A formula's words, with plain signs and no spaces.
   *
   * @param {import('playwright-core').Page} page
   */
  const formulas = async (page) => {
    await openSettings(page);
    return (await text(page, '.shown math')).replaceAll('−', '-').replaceAll(/\s/g, '');
  };

  test('every preset shows its own table and its own formula', async () => {
    const { page, problems } = await site.open('#position=7&dimension=10');
    const cases = /** @type {const} */ ([
      ['tensor2tensor', 0, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['fairseq', 2, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['roformer', 0, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-2i/64'],
      ['diffusers', 0, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['ctranslate2', 1, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['mlx', 0, 'PE(p,i)=0.176777·sin(pωi)PE(p,32+i)=0.176777·cos(pωi)ωi=10000-i/31'],
      ['tatp22', 0, 'PE(p,2i)=sin(pωi)PE(p,2i+1)=cos(pωi)ωi=10000-2i/64'],
      ['transformer', 0, 'PE(p,2i)=sin(pωi)PE(p,2i+1)=cos(pωi)ωi=10000-2i/64'],
    ]);
    for (const [preset, start, formula] of cases) {
      await pick(page, preset);
      await settle(page);
      assert.equal(await formulas(page), formula, preset);
      assert.equal(await page.inputValue('#start'), String(start), preset);
      assert.equal((await settings(page)).preset ?? 'transformer', preset);
      const value = posenc.sinusoidal({ dim: 64, preset }).encode([7]).data[10];
      assert.ok(Math.abs(Number((await readout(page, '#table')).value) - value) < 6e-7, preset);
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a learned table has rows that are PyTorch’s, and no waves to set', async () => {
    const { page } = await site.open('#position=7&dimension=10&start=2000&length=100');
    await pick(page, 'learned');
    await settle(page);
    // Beyond its rows there is nothing to show.
    assert.equal(await page.inputValue('#start'), '924');
    assert.equal(await formulas(page), 'PE(p,j)=Wp,jW∈ℝ1024×64');
    assert.equal(await page.locator('#base').isVisible(), false);
    await page.fill('#start', '0');
    await settle(page);
    const value = posenc.embedding({ rows: 1024, dim: 64, seed: 0 }).weights[7 * 64 + 10];
    assert.ok(Math.abs(Number((await readout(page, '#table')).value) - value) < 6e-7);
    await page.fill('#start', '1000');
    assert.match(await text(page, '#start-error'), /only the positions 0 to 1023\. Still showing 0\.$/);
    await page.close();
  });

  test('texts about waves are not shown for a learned table', async () => {
    const { page, problems } = await site.open('#preset=learned&dim=2048&length=20');
    await visitAll(page);
    const said = await page
      .locator('#panels :is(.caption, .sampling, .verdict, .which, .formula-line)')
      .evaluateAll((nodes) => {
        // innerText omits panels out of sight, which are not laid out.
        for (const panel of document.querySelectorAll('.away')) {
          /** @type {HTMLElement} */ (panel).style.contentVisibility = 'visible';
        }
        return nodes
          .filter((node) => node.checkVisibility())
          .map((node) => /** @type {HTMLElement} */ (node).innerText);
      });
    assert.ok(
      said.some((text) => /each pixel shows a mean\./.test(text)),
      said.join('\n'),
    );
    assert.ok(said.some((text) => text.includes('from the random numbers that PyTorch draws')));
    const ofWaves = /\bsin|\bcos\b|\bcosines\b|\bcosine of\b|frequenc|\bwaves?\b|\bhands?\b|arithmetic|float64|ω/i;
    assert.deepEqual(
      said.filter((text) => ofWaves.test(text)),
      [],
    );
    await pick(page, 'transformer');
    await visitAll(page);
    for (const panel of ['clocks', 'precision']) {
      assert.equal(await page.locator(`#${panel} > .caption`).isVisible(), true, panel);
    }
    for (const law of await page.locator('#similarity .laws .formula-line').all()) {
      assert.equal(await law.isVisible(), true);
    }
    assert.match(await text(page, '#take .made'), /formula in float64/);
    assert.match(await text(page, '#table .sampling'), /waves fade out/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a learned table is read from a file, and other files are refused', async () => {
    const { page, problems } = await site.open('#preset=learned&position=2&dimension=1');
    await openSettings(page);
    const weights = Float32Array.from({ length: 40 }, (_, i) => (i - 20) / 7);
    const npy = writeNpy({ data: weights, shape: [1, 10, 4] });
    const choose = (/** @type {string} */ name, /** @type {Uint8Array | string} */ content) =>
      page.setInputFiles('.upload input', { name, mimeType: '', buffer: Buffer.from(content) });
    await choose('positions.npy', npy);
    await page.getByText('The rows of positions.npy.').waitFor();
    assert.equal(await page.inputValue('#dim'), '4');
    assert.equal(await page.inputValue('#rows'), '10');
    assert.equal(await page.inputValue('#length'), '10');
    assert.ok(Math.abs(Number((await readout(page, '#table')).value) - weights[9]) < 1e-6);
    assert.equal((await settings(page)).file, undefined, 'it does not travel in the link');
    assert.deepEqual(await page.locator('#table .legend span').allTextContents(), ['−2.86', '0', '2.86']);
    assert.match(await text(page, '#table [part=caption]'), /Its values are shown as they were given\./);

    await choose('noise.npy', 'this is none');
    await page.getByText('Not shown:').waitFor();
    assert.ok(Math.abs(Number((await readout(page, '#table')).value) - weights[9]) < 1e-6, 'the last table stays');
    await choose('wide.csv', `${'1,'.repeat(5000)}1\n${'1,'.repeat(5000)}1\n`);
    await page
      .getByText('Not shown: wide.csv: Up to 4096 dimensions are shown. This has the shape [2, 5001].')
      .waitFor();
    for (const [name, content, reason] of [
      [
        'axes.npy',
        writeNpy({ data: weights, shape: [2, 5, 4] }),
        'A table must have the shape [length, dim] or [1, length, dim]. This has the shape [2, 5, 4].',
      ],
      ['nan.npy', writeNpy({ data: new Float32Array(8).fill(NaN), shape: [4, 2] }), 'All values are NaN.'],
      ['binary.csv', new Uint8Array(64), 'This is neither text nor a .npy, .npz or .safetensors file.'],
    ]) {
      await choose(String(name), content);
      await page.getByText(`Not shown: ${name}: ${reason}`).waitFor();
    }
    await pick(page, 'transformer');
    await settle(page);
    assert.equal(await page.locator('.upload').isVisible(), false);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('after a short file a longer one is shown as a whole, and a part stays a part', async () => {
    const { page, problems } = await site.open('#preset=learned');
    await openSettings(page);
    const choose = async (/** @type {string} */ name, /** @type {number} */ rows) => {
      const data = Float32Array.from({ length: rows * 2 }, (_, i) => i);
      const buffer = Buffer.from(writeNpy({ data, shape: [rows, 2] }));
      await page.setInputFiles('.upload input', { name, mimeType: '', buffer });
      await page.getByText(`The rows of ${name}.`).waitFor();
      return page.inputValue('#length');
    };
    assert.equal(await choose('short.npy', 10), '10');
    assert.equal(await choose('long.npy', 300), '300');
    await page.fill('#length', '20');
    assert.equal(await choose('longer.npy', 400), '20');
    assert.equal(await choose('shorter.npy', 15), '15');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('every other setting changes the table and is kept in the link', async () => {
    const { page } = await site.open('#position=3&dimension=4&dim=9');
    await openSettings(page);
    await page.selectOption('#layout', 'cos-sin');
    await page.selectOption('#endpoint', 'yes');
    await page.selectOption('#odd', 'pad');
    await page.fill('#maxFrequency', '0.5');
    await page.fill('#scale', '2');
    await page.locator('#scale').blur();
    await settle(page);
    const spec = { dim: 9, layout: 'cos-sin', endpoint: true, odd: 'pad', maxFrequency: 0.5, scale: 2 };
    const value = posenc.sinusoidal(/** @type {any} */ (spec)).encode([3]).data[4];
    assert.ok(Math.abs(Number((await readout(page, '#table')).value) - value) < 6e-7);
    assert.equal(await formulas(page), 'PE(p,i)=2·cos(pωi)PE(p,5+i)=2·sin(pωi)ωi=0.5·10000-i/4');
    assert.match(await text(page, '.shown'), /The last column is that of dim \+ 1\./);
    const link = await hashOf(page);
    await page.close();
    const { page: again } = await site.open(link);
    assert.ok(Math.abs(Number((await readout(again, '#table')).value) - value) < 6e-7);
    await openSettings(again);
    assert.equal(await again.inputValue('#layout'), 'cos-sin');
    await again.close();
  });

  test('invalid settings are refused with a reason, and nothing is lost', async () => {
    const { page, problems } = await site.open('#dim=65');
    await openSettings(page);
    await radio(page, 'mlx').click();
    assert.match(await text(page, '.presets + .error'), /dim must be even in this encoding, got 65/);
    assert.equal(await radio(page, 'transformer').isChecked(), true);
    await pick(page, 'roformer');
    await settle(page);
    assert.equal(await text(page, '.presets + .error'), '');
    await page.fill('#dim', '5000');
    assert.match(await text(page, '#dim-error'), /^Must be a whole number from 1 to 4096\. Still showing 65\.$/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the keyboard goes through the presets', async () => {
    const { page } = await site.open();
    await openSettings(page);
    await radio(page, 'transformer').focus();
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal((await settings(page)).preset, 'tensor2tensor');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await settle(page);
    assert.equal((await settings(page)).preset, 'tatp22');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('#settings').isVisible(), false);
    await page.locator('.family').focus();
    await page.keyboard.press('ArrowDown');
    await settle(page);
    assert.equal((await settings(page)).preset, 'learned');
    await bringNear(page, '#clocks');
    assert.equal(await page.locator('#clocks .none').isVisible(), true);
    await page.close();
  });

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`in forced colours the chosen preset stands out, ${colorScheme}`, async () => {
      const { page, problems } = await site.open('#step=0', { forcedColors: 'active', colorScheme });
      /** The system colours of each preset. */
      const painted = () =>
        page.locator('.chip').evaluateAll((chips) => {
          const probe = document.body.appendChild(document.createElement('i'));
          const names = ['Highlight', 'HighlightText', 'Canvas', 'CanvasText'].map((name) => {
            probe.style.color = name;
            return [getComputedStyle(probe).color, name];
          });
          probe.remove();
          const nameOf = (/** @type {string} */ colour) => names.find(([known]) => known === colour)?.[1] ?? colour;
          return chips.map((chip) => {
            const { color, backgroundColor } = getComputedStyle(chip);
            const sketch = getComputedStyle(/** @type {Element} */ (chip.querySelector('.sketch'))).color;
            return [backgroundColor, color, sketch].map(nameOf).join(' ');
          });
        });
      await openSettings(page);
      const chosen = 'Highlight HighlightText HighlightText';
      const first = await painted();
      assert.deepEqual([first[0], first.lastIndexOf(chosen)], [chosen, 0]);
      await pick(page, 'mlx');
      await settle(page);
      const second = await painted();
      assert.deepEqual([second.indexOf(chosen), second.lastIndexOf(chosen)], [6, 6]);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }
});
