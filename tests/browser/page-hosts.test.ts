import { fileURLToPath } from 'node:url';
import type { Frame, Page } from '@playwright/test';
import { load, sinusoidal } from 'posenc';
import { writeNpy } from 'posenc/files';
import { preview } from 'vite';
import { pageFields } from '../../web/page/page-state.ts';
import { fromHash } from '../../web/page/url.ts';
import { watch } from './browser.ts';
import { act, blankCanvases, bringNear, drop, expect, expectRead, find, readHash, test, visitAll } from './page.ts';

test.describe('the page in other people’s hosts', () => {
  /** The violations of the page's policy, in any frame. */
  async function watchPolicy(page: Page) {
    const refused: string[] = [];
    await page.exposeFunction('refused', (what: string) => refused.push(what));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        (globalThis as any).refused(`${violatedDirective}: ${blockedURI}`);
      });
    });
    return refused;
  }

  test('in a sandboxed frame every control works, the policy of the page refuses nothing, and no other host is asked', async ({
    site,
  }) => {
    const page = await site.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    const problems = watch(page);
    const refused = await watchPolicy(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(
      `<iframe sandbox="allow-scripts" src="${site.address}index.html#step=0" width="1280" height="900"></iframe>`,
    );
    const frame = page.frames().find((frame) => frame.url().startsWith(site.address)) as Frame;
    await frame.getByText(/^sin\(/).waitFor();
    await expectRead(page, () => frame.evaluate(() => origin)).toBe('null');
    await useEverything(frame);

    // Later parts are loaded as scripts.
    await bringNear(frame, '#text');
    await find.sentence(frame).fill('not the first sentence');
    // [CLS] and [SEP] are rows too.
    await frame.getByRole('img', { name: /^sum of 6 rows/ }).waitFor();
    await load();
    await drop(frame, '#check', 'mine.npy', writeNpy(sinusoidal({ dim: 16, preset: 'mlx' }).encode(20)));
    await bringNear(frame, '#check');
    await frame.getByText(/^This is a sinusoidal table as in mlx/).waitFor();
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((url) => url.startsWith('http') && !url.startsWith(site.address))).toEqual([]);
    expect(refused).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a hostile address is ignored with a note', async ({ open }) => {
    for (const [hash, ignored] of [
      ['#__proto__=1&constructor=2&toString=3', 3],
      ['#__proto__[length]=9&length[]=9', 2],
      ['#%E0%A4%A=1&text=%ff%fe', 1],
      ['#length=x&dim=x&base=x', 3],
      [`#${'&'.repeat(1e5)}${'length=1&'.repeat(1e4)}length=x`, 1],
      [`#text=${'a'.repeat(1e6)}`, 0],
      ['#preset=learned&rows=1048576&dim=4096&length=1048576', 1],
      ['#length=1e309&dim=-0&base=NaN&start=9007199254740992&scale=1e400&span=0x10', 6],
      ['#<img src=x onerror=alert(1)>=<script>alert(1)</script>', 1],
    ] as [string, number][]) {
      const { page } = await open(hash);
      const name = hash.slice(0, 50);
      await expect(find.figure(page, /^Table of/), name).toBeVisible();
      const notes = (await page.locator('#notes p').textContent()) ?? '';
      const more = /And (\d+) more/.exec(notes)?.[1];
      await expect(find.notes(page), name).toBeVisible({ visible: ignored > 0 });
      expect(more, notes).not.toBe('0');
      if (ignored) expect(notes.split('; ').length + Number(more ?? 0), notes).toBe(ignored);
    }
  });

  test('what npm start serves is the page, also in a sandboxed frame', async ({ site }) => {
    const server = await preview({
      root: fileURLToPath(new URL('../../web/page', import.meta.url)),
      logLevel: 'error',
      build: { outDir: site.folder },
      preview: { port: 0, host: '127.0.0.1' },
    });
    const [page, host] = [await site.browser.newPage(), await site.browser.newPage()];
    try {
      const problems = [watch(page), watch(host)];
      const address = server.resolvedUrls?.local[0] as string;
      await page.goto(`${address}#step=0`);
      await page.getByText(/^sin\(/).waitFor();
      await host.setContent(
        `<iframe sandbox="allow-scripts" src="${address}#step=0" width="900" height="700"></iframe>`,
      );
      await host
        .frameLocator('iframe')
        .getByText(/^sin\(/)
        .waitFor();
      expect(problems).toEqual([[], []]);
    } finally {
      await page.close();
      await host.close();
      await server.close();
    }
  });

  /** Goes through the panels and works every control of each, as a monkey would. */
  async function useEverything(page: Page | Frame) {
    await visitAll(page, async (id) => {
      await expectRead(page, () => page.evaluate(blankCanvases, `#${id}`), `blank in ${id}`).toEqual([]);
      const controls = `#${id} :is(input:not([type=file]), select, button, [role=application])`;
      for (let k = 0; ; k++) {
        // A control may have led to another place.
        await bringNear(page, `#${id}`);
        const kind = await page.evaluate(
          ([id, controls, k]) => {
            // An open popup would cover the control.
            const popups = document.querySelectorAll(':popover-open') as NodeListOf<HTMLElement>;
            for (const popup of popups) if (popup.id !== id) popup.hidePopover();
            const control = document.querySelectorAll(controls)[k];
            if (!control) return '';
            const seen = control.checkVisibility({ visibilityProperty: true });
            if (!seen || control.matches(':disabled')) return 'unusable';
            return control.getAttribute('type') ?? control.localName;
          },
          [id, controls, k] as const,
        );
        if (!kind) break;
        const control = page.locator(controls).nth(k);
        if (kind === 'unusable') continue;
        const use = () => {
          if (kind === 'select') return control.selectOption({ index: 0 });
          if (kind === 'number') return control.press('ArrowUp');
          return kind === 'range' || kind === 'div' ? control.press('ArrowRight') : control.click();
        };
        await act(page, use);
      }
    });
    await expect(page.getByRole('alert').filter({ hasText: /went wrong/ })).toHaveText([]);
  }

  test('a link restores every field', async ({ open }) => {
    const words = ['tensor2tensor', 'cos-sin', 'sine', 'float32', 'dot', 'yes', 'no', 'pytorch', '33', '0.5'];
    words.push('interleaved', 'linear factor=4', '1,0', 'dark', 'random', 'pairs', '2,1', 'nines', 'rotary', '2');
    // Fields that decide which part of the page opens, or the size of a table, are covered by other tests.
    const ways = ['step', 'place', 'show', 'present', 'source', 'model', 'part', 'layers'];
    const travelling = Object.entries(pageFields).filter(([key, { local }]) => !local && !ways.includes(key));
    const values = travelling.map(([key, { initial, parse, format }]) => {
      const other = words.find((word) => {
        try {
          return format(parse(word) as never) !== format(initial as never);
        } catch {
          return false;
        }
      });
      expect(other, `no word is another ${key}`).toBeTruthy();
      return [key, other];
    });
    // Wide enough for the other fields.
    const view = { ...Object.fromEntries(values), dim: '75' };
    const hashes = [view, { ...view, preset: 'learned', rows: '100' }].map(
      (fields) => `#${new URLSearchParams(fields)}`,
    );
    for (const hash of hashes) {
      const { page } = await open(hash);
      await expect(find.notes(page)).toBeHidden();
      // The page must write the view back unchanged.
      await visitAll(page);
      await find.number(page, 'dimensions').fill('76');
      await find.number(page, 'dimensions').blur();
      const [told, asked] = [await readHash(page), hash.replace('dim=75', 'dim=76')].map((text) => {
        const { view } = fromHash(text, () => '');
        return travelling.map(([key]) => [key, view[key as keyof typeof view]]);
      });
      expect(told).toEqual(asked);
    }
  });
});
