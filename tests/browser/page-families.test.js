import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'posenc';
import { MODELS } from '../../web/page/model.js';
import {
  bringNear,
  hashOf,
  hover,
  numberOf,
  openSettings,
  pixels,
  readout,
  settle,
  showView,
  startPage,
  text,
  violations,
  visitAll,
} from './helpers.js';

const { alibi, relativeBuckets, rotary } = await load();

/** Llama 3.1's. @type {import('posenc').Llama3Scaling} */
const LLAMA = { type: 'llama3', factor: 8, lowFreqFactor: 1, highFreqFactor: 4, originalMaxPositionEmbeddings: 8192 };
const LLAMA_HASH =
  '#preset=rotary&dim=128&base=500000&scaling=llama3+factor%3D8+lowFreqFactor%3D1+highFreqFactor%3D4+originalMaxPositionEmbeddings%3D8192';

const ADDED = ['shuffle', 'scores', 'addition'];
const CHECKS = ['check', 'model', 'precision', 'take'];
/** The panels of each family, in the page's order. @type {Record<string, string[]>} */
const SHOWN = {
  transformer: ['choose', 'table', 'waves', 'clocks', 'similarity', ...ADDED, ...CHECKS],
  learned: ['choose', 'table', 'waves', 'clocks', 'similarity', ...ADDED, ...CHECKS],
  rotary: ['choose', 'table', 'waves', 'clocks', 'frequencies', 'similarity', ...CHECKS],
  alibi: ['choose', 'bias', 'check', 'model', 'take'],
  t5: ['choose', 'bias', 'check', 'model', 'take'],
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
      await showView(page, `preset=${preset}`, '#choose', '.family');
      await visitAll(page);
      assert.deepEqual(await idsOf(page, '#panels section[id]:not(.group)'), ids, preset);
    }
    assert.deepEqual(problems, []);
  });

  test('choosing a family hides the panels of the previous one', async () => {
    const { page, problems } = await site.open();
    await visitAll(page);
    for (const family of ['rotary', 'sinusoidal', 'rotary']) {
      await page.selectOption('.family', family);
      await settle(page);
      assert.equal(await page.locator('#addition').isVisible(), family === 'sinusoidal');
    }
    assert.deepEqual(problems, []);
  });

  test('the preset of RoFormer’s sinusoids says that it is not rotary', async () => {
    const { page } = await site.open('#preset=roformer');
    await openSettings(page);
    assert.match(await text(page, '.chip:has([value=roformer]) .name'), /roformer’s sinusoids/);
    assert.match(await text(page, '.shown'), /not RoFormer’s rotary embedding/);
  });

  test('links restore a rotary encoding, and its values are exact as far as positions go', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    const { page, problems } = await site.open(
      `${LLAMA_HASH}&rotaryLayout=interleaved&rotaryDim=64&start=${last - 127}&position=${last}&dimension=41`,
    );
    await openSettings(page);
    assert.equal(await page.inputValue('#rotaryDim'), '64');
    assert.equal(await page.inputValue('#rotaryLayout'), 'interleaved');
    const written = 'llama3 factor=8 lowFreqFactor=1 highFreqFactor=4 originalMaxPositionEmbeddings=8192';
    assert.equal(await page.inputValue('#scaling'), written);
    const { sin } = rotary({ dim: 128, rotaryDim: 64, base: 500000, scaling: LLAMA }).tables([last]);
    const cell = await readout(page, '#table');
    assert.equal(cell.position, String(last));
    assert.equal(cell.wave, 'sine, pair 20');
    assert.equal(Math.fround(Number(cell.value)), sin.data[20]);
    await page.selectOption('.family', 'sinusoidal');
    await settle(page);
    await page.goBack();
    await page.locator('.family:has([value=rotary]:checked)').waitFor();
    await openSettings(page);
    assert.equal(await page.inputValue('#scaling'), written);
    assert.deepEqual(problems, []);
  });

  test('a scaling that posenc refuses shows posenc’s message, and the view stays', async () => {
    const { page, problems } = await site.open('#preset=rotary&dim=8');
    await openSettings(page);
    for (const [typed, said] of [
      ['yarn factor=4', /^scaling\.originalMaxPositionEmbeddings must be .+ Still showing none\.$/],
      ['quadratic', /^Must be a type \(linear, ntk, .+ Still showing none\.$/],
      ['linear factor=4', /^$/],
    ]) {
      await page.fill('#scaling', String(typed));
      assert.match(await text(page, '#scaling-error'), /** @type {RegExp} */ (said));
    }
    await settle(page);
    assert.match(await text(page, '#settings .shown'), /Every frequency is divided by 4\./);
    assert.match(await hashOf(page), /scaling=linear\+factor%3D4$/);
    await page.selectOption('.family', 'sinusoidal');
    await page.fill('#dim', '9');
    await page.locator('#dim').blur();
    await settle(page);
    await page.selectOption('.family', 'rotary');
    assert.match(await text(page, '.sentence .refused'), /dim must be even in this encoding, got 9/);
    assert.deepEqual(problems, []);
  });

  test('the similarity of rows depends only on their distance, and a shift turns them, with any attention factor', async () => {
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

  test('the Rounding panel shows the error of tables at the end of a long context', async () => {
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
    assert.equal(said['before scaling'], `${Math.round(before[60])} positions`);
    assert.equal(said.slowed, '8 times');
    assert.equal(Number(said['turns in 8192 positions']), Number((8192 / after[60]).toPrecision(4)));
    assert.equal(Number(said['turns in 131,072 positions']), Number((131072 / after[60]).toPrecision(4)));
    assert.match(
      await text(page, '#frequencies .key'),
      /8192 positions, as trained\s*131,072 positions, as in Rounding/,
    );

    await page.locator('#frequencies .chart').focus();
    await page.keyboard.press('Home');
    await settle(page);
    assert.equal((await readout(page, '#frequencies')).pair, '0, dimensions 0 and 64');
    assert.equal((await readout(page, '#table')).dimension, '0');
    assert.deepEqual(problems, []);
  });

  test('frequencies: pairs that stand still, columns that are not rotated, and both factors', async () => {
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

  test('ALiBi: the bias of a query and a key in each head, and one selection for map, lines and readout', async () => {
    const { page, problems } = await site.open('#preset=alibi&heads=12&head=9&start=1000&position=1060&shift=-20');
    const { bias, slopes } = alibi({ heads: 12 });
    const value = bias(1, 1, { start: 20 }).data[9];
    const said = await readout(page, '#bias');
    assert.equal(said['query and key'], '1060 and 1040');
    assert.equal(said['key − query'], '-20');
    assert.equal(Number(said['bias of head 9']), Number(value.toPrecision(6)));
    assert.equal(Number(said['its slope']), Number(slopes[9].toPrecision(6)));
    assert.equal(numberOf(said['weight in the softmax'].replace('times ', '')), Number(Math.exp(value).toPrecision(3)));

    await hover(page, '#bias .plot', { row: 100, column: 30, rows: 128, columns: 128 });
    await page.mouse.down();
    await page.mouse.up();
    await settle(page);
    assert.equal((await readout(page, '#bias'))['query and key'], '1100 and 1030');
    await page.locator('#bias .chart').focus();
    await page.keyboard.press('ArrowRight');
    await settle(page);
    assert.equal((await readout(page, '#bias'))['query and key'], '1100 and 1031');
    assert.match(await hashOf(page), /position=1100&shift=-69/);

    await page.fill('#head', '0');
    await settle(page);
    assert.equal(Number((await readout(page, '#bias'))['bias of head 0']), -69 * slopes[0]);
    await openSettings(page);
    await page.selectOption('#causal', 'no');
    await showView(page, (await hashOf(page)).slice(1).replace('-69', '69'), '#bias', '#bias .pair');
    assert.equal(Number((await readout(page, '#bias'))['bias of head 0']), -69 * slopes[0]);
    assert.equal(await page.locator('[data-field=dim]').isVisible(), false);
    assert.deepEqual(problems, []);
  });

  test('ALiBi: masked keys have no bias, and their cells have one colour', async () => {
    const { page } = await site.open('#preset=alibi&length=64&position=10&shift=3');
    const said = await readout(page, '#bias');
    assert.equal(said['bias of head 0'], 'none: masked');
    const { width, height, data } = await pixels(page, '#bias .plot canvas');
    const at = (/** @type {number} */ row, /** @type {number} */ column) => {
      const [y, x] = [((row + 0.5) / 64) * height, ((column + 0.5) / 64) * width].map(Math.floor);
      return data.readUInt32LE(4 * (y * width + x));
    };
    assert.equal(at(5, 50), at(20, 60));
    assert.equal(at(5, 50), at(30, 30));
    assert.notEqual(at(50, 5), at(60, 50));
    assert.equal(at(50, 5), at(60, 15));
  });

  for (const bidirectional of [true, false]) {
    test(`T5’s buckets${bidirectional ? '' : ' backwards'}: that of each distance, and what it holds`, async () => {
      const spec = { type: /** @type {const} */ ('t5'), buckets: 20, maxDistance: 50, bidirectional };
      const { index } = relativeBuckets(spec);
      const hash = `#preset=t5&buckets=20&maxDistance=50&bidirectional=${bidirectional ? 'yes' : 'no'}&length=300`;
      const { page, problems } = await site.open(hash);
      const { data } = index(1, 401, { start: 200 });
      for (const shift of [-150, -31, -1, 0, 1, 12, 100]) {
        await showView(page, `${hash.slice(1)}&position=199&shift=${shift}`, '#bias', '#bias .pair');
        const said = await readout(page, '#bias');
        const bucket = data[200 + shift];
        assert.equal(said.bucket, String(bucket), `${shift}`);
        const [first, last] = [data.indexOf(bucket) - 200, data.lastIndexOf(bucket) - 200];
        const expected =
          first === -200
            ? `${last} and below`
            : last === 200
              ? `${first} and above`
              : first === last
                ? 'only this one'
                : `${first} to ${last}`;
        assert.equal(said['distances in it'], expected, `${shift}`);
      }
      assert.equal(await page.locator('#head').isVisible(), false);
      assert.deepEqual(problems, []);
    });
  }

  test('buckets that posenc refuses show posenc’s message', async () => {
    const { page } = await site.open('#preset=t5');
    await openSettings(page);
    await page.fill('#buckets', '31');
    assert.match(
      await text(page, '#buckets-error'),
      /^buckets must be even in this encoding, got 31\. Still showing 32\.$/,
    );
  });

  test('the config.json of Llama 3.1, pasted, shows its frequencies', async () => {
    const { page, problems } = await site.open();
    await bringNear(page, '#model');
    await page.fill('#model-config', JSON.stringify(MODELS['Llama 3.1 8B']));
    await page.locator('#model .said', { hasText: 'All panels show it now.' }).waitFor();
    assert.match(await hashOf(page), /preset=rotary&dim=128&base=500000&scaling=llama3.+&span=131072$/);
    const { frequencies } = rotary({ dim: 128, base: 500000, scaling: LLAMA });
    const said = await readout(page, '#frequencies');
    assert.equal(
      Number(said.wavelength.replace(' positions', '')),
      Number(((2 * Math.PI) / frequencies[4]).toPrecision(4)),
    );
    assert.match(await text(page, '#frequencies .key'), /8192 positions, as trained\s*131,072 positions/);
    await page.goBack();
    await page.waitForFunction(() => !location.hash.includes('rotary'));
    assert.deepEqual(problems, []);
  });

  test('a model is chosen, opened or dropped; its part and layers too', async () => {
    const { page, problems } = await site.open();
    await bringNear(page, '#model');
    /** @param {string} preset @param {() => Promise<unknown>} ask */
    const shows = async (preset, ask) => {
      await ask();
      await page.waitForFunction((preset) => location.hash.includes(`preset=${preset}`), preset);
      assert.equal(await text(page, '#model .error'), '');
    };
    await shows('alibi', () => page.selectOption('#known-model', 'BLOOM 3B'));
    await shows('learned', () => page.selectOption('#known-model', 'Whisper large v2'));
    await shows('tensor2tensor', () => page.selectOption('#model-part', 'encoder'));
    const file = (/** @type {string} */ content) => ({
      name: 'config.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    });
    await shows('t5', () => page.setInputFiles('#model [type=file]', file(JSON.stringify(MODELS['T5 small']))));
    const drop = (/** @type {string} */ content) =>
      page.evaluate((content) => {
        const files = new DataTransfer();
        files.items.add(new File([content], 'config.json'));
        document
          .querySelector('#model')
          ?.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
      }, content);
    const gemma = { model_type: 'gemma3_text', head_dim: 256, rope_theta: 1e6, rope_local_base_freq: 1e4 };
    await drop(JSON.stringify(gemma));
    await page.locator('#model .error', { hasText: 'The layers of this model differ' }).waitFor();
    await shows('rotary', () => page.selectOption('#model-layers', 'sliding_attention'));
    assert.match(await hashOf(page), /preset=rotary&dim=256/);
    assert.deepEqual(problems, []);
  });

  test('an invalid file, or a model without a figure here, is refused, and the view stays', async () => {
    const { page, problems } = await site.open('#dim=10');
    await bringNear(page, '#model');
    const vit = { model_type: 'vit_mae', hidden_size: 768, image_size: 224, patch_size: 16, decoder_hidden_size: 512 };
    for (const [content, message] of /** @type {[string, RegExp][]} */ ([
      ['{', /^This is not JSON: /],
      ['[]', /^Config must be an object/i],
      ['{"model_type":"mamba"}', /^The page can’t show this model: it has no positions\.$/],
      [
        JSON.stringify({
          model_type: 'deberta-v2',
          relative_attention: true,
          position_buckets: 256,
          max_position_embeddings: 512,
        }),
        /its buckets are those of DeBERTa\.$/,
      ],
      [JSON.stringify({ model_type: 'swin', window_size: 7 }), /it has trained biases of the cells of a window\.$/],
      [JSON.stringify(vit), /it has a table for the cells of a grid\.$/],
      [JSON.stringify({ model_type: 'llama', head_dim: 8192 }), /dim must be a whole number from 1 to 4096\.$/],
      [JSON.stringify({ model_type: 'nothing' }), /^No encoding was found/],
    ])) {
      await page.fill('#model-config', content);
      await page.waitForFunction(() => document.querySelector('#model .error')?.textContent);
      assert.match(await text(page, '#model .error'), message, content);
      assert.match(await hashOf(page), /#dim=10$/);
    }
    await page.setInputFiles('#model [type=file]', {
      name: 'big.json',
      mimeType: 'application/json',
      buffer: Buffer.alloc(2 ** 20 + 1),
    });
    await page.locator('#model .error', { hasText: 'big.json is too large' }).waitFor();
    await page.fill('#model-config', '');
    await settle(page);
    assert.equal(await text(page, '#model .error'), '');
    assert.deepEqual(problems, []);
  });

  for (const [scheme, width] of /** @type {const} */ ([
    ['light', 1440],
    ['dark', 390],
  ])) {
    test(`axe finds nothing in ${scheme} mode, ${width} pixels wide, and nothing is cut off`, async () => {
      const { page, problems } = await site.open(LLAMA_HASH, { viewport: { width, height: 844 }, colorScheme: scheme });
      for (const hash of [LLAMA_HASH, '#preset=alibi&heads=12', '#preset=t5']) {
        await showView(page, hash.slice(1), '#choose', '.family');
        await visitAll(page);
        assert.deepEqual(await violations(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      }
      assert.deepEqual(problems, []);
    });
  }
});
