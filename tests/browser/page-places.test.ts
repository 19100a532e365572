import type { Page } from '@playwright/test';
import { act, bringNear, expect, expectRead, find, go, measureBox, readHash, settled, test, visitAll } from './page.ts';

const TABLE = ['choose', 'table', 'waves'];
const EXPLORE = [...TABLE, 'addition'];
const CHECK = ['check', 'model'];

/** The ids of the parts that are shown, in the page's order, with an open drawer. */
const shown = (page: Page) =>
  page.locator('#story:visible, .panel:visible').evaluateAll((all) => all.map(({ id }) => id));

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name });

const figure = (page: Page, name: string) => find.names(page).getByRole('button', { name });

const focused = (page: Page) =>
  page.evaluate(() => {
    const node = document.activeElement as HTMLElement;
    return node.id || node.textContent?.trim() || node.localName;
  });

/** The words in sight, and the sizes of their type. Formulas and drawings have their own. */
function typeOf() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const own = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement as Element;
    const seen = node.textContent?.trim() && parent.checkVisibility({ visibilityProperty: true });
    if (seen && !parent.closest('math, svg')) own.add(getComputedStyle(parent).fontSize);
  }
  return { own: [...own], words: document.body.innerText };
}

test.describe('the three places', () => {
  test('Learn opens by default; the links show one place at a time, with the same state', async ({ open }) => {
    const { page } = await open('');
    await expectRead(page, shown).toEqual(['story']);
    await expect(find.places(page).locator('[aria-current]')).toHaveText('Learn');
    await expectRead(page, readHash).toBe('');

    await place(page, 'Explore').click();
    await find.number(page, 'dimensions').fill('32');
    await find.number(page, 'dimensions').blur();
    const states = [
      { name: 'Check', ids: CHECK, hash: '#dim=32&place=check' },
      { name: 'Learn', ids: ['story'], hash: '' },
      { name: 'Explore', ids: EXPLORE, hash: '#dim=32' },
    ];
    const expectPlace = async ({ name, ids, hash }: (typeof states)[0]) => {
      await expectRead(page, shown).toEqual(ids);
      await expect(find.places(page).locator('[aria-current]')).toHaveText(name);
      await expectRead(page, readHash).toBe(hash);
      if (name === 'Explore') await expect(find.number(page, 'dimensions')).toHaveValue('32');
      await expectRead(page, () => page.evaluate(() => scrollY)).toBe(0);
    };
    for (const state of states) {
      await page.evaluate(() => scrollTo(0, 300));
      await place(page, state.name).click();
      await expectPlace(state);
    }
    for (const state of [states[1], states[0], states[2]]) {
      await page.goBack();
      await expectPlace(state);
    }
    await page.goForward();
    await expectPlace(states[0]);
    await page.reload();
    await expectPlace(states[0]);
    await go(page, '#step=1&theme=dark');
    await place(page, 'Explore').click();
    await expectRead(page, readHash).toMatch(/theme=dark/);
  });

  test('the first screen has at most 130 words, 14 numbers and 23 controls', async ({ open }) => {
    const { page } = await open('', { viewport: { width: 1440, height: 900 } });
    const { words, numbers, controls } = await page.evaluate(() => {
      const seen = (one: Element | Range) => {
        const { top, bottom, width, height } = one.getBoundingClientRect();
        return width * height > 0 && top < innerHeight && bottom > 0;
      };
      const texts = [...document.querySelectorAll('body *')].flatMap((node) =>
        node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ? [...node.childNodes] : [],
      );
      const said = texts.flatMap((text) => {
        const range = document.createRange();
        range.selectNode(text);
        return text.nodeType === Node.TEXT_NODE && seen(range) ? (text.textContent ?? '').split(/\s+/) : [];
      });
      const enabled = [...document.querySelectorAll(':is(button, input, select, textarea):enabled, a[href], summary')];
      return {
        words: said.filter((word) => /\p{L}/u.test(word)).length,
        numbers: said.filter((word) => /\d/.test(word)).length,
        controls: enabled.filter((control) => control.checkVisibility({ visibilityProperty: true }) && seen(control))
          .length,
      };
    });
    expect(words).toBeLessThanOrEqual(130);
    expect(numbers).toBeLessThanOrEqual(14);
    // The step's figure and its question have eleven, and links lead to the other steps and places.
    expect(controls).toBeLessThanOrEqual(23);
  });

  test('the links to the places hold the state, for another tab', async ({ open }) => {
    const { page } = await open('#dim=32&base=500');
    const links = find.places(page).getByRole('link');
    const hrefs = () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    await expectRead(page, hrefs).toEqual(['#', '#dim=32&base=500&place=check']);
    await act(page, () => find.number(page, 'positions').fill('50'));
    const [learn, check] = await hrefs();
    expect([learn, check]).toEqual(['#', '#length=50&dim=32&base=500&place=check']);
    const { page: tab } = await open(check ?? '');
    await expectRead(tab, shown).toEqual(CHECK);
    await act(tab, () => place(tab, 'Explore').click());
    await expect(find.number(tab, 'positions')).toHaveValue('50');
    for (const one of [page, tab]) await one.close();
  });

  // The other addresses are those of tests/js/page-modules.test.ts.
  for (const [hash, ids, target = ''] of [
    ['', ['story']],
    ['#step=3', ['story']],
    ['#story', ['story'], 'story'],
    ['#step=0', EXPLORE],
    ['#preset=rotary', [...TABLE, 'frequencies']],
    ['#preset=alibi', ['choose', 'bias', 'sums']],
    ['#explore', EXPLORE, 'explore'],
    ['#similarity', [...TABLE, 'similarity'], 'similarity'],
    ['#addition', EXPLORE, 'addition'],
    ['#show=precision', [...TABLE, 'precision'], 'precision'],
    ['#preset=rotary&show=sums', [...TABLE, 'sums'], 'sums'],
    // Rotary encodings are not added.
    ['#preset=rotary&show=addition', [...TABLE, 'frequencies']],
    ['#preset=alibi&show=waves', ['choose', 'bias', 'sums']],
    ['#take', [...EXPLORE, 'take'], 'take'],
    ['#show=take', [...EXPLORE, 'take'], 'take'],
    ['#settings', [...EXPLORE, 'settings'], 'settings'],
    ['#check', CHECK, 'check'],
    ['#show=check', CHECK, 'check'],
    ['#model', CHECK, 'model'],
    ['#checks', CHECK, 'checks'],
    ['#show=waves&present=yes', ['waves']],
    ['#show=check&present=yes', ['check']],
    ['#step=3&present=yes', ['story']],
  ] as [string, string[], string?][]) {
    test(`the address ${hash || 'without fields'} opens where its panel lives`, async ({ site, open }) => {
      const { page } = await open(hash);
      await expectRead(page, shown).toEqual(ids);
      if (target) await expect(page.locator(`#${target}`)).toBeInViewport();
      if (target) await expectRead(page, focused).toBe(target);
      await expect(find.notes(page)).toBeHidden();
      // The same from within the page.
      await page.goto(`${site.address}${ids.includes('story') ? '#place=check' : '#step=1'}`);
      await settled(page);
      await go(page, hash);
      await expectRead(page, shown).toEqual(ids);
    });
  }

  test('of the figures below the table one is open, which the address says', async ({ open }) => {
    const { page } = await open('#dim=16');
    const figures = { Similarity: 'similarity', Rounding: 'precision', 'Words + positions': 'addition' };
    for (const [name, id] of Object.entries(figures)) {
      await figure(page, name).click();
      await expectRead(page, shown).toEqual([...TABLE, id]);
      await expect(find.names(page).locator('[aria-pressed=true]')).toHaveText(name);
      await expectRead(page, readHash).toBe(`#dim=16&show=${id}`);
    }
    await page.goBack();
    await expectRead(page, shown).toEqual([...TABLE, 'precision']);
    await page.reload();
    await expectRead(page, shown).toEqual([...TABLE, 'precision']);
  });

  test('a link to a figure loads what its place shows, and not Check', async ({ open }) => {
    // Similarity is in one file with the biases by pair.
    const { page } = await open('#show=similarity');
    const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    expect(loaded.filter((name) => name.includes('/pairs-'))).not.toEqual([]);
    expect(loaded.filter((name) => name.includes('/check-'))).toEqual([]);
  });

  test('Check is presented with the comparison, wherever the page is scrolled to', async ({ open }) => {
    const { page } = await open('#place=check', { viewport: { width: 390, height: 500 } });
    await bringNear(page, '#model');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.getByRole('button', { name: 'Present' }).evaluate((button) => (button as HTMLElement).click());
    await expectRead(page, shown).toEqual(['check']);
  });

  for (const [where, top, figure] of [
    ['beginning', 0, 'table'],
    ['end', 1e5, 'addition'],
  ])
    test(`the figure at the ${where} of Explore can be presented, however short it is`, async ({ open }) => {
      const { page } = await open('#dim=16', { viewport: { width: 1440, height: 1000 } });
      await act(page, () => page.evaluate((top) => scrollTo(0, Number(top)), top));
      await page.getByRole('button', { name: 'Present' }).click();
      await expectRead(page, shown).toEqual([figure]);
      await expectRead(page, readHash).toBe(`#dim=16&show=${figure}&present=yes`);
    });

  for (const [width, height, screens] of [
    [1440, 900, 3],
    [390, 844, 6],
  ]) {
    test(`each is at most ${screens} screens of ${width} × ${height} high, in plain words of five sizes`, {
      tag: '@height',
    }, async ({ open }) => {
      const { page } = await open('', { viewport: { width, height } });
      const heights = {} as Record<string, number>;
      const sizes = new Set();
      await visitAll(page, async (id) => {
        heights[id] = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
        const { own, words } = await page.evaluate(typeOf);
        for (const size of own) sizes.add(size);
        expect(words).not.toMatch(/dialect|octave|\bpins?\b/i);
      });
      expect(Object.keys(heights).length).toBeGreaterThan(9);
      expect(Object.entries(heights).filter(([, high]) => high > screens)).toEqual([]);
      expect(sizes.size).toBeLessThanOrEqual(5);
    });
  }
});

test.describe('the looks', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`links have the page’s own colour, ${colorScheme}`, async ({ open }) => {
      const { page } = await open('#settings', { colorScheme });
      const colours = await page.evaluate(() => {
        const links = [...document.querySelectorAll('#settings a, footer a')];
        return [...links, document.querySelector('.places a:not([aria-current])')].map(
          (link) => getComputedStyle(link as Element).color,
        );
      });
      expect(colours.length).toBeGreaterThan(2);
      expect(new Set(colours)).toEqual(new Set([colorScheme === 'dark' ? 'rgb(130, 180, 242)' : 'rgb(29, 90, 166)']));
    });
  }

  for (const preset of ['transformer', 'learned', 'rotary', 'alibi', 't5'])
    test(`on a phone the sentence has two lines: ${preset}`, { tag: '@width' }, async ({ open }) => {
      const { page } = await open(`#preset=${preset}&show=table`, { viewport: { width: 390, height: 844 } });
      const tops = await page
        .locator('.sentence :is(input, select, button):visible')
        .evaluateAll((controls) => controls.map((control) => control.getBoundingClientRect()).map(({ top }) => top));
      const [first] = tops;
      expect(new Set(tops.map((top) => Math.round((top - first) / 16))).size).toBeLessThanOrEqual(2);
    });

  test('on a phone the sentence stays at the top of the screen', { tag: '@width' }, async ({ open }) => {
    const { page } = await open('#step=0', { viewport: { width: 390, height: 844 } });
    await page.evaluate(() => scrollTo(0, 800));
    await expectRead(page, async () => (await measureBox(find.panel(page, 'The encoding shown'))).y).toBe(0);
  });

  for (const [hash, panel] of [
    ['#show=similarity', '#similarity'],
    ['#preset=alibi', '#bias'],
  ])
    test(`the legend of ${panel} stands at its map`, { tag: '@width' }, async ({ open }) => {
      const { page } = await open(hash);
      await bringNear(page, panel);
      const [legend, plot] = await Promise.all(
        ['.legend', '.plot'].map((part) => measureBox(page.locator(`${panel} ${part}`))),
      );
      expect(Math.abs(legend.x + legend.width - plot.x - plot.width)).toBeLessThan(2);
      expect(plot.y - legend.y - legend.height).toBeGreaterThan(0);
      expect(plot.y - legend.y - legend.height).toBeLessThan(24);
    });
});

test.describe('what is opened', () => {
  /**
   * Presses a button, and reads the page in the frame that follows, before it is painted.
   *
   * @param button selector
   * @param part selector
   * @returns the texts of a part
   */
  const inNextFrame = (page: Page, button: string, part: string): Promise<string[]> =>
    page.evaluate(
      async ([button, part]) => {
        (document.querySelector(button) as HTMLElement).click();
        await new Promise((resolve) => requestAnimationFrame(resolve));
        return [...document.querySelectorAll(part)].map(({ textContent }) => textContent ?? '');
      },
      [button, part],
    );

  test('shows the present state in its first frame, however long it was closed', async ({ open }) => {
    const { page } = await open('#embeddings=random&show=addition&root=yes', {
      viewport: { width: 1440, height: 1700 },
    });
    const scaled = '#addition .embedding figcaption';
    await expect(page.locator(scaled)).toHaveText('√64 · embedding');
    await figure(page, 'Similarity').click();
    await act(page, () => find.number(page, 'dimensions').fill('8'));
    const figured = await inNextFrame(page, '.names [value=addition]', scaled);
    expect(figured).toEqual(['√8 · embedding']);

    await go(page, '#dim=16&embeddings=random&show=addition&root=yes&place=check');
    const placed = await inNextFrame(page, '.places [data-place=explore]', scaled);
    expect(placed).toEqual(['√16 · embedding']);

    await act(page, () => page.getByRole('button', { name: 'Take it' }).click());
    await page.keyboard.press('Escape');
    await act(page, () => find.number(page, 'positions').fill('50'));
    const [said] = await inNextFrame(page, '[popovertarget=take]', '#take .what');
    expect(said).toMatch(/^The table shown: 50 × 16,/);
  });
});

test.describe('the focus', () => {
  test('the keyboard alone opens places, figures and drawers, and comes back from them', async ({ open }) => {
    const { page } = await open('');
    const tabTo = async (name: string) => {
      for (let k = 0; k < 40 && (await focused(page)) !== name; k++) await page.keyboard.press('Tab');
      await expectRead(page, focused).toBe(name);
    };
    await tabTo('Explore');
    await page.keyboard.press('Enter');
    await expectRead(page, shown).toEqual(EXPLORE);
    await expectRead(page, focused).toBe('Explore');
    await tabTo('Take it');
    await page.keyboard.press('Enter');
    await expectRead(page, shown).toEqual([...EXPLORE, 'take']);
    await tabTo('Copy link');
    await page.keyboard.press('Escape');
    await expectRead(page, shown).toEqual(EXPLORE);
    await expectRead(page, focused).toBe('Take it');
    await tabTo('Rounding');
    await page.keyboard.press('Space');
    await expectRead(page, shown).toEqual([...TABLE, 'precision']);
    await expectRead(page, focused).toBe('Rounding');
    await tabTo('span');
  });

  test('leaves what is hidden for the open figure, or for the place', async ({ open }) => {
    const { page } = await open('#step=1&place=explore');
    const leave = async (from: string, hash: string, to: string) => {
      await page.locator(from).focus();
      await go(page, hash);
      await expectRead(page, focused, `from ${from} to ${hash}`).toBe(to);
    };
    await leave('#dim', '#step=1', 'story');
    await leave('.turn .next', '#place=check', 'checks');
    await leave('#mine', '#step=0', 'explore');
    await go(page, '#show=similarity');
    await leave('#shift', '#preset=alibi', 'sums');
    await go(page, '#show=similarity');
    await leave('#waves .chart', '#step=2', 'story');
    await go(page, '#show=addition');
    await leave('#text', '#show=similarity', 'similarity');
    await go(page, '#show=similarity');
    await leave('.names [value=precision]', '#preset=alibi&show=similarity', 'sums');
    await leave('#dim', '#show=waves&present=yes', 'waves');
  });

  test('goes to the place when a note is closed', async ({ open }) => {
    const { page } = await open('#dim=0');
    await find.notes(page).getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(find.notes(page)).toBeHidden();
    await expectRead(page, focused).toBe('explore');
  });

  for (const [what, from, field, typed] of [
    ['valid', '#step=0', '#dim', '8'],
    ['valid, in a drawer', '#preset=t5', '#buckets', '30'],
    ['refused, in a drawer', '#preset=t5', '#buckets', '31'],
  ]) {
    test(`leaves a field without taking what was typed there into the next view: ${what}`, async ({ open }) => {
      const { page } = await open(from);
      if (what.includes('drawer')) await page.getByRole('button', { name: 'All settings' }).click();
      await act(page, () => page.fill(field, typed));
      await go(page, '#dim=16&place=check');
      await expectRead(page, readHash).toBe('#dim=16&place=check');
      await page.goBack();
      await page.goForward();
      await expectRead(page, readHash).toBe('#dim=16&place=check');
    });
  }

  test('stays where a figure, a place, a family or presenting was chosen', async ({ open }) => {
    const { page } = await open('#show=precision');
    await page.getByLabel('Family of encodings').focus();
    await find.family(page).selectOption('alibi');
    await expectRead(page, shown).toEqual(['choose', 'bias', 'sums']);
    await act(page, () => find.family(page).selectOption('rotary'));
    await expect(page.getByLabel('Family of encodings')).toBeFocused();
    await figure(page, 'Frequencies').click();
    await expectRead(page, focused).toBe('Frequencies');
    await place(page, 'Check').click();
    await expectRead(page, focused).toBe('Check');
    await page.getByRole('button', { name: 'Present' }).click();
    await expectRead(page, shown).toEqual(['check']);
    await expectRead(page, focused).toBe('check');
    await page.keyboard.press('Escape');
    await expectRead(page, shown).toEqual(CHECK);
    await expectRead(page, focused).toBe('check');
  });

  for (const [drawer, button] of [
    ['take', 'Take it'],
    ['settings', 'All settings'],
  ]) {
    test(`goes back to its button when the drawer “${button}” is closed, and a place that is left closes it`, async ({
      open,
    }) => {
      const { page } = await open(`#${drawer}`);
      await page.keyboard.press('Escape');
      await expectRead(page, shown).toEqual(EXPLORE);
      await expectRead(page, focused).toBe(button);
      for (const way of ['Escape', 'Close']) {
        await page.getByRole('button', { name: button }).click();
        const first = page.locator(`#${drawer}`).getByRole('button', { name: 'Close' });
        await first.focus();
        await page.keyboard.press(way === 'Close' ? 'Enter' : way);
        await expectRead(page, shown).toEqual(EXPLORE);
        await expectRead(page, focused).toBe(button);
      }
      await page.getByRole('button', { name: button }).click();
      await page.locator(`#${drawer} select:visible, #${drawer} input:visible`).first().focus();
      await go(page, '#place=check');
      await expectRead(page, shown).toEqual(CHECK);
      await expectRead(page, focused).toBe('checks');
    });
  }
});
