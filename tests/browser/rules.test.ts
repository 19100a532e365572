/** What holds of every figure that takes keys, of every button, and of every element's colours. */

import { selected } from '../../web/figure/figure-state.ts';
import { KINDS } from '../../web/figure/kinds.ts';
import { PAGE_PANELS } from '../../web/page/panels.ts';
import { fromHash } from '../../web/page/url.ts';
import { ELEMENTS, test as elementTest } from './elements.ts';
import { expect, expectRead, go, readHash, test } from './page.ts';

const STEPS = Array.from({ length: 8 }, (_, k) => `#step=${k + 1}`);
const FIGURES = Object.values(KINDS).flatMap(({ presets: [preset], panels }) =>
  PAGE_PANELS.filter(({ id, title }) => title && panels.some((panel) => panel === id)).map(
    ({ id }) => `#preset=${preset}&show=${id}`,
  ),
);

/** Runs in the page: keys with modifiers that something takes, which belong to the browser. */
function takenKeys() {
  const taken: string[] = [];
  let count = 0;
  for (const target of document.querySelectorAll('main [role=application], .said button, .turn a, .steps a')) {
    if (!target.checkVisibility()) continue;
    count++;
    for (const key of [
      'ArrowLeft',
      'ArrowRight',
      'ArrowUp',
      'ArrowDown',
      'Home',
      'End',
      'PageUp',
      'PageDown',
      '+',
      '-',
    ])
      for (const modifier of ['altKey', 'ctrlKey', 'metaKey']) {
        // The first and the last cell of a map.
        if (modifier === 'ctrlKey' && target.matches('.plot') && /Home|End/.test(key)) continue;
        const event = new KeyboardEvent('keydown', { key, [modifier]: true, bubbles: true, cancelable: true });
        target.dispatchEvent(event);
        target.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true }));
        if (event.defaultPrevented) taken.push(`${modifier} ${key} on ${target.ariaLabel ?? target.className}`);
      }
  }
  return { taken, some: count > 0 };
}

test('keys with Alt, Ctrl or Meta change no figure, and are left to the browser', async ({ open }) => {
  const { page } = await open();
  for (const hash of [...STEPS, `${STEPS[2]}&present=yes`, ...FIGURES]) {
    await go(page, hash);
    const before = await readHash(page);
    await expectRead(page, () => page.evaluate(takenKeys), hash).toEqual({ taken: [], some: true });
    await expectRead(page, readHash, hash).toBe(before);
  }
});

/** Runs in the page: the address after each button of a step, which begins at another. */
async function clickAll(hash: string) {
  const { posencSettled } = globalThis as any;
  const told: [name: string, hash: string][] = [];
  for (let k = 0; ; k++) {
    const buttons = document.querySelectorAll<HTMLElement>('.stage .figure button:enabled:not(.play)');
    const button = [...buttons].filter((one) => one.checkVisibility())[k];
    if (!button) return told;
    const name = button.innerText;
    button.click();
    await posencSettled();
    told.push([name, location.hash]);
    history.replaceState(null, '', hash);
    dispatchEvent(new HashChangeEvent('hashchange'));
    await posencSettled();
  }
}

test('no button leaves the table, at its first row and its last', async ({ open }) => {
  const { page } = await open();
  // In the others a position is a word's.
  for (const step of [2, 3, 4, 7, 8].map((k) => STEPS[k - 1]))
    for (const position of [5, 24]) {
      const hash = `${step}&start=5&length=20&position=${position}`;
      await go(page, hash);
      for (const [name, told] of await page.evaluate(clickAll, hash)) {
        const { view } = fromHash(told, () => '');
        expect(selected(view).position, `${name} at ${position} of ${hash}`).toBe(view.position);
      }
    }
});

for (const system of ['light', 'dark'] as const)
  elementTest(`elements have the colours of their theme, or else of the system, ${system}`, async ({ open }) => {
    const names = ELEMENTS.split(', ');
    const body = names.flatMap((name) =>
      ['', 'light', 'dark'].map((theme) => `<${name} ${theme && `theme="${theme}"`} dim="8" length="9"></${name}>`),
    );
    const { page } = await open(body.join(''), { colorScheme: system });
    const colours = await page.locator(ELEMENTS).evaluateAll((nodes) =>
      nodes.map((node) => {
        const probe = node.shadowRoot!.appendChild(document.createElement('span'));
        const { color: ink } = getComputedStyle(probe);
        // Of the browser's own controls.
        probe.style.color = 'CanvasText';
        const { color: control } = getComputedStyle(probe);
        const isDark = (colour: string) => Number(/\d+/.exec(colour)) > 127;
        return [(node as any).theme || '', isDark(ink), isDark(control)];
      }),
    );
    expect(colours).toEqual(
      names.flatMap(() =>
        ['', 'light', 'dark'].map((theme) => [theme, ...Array(2).fill((theme || system) === 'dark')]),
      ),
    );
  });
