import type { Fixtures } from '@playwright/test';
import { writeNpy } from 'posenc/files';
import { serveFolder } from './browser.ts';
import { ELEMENTS, test as elementTest } from './elements.ts';
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

  elementTest('the elements draw', async ({ open }) => {
    const names = ELEMENTS.split(', ');
    const body = names.map((name) => `<${name}></${name}>`).join('');
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    const script = '<script type="module" src="./element.js"></script>';
    const { page } = await open('', { html: `<!doctype html>${policy}${script}${body}` });
    for (const name of names) {
      await bringNear(page, name);
      await expect(page.locator(`${name} canvas:visible`)).not.toHaveCount(0);
      await expectRead(page, () => page.evaluate(blankCanvases, name), name).toEqual([]);
    }
  });

  test('the page draws every panel, and loads the later parts', async ({ visit }) => {
    const { page, problems } = await visit(`${served.address}#step=0`);
    await page.getByText(/^sin\(/).waitFor();
    await visitAll(page, async (id) => {
      await expectRead(page, () => page.evaluate(blankCanvases, `#${id}`), id).toEqual([]);
    });
    await bringNear(page, '#text');
    await find.sentence(page).fill('not the first sentence');
    await page.getByRole('img', { name: /^sum of 6 rows/ }).waitFor();
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
