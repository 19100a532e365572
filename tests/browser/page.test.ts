import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  type BrowserContextOptions,
  blankCanvases,
  bringNear,
  expect,
  expectRead,
  find,
  near,
  type Page,
  readHash,
  settled,
  test,
  violations,
  visitAll,
} from './page.ts';

/** By the name of the project. */
const FONTS: Record<string, { text: string[]; formula: string[] }> = {
  chromium: { text: ['Liberation Sans'], formula: ['Liberation Sans'] },
  dejavu: { text: ['DejaVu Sans'], formula: ['DejaVu Sans'] },
  'latin-modern': { text: ['DejaVu Sans'], formula: ['Latin Modern Math'] },
};

/** Runs in the page, before anything else: records each shift of its layout. */
function recordShifts() {
  const shifts = [] as string[];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as any[]) {
      for (const { node, previousRect, currentRect } of sources) {
        const { localName, id, className } = node?.parentElement ? node : document.body;
        const section = node?.parentElement?.closest('section')?.id;
        const places = [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height]);
        const ours = id === 'last-shift';
        shifts.push(ours ? `i#${id}` : `${section} ${localName}#${id}.${className}: ${places.join(' to ')}`);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

test.describe('the page as a whole', () => {
  /**
   * The gzipped sizes of what a page has loaded.
   *
   * @param address of the site
   * @param until milliseconds after the navigation
   * @param words whether of the model's files, or of all others
   */
  async function countBytes(page: Page, address: string, folder: string, until: number, words = false) {
    const loaded = await page.evaluate(
      (until) =>
        performance
          .getEntriesByType('resource')
          .filter(({ startTime }) => startTime <= until)
          .map(({ name }) => name),
      until,
    );
    const names = new Set(['index.html', ...loaded.map((url) => url.slice(address.length))]);
    expect(names.size).toBeGreaterThan(2);
    const wanted = [...names].filter((name) => name.endsWith('.bin') === words);
    const files = await Promise.all(wanted.map((name) => readFile(join(folder, name))));
    return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
  }

  for (const [what, hash] of [
    ['Learn', ''],
    ['a view', '#dim=32&base=500'],
  ]) {
    for (const width of [390, 1440]) {
      test(`${what} loads at most 150 kB of code, gzipped, and Learn 76 until it can be used, ${width} pixels wide`, async ({
        site,
        open,
      }) => {
        const { page } = await open(hash, { viewport: { width, height: 900 } });
        const drawn = await page.evaluate(() => performance.getEntriesByName('posenc:drawn')[0].startTime);
        await expectRead(page, () => countBytes(page, site.address, site.folder, Infinity)).toBeLessThan(150_000);
        if (hash) return;
        await expectRead(page, () => countBytes(page, site.address, site.folder, drawn)).toBeLessThan(76_000);
        await expectRead(page, () => countBytes(page, site.address, site.folder, Infinity, true)).toBeLessThan(32_000);
      });
    }
  }

  test('the page has at most 491 kB of script, with Check’s worker, which shares its chunks', async ({ site }) => {
    const scripts = (await readdir(site.folder)).filter((name) => name.endsWith('.js'));
    const files = await Promise.all(scripts.map((name) => readFile(join(site.folder, name))));
    expect(files.length).toBeGreaterThan(2);
    expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(491_500);
  });

  /**
   * Opens the page, and then asks for MiniLM's table.
   *
   * @param address of the site
   */
  async function turnToTrained(page: Page, address: string, way: string) {
    await page.goto(`${address}#show=similarity`);
    await page.locator('#table .readout .value').first().waitFor();
    if (way === 'chosen') await page.locator('#choose select').first().selectOption({ label: 'Learned' });
    else
      await page.evaluate(() => {
        location.hash = '#preset=learned&show=similarity';
      });
  }

  for (const way of ['chosen', 'in the address']) {
    test(`a trained table is shown when its rows have been loaded, ${way}`, async ({ site }) => {
      let release = () => {};
      const released = new Promise((resolve) => {
        release = () => resolve(undefined);
      });
      const { page, problems } = await site.blank();
      await page.route('**/positions-*.bin', async (route) => {
        await released;
        await route.continue();
      });
      await turnToTrained(page, site.address, way);
      await expect(page.getByText(/Each column is a wave/)).toBeVisible();
      release();
      await expect(page.getByText(/Its values are shown as they are/)).toBeVisible();
      await expectRead(page, readHash).toContain('preset=learned');
      expect(problems).toEqual([]);
      await page.close();
    });

    test(`it is said when the rows of a trained table can’t be loaded, ${way}`, async ({ site }) => {
      const { page } = await site.blank();
      await page.route('**/positions-*.bin', (route) => route.abort());
      await turnToTrained(page, site.address, way);
      await expect(find.notes(page)).toContainText('The words can’t be loaded: ');
      await expect(page.getByText(/Each column is a wave/)).toBeVisible();
      await page.close();
    });
  }

  for (const width of [1440, 390]) {
    test(`nothing jumps while it loads and while it is scrolled, ${width} pixels wide`, async ({ open }) => {
      const { page } = await open('#length=77&foo=bar', { viewport: { width, height: 900 } }, (page) =>
        page.addInitScript(recordShifts),
      );
      await page.evaluate(async () => {
        for (let y = 0; y < document.documentElement.scrollHeight; y += 150) {
          scrollTo(0, y);
          // Twice: a panel may be told that it is near only after the first has looked.
          for (let k = 0; k < 2; k++) await (globalThis as any).posencSettled();
        }
        // A shift of our own, which is told after all others.
        const last = document.body.appendChild(document.createElement('i'));
        last.id = 'last-shift';
        last.style.cssText = 'position: fixed; top: 0; left: 0; width: 99px; height: 99px; background: red';
      });
      const shifts = (): Promise<string[]> => page.evaluate(() => (globalThis as any).shifts);
      const jumps = async () => (await shifts()).filter((shift) => shift !== 'i#last-shift');
      const shiftAgain = async () => {
        await page.evaluate(() => {
          const last = document.querySelector('#last-shift') as HTMLElement;
          last.style.top = last.style.top === '0px' ? '300px' : '0px';
        });
        await settled(page);
        return shifts();
      };
      await expect.poll(shiftAgain).toContain('i#last-shift');
      await expectRead(page, jumps).toEqual([]);
    });
  }

  test('text and formulas have the fonts that the tests bring', { tag: '@height' }, async ({ open }, { project }) => {
    const { page } = await open('#step=4');
    const debug = await page.context().newCDPSession(page);
    for (const domain of ['DOM', 'CSS'] as const) await debug.send(`${domain}.enable`);
    const { root } = await debug.send('DOM.getDocument');
    const readFonts = async (selector: string) => {
      const { nodeId } = await debug.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { fonts } = await debug.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.map(({ familyName }) => familyName).sort();
    };
    const used = { text: await readFonts('h1'), formula: await readFonts('.figure math') };
    expect(used).toEqual(FONTS[project.name]);
  });

  for (const widths of [
    [1440, 1024, 640],
    [390, 320],
  ]) {
    test(`fits ${widths.join(', ')} pixels without sideways scrolling`, {
      tag: widths.includes(320) ? '@width' : [],
    }, async ({ open }) => {
      const { page } = await open(
        '#preset=mlx&start=-9007199254740991&position=-9007199254740991&dim=2048&waves=0,1,2,3,4,5,6,2047&root=yes&span=9007199254740991&show=addition',
      );
      await find.sentence(page).fill('Donaudampfschifffahrtsgesellschaftskapitän '.repeat(9));
      await find.number(page, 'positions').fill('0');
      // What is out of sight isn't laid out.
      await page.locator('#panels .panel').evaluateAll((panels) => {
        for (const panel of panels) (panel as HTMLElement).style.contentVisibility = 'visible';
      });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await visitAll(page, async (id) => {
          for (const refused of await page.locator(`#${id} :is(#shift, #span)`).all()) await refused.fill('1.5');
          await expectRead(page, () => page.evaluate(() => document.documentElement.scrollWidth), id).toBe(width);
        });
        // A head of several rows would cover the figures of a phone.
        const head = () =>
          page.getByRole('banner').evaluate((bar) => {
            scrollTo(0, 500);
            return bar.getBoundingClientRect().bottom;
          });
        await expectRead(page, head).toBeLessThan(60);
      }
    });
  }

  /** The states, besides those of Check, in which axe looks at each place and at each figure. Each has another step of the story. */
  for (const [state, hash, options] of [
    ['light', '#step=1&unknown=1', { colorScheme: 'light' }],
    ['dark, with errors shown', '#step=2', { colorScheme: 'dark' }],
    ['on a phone, with all settings', '#step=3', { viewport: { width: 390, height: 844 }, hasTouch: true }],
    ['when it is presented', '#step=6&present=yes', {}],
  ] as [string, string, BrowserContextOptions][]) {
    test(`axe finds nothing: ${state}`, async ({ open }) => {
      const { page } = await open(hash, options);
      const inspect = async (what: string, selector: string) => {
        // Another scheme has other colours, and no other parts besides errors.
        const rule = options.colorScheme === 'dark' && what !== 'errors' ? 'color-contrast' : undefined;
        await expectRead(page, () => violations(page, selector, rule), what).toEqual([]);
      };
      if (hash.includes('present')) await inspect('the step', '#story');
      else {
        for (const place of ['checks', 'explore']) {
          await bringNear(page, `#${place}`);
          await inspect(place, `#${place}`);
        }
        await bringNear(page, '#addition');
        if (state.includes('errors')) {
          await find.number(page, 'positions').fill('0');
          await find.sentence(page).fill('');
          await expect(page.getByText('Type a sentence.')).toBeVisible();
          await inspect('errors', '#explore');
        }
        // The others are open with their place.
        const others = ['check', 'model', 'choose', 'table', 'waves'];
        await visitAll(page, async (id) => others.includes(id) || inspect(id, `#${id}`));
      }
    });
  }

  for (const [place, hash, ids] of [
    ['Learn', '', ['story']],
    ['Explore', '#show=similarity', ['choose', 'table', 'waves', 'similarity']],
    ['Check', '#place=check', ['check', 'model']],
  ] as [string, string, string[]][]) {
    test(`${place} prints the figures that it shows, and no control`, async ({ open }) => {
      const { page } = await open(hash);
      await page.emulateMedia({ media: 'print' });
      const printed = page.locator('#story:visible, .panel:visible');
      await expectRead(page, () => printed.evaluateAll((all) => all.map(({ id }) => id))).toEqual(ids);
      await expectRead(page, () => page.evaluate(blankCanvases, '#panels')).toEqual([]);
      // The name of the dialect is a word of the sentence, and its fields are numbers there.
      // Learn's answers and numbers are printed too.
      const told = '.sentence *, .wager *, .numbers *';
      const controls = page.locator(`button:not(.word, ${told}), textarea, input:not(${told}), select:not(${told})`);
      await expect(controls.filter({ visible: true })).toHaveCount(0);
      for (const figure of await page.locator(':is(figure, .heatmap, .chart):visible').all()) {
        await expect(figure).toHaveCSS('break-inside', 'avoid');
      }
    });
  }

  test('captions are 15 pixels and axes 13, also on a phone', async ({ open }) => {
    for (const width of [1440, 390]) {
      const { page } = await open('#step=0', { viewport: { width, height: 900 } });
      await bringNear(page, '#waves .chart');
      const sizes = await page.evaluate(() =>
        ['#table > .caption', '#waves > .caption', '#table .rows .tick', '#waves .chart'].map((name) => {
          const { fontSize } = getComputedStyle(document.querySelector(name) as Element);
          return fontSize;
        }),
      );
      expect(sizes).toEqual(['15px', '15px', '13px', '13px']);
    }
  });

  test('says so if WebAssembly SIMD is missing', async ({ open }) => {
    const { page } = await open('#step=0', {}, (page) =>
      page.addInitScript(() => {
        WebAssembly.validate = () => false;
      }),
    );
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(await near(page, '#failure')).toHaveText(/WebAssembly SIMD, which this browser lacks/);
    await expect(page.locator('#panels')).toBeHidden();
  });

  test('says why the module can’t be loaded', async ({ open }) => {
    const { page } = await open('#step=0', {}, (page) =>
      page.addInitScript(() => {
        const fail = () => Promise.reject(new Error('out of memory'));
        Object.assign(WebAssembly, { compileStreaming: fail, instantiate: fail });
      }),
    );
    await expect(await near(page, '#failure')).toHaveText(/can’t be computed here.*out of memory/s);
    await expect(page.locator('#panels')).toBeHidden();
  });

  test('says so if the module is missing on the server', async ({ open }) => {
    const { page, problems } = await open('#step=0', {}, (page) =>
      page.route('**/*.wasm', (route) => route.fulfill({ status: 404 })),
    );
    await expect(await near(page, '#failure')).toHaveText(/could not be loaded:.*\.wasm answered 404/s);
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  test('a link to a section opens its place, scrolls there and moves the focus', async ({ open }) => {
    const { page } = await open('#step=8&text=king', { viewport: { width: 1000, height: 500 } });
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toHaveText('Skip to the content');
    // Nothing covers it.
    await page.locator(':focus').click({ trial: true });
    await page.keyboard.press('Enter');
    await expectRead(page, focused).toBe('panels');
    await expectRead(page, readHash).toBe('#step=8&text=king');
    for (const [link, id, hash] of [
      ['article .doors a[href="#explore"]', 'explore', '#text=king'],
      ['article .doors a[href="#check"]', 'check', '#text=king&show=check'],
      ['#settings a[href="#model"]', 'model', '#text=king&show=check'],
    ]) {
      if (link.startsWith('#settings')) {
        await near(page, '#choose');
        await page.getByRole('button', { name: 'All settings' }).click();
      }
      await (await near(page, link)).focus();
      await page.keyboard.press('Enter');
      await expectRead(page, focused).toBe(id);
      await expectRead(page, readHash).toBe(hash);
      await expect(page.locator(`#${id}`)).toBeInViewport();
    }
  });

  test('an error in one panel is shown in its place, and the others keep working', async ({ open }) => {
    const { page, problems } = await open('#step=0', {}, (page) =>
      page.addInitScript(() => {
        const { setAttribute } = Element.prototype;
        Element.prototype.setAttribute = function (name, value) {
          if ((globalThis as any).broken && this.closest('#waves')) throw new Error('no more ink');
          setAttribute.call(this, name, value);
        };
      }),
    );
    await bringNear(page, '#waves');
    const trouble = page.getByRole('alert').filter({ hasText: /went wrong/ });
    await expect(trouble).toHaveCount(0);
    await page.evaluate(() => Object.assign(globalThis, { broken: true }));
    await find.number(page, 'positions').fill('40');
    await bringNear(page, '#waves');
    await expect(await near(page, '#waves .trouble')).toHaveText('Something went wrong here: no more ink');
    await expect(find.figure(page, /^Lines of the dimensions/)).toBeHidden();
    await expect(trouble).toHaveCount(1);
    await expect(page.locator('#table .plot')).toHaveAttribute('aria-label', /40 positions/);
    const said = problems.splice(0);
    expect(said.length > 0 && said.every((problem) => problem.includes('no more ink'))).toBeTruthy();

    await page.evaluate(() => Object.assign(globalThis, { broken: false }));
    await find.number(page, 'positions').fill('41');
    await bringNear(page, '#waves');
    await find.figure(page, /^Lines of the dimensions/).waitFor();
    await expect(trouble).toHaveCount(0);
  });
});
