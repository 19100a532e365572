import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { KINDS } from '../../web/figure/kinds.js';
import { FIGURES } from '../../web/page/figures.js';
import { blankCanvases, startPage, violations, watch } from './helpers.js';

const readme = readFileSync(new URL('../../web/page/README.md', import.meta.url), 'utf8');
/** What the README tells the page around a frame to do. */
const [, LISTENER] = /<script>\n(.*?)<\/script>/s.exec(readme) ?? [];

describe('one figure in a frame', () => {
  /** @type {Awaited<ReturnType<typeof startPage>>} */
  let site;
  before(async () => {
    site = await startPage();
  });
  after(() => site.close());

  /**
   * A page with a frame, which is ready.
   *
   * @param {string} hash
   * @param {object} [options]
   * @param {number} [options.width] of the page
   * @param {string} [options.attributes] of the frame
   */
  async function embed(hash, { width = 760, attributes = '' } = {}) {
    const host = await site.browser.newPage({ viewport: { width, height: 900 } });
    const problems = watch(host);
    await host.setContent(
      `<p>before</p><script>
        Object.assign(globalThis, { told: [], shift: 0 });
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) shift += value;
        }).observe({ type: 'layout-shift', buffered: true });
        addEventListener('message', ({ data }) => told.push(data.height));
        ${LISTENER}
      </script>
      <iframe sandbox="allow-scripts" src="${site.address}embed.html${hash.replaceAll('&', '&amp;')}" width="100%" ${attributes}></iframe>
      <p>after</p>`,
    );
    await host.waitForFunction('told.length');
    const frame = host.frames()[1];
    await frame.evaluate(async () => {
      for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame);
    });
    return { host, frame, problems };
  }

  for (const [show, { panel, height }] of Object.entries(FIGURES)) {
    const kind = Object.values(KINDS).find(({ panels }) => panels.includes(panel));
    const preset = kind?.presets[0];
    test(`${show} moves nothing on the page around it, in a frame as high as Export says`, async () => {
      const { host, frame, problems } = await embed(`#show=${show}&preset=${preset}&height=${height}`, {
        attributes: `height="${height}" frameborder="0"`,
      });
      await host.waitForTimeout(300);
      assert.deepEqual(await host.evaluate('told'), [height]);
      assert.ok(Number(await host.evaluate('shift')) < 0.001, `shifts by ${await host.evaluate('shift')}`);
      assert.deepEqual(await frame.evaluate(blankCanvases, `#${panel}`), []);
      assert.equal(await frame.evaluate(() => origin), 'null');
      assert.equal(await frame.locator('.notes').isVisible(), false);
      assert.deepEqual(problems, []);
      await host.close();
    });

    test(`${show} without controls and text is the figure alone, in the given height`, async () => {
      const { host, frame, problems } = await embed(
        `#show=${show}&preset=${preset}&controls=no&text=no&height=600&title=Mine`,
      );
      const seen = frame.locator(':is(input, button, select, textarea, .caption, .source, h2):visible');
      // A heading that is only heard is one pixel large.
      assert.deepEqual(await seen.evaluateAll((all) => all.map(({ localName }) => localName)), ['h2']);
      assert.equal(await frame.locator('h2').evaluate(({ clientWidth }) => clientWidth), 1);
      assert.equal(await frame.locator('section').getAttribute('aria-label'), 'Mine');
      if (panel !== 'addition') assert.deepEqual(await host.evaluate('told'), [600]);
      assert.deepEqual(problems, []);
      await host.close();
    });
  }

  test('the first message is the height of the drawn figure', async () => {
    const { host, frame, problems } = await embed('#show=waves&dim=8');
    const height = await frame.evaluate(() => document.body.getBoundingClientRect().height);
    assert.deepEqual(await host.evaluate('told'), [Math.ceil(height)]);
    assert.ok(height > 500, `${height}`);
    assert.deepEqual(problems, []);
    await host.close();
  });

  test('an address in the original format shows the same figure', async () => {
    const { host, frame, problems } = await embed('#dim=8&length=20&position=3&dimension=2&theme=dark&text=not+here');
    const value = frame.locator('.pair', { hasText: 'value' }).locator('.value');
    assert.equal(await value.textContent(), '0.295520216');
    assert.equal(await frame.locator('.notes').isVisible(), false);
    const { backgroundColor } = await frame.evaluate(() => ({ ...getComputedStyle(document.body) }));
    assert.equal(backgroundColor, 'rgb(19, 21, 24)');
    assert.equal(await frame.locator('h2').evaluate(({ clientWidth }) => clientWidth), 1);
    await host.close();

    const add = await embed('#show=add&dim=8&root=true&drop-out=0&dropout-seed=3&preset=learned&rows=12');
    assert.equal(await add.frame.locator('#addition .sum-of').textContent(), 'input = √8 · embedding + encoding');
    assert.equal(await add.frame.inputValue('#dropoutSeed'), '3');
    assert.equal(await add.frame.locator('.words, .of-text').filter({ visible: true }).count(), 0);
    assert.equal(
      await add.frame.locator('.notes').textContent(),
      'Ignored in the address: “drop-out” is not a setting.',
    );
    await add.host.close();

    const domain = await embed('#show=heatmap&domain=-0.5,0.5');
    assert.deepEqual(await domain.frame.locator('#table .legend span').allTextContents(), ['≤ −0.5', '0', '≥ 0.5']);
    await domain.host.close();
    assert.deepEqual([...problems, ...add.problems, ...domain.problems], []);
  });

  test('the address uses the page’s names, and errors in it are reported', async () => {
    const { host, frame, problems } = await embed(
      '#show=waves&waves=0,1&dim=0&%3Cb%3Efoo=1&theme=blue&height=99&controls=never',
    );
    assert.equal(await frame.locator('tbody tr').count(), 2);
    assert.equal(
      await frame.locator('.notes').textContent(),
      'Ignored in the address: controls must be yes or no, not “never”; theme must be light or dark, not “blue”; height must be a whole number from 100 to 4000, not “99”; dim must be a whole number from 1 to 4096, not “0”; “<b>foo” is not a setting.',
    );
    await host.close();
    const unknown = await embed('#show=__proto__');
    assert.match((await unknown.frame.locator('.notes').textContent()) ?? '', /show must be heatmap or waves or/);
    assert.equal(await unknown.frame.locator('#table .plot').isVisible(), true);
    await unknown.host.close();
    assert.deepEqual([...problems, ...unknown.problems], []);
  });

  test('the address sets the text, and the link opens the same view', async () => {
    const page = await site.browser.newPage({ viewport: { width: 800, height: 900 } });
    const problems = watch(page);
    await page.goto(`${site.address}embed.html#show=add&text=dog+bites+man&dim=16&title=Three+words`);
    await page.locator('#addition .rows .tick', { hasText: 'bites' }).first().waitFor();
    assert.equal(await page.locator('h2').textContent(), 'Three words');
    assert.ok((await page.locator('h2').evaluate(({ clientWidth }) => clientWidth)) > 50);
    assert.deepEqual(await violations(page, 'main'), []);
    await page.locator('#root').check();
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link').click()]);
    await opened.waitForFunction(() => performance.getEntriesByName('posenc:render').length);
    assert.equal(new URL(opened.url()).hash, '#dim=16&text=dog+bites+man&root=yes');
    assert.equal(await opened.evaluate(() => opener), null);
    assert.deepEqual(problems, []);
    await page.close();
    await opened.close();
  });

  test('a new address is followed, whatever it shows', async () => {
    const page = await site.browser.newPage({ viewport: { width: 800, height: 900 } });
    const problems = watch(page);
    await page.goto(`${site.address}embed.html#show=waves&dim=8`);
    await page.locator('#waves tbody tr').first().waitFor();
    for (const [hash, ready] of [
      ['#show=waves&dim=8&waves=2&theme=dark', '#waves tbody tr:only-child'],
      ['#show=clocks&dim=8', '#clocks .dials li:nth-child(4)'],
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, hash);
      await page.locator(ready).waitFor();
    }
    assert.deepEqual(problems, []);
    await page.close();
  });
});
