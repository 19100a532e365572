import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encode } from 'gpt-tokenizer/encoding/gpt2';
import { sampleEmbeddings } from '../../web/page/samples.js';
import { SENTENCE } from '../../web/page/sentence.js';
import { formula, hover, pixels, readout, settle, startPage, text } from './helpers.js';

/** @param {string} text */
const idsOf = (text) => encode(text, { disallowedSpecial: new Set() });

describe('a text, its embeddings and their sum with the encoding', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * @param {import('playwright-core').Page} page
   * @param {string} typed
   */
  async function type(page, typed) {
    await page.fill('textarea', typed);
    const count = idsOf(typed.slice(0, 8000)).length;
    const summary = `${count.toLocaleString('en')} token${count === 1 ? '' : 's'} from`;
    await page.locator('.summary', { hasText: summary }).waitFor();
    await settle(page);
  }

  /** @param {import('playwright-core').Page} page */
  const shownIds = async (page) => (await page.locator('.chips .id').allTextContents()).map(Number);

  test('the first sentence is there at once, without the vocabulary', async () => {
    /** @type {string[]} */
    const asked = [];
    const { page } = await site.open('', {}, async (page) =>
      page.on('request', (request) => asked.push(request.url())),
    );
    assert.deepEqual(await shownIds(page), idsOf(SENTENCE));
    assert.equal(asked.filter((url) => url.includes('tokenizer')).length, 0);
    assert.equal(await page.inputValue('textarea'), SENTENCE);
    await page.close();
  });

  test('a typed sentence gets GPT-2’s tokens', async () => {
    const { page, problems } = await site.open();
    const typed = 'The dog saw a cat, and the cat saw the dog.';
    await page.locator('textarea').fill('');
    await page.locator('textarea').pressSequentially(typed, { delay: 5 });
    await page.locator('.summary', { hasText: '13 tokens from 43 characters' }).waitFor();
    assert.deepEqual(await shownIds(page), idsOf(typed));
    assert.deepEqual((await page.locator('.chips bdi').allTextContents()).slice(0, 3), ['The', '␣dog', '␣saw']);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the read-outs are the embedding, the encoding of its position and their sum', async () => {
    const { page } = await site.open('#dim=32&base=500&start=100&seed=3');
    const typed = 'one two three two one';
    await type(page, typed);
    const ids = idsOf(typed);
    const embeddings = sampleEmbeddings(ids, 32, 3);
    for (const [figure, row, column] of /** @type {[string, number, number][]} */ ([
      ['embedding', 0, 0],
      ['encoding', 1, 31],
      ['sum', 3, 6],
      ['sum', 4, 17],
    ])) {
      await hover(page, `.${figure} .plot`, { row, column, rows: ids.length, columns: 32 });
      const said = await readout(page, '#addition');
      assert.equal(said.position, String(100 + row));
      assert.equal(said.dimension, String(column));
      assert.equal(said.token, ['one', '␣two', '␣three', '␣two', '␣one'][row]);
      const [embedding, encoding, sum] = said['embedding + encoding = sum']
        .replace(/[()]/g, '')
        .split(/ [+=] /)
        .map(Number);
      const drawn = embeddings[row * 32 + column];
      const added = formula(100 + row, column, { dim: 32, base: 500 });
      assert.ok(Math.abs(embedding - drawn) < 1e-6, `embedding ${embedding}, not ${drawn}`);
      assert.ok(Math.abs(encoding - added) < 1e-6, `encoding ${encoding}, not ${added}`);
      assert.ok(Math.abs(sum - (drawn + added)) < 1e-6, `sum ${sum}, not ${drawn + added}`);
    }
    await page.close();
  });

  test('the three heatmaps share one cursor, by keyboard too', async () => {
    const { page } = await site.open();
    await page.locator('.sum .plot').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    const said = await readout(page, '#addition');
    assert.deepEqual([said.token, said.position, said.dimension], ['␣flies', '1', '63']);
    const places = await page
      .locator('.trio .plot')
      .evaluateAll((plots) => plots.map((plot) => /** @type {HTMLElement} */ (plot).style.cssText));
    assert.equal(places.length, 3);
    assert.equal(new Set(places).size, 1);
    await page.close();
  });

  test('a repeated token’s rows are the same before and differ after', async () => {
    const { page } = await site.open();
    const ids = idsOf(SENTENCE);
    const embeddings = sampleEmbeddings(ids, 64, 1);
    /** @param {number} row */
    const sum = (row) => Array.from({ length: 64 }, (_, k) => embeddings[row * 64 + k] + formula(row, k));
    /**
     * @param {number[]} a
     * @param {number[]} b
     */
    const dot = (a, b) => a.reduce((total, x, k) => total + x * b[k], 0);
    /**
     * @param {number} first
     * @param {number} second
     */
    const cosine = (first, second) => {
      const [a, b] = [sum(first), sum(second)];
      return (dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))).toFixed(4);
    };
    assert.equal(await text(page, '.before'), '1.0000');
    assert.equal(await text(page, '.after'), cosine(1, 7));
    assert.deepEqual(await page.locator('#word option').allTextContents(), ['␣flies at 1 and 7', '␣like at 2 and 8']);

    await page.selectOption('#word', { label: '␣like at 2 and 8' });
    await settle(page);
    assert.equal(await text(page, '.after'), cosine(2, 8));
    assert.equal(await page.locator('.chips .strong').count(), 2);
    assert.match(page.url(), /word=588$/);

    await type(page, 'nothing comes twice');
    assert.equal(await text(page, '.before'), '–');
    assert.equal(await page.locator('#word').isDisabled(), true);
    await page.close();
  });

  test('another seed is another sample; the same seed the same', async () => {
    const { page } = await site.open();
    const first = await pixels(page, '.embedding canvas');
    await page.fill('#seed', '2');
    const second = await pixels(page, '.embedding canvas');
    assert.notDeepEqual(second.data, first.data);
    await page.fill('#seed', '1');
    assert.deepEqual((await pixels(page, '.embedding canvas')).data, first.data);
    await page.close();
  });

  test('any text is taken as text', async () => {
    const { page, problems } = await site.open();
    const strange = [
      '<img src=x onerror="document.title = 1">',
      '<|endoftext|>',
      '👨‍👩‍👧 🇺🇸',
      'שלום עולם',
      '\u202eabc\u0000\ud800',
      '   \n\t',
      'x'.repeat(20_000),
      'word '.repeat(3000),
    ];
    for (const typed of strange) await type(page, typed);
    assert.match(await text(page, '.summary'), /Only the first 8,000 characters are read.*first 512/);
    assert.equal((await shownIds(page)).length, 512);
    assert.equal(await page.locator('main img').count(), 0);
    assert.equal(await page.title(), 'Sinusoidal positional encodings');

    await type(page, '👨 שלום \u202e');
    assert.match(await text(page, '.summary'), /split into bytes.*reading order/s);
    assert.ok((await page.locator('.chips bdi').allTextContents()).includes('⟨F0 9F 91⟩'));
    assert.ok(!(await text(page, '#addition')).includes('\u202e'));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('an empty text says so, and the figure comes back', async () => {
    const { page, problems } = await site.open('#text=');
    await page.getByText('An empty text has no tokens. Type something.').waitFor();
    assert.equal(await page.locator('.sum .plot').isVisible(), false);
    await type(page, 'back again');
    assert.equal(await page.locator('.sum .plot').isVisible(), true);
    assert.equal(await text(page, '.problem'), '');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('positions past 2^53 are refused in words', async () => {
    const { page, problems } = await site.open('#length=1&start=9007199254740991');
    assert.match(await text(page, '.problem'), /^posenc: .+ must be /);
    await page.fill('#start', '0');
    await settle(page);
    assert.equal(await text(page, '.problem'), '');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a vocabulary that does not load is said, and tried again', async () => {
    let offline = true;
    const { page } = await site.open('', {}, (page) =>
      page.route('**/tokenizer-*.js', (route) => (offline ? route.abort() : route.continue())),
    );
    await page.fill('textarea', 'not the first sentence');
    await page.getByText('GPT-2’s vocabulary did not load').waitFor();
    offline = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.summary', { hasText: '4 tokens' }).waitFor();
    assert.equal(await page.locator('.sum .plot').isVisible(), true);
    await page.close();
  });
});
