import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeNpy } from 'posenc/files';
import { KINDS } from '../../web/figure/kinds.js';
import { FIGURES } from '../../web/page/figures.js';
import { templates } from '../../web/posenc/vite.config.js';
import { blankCanvases, bringNear, launch, serveBuild, serveFolder, settle, visitAll, watch } from './helpers.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const POLICY = "require-trusted-types-for 'script'; trusted-types";

describe('with a policy that requires trusted types', () => {
  /** @type {Awaited<ReturnType<typeof serveBuild>>} */
  let site;
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let served;
  /** @type {import('playwright-core').Browser} */
  let browser;
  before(async () => {
    site = await serveBuild();
    served = await serveFolder(site.folder, {
      headers: { 'content-security-policy': `${POLICY} posenc 'allow-duplicates'` },
    });
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    served.close();
    await site.close();
  });

  /** @param {string} address */
  async function open(address) {
    const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
    const problems = watch(page);
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
        console.error(`${violatedDirective}: ${sample}`);
      });
    });
    await page.goto(address);
    return { page, problems };
  }

  test('it is enforced here', async () => {
    const { page, problems } = await open(`${served.address}#step=0`);
    const refused = await page.evaluate(() => {
      try {
        document.createElement('p').innerHTML = '<b>bold</b>';
      } catch (error) {
        return `${error}`;
      }
    });
    assert.match(`${refused}`, /TrustedHTML/);
    assert.ok(problems.length > 0);
    await page.close();
  });

  test('the elements draw', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'posenc-trusted-'));
    await cp(join(root, 'dist'), folder, { recursive: true });
    const names = ['posenc-heatmap', 'posenc-rotary', 'posenc-waves', 'posenc-add'];
    const body = names.map((name) => `<${name}></${name}>`).join('');
    const script = '<script type="module" src="./element.js"></script>';
    await writeFile(
      join(folder, 'index.html'),
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${script}${body}`,
    );
    const host = await serveFolder(folder, { headers: { 'content-security-policy': `${POLICY} 'none'` } });
    const { page, problems } = await open(host.address);
    for (const name of names) {
      const drawn = await page.locator(name).evaluate(async (node) => {
        await customElements.whenDefined(node.localName);
        await /** @type {any} */ (node).ready;
        node.scrollIntoView();
        for (let k = 0; k < 5; k++) await new Promise(requestAnimationFrame);
        return [...(node.shadowRoot?.querySelectorAll('canvas') ?? [])]
          .filter((canvas) => canvas.checkVisibility() && !canvas.closest('.legend'))
          .map((canvas) => {
            const { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height).getContext('2d');
            copy?.drawImage(canvas, 0, 0);
            return new Set(new Uint32Array(copy?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0)))
              .size;
          });
      });
      assert.ok(drawn.length > 0 && drawn.every((colours) => colours > 1), `${name}: ${drawn}`);
    }
    assert.deepEqual(problems, []);
    await page.close();
    host.close();
    await rm(folder, { recursive: true });
  });

  test('the page draws every panel, and loads the later parts', async () => {
    const { page, problems } = await open(`${served.address}#step=0`);
    await page.locator('#table .readout .value').first().waitFor();
    await visitAll(page);
    for (const id of await page.locator('#panels section[id]').evaluateAll((all) => all.map(({ id }) => id))) {
      await bringNear(page, `#${id}`);
      assert.deepEqual(await page.evaluate(blankCanvases, `#${id}`), [], id);
    }
    await page.fill('#text', 'not the first sentence');
    await page.locator('#addition .summary', { hasText: '4 tokens' }).waitFor();
    const npy = [...writeNpy({ data: new Float32Array(320), shape: [20, 16] })];
    await page.locator('#addition').evaluate((node, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(bytes)], 'mine.npy'));
      node.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, npy);
    await page.locator('#addition .note', { hasText: 'mine.npy: 20 rows of 16 numbers' }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the page tells its story', async () => {
    const { page, problems } = await open(served.address);
    for (let step = 1; step <= 6; step++) {
      await page.locator('.stage .figure:not([hidden]) :is(canvas, svg)').first().waitFor();
      await settle(page);
      assert.deepEqual(await page.evaluate(blankCanvases, '.stage'), [], `step ${step}`);
      if (step < 6) await page.locator('.turn .next').click();
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the page of one figure draws each figure', async () => {
    for (const [show, { panel }] of Object.entries(FIGURES)) {
      const kind = Object.values(KINDS).find(({ panels }) => panels.includes(panel));
      const { page, problems } = await open(`${served.address}embed.html#show=${show}&preset=${kind?.presets[0]}`);
      await page.locator(`#${panel} :is(canvas, svg)`).first().waitFor();
      await settle(page);
      assert.deepEqual(await page.evaluate(blankCanvases, `#${panel}`), [], show);
      assert.deepEqual(problems, [], show);
      await page.close();
    }
  });

  test('the build’s form of markup gives the same nodes as a browser’s parser', async () => {
    const host = await serveFolder(root, { headers: { 'access-control-allow-origin': '*' } });
    const page = await browser.newPage();
    for (const folder of ['web/figure/panels', 'web/page/panels', 'web/page/story/figures']) {
      const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.html'));
      assert.ok(files.length > 3);
      for (const file of files) {
        const { code } = templates.load(`${join(root, folder, file)}?markup`) ?? {};
        const [, markup] = /fill\(root, (".*")\)/.exec(code ?? '') ?? [];
        const same = await page.evaluate(
          async ([module, markup, html]) => {
            const { fill } = await import(module);
            const [built, parsed] = [document.createElement('div'), document.createElement('div')];
            fill(built, markup);
            parsed.innerHTML = html;
            return built.childElementCount > 0 && built.isEqualNode(parsed);
          },
          [
            `${host.address}web/figure/markup.js`,
            JSON.parse(markup),
            (await readFile(join(root, folder, file), 'utf8')).trim().replace(/\s+/g, ' '),
          ],
        );
        assert.ok(same, file);
      }
    }
    await page.close();
    host.close();
  });
});
