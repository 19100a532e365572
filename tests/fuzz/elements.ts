/**
 * The custom elements in Chromium, added, moved, changed and removed at random: the console stays empty, and removed elements leave no
 * listener, no observer and no element behind.
 */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { figureFields, formatAttribute } from '../../web/figure/figure-state.ts';
import { ELEMENTS } from '../../web/spec/elements.ts';
import { launch, serveFolder, watch } from '../browser/browser.ts';
import { countListeners } from '../browser/listeners.ts';
import type { Fuzzer } from './fuzzers.ts';
import { isSmall, values } from './views.ts';

const TAGS = Object.keys(ELEMENTS);

/** V8 keeps an element or two alive by itself: a hidden class may hold an accessor, and so what that refers to. */
const FEW = 4;

type Step = { act: string; which: number; tag: string; key: string; value: string };

const steps = fc.array(
  fc.record({
    act: fc.constantFrom('add', 'add', 'set', 'set', 'set', 'remove', 'move', 'clear', 'property', 'wait'),
    which: fc.nat(9),
    tag: fc.constantFrom(...TAGS),
    key: fc.constantFrom(...Object.keys(figureFields)),
    value: values,
  }),
  { minLength: 1, maxLength: 12 },
);

/** In the page: takes the steps, then takes all elements away. */
async function take(steps: Step[]) {
  const { live } = window as any;
  const frame = () => new Promise(requestAnimationFrame);
  const nodes: any[] = [];
  for (const { act, which, tag, key, value } of steps) {
    const node = nodes[which % nodes.length];
    if (act === 'add') {
      const fresh = document.createElement(tag);
      live.elements.push(new WeakRef(fresh));
      nodes.push(fresh);
      document.body.append(fresh);
    } else if (act === 'wait') await frame();
    else if (!node) continue;
    else if (act === 'set') node.setAttribute(key, value);
    else if (act === 'property') node[key] = value;
    else if (act === 'move') document.body.prepend(node);
    else if (act === 'clear') for (const { name } of [...node.attributes]) node.removeAttribute(name);
    else node.remove();
  }
  for (const node of nodes) await Promise.race([node.ready, new Promise((resolve) => setTimeout(resolve, 100))]);
  await frame();
  while (nodes.length > 0) nodes.pop().remove();
}

/** In the page, apart from what held the elements: what is left of all that there were. */
async function settle(few: number) {
  const { live, gc } = window as any;
  // Frames and timers that are under way end first.
  for (let k = 0; k < 40 && (k === 0 || live.elements.length > few); k++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    await gc({ type: 'major', execution: 'async' });
    live.elements = live.elements.filter((reference: WeakRef<Element>) => reference.deref());
  }
  return { listeners: live.listeners, alive: live.elements.length };
}

/** What ends all that was opened, whether or not the page came up. */
const ends: (() => unknown)[] = [];

async function open() {
  const served = await serveFolder(fileURLToPath(new URL('../../dist', import.meta.url)));
  ends.push(served.close);
  const browser = await launch(['--js-flags=--expose-gc']);
  ends.push(() => browser.close());
  const page = await browser.newPage();
  const problems = watch(page);
  await page.addInitScript(countListeners);
  await page.route('**/*.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Fuzz</title><body><script type="module" src="./element.js"></script>',
    }),
  );
  await page.goto(`${served.address}fuzz.html`);
  await page.evaluate((tag) => customElements.whenDefined(tag).then(() => {}), TAGS[0]);
  // Things that the first elements create for all later ones stay.
  const each = [...TAGS, ...TAGS, ...TAGS, ...TAGS, ...TAGS, ...TAGS];
  await page.evaluate(
    take,
    each.map((tag) => ({ act: 'add', which: 0, tag, key: '', value: '' })),
  );
  return { page, problems, first: await page.evaluate(settle, FEW) };
}

let opened: ReturnType<typeof open> | undefined;

const property = fc.asyncProperty(steps, async (given) => {
  opened ??= open();
  const { page, problems, first } = await opened;
  assert.ok(first.alive <= FEW, `${first.alive} of the first elements are held`);
  const told = given
    .filter(({ key, value }) => isSmall(key, value))
    .map((step) => (step.act === 'set' ? { ...step, key: formatAttribute(step.key) } : step));
  try {
    await page.evaluate(take, told);
    const left = await page.evaluate(settle, FEW);
    assert.equal(left.listeners, first.listeners, 'listeners are left');
    assert.ok(left.alive <= FEW, `${left.alive} elements are held`);
    assert.deepEqual(problems, []);
  } finally {
    problems.length = 0;
  }
});

export async function close() {
  await opened?.catch(() => {});
  for (const end of ends.splice(0).reverse()) await end();
}

export const fuzzers: Fuzzer[] = [{ name: 'custom elements', property }];
