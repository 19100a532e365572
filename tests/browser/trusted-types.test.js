import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNpy } from 'posenc/files';
import { templates } from '../../web/posenc/vite.config.js';
import { launch, serveFolder, watch } from './browser.js';
import { blankCanvases, bringNear, drop, expect, settled, test, visitAll } from './page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const POLICY = "require-trusted-types-for 'script'; trusted-types 'none'";

test.describe('with a policy that requires trusted types', () => {
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let served;
  /** @type {import('@playwright/test').Browser} */
  let browser;
  test.beforeAll(async ({ site }) => {
    served = await serveFolder(site.folder, { headers: { 'content-security-policy': POLICY } });
    browser = await launch();
  });
  test.afterAll(async () => {
    await browser.close();
    served.close();
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
    expect(`${refused}`).toMatch(/TrustedHTML/);
    expect(problems.length > 0).toBeTruthy();
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
    const host = await serveFolder(folder, { headers: { 'content-security-policy': POLICY } });
    const { page, problems } = await open(host.address);
    for (const name of names) {
      const drawn = await page.locator(name).evaluate(async (node) => {
        await customElements.whenDefined(node.localName);
        await /** @type {any} */ (node).ready;
        node.scrollIntoView();
        await /** @type {any} */ (node).settled();
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
      expect(drawn.length > 0 && drawn.every((colours) => colours > 1), `${name}: ${drawn}`).toBeTruthy();
    }
    expect(problems).toEqual([]);
    await page.close();
    host.close();
    await rm(folder, { recursive: true });
  });

  test('the page draws every panel, and loads the later parts', async () => {
    const { page, problems } = await open(`${served.address}#step=0`);
    await page.locator('#table .readout .value').first().waitFor();
    await visitAll(page, async (id) => {
      expect(await page.evaluate(blankCanvases, `#${id}`), id).toEqual([]);
    });
    await bringNear(page, '#text');
    await page.fill('#text', 'not the first sentence');
    await page.locator('#addition .summary', { hasText: '4 tokens' }).waitFor();
    await drop(page, '#check', 'mine.npy', writeNpy({ data: new Float32Array(320), shape: [20, 16] }));
    await page.locator('#check .summary', { hasText: '20 positions × 16 dimensions' }).waitFor({ state: 'attached' });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the page tells its story', async () => {
    const { page, problems } = await open(served.address);
    for (let step = 1; step <= 6; step++) {
      await page.locator('.stage .figure:not([hidden]) :is(canvas, svg)').first().waitFor();
      await settled(page);
      expect(await page.evaluate(blankCanvases, '.stage'), `step ${step}`).toEqual([]);
      if (step < 6) await page.locator('.turn .next').click();
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  test('the build’s form of markup gives the same nodes as a browser’s parser', async () => {
    const host = await serveFolder(root, { headers: { 'access-control-allow-origin': '*' } });
    const page = await browser.newPage();
    for (const folder of ['web/figure/panels', 'web/page/panels', 'web/page/story/figures']) {
      const files = (await readdir(join(root, folder))).filter((name) => name.endsWith('.html'));
      expect(files.length).toBeGreaterThan(2);
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
        expect(same, file).toBeTruthy();
      }
    }
    await page.close();
    host.close();
  });
});
