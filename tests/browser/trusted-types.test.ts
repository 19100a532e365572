import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fixtures } from '@playwright/test';
import { writeNpy } from 'posenc/files';
import { serveFolder } from './browser.ts';
import {
  blankCanvases,
  bringNear,
  drop,
  expect,
  expectRead,
  find,
  opening,
  type Site,
  siteTest,
  visitAll,
} from './page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const POLICY = "require-trusted-types-for 'script'; trusted-types 'none'";

/** Tests of pages that log what their policy refuses. */
const test = siteTest.extend({
  visit: ({ site }, use) =>
    opening(async (address: string) => {
      const opened = await site.blank({ viewport: { width: 1300, height: 900 } });
      await opened.page.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
          console.error(`${violatedDirective}: ${sample}`);
        });
      });
      await opened.page.goto(address);
      return opened;
    }, use),
} as Fixtures<{ visit: (address: string) => ReturnType<Site['blank']> }, object, object, { site: Site }>);

test.describe('with a policy that requires trusted types', () => {
  let served: Awaited<ReturnType<typeof serveFolder>>;
  test.beforeAll(async ({ site }) => {
    served = await serveFolder(site.folder, { headers: { 'content-security-policy': POLICY } });
  });
  test.afterAll(() => served?.close());

  const hosts: (typeof served)[] = [];
  test.afterEach(() => {
    for (const host of hosts.splice(0)) host.close();
  });

  test('it is enforced here', async ({ visit }) => {
    const { page, problems } = await visit(`${served.address}#step=0`);
    const refused = await page.evaluate(() => {
      try {
        document.createElement('p').innerHTML = '<b>bold</b>';
      } catch (error) {
        return `${error}`;
      }
    });
    expect(`${refused}`).toMatch(/TrustedHTML/);
    expect(problems.splice(0).length > 0).toBeTruthy();
  });

  test('the elements draw', async ({ visit }) => {
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
    hosts.push(host);
    const { page } = await visit(host.address);
    for (const name of names) {
      await page.locator(name).evaluate(async (node) => {
        await customElements.whenDefined(node.localName);
        await (node as any).ready;
        node.scrollIntoView();
        await (node as any).settled();
      });
      await expect(page.locator(`${name} canvas:visible`)).not.toHaveCount(0);
      await expectRead(page, () => page.evaluate(blankCanvases, name), name).toEqual([]);
    }
    await rm(folder, { recursive: true });
  });

  test('the page draws every panel, and loads the later parts', async ({ visit }) => {
    const { page, problems } = await visit(`${served.address}#step=0`);
    await page.locator('#table .readout .value').first().waitFor();
    await visitAll(page, async (id) => {
      await expectRead(page, () => page.evaluate(blankCanvases, `#${id}`), id).toEqual([]);
    });
    await bringNear(page, '#text');
    await find.sentence(page).fill('not the first sentence');
    await page.locator('#addition .sum canvas[aria-label^="sum of 6 rows"]').waitFor();
    await drop(page, '#check', 'mine.npy', writeNpy({ data: new Float32Array(320), shape: [20, 16] }));
    await page.locator('#check .summary', { hasText: '20 positions × 16 dimensions' }).waitFor({ state: 'attached' });
    // Check works without its worker, and says so.
    await expect(page.locator('#check .came-of-it .note:not(.summary)')).toHaveText(/^No worker can be started here/);
    expect(problems.splice(0).join()).toMatch(/TrustedScriptURL.*Worker constructor/);
  });

  test('the page tells its story', async ({ visit }) => {
    const { page } = await visit(served.address);
    for (let step = 1; step <= 6; step++) {
      await page.locator('.stage .figure:not([hidden]) :is(canvas, svg, table)').first().waitFor();
      await expectRead(page, () => page.evaluate(blankCanvases, '.stage'), `step ${step}`).toEqual([]);
      if (step < 6) await page.getByRole('link', { name: 'Next step' }).click();
    }
  });
});
