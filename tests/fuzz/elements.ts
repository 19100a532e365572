/**
 * The custom elements in Chromium, added, moved, changed and removed at random: the console stays empty, and removed elements leave no
 * listener, no observer and no element behind.
 */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { attributeOf, fields } from '../../web/figure/state.ts';
import { ELEMENTS } from '../../web/spec/elements.ts';
import { launch, serveFolder, watch } from '../browser/browser.ts';
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
    key: fc.constantFrom(...Object.keys(fields)),
    value: values,
  }),
  { minLength: 1, maxLength: 12 },
);

/** Counts the listeners on objects that outlive an element. It runs before the page's scripts. */
function count() {
  const live = { listeners: 0, elements: [] as WeakRef<Element>[] };
  Object.assign(window, { live });
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const known = new Map<EventTarget, Set<string>>();
  const ids = new WeakMap();
  const lasting = (target: unknown) =>
    target === window || target === document || target instanceof MediaQueryList || target === document.documentElement;
  const keyOf = (type: string, listener: any, options: any) => {
    if (!ids.has(listener)) ids.set(listener, crypto.randomUUID());
    return `${type} ${ids.get(listener)} ${Boolean(Object(options).capture ?? options)}`;
  };
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    addEventListener.call(target, type, listener, options);
    if (!listener || !lasting(target)) return;
    const set = known.get(target) ?? new Set();
    known.set(target, set);
    const key = keyOf(type, listener, options);
    if (!set.has(key)) live.listeners++;
    set.add(key);
    const { signal } = Object(options);
    const end = () => {
      if (set.delete(key)) live.listeners--;
    };
    if (signal) addEventListener.call(signal, 'abort', end);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    removeEventListener.call(target, type, listener, options);
    if (listener && known.get(target)?.delete(keyOf(type, listener, options))) live.listeners--;
  };
}

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

type Opened = Awaited<ReturnType<typeof open>>;

async function open() {
  const served = await serveFolder(fileURLToPath(new URL('../../dist', import.meta.url)));
  const browser = await launch(['--js-flags=--expose-gc']);
  const page = await browser.newPage();
  const problems = watch(page);
  await page.addInitScript(count);
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
  const { listeners, alive } = await page.evaluate(settle, FEW);
  assert.ok(alive <= FEW, `${alive} of ${each.length} elements are held`);
  return { served, browser, page, problems, listeners };
}

let opened: Promise<Opened> | undefined;

const property = fc.asyncProperty(steps, async (given) => {
  opened ??= open();
  const { page, problems, listeners } = await opened;
  const told = given
    .filter(({ key, value }) => isSmall(key, value))
    .map((step) => (step.act === 'set' ? { ...step, key: attributeOf(step.key) } : step));
  try {
    await page.evaluate(take, told);
    const left = await page.evaluate(settle, FEW);
    assert.equal(left.listeners, listeners, 'listeners are left');
    assert.ok(left.alive <= FEW, `${left.alive} elements are held`);
    assert.deepEqual(problems, []);
  } finally {
    problems.length = 0;
  }
});

export async function close() {
  const its = await opened;
  await its?.browser.close();
  its?.served.close();
}

export const fuzzers: Fuzzer[] = [{ name: 'custom elements', property }];
