import { readFileSync } from 'node:fs';
import { KINDS } from '../../web/figure/kinds.js';
import { FIGURES } from '../../web/page/figures.js';
import { watch } from './browser.js';
import { blankCanvases, expect, settled, test } from './page.js';

/** @typedef {import('@playwright/test').Page} Page */

const readme = readFileSync(new URL('../../web/page/README.md', import.meta.url), 'utf8');
/** What the README tells the page around a frame to do. */
const [, LISTENER] = /<script>\n(.*?)<\/script>/s.exec(readme) ?? [];

/** @type {import('./page.js').Site} */
let site;
test.beforeAll(({ site: own }) => {
  site = own;
});

/** The first preset that has a figure, by the figure's panel. @param {import('../../web/figure/kinds.js').PanelId} panel */
const presetOf = (panel) => Object.values(KINDS).find(({ panels }) => panels.includes(panel))?.presets[0];

/**
 * A page with a frame, which is ready.
 *
 * @param {string} hash
 * @param {string} [attributes] of the frame
 */
async function embed(hash, attributes = '') {
  const host = await site.browser.newPage({ viewport: { width: 760, height: 900 } });
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
    <iframe sandbox="allow-scripts" src="${site.address}embed.html${hash.replaceAll('&', '&amp;')}" width="100%" frameborder="0" ${attributes}></iframe>
    <p>after</p>`,
  );
  await host.waitForFunction('told.length');
  const frame = host.frames()[1];
  await settled(frame);
  return { host, frame, problems };
}

test.describe('one figure in a frame', () => {
  for (const [show, { panel, height }] of Object.entries(FIGURES)) {
    const preset = presetOf(panel);
    test(`${show} moves nothing on the page around it, in a frame as high as Export says`, async () => {
      const hash = `#show=${show}&preset=${preset}&height=${height}`;
      const { host, frame, problems } = await embed(hash, `height="${height}"`);
      expect(await host.evaluate('told')).toEqual([height]);
      expect(Number(await host.evaluate('shift'))).toBeLessThan(0.001);
      expect(await frame.evaluate(blankCanvases, `#${panel}`)).toEqual([]);
      expect(await frame.evaluate(() => origin)).toBe('null');
      await expect(frame.locator('.notes')).toBeHidden();
      expect(problems).toEqual([]);
      await host.close();
    });

    test(`${show} without controls and text is the figure alone, in the given height`, async () => {
      const hash = `#show=${show}&preset=${preset}&controls=no&text=no&height=600&title=Mine`;
      const { host, frame, problems } = await embed(hash);
      const seen = frame.locator(':is(input, button, select, textarea, .caption, .source, h2):visible');
      // A heading that is only heard is one pixel large.
      expect(await seen.evaluateAll((all) => all.map(({ localName }) => localName))).toEqual(['h2']);
      expect(await frame.locator('h2').evaluate(({ clientWidth }) => clientWidth)).toBe(1);
      await expect(frame.locator('section')).toHaveAttribute('aria-label', 'Mine');
      expect(await frame.title()).toBe('Mine');
      if (panel !== 'addition') expect(await host.evaluate('told')).toEqual([600]);
      expect(problems).toEqual([]);
      await host.close();
    });
  }

  test('the first message is the height of the drawn figure, and each new height is told', async () => {
    const { host, frame, problems } = await embed('#show=waves&dim=8');
    const height = () => frame.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height));
    const first = await height();
    expect(first).toBeGreaterThan(500);
    expect(await host.evaluate('told')).toEqual([first]);
    await frame.evaluate(() => {
      location.hash = '#show=waves&dim=8&text=no';
    });
    await expect.poll(() => host.evaluate('told.length')).toBe(2);
    const second = await height();
    expect(second).toBeLessThan(first);
    expect(await host.evaluate('told')).toEqual([first, second]);
    await expect(host.locator('iframe')).toHaveAttribute('height', String(second));
    expect(problems).toEqual([]);
    await host.close();
  });

  test('a frame that may not open windows shows the page itself', async () => {
    const { host, frame, problems } = await embed('#show=waves&dim=8');
    await frame.getByRole('link', { name: 'Open in posenc' }).click();
    await frame.waitForURL(/index\.html#dim=8$/);
    expect(problems.filter((problem) => !/Blocked opening .+ sandboxed/.test(problem))).toEqual([]);
    await host.close();
  });
});

/**
 * A figure by itself.
 *
 * @param {string} hash
 * @param {(page: Page) => Promise<unknown>} [prepare]
 */
async function alone(hash, prepare = async () => {}) {
  const { page, problems } = await site.blank({ viewport: { width: 800, height: 900 } });
  await prepare(page);
  await page.goto(`${site.address}embed.html${hash}`);
  await settled(page);
  return { page, problems };
}

/**
 * Everything that is seen: texts, fields, colours, and the names and pixels of canvases.
 *
 * @param {Page} page
 */
async function seen(page) {
  await page.mouse.move(0, 0);
  await settled(page);
  return page.evaluate(() => {
    const canvases = [...document.querySelectorAll('canvas')].filter((canvas) => canvas.checkVisibility());
    const pixelsOf = (/** @type {HTMLCanvasElement} */ canvas) => {
      const { width, height } = canvas;
      if (width * height === 0) return 0;
      const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (
        new OffscreenCanvas(width, height).getContext('2d')
      );
      copy.drawImage(canvas, 0, 0);
      const words = new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
      return words.reduce((digest, word) => (Math.imul(digest, 31) + word) | 0, width);
    };
    const fields = [...document.querySelectorAll('main :is(input, select, textarea)')];
    const visible = (/** @type {string} */ selector) =>
      [...document.querySelectorAll(`main ${selector}`)].filter((node) => node.checkVisibility());
    // Declarations have no order.
    const styles = visible('[style]').map((node) => String(node.getAttribute('style')).split(/; ?/).sort());
    const shapes = visible('svg').map(({ outerHTML }) => outerHTML);
    return {
      text: document.body.innerText,
      link: document.querySelector('a')?.href,
      title: [document.title, document.querySelector('section')?.ariaLabel],
      colours: [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color],
      fields: fields.map((field) => [field.checkVisibility(), /** @type {HTMLInputElement} */ (field).value]),
      drawn: [canvases.map((canvas) => [canvas.ariaLabel, pixelsOf(canvas)]), styles, shapes],
      height: document.body.getBoundingClientRect().height,
    };
  });
}

/** Settings of the panels, by figure, that change what is drawn. @type {Record<string, string>} */
const CHANGED = {
  heatmap: 'length=40&position=7&dimension=3',
  waves: 'dim=12&waves=2,3',
  clocks: 'bits=yes&position=9',
  similarity: 'metric=dot&shift=3',
  precision: 'span=1000',
  shuffle: 'shuffle=1,0&text=dog+bites+man',
  scores: 'positions=no&text=dog+bites+man',
  frequencies: 'scaling=linear+factor%3D4',
  bias: 'heads=4&head=1',
  add: 'root=yes&text=dog+bites+man',
};

test.describe('the address of a figure', () => {
  for (const [show, { panel }] of Object.entries(FIGURES)) {
    test(`${show} follows it there and back, as if it were new`, async () => {
      const first = `#show=${show}&preset=${presetOf(panel)}&dim=8`;
      const second = `${first}&base=500&${CHANGED[show]}&theme=dark&title=Mine&controls=no`;
      const { page, problems } = await alone(first);
      const go = async (/** @type {string} */ hash) => {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, hash);
        return seen(page);
      };
      const before = await seen(page);
      const after = await go(second);
      for (const key of /** @type {const} */ (['text', 'link', 'title', 'colours', 'drawn'])) {
        expect(after[key], key).not.toEqual(before[key]);
      }
      expect(await go(first)).toEqual(before);
      await page.evaluate((hash) => history.replaceState(null, '', hash), second);
      await page.reload();
      expect(await seen(page)).toEqual(after);
      expect(problems).toEqual([]);
      await page.close();
    });
  }

  test('another figure is shown', async () => {
    const { page, problems } = await alone('#show=waves&dim=8');
    await page.evaluate(() => {
      location.hash = '#show=clocks&dim=8';
    });
    await expect(page.locator('#clocks .dials li')).toHaveCount(4);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('in the original format shows the same figure', async () => {
    const { page, problems } = await alone('#dim=8&length=20&position=3&dimension=2&theme=dark&text=not+here');
    await expect(page.locator('.pair', { hasText: 'value' }).locator('.value')).toHaveText('0.295520216');
    await expect(page.locator('.notes')).toBeHidden();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(19, 21, 24)');
    expect(await page.locator('h2').evaluate(({ clientWidth }) => clientWidth)).toBe(1);
    await page.close();

    const add = await alone('#show=add&dim=8&root=true&drop-out=0&dropout-seed=3&preset=learned&rows=12');
    await expect(add.page.locator('#addition .sum-of')).toHaveText('input = √8 · embedding + encoding');
    await expect(add.page.locator('#dropoutSeed')).toHaveValue('3');
    await expect(add.page.locator('.words, .of-text').filter({ visible: true })).toHaveCount(0);
    await expect(add.page.locator('.notes')).toHaveText('Ignored in the address: “drop-out” is not a setting.');
    await add.page.close();

    const domain = await alone('#show=heatmap&domain=-0.5,0.5');
    await expect(domain.page.locator('#table .legend span')).toHaveText(['≤ −0.5', '0', '≥ 0.5']);
    await domain.page.close();
    expect([...problems, ...add.problems, ...domain.problems]).toEqual([]);
  });

  test('is told what is wrong with it, and what is right counts', async () => {
    const { page, problems } = await alone(
      '#show=waves&waves=0,1&dim=0&%3Cb%3Efoo=1&theme=blue&height=99&controls=never&domain=2,1',
    );
    const notes = page.locator('.notes');
    await expect(page.locator('tbody tr')).toHaveCount(2);
    await expect(notes).toHaveText(
      'Ignored in the address: controls must be yes or no, not “never”; theme must be light or dark, not “blue”; height must be a whole number from 100 to 4000, not “99”; domain must be two numbers low < high within ±1e38; dim must be a whole number from 1 to 4096, not “0”; “<b>foo” is not a setting.',
    );
    for (const [hash, wrong, panel] of [
      ['#show=__proto__', `show must be ${Object.keys(FIGURES).join(' or ')}, not “__proto__”`, 'table'],
      ['#preset=t5', 'show must be bias where the encoding is t5, not “heatmap”', 'bias'],
      ['#preset=alibi&show=waves', 'show must be bias where the encoding is alibi, not “waves”', 'bias'],
      ['#preset=learned&rows=9', 'The learned table has only the positions 0 to 8', 'table'],
    ]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, hash);
      await expect(notes).toHaveText(`Ignored in the address: ${wrong}.`);
      await expect(page.locator(`#${panel} .plot`)).toBeVisible();
    }
    await page.evaluate(() => {
      location.hash = '#show=heatmap';
    });
    await expect(notes).toBeHidden();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('sets the text, and the link opens the same view', async () => {
    const { page, problems } = await alone('#show=add&text=dog+bites+man&dim=16&title=Three+words');
    await expect(page.locator('#addition .rows .tick', { hasText: 'bites' }).first()).toBeVisible();
    await expect(page.locator('h2')).toHaveText('Three words');
    expect(await page.locator('h2').evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(50);
    await page.locator('#root').check();
    await settled(page);
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link').click()]);
    await settled(opened);
    expect(new URL(opened.url()).hash).toBe('#dim=16&text=dog+bites+man&root=yes');
    expect(await opened.evaluate(() => opener)).toBe(null);
    expect(problems).toEqual([]);
    await opened.close();
    await page.close();
  });
});

test('a click pins a cell, Escape unpins it, and the link follows', async () => {
  const { page, problems } = await alone('#show=heatmap&dim=8&length=16');
  const link = page.getByRole('link');
  const plot = page.locator('.plot');
  await plot.click();
  await expect(page.locator('section')).toHaveClass(/pinned/);
  await expect(link).toHaveAttribute('href', /#length=16&dim=8&position=8$/);
  await page.keyboard.press('Escape');
  await expect(page.locator('section')).not.toHaveClass(/pinned/);
  await expect(link).toHaveAttribute('href', /#length=16&dim=8$/);
  const stays = await page.evaluate(() => {
    const { body } = document;
    return ['dragover', 'drop'].map(
      (type) => !body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true })),
    );
  });
  expect(stays, 'a dropped file does not replace the figure').toEqual([true, true]);
  expect(problems).toEqual([]);
  await page.close();
});

test('a browser without WebAssembly is told why nothing is shown', async () => {
  const { page } = await alone('#show=heatmap', (page) =>
    page.addInitScript(() => {
      // @ts-expect-error It is there in every browser that the types know.
      delete globalThis.WebAssembly;
    }),
  );
  await expect(page.locator('.notes')).toHaveText(
    /^The encodings can’t be computed here: WebAssembly SIMD is missing here;/,
  );
  await page.close();
});
