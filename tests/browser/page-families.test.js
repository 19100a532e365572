import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'posenc';
import { bringNear, numberOf, readout, settle, showView, startPage, text, violations, visitAll } from './helpers.js';

const { rotary } = await load();

/** Llama 3.1's. @type {import('posenc').Llama3Scaling} */
const LLAMA = { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 };
const LLAMA_HASH =
  '#preset=rotary&dim=128&base=500000&scaling=llama3+factor%3D8+lowFreqFactor%3D1+highFreqFactor%3D4+originalMaxPositionEmbeddings%3D8192';

const COMMON = ['choose', 'table', 'waves', 'clocks', 'similarity', 'precision'];
/** What each family shows. @type {Record<string, string[]>} */
const SHOWN = {
  transformer: [...COMMON, 'addition', 'check', 'take'],
  learned: [...COMMON, 'addition', 'check', 'take'],
  rotary: [...COMMON.slice(0, -1), 'frequencies', 'precision', 'check', 'take'],
};

describe('families of encodings', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} selector
   */
  const idsOf = (page, selector) =>
    page
      .locator(selector)
      .evaluateAll((nodes) =>
        nodes
          .filter((node) => node.checkVisibility())
          .map((node) => node.id || String(node.getAttribute('href')).slice(1)),
      );

  test('each shows its panels and the links to them, and no others', async () => {
    const { page, problems } = await site.open();
    for (const [preset, ids] of Object.entries(SHOWN)) {
      await showView(page, `preset=${preset}`, '#choose', `.presets input[value=${preset}]:checked`);
      await visitAll(page);
      assert.deepEqual(await idsOf(page, '#panels section[id]'), ids, preset);
      assert.deepEqual(await idsOf(page, 'nav a'), ids, preset);
    }
    assert.deepEqual(problems, []);
  });

  test('a choice of family leaves no panel of the one before', async () => {
    const { page, problems } = await site.open();
    await visitAll(page);
    for (const preset of ['rotary', 'transformer', 'rotary']) {
      await page.locator(`.presets input[value=${preset}]`).check();
      await settle(page);
      assert.equal(await page.locator('#addition').isVisible(), preset === 'transformer');
    }
    assert.deepEqual(problems, []);
  });

  test('the preset that is RoFormer’s sinusoids says that it is not rotary', async () => {
    const { page } = await site.open('#preset=roformer');
    assert.match(await text(page, '.chip:has([value=roformer]) .name'), /roformer’s sinusoids/);
    assert.match(await text(page, '.shown'), /not RoFormer’s rotary embedding/);
  });

  test('links restore a rotary encoding, and its values are exact as far as positions go', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    const { page, problems } = await site.open(
      `${LLAMA_HASH}&rotaryLayout=interleaved&rotaryDim=64&start=${last - 127}&position=${last}&dimension=41`,
    );
    assert.equal(await page.inputValue('#rotaryDim'), '64');
    assert.equal(await page.inputValue('#rotaryLayout'), 'interleaved');
    const written = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';
    assert.equal(await page.inputValue('#scaling'), written);
    const { sin } = rotary({ dim: 128, rotaryDim: 64, base: 500000, scaling: LLAMA }).tables([last]);
    const cell = await readout(page, '#table');
    assert.equal(cell.position, String(last));
    assert.equal(cell.wave, 'sine, pair 20');
    assert.equal(Math.fround(Number(cell.value)), sin.data[20]);
    await page.locator('.presets input[value=transformer]').check();
    await page.goBack();
    await page.locator('.presets input[value=rotary]:checked').waitFor();
    assert.equal(await page.inputValue('#scaling'), written);
    assert.deepEqual(problems, []);
  });

  test('a scaling that posenc refuses is refused in its words, and the view stays', async () => {
    const { page, problems } = await site.open('#preset=rotary&dim=8');
    await page.locator('#choose summary').click();
    for (const [typed, said] of [
      ['yarn factor=4', /^scaling\.originalMaxPositionEmbeddings must be .+ Still showing none\.$/],
      ['quadratic', /^Must be a type \(linear, ntk, .+ Still showing none\.$/],
      ['linear factor=4', /^$/],
    ]) {
      await page.fill('#scaling', String(typed));
      assert.match(await text(page, '#scaling-error'), /** @type {RegExp} */ (said));
    }
    await settle(page);
    assert.match(await text(page, '#choose .shown'), /Every frequency is divided by 4\./);
    assert.match(page.url(), /scaling=linear\+factor%3D4$/);
    await page.locator('.presets input[value=transformer]').check();
    await page.fill('#dim', '9');
    await page.locator('#dim').blur();
    await settle(page);
    await page.locator('.presets input[value=rotary]').click();
    assert.match(await text(page, '.presets + .error'), /dim must be even in this encoding, got 9/);
    assert.deepEqual(problems, []);
  });

  test('rows are as alike as their distance says, and a shift turns them, whatever the attention factor', async () => {
    const scaling = 'yarn+factor%3D32+originalMaxPositionEmbeddings%3D4096';
    const { page, problems } = await site.open(`#preset=rotary&scaling=${scaling}&metric=dot`);
    const said = async (/** @type {string} */ law) => text(page, `#similarity .${law} .verdict`);
    assert.match(await said('spread'), /^It holds/);
    assert.match(await said('rotation'), /^It holds/);
    const residual = numberOf(await text(page, '#similarity .rotation dd'));
    assert.ok(residual > 0 && residual < 4e-7, String(residual));
    await showView(page, '#preset=rotary&numerics=bfloat16', '#similarity', '#similarity .legend span');
    assert.match(await said('rotation'), /^Not quite: bfloat16/);
    assert.deepEqual(problems, []);
  });

  test('precision says what tables of a long context are off by at its end', async () => {
    const { page, problems } = await site.open(`${LLAMA_HASH}&span=131072`);
    await bringNear(page, '#precision');
    const spec = { dim: 128, base: 500000, scaling: LLAMA };
    const [exact, float32, bfloat16] = /** @type {const} */ (['exact', 'float32', 'bfloat16']).map((numerics) => {
      const { cos, sin } = rotary({ ...spec, numerics }).tables([131071]);
      return [...cos.data, ...sin.data];
    });
    const off = (/** @type {number[]} */ row) =>
      String(Number(Math.max(...row.map((value, k) => Math.abs(value - exact[k]))).toPrecision(3)));
    assert.equal(
      await text(page, '#precision .last'),
      `At position 131,071, the last of 131,072, the row is off by up to ${off(float32)} in float32 and by up to ${off(bfloat16)} in bfloat16.`,
    );
    assert.deepEqual(problems, []);
  });

  test('frequencies: wavelengths before and after scaling, and one selection with the table', async () => {
    const { page, problems } = await site.open(`${LLAMA_HASH}&span=131072&position=5&dimension=124`);
    const [before, after] = [undefined, LLAMA].map((scaling) =>
      rotary({ dim: 128, base: 500000, ...(scaling && { scaling }) }).frequencies.map((f) => (2 * Math.PI) / f),
    );
    const said = await readout(page, '#frequencies');
    assert.equal(said.pair, '60, dimensions 60 and 124');
    assert.equal(numberOf(said.wavelength.replace(' positions', '')), Number(after[60].toPrecision(4)));
    assert.equal(said['before scaling'], `${Math.round(before[60]).toLocaleString('en')} positions`);
    assert.equal(said.slowed, '8 times');
    assert.equal(Number(said['turns in 8,192 positions']), Number((8192 / after[60]).toPrecision(4)));
    assert.equal(Number(said['turns in 131,072 positions']), Number((131072 / after[60]).toPrecision(4)));
    assert.match(
      await text(page, '#frequencies .key'),
      /8,192 positions, as trained\s*131,072 positions, as in Precision/,
    );

    await page.locator('#frequencies .chart').focus();
    await page.keyboard.press('Home');
    await settle(page);
    assert.equal((await readout(page, '#frequencies')).pair, '0, dimensions 0 and 64');
    assert.equal((await readout(page, '#table')).dimension, '0');
    assert.deepEqual(problems, []);
  });

  test('frequencies: pairs that stand still, columns that do not turn, and both factors', async () => {
    const { page, problems } = await site.open(
      '#preset=rotary&dim=8&position=5&dimension=2&scaling=proportional+partialRotaryFactor%3D0.5',
    );
    assert.equal((await readout(page, '#frequencies')).wavelength, 'none: it stands still');
    assert.equal((await readout(page, '#table')).wave, 'none');
    await showView(
      page,
      'preset=rotary&dim=8&rotaryDim=4&position=5&dimension=4',
      '#frequencies',
      '#frequencies .pair',
    );
    assert.equal((await readout(page, '#frequencies')).pair, 'none: the selected dimension does not turn');
    assert.match(await text(page, '#frequencies .factors'), /^The attention factor is 1:/);
    const scaling = 'yarn+factor%3D40+originalMaxPositionEmbeddings%3D4096+mscale%3D0.7+mscaleAllDim%3D1';
    await showView(page, `preset=rotary&scaling=${scaling}`, '#frequencies', '#frequencies .pair');
    const { attentionFactor, softmaxFactor } = rotary({
      dim: 64,
      scaling: { type: 'yarn', factor: 40, originalMaxPositionEmbeddings: 4096, mscale: 0.7, mscaleAllDim: 1 },
    });
    const factors = await text(page, '#frequencies .factors');
    for (const factor of [attentionFactor, softmaxFactor])
      assert.ok(factors.includes(String(Number(factor.toPrecision(6)))));
    assert.deepEqual(problems, []);
  });

  for (const [scheme, width] of /** @type {const} */ ([
    ['light', 1440],
    ['dark', 390],
  ])) {
    test(`axe finds nothing in ${scheme} mode, ${width} pixels wide, and nothing is cut off`, async () => {
      const { page, problems } = await site.open(LLAMA_HASH, { viewport: { width, height: 844 }, colorScheme: scheme });
      await visitAll(page);
      assert.deepEqual(await violations(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      assert.deepEqual(problems, []);
    });
  }
});
