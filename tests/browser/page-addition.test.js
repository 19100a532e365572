import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/gpt2';
import { load } from 'posenc';
import { writeNpy } from 'posenc/files';
import { matrixBatch } from '../../web/figure/addition/batch.js';
import { arrange } from '../../web/figure/addition/order.js';
import { createSamples } from '../../web/figure/addition/samples.js';
import { SENTENCE } from '../../web/figure/sentence.js';
import { bringNear, formula, hashOf, hover, pixels, readout, settle, startPage, text, violations } from './helpers.js';

const posenc = await load();
const samples = createSamples(posenc.embedding);

/** @param {string} text */
const idsOf = (text) => encode(text, { disallowedSpecial: new Set() });

/**
 * Sample embeddings as the page draws them.
 *
 * @param {number[]} ids
 * @param {number} dim
 * @param {number} seed
 */
const embeddingsOf = (ids, dim, seed) =>
  samples(
    ids.map((id) => ({ id })),
    dim,
    seed,
  );

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
function cosineOf(a, b) {
  const dot = (/** @type {ArrayLike<number>} */ x, /** @type {ArrayLike<number>} */ y) =>
    Array.from(x).reduce((sum, value, k) => sum + value * y[k], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test('a sample embedding is what PyTorch draws', () => {
  // torch.manual_seed(1 + 7575); torch.randn(64)[:4], and torch.randn(7)[:2] after the same.
  const { weights } = { weights: embeddingsOf([7575, 13], 64, 1) };
  for (const [k, value] of [0.5272963643, 0.3788402975, -2.4268498421, -0.7189068794].entries()) {
    assert.ok(Math.abs(weights[k] - value) < 2e-6, `${weights[k]}`);
  }
  for (const [k, value] of [-1.1197053194, -1.209555029].entries()) {
    assert.ok(Math.abs(embeddingsOf([7575], 7, 1)[k] - value) < 2e-6);
  }
  // The same token has the same row, in any text; past the largest seed they start again.
  assert.deepEqual(embeddingsOf([13, 7575, 13], 64, 1).slice(128), weights.slice(64));
  assert.deepEqual(embeddingsOf([1], 8, 2 ** 32 - 1), embeddingsOf([0], 8, 0));
});

test('rows and places in a batch are inverse to each other', () => {
  for (const order of /** @type {const} */ (['batch-first', 'sequence-first'])) {
    const { shape, rows, place, row } = arrange(order, 3, 4);
    assert.deepEqual(shape, order === 'batch-first' ? [3, 4] : [4, 3]);
    const places = Array.from({ length: rows }, (_, k) => place(k));
    assert.deepEqual(places.map(row), [...Array(12).keys()]);
    assert.deepEqual(places[1], order === 'batch-first' ? { sequence: 0, index: 1 } : { sequence: 1, index: 0 });
    assert.equal(new Set(places.map(({ sequence, index }) => `${sequence} ${index}`)).size, 12);
  }
});

test('labels name the rows of each sequence, or all rows of a matrix', () => {
  const matrix = { values: new Float32Array(48), shape: [2, 3, 8] };
  /**
   * @param {'batch-first' | 'sequence-first'} order
   * @param {string} labels
   */
  const tokens = (order, labels) => {
    const batch = matrixBatch(matrix, order, [...labels]);
    if ('problem' in batch) return batch.problem;
    assert.deepEqual(batch.shape, [2, 3]);
    return batch.tokens.map(({ id, piece }) => `${piece}${id}`).join(' ');
  };
  assert.equal(tokens('batch-first', 'xyx'), 'x0 y1 x0 x0 y1 x0');
  assert.equal(tokens('sequence-first', 'xy'), 'x0 x0 x0 y1 y1 y1');
  for (const order of /** @type {const} */ (['batch-first', 'sequence-first'])) {
    assert.equal(tokens(order, 'abcabd'), 'a0 b1 c2 a0 b1 d5');
    assert.equal(tokens(order, ''), '');
    assert.match(
      tokens(order, 'abcd'),
      /^There must be one label per row, got 4 for sequences of [23] rows, 6 in all\.$/,
    );
  }
  const flat = matrixBatch({ values: new Float32Array(8), shape: [4, 2] }, 'sequence-first', ['a']);
  assert.deepEqual(flat, { problem: 'There must be one label per row, got 1 for 4 rows.' });
  assert.deepEqual(matrixBatch({ values: new Float32Array(0), shape: [0, 2] }, 'batch-first'), {
    problem: 'The embeddings have no rows.',
  });
});

describe('a text, its embeddings and their sum with the encoding', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  /** @type {Awaited<ReturnType<typeof openPanel>> | undefined} */
  let shared;
  /** @type {string} */
  let folder;
  before(async () => {
    site = await startPage();
    folder = await mkdtemp(join(tmpdir(), 'posenc-addition-'));
  });
  after(async () => {
    await site.close();
    await rm(folder, { recursive: true });
  });

  /**
   * Opens a page with the panel in sight.
   *
   * @param {string} [hash]
   * @param {Parameters<typeof site.open>[1]} [options]
   * @param {Parameters<typeof site.open>[2]} [prepare]
   */
  async function openPanel(hash, options, prepare) {
    const opened = await site.open(hash, options, prepare);
    await opened.page.locator('#addition').scrollIntoViewIfNeeded();
    await opened.page.locator('#addition :is(.chips li, .problem:not(:empty))').first().waitFor();
    await settle(opened.page);
    return opened;
  }

  /**
   * Opens a link in the page that most tests share.
   *
   * @param {string} [hash]
   */
  async function show(hash = '#step=0') {
    shared ??= await openPanel();
    const { page } = shared;
    if (await page.locator('.file .back').isVisible()) await page.locator('.file .back').click();
    await page.evaluate((hash) => {
      history.replaceState(null, '', hash);
      dispatchEvent(new HashChangeEvent('hashchange'));
    }, hash);
    await settle(page);
    return page;
  }

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} typed
   */
  async function type(page, typed) {
    await page.fill('#text', typed);
    const count = idsOf(typed.slice(0, 8000)).length;
    const summary = `${count} token${count === 1 ? '' : 's'} from`;
    await page.locator('#addition .summary', { hasText: summary }).waitFor();
    await settle(page);
  }

  /** @param {import('playwright-core').Page} page */
  const shownIds = async (page) => (await page.locator('.chips .id').allTextContents()).map(Number);

  /**
   * The numbers of the read-out's equation: terms, sum, and the value after dropout.
   *
   * @param {import('playwright-core').Page} page
   */
  async function equation(page) {
    const said = await readout(page, '#addition');
    const [name, value] = Object.entries(said).slice(-1)[0];
    const [sum, fate] = value.split(', ');
    return {
      said,
      name,
      numbers: sum
        .replace(/[()]/g, '')
        .split(/ [+=] /)
        .map(Number),
      fate,
    };
  }

  /**
   * @param {number[]} numbers
   * @param {number[]} wanted
   */
  function assertNear(numbers, wanted) {
    assert.equal(numbers.length, wanted.length);
    for (const [k, number] of numbers.entries()) {
      assert.ok(Math.abs(number - wanted[k]) < 1e-6 * Math.max(1, Math.abs(wanted[k])), `${numbers}, not ${wanted}`);
    }
  }

  test('the first sentence is shown at once, without the vocabulary', async () => {
    /** @type {string[]} */
    const asked = [];
    const { page, problems } = await openPanel('#step=0', {}, async (page) =>
      page.on('request', (request) => asked.push(request.url())),
    );
    assert.deepEqual(await shownIds(page), idsOf(SENTENCE));
    assert.equal(asked.filter((url) => url.includes('tokenizer')).length, 0);
    assert.equal(await page.inputValue('#text'), SENTENCE);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a typed sentence gets GPT-2’s tokens', async () => {
    const page = await show();
    const typed = 'The dog saw a cat, and the cat saw the dog.';
    await page.locator('#text').fill('');
    await page.locator('#text').pressSequentially(typed, { delay: 5 });
    await page.locator('#addition .summary', { hasText: '13 tokens from 43 characters' }).waitFor();
    assert.deepEqual(await shownIds(page), idsOf(typed));
    assert.deepEqual((await page.locator('.chips bdi').allTextContents()).slice(0, 3), ['The', '␣dog', '␣saw']);
  });

  test('the read-outs are the embedding, the encoding of its position and their sum', async () => {
    const page = await show('#dim=32&base=500&start=100&seed=3');
    const typed = 'one two three two one';
    await type(page, typed);
    const ids = idsOf(typed);
    const embeddings = embeddingsOf(ids, 32, 3);
    for (const [figure, row, column] of /** @type {[string, number, number][]} */ ([
      ['embedding', 0, 0],
      ['encoding', 1, 31],
      ['sum', 3, 6],
      ['sum', 4, 17],
    ])) {
      await hover(page, `#addition .${figure} .plot`, { row, column, rows: ids.length, columns: 32 });
      const { said, name, numbers } = await equation(page);
      assert.equal(name, 'embedding + encoding = sum');
      assert.equal(said.position, String(100 + row));
      assert.equal(said.dimension, String(column));
      assert.equal(said.token, ['one', '␣two', '␣three', '␣two', '␣one'][row]);
      const drawn = embeddings[row * 32 + column];
      const added = formula(100 + row, column, { dim: 32, base: 500 });
      assertNear(numbers, [drawn, added, drawn + added]);
    }
  });

  test('the heatmaps share one cursor, by keyboard too, and with the whole page', async () => {
    const page = await show('#position=3&dimension=9');
    const before = await readout(page, '#addition');
    assert.deepEqual([before.token, before.position, before.dimension], ['␣an', '3', '9']);

    await page.locator('#addition .sum .plot').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    const said = await readout(page, '#addition');
    assert.deepEqual([said.token, said.position, said.dimension], ['␣flies', '1', '63']);
    const places = await page
      .locator('.trio figure:not([hidden]) .plot')
      .evaluateAll((plots) => plots.map((plot) => /** @type {HTMLElement} */ (plot).style.cssText));
    assert.equal(places.length, 3);
    assert.equal(new Set(places).size, 1);
    await page.waitForFunction(() => /position=1&dimension=63/.test(location.hash));
  });

  test('a repeated token’s rows are the same before and differ after', async () => {
    const page = await show();
    const ids = idsOf(SENTENCE);
    const embeddings = embeddingsOf(ids, 64, 1);
    /** @param {number} row */
    const sum = (row) => Array.from({ length: 64 }, (_, k) => embeddings[row * 64 + k] + formula(row, k));
    assert.equal(await text(page, '#addition .before'), '1.0000');
    assert.equal(await text(page, '#addition .after'), cosineOf(sum(1), sum(7)).toFixed(4));
    assert.deepEqual(await page.locator('#word option').allTextContents(), ['␣flies at 1 and 7', '␣like at 2 and 8']);

    await page.selectOption('#word', { label: '␣like at 2 and 8' });
    await settle(page);
    assert.equal(await text(page, '#addition .after'), cosineOf(sum(2), sum(8)).toFixed(4));
    assert.equal(await page.locator('.chips .strong').count(), 2);
    assert.match(await hashOf(page), /word=588$/);

    await type(page, 'nothing comes twice');
    assert.equal(await text(page, '#addition .before'), '–');
    assert.equal(await page.locator('#word').isDisabled(), true);
  });

  test('each part shows its effect on the two rows', async () => {
    const verdict = '.comparison .verdict';
    const page = await show('#dim=32');
    const ids = idsOf(SENTENCE);
    const embeddings = embeddingsOf(ids, 32, 1);
    /**
     * @param {number} row
     * @param {number} scale of the embedding
     */
    const sum = (row, scale) =>
      Array.from({ length: 32 }, (_, k) => embeddings[row * 32 + k] * scale + formula(row, k, { dim: 32 }));
    const said = (/** @type {ArrayLike<number>[]} */ [a, b]) => cosineOf(a, b).toFixed(4).replace('-', '−');
    const alone = said([1, 7].map((row) => sum(row, 1)));
    assert.equal(await text(page, verdict), `The encoding alone takes the cosine from 1.0000 to ${alone}.`);

    await show('#dim=32&root=yes&dropout=0.3&dropoutSeed=5');
    const all = Float32Array.from(ids.flatMap((_, row) => sum(row, Math.sqrt(32))));
    const dropped = posenc.dropout(all, { p: 0.3, seed: 5 }).data;
    const [scaled, last] = [all, dropped].map((rows) =>
      said([1, 7].map((row) => rows.subarray(row * 32, (row + 1) * 32))),
    );
    assert.equal(
      await text(page, verdict),
      `The encoding alone takes the cosine from 1.0000 to ${alone}, then √dim to ${scaled}, then dropout to ${last}.`,
    );
    assert.equal(await text(page, '#addition .after'), last);
    assert.ok(Number(scaled) - Number(last) > 3 * (1 - Number(scaled)), 'dropout does most of it here');

    // Two rows at one position, in two segments.
    await show('#dim=32&segments=yes&context=3&stride=3&text=cat+sat+on+[SEP]+sat+on+it+now+then');
    await page.locator('.chips bdi', { hasText: 'then' }).waitFor();
    await page.selectOption('#word', { label: '␣sat at 1 in A and 1 in B' });
    await settle(page);
    const segments = posenc.embedding({ rows: 2, dim: 32, seed: 1 + 50257 }).weights;
    const own = embeddingsOf(idsOf(' sat'), 32, 1);
    const apart = [0, 1].map((segment) =>
      Array.from({ length: 32 }, (_, k) => own[k] + formula(1, k, { dim: 32 }) + segments[segment * 32 + k]),
    );
    assert.equal(
      await text(page, verdict),
      `The encoding alone, the same for both, takes the cosine from 1.0000 to 1.0000, then the segment to ${said(apart)}.`,
    );
  });

  test('rows of the sum are compared with each other', async () => {
    const page = await show('#dim=48&start=-3');
    const ids = idsOf(SENTENCE);
    const embeddings = embeddingsOf(ids, 48, 1);
    const sum = posenc.sinusoidal({ dim: 48 }).add({ data: embeddings, shape: [12, 48] }, { start: -3 });
    const all = posenc.similarity(sum).data;
    for (const [row, column] of [
      [1, 7],
      [0, 11],
      [4, 4],
    ]) {
      await hover(page, '.likeness .plot', { row, column, rows: 12, columns: 12 });
      const said = (await text(page, '.likeness .said')).replaceAll('−', '-');
      assert.equal(said, `positions ${row - 3} and ${column - 3}: ${all[row * 12 + column].toFixed(6)}`);
      const [a, b] = [row, column].map((k) => sum.data.subarray(k * 48, (k + 1) * 48));
      assert.ok(Math.abs(all[row * 12 + column] - cosineOf(a, b)) < 1e-6);
      assert.equal((await readout(page, '#addition')).position, String(row - 3));
    }
  });

  test('the meter tells how loud the encoding is, with √dim and without', async () => {
    const page = await show('#dim=50');
    const embeddings = embeddingsOf(idsOf(SENTENCE), 50, 1);
    const norm = Math.sqrt(embeddings.reduce((sum, x) => sum + x * x, 0) / 12);
    // Every pair of a row is a sine and a cosine: its norm is √(dim / 2), whatever its position.
    const wanted = [norm, norm * Math.sqrt(50), 5].map((x) => String(Number(x.toPrecision(3))));
    const shown = async () => (await page.locator('.loudness dd').allTextContents()).map(String);
    assert.deepEqual(await shown(), wanted);
    const ratios = [5 / norm, 5 / (norm * Math.sqrt(50))].map((x) => Number(x.toPrecision(3)));
    assert.equal(
      await text(page, '.loudness .verdict'),
      `The encoding is ${ratios[0]} times as long as the embedding, ${ratios[1]} times as long as √dim · embedding.`,
    );
    assert.deepEqual(await page.locator('.loudness .unused').allTextContents(), [wanted[1]]);

    await page.locator('#root').check();
    await settle(page);
    assert.deepEqual(await shown(), wanted);
    assert.deepEqual(await page.locator('.loudness .unused').allTextContents(), [wanted[0]]);
    assert.equal(await text(page, '.input-formula'), '√50 · embedding + encoding');
    assert.equal(await text(page, '#addition > .head .legend'), `≤ −${21.2}0≥ ${21.2}`);
    await hover(page, '#addition .sum .plot', { row: 2, column: 7, rows: 12, columns: 50 });
    const { name, numbers } = await equation(page);
    assert.equal(name, '√dim · embedding + encoding = sum');
    const scaled = embeddings[107] * Math.sqrt(50);
    assertNear(numbers, [scaled, formula(2, 7, { dim: 50 }), scaled + formula(2, 7, { dim: 50 })]);
  });

  test('[SEP] splits the text into two segments', async () => {
    const page = await show('#dim=16&seed=4');
    const typed = 'cats purr [SEP] dogs bark [SEP] now';
    await type(page, typed);
    assert.deepEqual(await shownIds(page), idsOf(typed));
    assert.equal(await page.locator('figure.segment').isVisible(), false);

    await page.locator('#segments').check();
    await page.locator('.chips bdi', { hasText: '[SEP]' }).first().waitFor();
    await settle(page);
    const ids = [...idsOf('cats purr'), 50256, ...idsOf(' dogs bark'), 50256, ...idsOf(' now')];
    assert.deepEqual(await shownIds(page), ids);
    const first = idsOf('cats purr').length + 1;
    assert.equal(await page.locator('.chips .second').count(), ids.length - first);
    assert.equal(await text(page, '#segment-note'), 'Two rows, of seed + 50257.');

    const embeddings = embeddingsOf(ids, 16, 4);
    const segments = posenc.embedding({ rows: 2, dim: 16, seed: 4 + 50257 });
    for (const [row, segment] of [
      [first - 1, 0],
      [first, 1],
      [ids.length - 1, 1],
    ]) {
      await hover(page, 'figure.segment .plot', { row, column: 3, rows: ids.length, columns: 16 });
      const { name, numbers } = await equation(page);
      assert.equal(name, 'embedding + encoding + segment = sum');
      const terms = [embeddings[row * 16 + 3], formula(row, 3, { dim: 16 }), segments.weights[segment * 16 + 3]];
      assertNear(numbers, [...terms, terms[0] + terms[1] + terms[2]]);
    }

    await type(page, 'no mark');
    assert.match(await text(page, '#segment-note'), /Type \[SEP\]/);
    assert.equal(await page.locator('.chips .second').count(), 0);
  });

  test('dropout drops what PyTorch drops, and shows it', async () => {
    const page = await show('#dim=32&dropout=0.5&dropoutSeed=7');
    const embeddings = embeddingsOf(idsOf(SENTENCE), 32, 1);
    const added = posenc.sinusoidal({ dim: 32 }).add({ data: embeddings, shape: [12, 32] }).data;
    const kept = posenc.dropout(added, { p: 0.5, seed: 7 }).data;
    const cells = [kept.indexOf(0), kept.findIndex((x) => x !== 0)];
    for (const cell of cells) {
      const [row, column] = [Math.floor(cell / 32), cell % 32];
      await hover(page, '#addition .sum .plot', { row, column, rows: 12, columns: 32 });
      const { numbers, fate } = await equation(page);
      assertNear(numbers.slice(-1), [added[cell]]);
      if (kept[cell] === 0) assert.equal(fate, 'dropped');
      else assertNear([Number(fate.replace('kept as ', ''))], [2 * added[cell]]);
    }
    assert.equal(await text(page, '.input-formula'), 'dropout(embedding + encoding)');

    // Only dropped cells are grey.
    const { data, width, height } = await pixels(page, '#addition canvas.dropped');
    assert.deepEqual([width, height], [32, 12]);
    assert.deepEqual(
      Array.from(kept, (x) => x === 0),
      Array.from(kept, (_, k) => data[4 * k + 3] === 255),
    );

    await page.fill('#dropout', '1');
    await settle(page);
    assert.equal((await equation(page)).fate, 'dropped');
    assert.equal(await text(page, '#addition .after'), '0.0000');
    await page.fill('#dropout', '1.5');
    await settle(page);
    assert.match(await text(page, '#dropout-error'), /Must be a number from 0 to 1\. Still showing 1\./);
    await page.fill('#dropout', '0');
    await settle(page);
    assert.equal((await equation(page)).fate, undefined);
    assert.equal(await page.locator('#addition canvas.dropped').isVisible(), false);
  });

  for (const order of /** @type {const} */ (['batch-first', 'sequence-first'])) {
    test(`sliding windows, ${order}`, async () => {
      const page = await show(`#dim=24&context=4&stride=3&order=${order}&start=10`);
      const ids = idsOf(SENTENCE);
      const windows = posenc.windows(ids, { contextSize: 4, stride: 3 });
      assert.equal(windows.count, 3);
      const { inputs } = windows.take([0, 1, 2]);
      assert.equal(await text(page, '#window-note'), '3 windows, A to C.');
      const batchFirst = order === 'batch-first';
      assert.equal(
        await text(page, '#addition .shape'),
        batchFirst ? '[batch, length, dim] = [3, 4, 24]' : '[length, batch, dim] = [4, 3, 24]',
      );
      const words = await text(page, '.words-of-order');
      assert.match(words, batchFirst ? /then the position, then the seq/ : /then the sequence, then the pos/);
      assert.match(words, batchFirst ? /position is 24 numbers.*sequence 96\./ : /position is 72 .*sequence 24\./);
      const tape = await page.locator('.tape li').allTextContents();
      assert.equal(
        tape.join(' '),
        batchFirst ? '0A 1A 2A 3A 0B 1B 2B 3B 0C 1C 2C 3C' : '0A 0B 0C 1A 1B 1C 2A 2B 2C 3A 3B 3C',
      );

      // Row 5 in memory, in numbers of the package's own.
      const inMemory = batchFirst
        ? [...inputs]
        : [...inputs].map((_, row) => inputs[(row % 3) * 4 + Math.floor(row / 3)]);
      const embeddings = embeddingsOf(inMemory, 24, 1);
      const shape = batchFirst ? [3, 4, 24] : [4, 3, 24];
      const sum = posenc.sinusoidal({ dim: 24 }).add({ data: embeddings, shape }, { order, start: 10 }).data;
      await hover(page, '#addition .sum .plot', { row: 5, column: 8, rows: 12, columns: 24 });
      const { said, numbers } = await equation(page);
      assert.equal(said.position, `11 in ${batchFirst ? 'B' : 'C'}`);
      assertNear(numbers, [embeddings[5 * 24 + 8], formula(11, 8, { dim: 24 }), sum[5 * 24 + 8]]);

      const labels = await page
        .locator('#addition [role=application]')
        .evaluateAll((all) => all.filter((node) => node.checkVisibility()).map(({ ariaLabel }) => ariaLabel ?? ''));
      assert.equal(labels.length, 4);
      for (const label of labels) assert.match(label, /12 rows.*, sequences A to C of 4 each,/);

      // A token that stands in two windows is compared with itself.
      const same = ['␣flies at 11 in A and 11 in C', '␣like at 12 in A and 12 in C'];
      assert.deepEqual(
        await page.locator('#word option').allTextContents(),
        batchFirst
          ? [...same, '␣an at 13 in A and 10 in B', '␣fruit at 13 in B and 10 in C']
          : ['␣an at 10 in B and 13 in A', '␣fruit at 10 in C and 13 in B', ...same],
      );
      await page.fill('#context', '11');
      await page.getByText('Windows of 11 tokens need a text of 13').waitFor();
      assert.equal(await page.locator('#addition .sum .plot').isVisible(), false);
      await page.fill('#context', '0');
      await settle(page);
      assert.equal(
        await text(page, '#addition .shape'),
        `[${batchFirst ? 'batch, length' : 'length, batch'}, dim] = [${batchFirst ? '1, 12' : '12, 1'}, 24]`,
      );
    });
  }

  test('of very many windows only as many as fit are shown', async () => {
    const page = await show('#context=100&stride=1&dim=8');
    await type(page, 'word '.repeat(1000));
    assert.match(await text(page, '#window-note'), /^The first 5 of 9\d\d windows, A to E\.$/);
    assert.equal(await text(page, '#addition .shape'), '[batch, length, dim] = [5, 100, 8]');
  });

  test('another seed is another sample; the same seed the same', async () => {
    const page = await show();
    const canvas = '#addition .embedding .plot canvas';
    const first = await pixels(page, canvas);
    await page.fill('#seed', '2');
    const second = await pixels(page, canvas);
    assert.notDeepEqual(second.data, first.data);
    await page.fill('#seed', '1');
    assert.deepEqual((await pixels(page, canvas)).data, first.data);
  });

  test('any text is taken as text', async () => {
    const page = await show();
    const title = await page.title();
    const strange = [
      '<img src=x onerror="document.title = 1">',
      '<|endoftext|>',
      '👨‍👩‍👧 🇺🇸',
      'שלום עולם',
      '\u202eabc\u0000\ud800',
      '   \n\t',
      'word '.repeat(3000),
    ];
    for (const typed of strange) await type(page, typed);
    assert.match(await text(page, '#addition .summary'), /the first 8000 characters\. The rest is not read.*first 512/);
    assert.equal((await shownIds(page)).length, 512);
    assert.equal(await page.locator('main img').count(), 0);
    assert.equal(await page.title(), title);

    assert.equal(await page.locator('#text').getAttribute('dir'), 'ltr');
    await type(page, '👨 שלום \u202e');
    assert.equal(await page.locator('#text').getAttribute('dir'), 'rtl');
    assert.match(await text(page, '#addition .summary'), /split into bytes.*reading order/s);
    assert.ok((await page.locator('.chips bdi').allTextContents()).includes('⟨F0 9F 91⟩'));
    assert.ok(!(await text(page, '#addition')).includes('\u202e'));
  });

  test('a million tokens are cut, in the address too', async () => {
    const page = await show();
    await page.evaluate(() => {
      const box = /** @type {HTMLTextAreaElement} */ (document.querySelector('#text'));
      box.value = 'word '.repeat(1e6);
      box.dispatchEvent(new Event('input'));
    });
    await page.locator('#addition .summary', { hasText: 'from the first 8000 characters' }).waitFor();
    assert.equal((await shownIds(page)).length, 512);
    await page.waitForFunction(() => location.hash.length > 8000);
    assert.ok(page.url().length < 10_000);
  });

  test('an empty text says so, and the figure comes back', async () => {
    const page = await show('#text=');
    await page.getByText('An empty text has no tokens. Type something.').waitFor();
    assert.equal(await page.locator('#addition .sum .plot').isVisible(), false);
    await type(page, 'back again');
    assert.equal(await page.locator('#addition .sum .plot').isVisible(), true);
    assert.equal(await text(page, '#addition .problem'), '');
  });

  test('positions outside the table are refused with a reason', async () => {
    const page = await show('#length=1&start=9007199254740991');
    assert.equal(await text(page, '#addition .problem'), 'The last position, first + length − 1, must be below 2⁵³.');
    await page.fill('#start', '0');
    await settle(page);
    assert.equal(await text(page, '#addition .problem'), '');

    await show('#preset=learned&rows=16&length=4&start=4');
    assert.equal((await readout(page, '#addition')).position, '5');
    await type(page, 'a b c d e f g h i j k l m');
    assert.match(await text(page, '#addition .problem'), /only the positions 0 to 15\./);
  });

  test('a vocabulary that does not load is reported, and loaded again', async () => {
    let offline = true;
    const { page } = await openPanel('#step=0', {}, (page) =>
      page.route('**/tokenizer-*.js', (route) => (offline ? route.abort() : route.continue())),
    );
    await page.fill('#text', 'not the first sentence');
    await page.locator('#addition').getByText('GPT-2’s vocabulary did not load').waitFor();
    offline = false;
    await page.locator('#addition').getByRole('button', { name: 'Try again' }).click();
    await page.locator('#addition .summary', { hasText: '4 tokens' }).waitFor();
    assert.equal(await page.locator('#addition .sum .plot').isVisible(), true);
    await page.close();
  });

  test('a link restores everything', async () => {
    const hash =
      '#dim=12&text=x+y+[SEP]+y+x+z&seed=9&root=yes&dropout=0.25&dropoutSeed=3&segments=yes&order=sequence-first&context=3&stride=1';
    const { page, problems } = await openPanel(hash);
    const state = async () => ({
      fields: await page
        .locator('#addition :is(input:not([type=file]), select, textarea)')
        .evaluateAll((nodes) =>
          nodes.map((node) => [node.id, /** @type {any} */ (node).checked, /** @type {any} */ (node).value]),
        ),
      said: await readout(page, '#addition'),
      shape: await text(page, '#addition .shape'),
    });
    const first = await state();
    assert.deepEqual(
      first.fields
        .filter(([id]) => ['seed', 'dropout', 'dropoutSeed', 'order', 'context', 'stride'].includes(String(id)))
        .map((field) => field[2]),
      ['9', '0.25', '3', '3', '1', 'sequence-first'],
    );
    assert.deepEqual(
      first.fields.filter(([id]) => ['root', 'segments'].includes(String(id))).map((field) => field[1]),
      [true, true],
    );
    // Changed and changed back: the page writes the same link.
    await page.locator('#root').uncheck();
    await page.locator('#root').check();
    const again = new URLSearchParams((await hashOf(page)).slice(1));
    for (const [key, value] of new URLSearchParams(hash.slice(1))) assert.equal(again.get(key), value, key);
    await page.reload();
    await page.locator('#addition').scrollIntoViewIfNeeded();
    await page.locator('.chips li').first().waitFor();
    await settle(page);
    assert.deepEqual(await state(), first);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('everything can be set by keyboard', async () => {
    const page = await show();
    await page.locator('#text').focus();
    const visited = [];
    for (let k = 0; k < 25; k++) {
      await page.keyboard.press('Tab');
      const id = await page.evaluate(() => {
        const { id, className } = /** @type {Element} */ (document.activeElement);
        return id || className;
      });
      visited.push(id);
      if (id === 'root' || id === 'segments') await page.keyboard.press('Space');
      if (id === 'order') await page.keyboard.press('ArrowDown');
      if (id === 'context') await page.keyboard.type('3');
    }
    await settle(page);
    for (const id of ['open', 'chips', 'seed', 'root', 'segments', 'dropout', 'context', 'stride', 'order', 'plot']) {
      assert.ok(visited.includes(id), `${id} of ${visited}`);
    }
    // Typed after the 0 that is there.
    await page.waitForFunction(() => /root=yes.*segments=yes.*order=sequence-first.*context=3/.test(location.hash));
  });

  describe('files', () => {
    /**
     * @param {string} name
     * @param {string | Uint8Array} contents
     */
    async function file(name, contents) {
      const path = join(folder, name);
      await writeFile(path, contents);
      return path;
    }

    /** @param {Record<string, { dtype: string, shape: number[], data: Uint8Array }>} tensors */
    function safetensors(tensors) {
      let end = 0;
      const entries = Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
        const begin = end;
        end += data.length;
        return [name, { dtype, shape, data_offsets: [begin, end] }];
      });
      const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(header.length));
      return Buffer.concat([length, header, ...Object.values(tensors).map(({ data }) => data)]);
    }

    /** @param {Float32Array} values */
    const bytes = (values) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

    /**
     * @param {import('playwright-core').Page} page
     * @param {string} path
     * @param {RegExp} said
     */
    async function choose(page, path, said) {
      await page.setInputFiles('#addition [type=file]', path);
      await page.locator('#addition .file :is(.note, .error)', { hasText: said }).waitFor();
    }

    /**
     * Checks a cell of the sum against a matrix.
     *
     * @param {import('playwright-core').Page} page
     * @param {Float32Array} values
     * @param {{ rows: number, dim: number, row: number, column: number, position?: number }} cell
     */
    async function assertCell(page, values, { rows, dim, row, column, position = row }) {
      await hover(page, '#addition .sum .plot', { row, column, rows, columns: dim });
      const { said, numbers } = await equation(page);
      assert.equal(said.row, String(row));
      const [value, added] = [values[row * dim + column], formula(position, column, { dim })];
      assertNear(numbers, [value, added, value + added]);
    }

    const data = Float32Array.from({ length: 600 * 8 }, (_, k) => Math.sin(k) * 2);

    test('an .npy sets the dim, is cut, and gives way to the text', async () => {
      const page = await show();
      await choose(page, await file('mine.npy', writeNpy({ data, shape: [600, 8] })), /512 rows of 8 numbers/);
      assert.equal(
        await text(page, '.file .note'),
        'mine.npy: 512 rows of 8 numbers, the first of 600 rows. The table has 8 dimensions now.',
      );
      assert.match(await hashOf(page), /[#&]dim=8(&|$)/);
      assert.equal(await text(page, '#addition .shape'), '[batch, length, dim] = [1, 512, 8]');
      await assertCell(page, data, { rows: 512, dim: 8, row: 500, column: 5 });
      assert.equal(await page.locator('#context').isDisabled(), true);
      assert.equal(await page.locator('.chips').isVisible(), false);

      // With another dim the mismatch is reported, and no number is shown.
      // The browser may scroll to where the page was then, and panels out of sight are not drawn.
      await page.goBack();
      await bringNear(page, '#addition');
      await page.getByText('The embeddings’ rows have 8 numbers, the table’s 64.').waitFor();
      await page.getByRole('button', { name: 'Show 8 dimensions' }).click();
      await assertCell(page, data, { rows: 512, dim: 8, row: 3, column: 2 });

      await page.getByRole('button', { name: 'Back to the text' }).click();
      await settle(page);
      assert.equal((await readout(page, '#addition')).token, '␣an');
      assert.equal(await text(page, '.file .note'), '');
      assert.equal(await page.locator('#context').isDisabled(), false);
    });

    test('an .npy of three axes is a batch, in either order', async () => {
      const page = await show('#order=sequence-first');
      const path = await file('batch.npy', writeNpy({ data: data.slice(0, 120), shape: [5, 3, 8] }));
      await choose(page, path, /5 × 3 rows of 8 numbers\./);
      assert.equal(await text(page, '#addition .shape'), '[length, batch, dim] = [5, 3, 8]');
      await assertCell(page, data, { rows: 15, dim: 8, row: 7, column: 1, position: 2 });
      await page.selectOption('#order', 'batch-first');
      await settle(page);
      assert.equal(await text(page, '#addition .shape'), '[batch, length, dim] = [5, 3, 8]');
      await assertCell(page, data, { rows: 15, dim: 8, row: 7, column: 1, position: 1 });
    });

    test('a .safetensors offers its tensors by name', async () => {
      const page = await show();
      const half = Uint8Array.from([0x80, 0x3f, 0x00, 0xc0, 0x40, 0x3f, 0x80, 0x3e]); // bfloat16: 1, -2, 0.75, 0.25
      const path = await file(
        'model.safetensors',
        safetensors({
          'h.0.bias': { dtype: 'F32', shape: [4], data: bytes(data.slice(0, 4)) },
          ids: { dtype: 'I64', shape: [1, 1], data: new Uint8Array(8) },
          wte: { dtype: 'F32', shape: [600, 8], data: bytes(data) },
          wpe: { dtype: 'BF16', shape: [2, 2], data: half },
        }),
      );
      await choose(page, path, /^wte: 512 rows of 8 numbers, the first of 600 rows\./);
      await assertCell(page, data, { rows: 512, dim: 8, row: 300, column: 7 });
      const options = page.locator('#tensor option');
      assert.deepEqual((await options.allTextContents()).slice(1), [
        'h.0.bias [4]',
        'ids [1, 1]',
        'wte [600, 8]',
        'wpe [2, 2]',
      ]);
      assert.equal(await options.nth(1).isDisabled(), true);

      await page.selectOption('#tensor', 'wpe');
      await page.locator('.file .note', { hasText: 'wpe: 2 rows of 2 numbers.' }).waitFor();
      assert.match(await hashOf(page), /[#&]dim=2(&|$)/);
      await assertCell(page, Float32Array.of(1, -2, 0.75, 0.25), { rows: 2, dim: 2, row: 1, column: 0 });

      // A file that can't be read changes nothing.
      await page.selectOption('#tensor', 'ids');
      await page
        .locator('.file .error', { hasText: /^ids: The dtype .* must be F32 or F16 or BF16, got "I64"\.$/ })
        .waitFor();
      assert.equal(await page.inputValue('#tensor'), 'wpe');
      await assertCell(page, Float32Array.of(1, -2, 0.75, 0.25), { rows: 2, dim: 2, row: 0, column: 1 });
    });

    test('a .csv of any separator, dropped on the panel', async () => {
      const page = await show();
      for (const [separator, name] of [
        [',', 'a'],
        ['\t', 'b'],
        [';', 'c'],
        [' ', 'd'],
      ]) {
        const lines = [
          [1, -2.5, 3e-1],
          [0.5, 4, 5],
        ].map((row) => row.join(separator));
        await page.evaluate(
          ({ name, contents }) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([contents], `${name}.csv`));
            const panel = /** @type {Element} */ (document.querySelector('#addition .trio'));
            for (const type of ['dragover', 'drop']) {
              panel.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
            }
          },
          { name, contents: `${lines.join('\r\n')}\r\n` },
        );
        await page.locator('.file .note', { hasText: `${name}.csv: 2 rows of 3 numbers.` }).waitFor();
        await settle(page);
        assert.equal(await page.locator('#addition.over').count(), 0);
        await assertCell(page, Float32Array.of(1, -2.5, 0.3, 0.5, 4, 5), { rows: 2, dim: 3, row: 1, column: 1 });
      }
      const long = Array.from({ length: 700 }, (_, row) => `${row}.5,1`).join('\n');
      await choose(page, await file('long.csv', long), /^long\.csv: 512 rows of 2 numbers, the first of 700 rows\./);
    });

    test('a .txt becomes the text, as far as it is read', async () => {
      const page = await show();
      await page.setInputFiles('#addition [type=file]', await file('poem.txt', 'Über\r\nallen Gipfeln'));
      await page.locator('#addition .summary', { hasText: '18 characters' }).waitFor();
      assert.equal(await page.inputValue('#text'), 'Über\nallen Gipfeln');
      assert.deepEqual(await shownIds(page), idsOf('Über\nallen Gipfeln'));

      // 100 MB, only a small part of which is read.
      const path = join(folder, 'huge.txt');
      const handle = await open(path, 'w');
      await handle.write('€ is three bytes; '.repeat(3000));
      await handle.truncate(100e6);
      await handle.close();
      await page.setInputFiles('#addition [type=file]', path);
      await page.locator('#addition .summary', { hasText: 'from the first 8000 characters' }).waitFor();
      assert.equal((await page.inputValue('#text')).length, 8001);
    });

    test('of 100 MB only the rows shown are read', async () => {
      const page = await show();
      await page.evaluate(() => {
        const { arrayBuffer } = Blob.prototype;
        Object.assign(globalThis, { read: 0 });
        Blob.prototype.arrayBuffer = function () {
          /** @type {any} */ (globalThis).read += this.size;
          return arrayBuffer.call(this);
        };
      });
      const rows = 100_000;
      for (const [name, head] of /** @type {[string, Uint8Array][]} */ ([
        [
          'big.npy',
          Buffer.concat([
            Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'),
            Buffer.from(`{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, 256), }`.padEnd(117)),
            Buffer.from('\n'),
          ]),
        ],
        ['big.safetensors', safetensors({ wte: { dtype: 'F32', shape: [rows, 256], data: new Uint8Array(0) } })],
      ])) {
        const path = join(folder, name);
        const handle = await open(path, 'w');
        const fixed = Buffer.from(head)
          .toString('latin1')
          .replace('"data_offsets":[0,0]', `"data_offsets":[0,${rows * 1024}]`);
        const start = Buffer.from(fixed, 'latin1');
        if (name.endsWith('s')) start.writeBigUInt64LE(BigInt(start.length - 8));
        await handle.write(start);
        await handle.write(bytes(Float32Array.of(0.25, -0.5)));
        await handle.truncate(start.length + rows * 1024);
        await handle.close();
        await choose(page, path, /512 rows of 256 numbers, the first of 100,000 rows\./);
        assert.ok((await page.evaluate(() => /** @type {any} */ (globalThis).read)) < 2e6);
        await hover(page, '#addition .sum .plot', { row: 0, column: 1, rows: 512, columns: 256 });
        assertNear((await equation(page)).numbers, [-0.5, 1, 0.5]);
      }
    });

    test('unreadable files are refused with a reason, and the last good state stays', async () => {
      const page = await show('#dim=3');
      await choose(page, await file('good.csv', '1,2,3\n4,5,6'), /good\.csv: 2 rows/);
      const good = await readout(page, '#addition');
      const truncated = writeNpy({ data, shape: [600, 8] }).subarray(0, 9001);
      const golden = new URL('../golden/files/', import.meta.url);
      const bad = /** @type {[string, string | Uint8Array, RegExp][]} */ ([
        ['empty.npy', '', /The file is empty\./],
        ['empty.csv', '', /The file is empty\./],
        ['blank.csv', '\n \n', /no numbers/],
        ['empty.txt', '', /The file is empty\./],
        ['table.xlsx', 'PK', /The ZIP archive is cut off or damaged\./],
        ['noextension', 'no table', /Line 1, column 1: “no” is not a number\./],
        ['garbage.npy', Buffer.from('\x93NUMPY and more of it', 'latin1'), /The version of the \.npy file must be/],
        ['garbage.csv', Uint8Array.from({ length: 999 }, (_, k) => (k * 7919) % 251), /This is neither text/],
        ['binary.txt', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /This is neither text/],
        ['zeros.txt', new Uint8Array(64), /This is neither text/],
        ['ragged.csv', '1,2,3\n4,5\n', /Line 2 has 2 columns, line 1 has 3\./],
        ['words.csv', '1,2,3\n4,five,6\n', /Line 2, column 2: “five” is not a number\./],
        ['nan.csv', '1,2,3\n4,nan,6\n', /Row 2, column 2, counted from 1, is NaN in float32\./],
        [
          'vector.npy',
          await readFile(new URL('vector.npy', golden)),
          /Embeddings must have the shape \[rows, dim\], or three axes\. This has the shape \[5\]\./,
        ],
        [
          'complex.npy',
          Buffer.from(
            Buffer.from(writeNpy({ data, shape: [600, 8] }))
              .toString('latin1')
              .replace('<f4', '<c4'),
            'latin1',
          ),
          /The dtype of the \.npy file must be/,
        ],
        ['truncated.npy', truncated, /The data of the \.npy file must be 19200 bytes long, for shape \[600, 8\]/],
        [
          'none.npy',
          writeNpy({ data: new Float32Array(0), shape: [0, 4] }),
          /Embeddings must not be empty\. This has the shape \[0, 4\]\./,
        ],
        [
          'wide.npy',
          writeNpy({ data: new Float32Array(8194), shape: [2, 4097] }),
          /Up to 4096 dimensions are shown\. This has the shape \[2, 4097\]\./,
        ],
        ['many.npy', writeNpy({ data: new Float32Array(513), shape: [1, 513, 1] }), /the second axis alone has more\./],
        [
          'bias.safetensors',
          safetensors({ bias: { dtype: 'F32', shape: [2], data: new Uint8Array(8) } }),
          /Embeddings must have|no tensor of a suitable shape/,
        ],
      ]);
      for (const [name, contents, reason] of bad) {
        await choose(page, await file(name, contents), reason);
        assert.ok(String(await page.locator('.file .error').textContent()).startsWith(`${name}: `));
        assert.equal(await page.locator('.file .note').textContent(), 'good.csv: 2 rows of 3 numbers.');
      }
      assert.deepEqual(await readout(page, '#addition'), good);
      // The next good one clears the error.
      await choose(page, await file('other.csv', '1 2 3'), /other\.csv: 1 rows? of 3/);
      assert.equal(await text(page, '.file .error'), '');
    });

    test('typing goes back to the text', async () => {
      const page = await show('#dim=3');
      await choose(page, await file('m.csv', '1,2,3\n4,5,6'), /m\.csv/);
      await type(page, 'two words');
      assert.equal((await readout(page, '#addition')).token, '␣words');
      assert.equal(await text(page, '.file .note'), '');
    });
  });

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing with everything on, ${colorScheme}`, async () => {
      const page = await show(
        '#dim=16&root=yes&dropout=0.4&segments=yes&context=4&stride=2&order=sequence-first&text=a+b+c+[SEP]+d+a+f+g+h',
      );
      await page.emulateMedia({ colorScheme });
      await page.fill('#stride', '0');
      await page.setInputFiles('#addition [type=file]', { name: 'x.foo', mimeType: '', buffer: Buffer.from('x') });
      await page.locator('.file .error', { hasText: 'is not a number' }).waitFor();
      assert.deepEqual(await violations(page, '#addition'), []);
      const buffer = Buffer.from(safetensors16());
      await page.setInputFiles('#addition [type=file]', { name: 'x.safetensors', mimeType: '', buffer });
      await page.locator('#tensor').waitFor();
      await settle(page);
      assert.deepEqual(await violations(page, '#addition'), []);
    });
  }

  /** A file of two small tensors. */
  function safetensors16() {
    const header =
      '{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"F32","shape":[1,2],"data_offsets":[16,24]}}';
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    return Buffer.concat([length, Buffer.from(header), Buffer.alloc(24)]);
  }

  test('fits narrow windows with everything on', async () => {
    const page = await show(
      '#start=-9007199254740991&dim=2048&root=yes&dropout=0.4&segments=yes&context=4&stride=2&text=Donaudampfschifffahrtsgesellschaftskapitän+[SEP]+a+b',
    );
    for (const width of [1024, 640, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await settle(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('moving the start makes no new samples and keeps the frames', async () => {
    const page = await show('#dim=512');
    await type(page, 'The quick brown fox jumps over the lazy dog, and so on. '.repeat(12));
    const work = await page.evaluate(async () => {
      const chips = /** @type {Element} */ (document.querySelector('.chips li'));
      const start = /** @type {HTMLInputElement} */ (document.querySelector('#start'));
      const works = [];
      for (let k = 1; k <= 20; k++) {
        start.value = String(k);
        start.dispatchEvent(new Event('input'));
        await new Promise(requestAnimationFrame);
        await new Promise((done) => setTimeout(done, 30));
        works.push(performance.getEntriesByName('posenc:work')[0]?.duration ?? 0);
      }
      works.sort((a, b) => a - b);
      return { median: works[10], same: chips.isConnected };
    });
    assert.ok(work.same);
    assert.ok(work.median > 0 && work.median < 100, `${work.median} ms`);
  });

  test('and no errors occurred', () => assert.deepEqual(shared?.problems, []));
});
