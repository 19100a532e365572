import { PAGE_PANELS } from '../../web/page/panels.ts';
import { expect, expectRead, find, findPreset, go, measureBox, test } from './page.ts';

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];
const STEPS = [
  ...['Shuffle the numbers', 'Count with clocks', 'Why sine and cosine', 'Why 10,000', 'Why add'],
  ...['What attention sees', 'Turn the query, turn the key', 'Beyond the trained length'],
];
/** What makes each step's answer longest, with a sentence of nine words. */
const ANSWERED = [
  'positions=no',
  'dim=16',
  'position=3',
  'base=1e12',
  'position=8',
  'position=39',
  'position=30',
  'adder=rotary&slowed=1.2',
];
const NINE = 'the+quick+brown+fox+saw+the+lazy+old+dog';
const FIGURES = [
  ...PAGE_PANELS.filter(({ title }) => title).map(({ id }) => ({ id, preset: findPreset(id) ?? 'transformer' })),
  { id: 'bias', preset: 't5' },
  { id: 'table', preset: 'learned' },
];

/** Runs in the page: what is wrong with what it presents. */
function faults() {
  const seen = (node: Element) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const nodes = [...document.querySelectorAll('#panels *')].filter(seen);
  const formatName = ({ localName, id, classList }: Element) => `${localName}#${id}.${classList}`;
  const boxes = nodes.map((node) => ({ name: formatName(node), box: node.getBoundingClientRect() }));
  const outside = boxes.filter(({ box: { top, left, bottom, right, width, height } }) => {
    const beyond = top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1;
    return width * height > 0 && beyond;
  });
  /** The size of a node's text on the screen: an SVG scales it. */
  const measureSize = (node: Element) => {
    const drawing = node.closest('svg');
    const scale = drawing ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
    return Number.parseFloat(getComputedStyle(node).fontSize) * scale;
  };
  const hasText = ({ childNodes }: Element) =>
    [...childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim());
  const isText = (node: Element) => hasText(node) || node.matches('input, select, textarea, .chart');
  const small = nodes.filter((node) => node.clientWidth !== 0 && isText(node) && measureSize(node) < 20);
  const cut = nodes.filter((node) => {
    const text = document.createRange();
    text.selectNodeContents(node);
    // What is only read aloud has a clip path.
    const { overflowX, clipPath, writingMode } = getComputedStyle(node);
    const clips = node.clientWidth > 0 && overflowX !== 'visible' && clipPath === 'none' && /^hor/.test(writingMode);
    return hasText(node) && clips && text.getBoundingClientRect().width > node.clientWidth + 1;
  });
  const flat = nodes.filter((node) => node.matches('.chart') && node.clientHeight < innerHeight / 6);
  const { scrollHeight, scrollWidth } = document.documentElement;
  return {
    scrolled: scrollY,
    beyond: [scrollWidth > innerWidth, scrollHeight > innerHeight],
    outside: outside.map(({ name }) => name),
    small: small.map((node) => `${formatName(node)} ${measureSize(node)}`),
    cut: cut.map(formatName),
    flat: flat.map((node) => `${formatName(node)} ${node.clientHeight}`),
  };
}

/** Runs in the page: pairs of clocks, charts or rows of numbers that overlap. */
function overlaps(selector: string) {
  const boxes = [...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility())
    .map((node) => node.getBoundingClientRect());
  return boxes.flatMap((one, k) =>
    boxes
      .slice(k + 1)
      .filter(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
      )
      .map((other) => [one.toJSON(), other.toJSON()]),
  );
}

const NONE = { scrolled: 0, beyond: [false, false], outside: [], small: [], cut: [], flat: [] };

for (const viewport of SIZES) {
  const size = `${viewport.width} × ${viewport.height}`;
  // The smallest has the least room for other fonts.
  const tag = viewport === SIZES[0] ? '@height' : [];

  test(`each step is presented on one screen of ${size}, with its title and number`, { tag }, async ({ open }) => {
    // Another place's style sheets come first.
    const { page } = await open('#preset=rotary&show=rope', { viewport });
    for (const [k, title] of STEPS.entries()) {
      await go(page, `#step=${k + 1}&present=yes`);
      await expectRead(page, () => page.evaluate(faults), title).toEqual(NONE);
      await expect(page.locator('.told .question')).toBeInViewport();
      await go(page, `#step=${k + 1}&present=yes&wager=2&text=${NINE}&${ANSWERED[k]}`);
      await expectRead(page, () => page.evaluate(faults), `${title}, answered`).toEqual(NONE);
      const heading = find.steps(page).locator('a:visible');
      await expect(heading).toHaveText(title);
      // Its number is a counter, which counts the items that have a box.
      const counted = () =>
        page.locator('.steps li').evaluateAll((all) => {
          const boxes = all.filter((item) => item.checkVisibility());
          return boxes.findIndex((item) => item.querySelector('[aria-current]')) + 1;
        });
      await expectRead(page, counted, title).toBe(k + 1);
      const { y, height } = await measureBox(heading);
      expect(y + height, title).toBeLessThanOrEqual((await measureBox(page.locator('.stage'))).y);
      await expectRead(page, () =>
        page.evaluate(overlaps, '.stage svg, .stage .chart, .stage .figure-number, .stage .word-rows'),
      ).toEqual([]);
    }
  });

  test(`each figure is presented on one screen of ${size}, with its title`, { tag }, async ({ open }) => {
    const { page } = await open('#step=0', { viewport });
    for (const { id, preset } of FIGURES) {
      await go(page, `#preset=${preset}&source=minilm&show=${id}&present=yes`);
      const what = `${preset} ${id}`;
      await expect(page.locator('#panels .panel:visible'), what).toHaveId(id);
      await expectRead(page, () => page.evaluate(faults), what).toEqual(NONE);
      await expect(page.locator(`#${id} h2`).first(), what).toBeInViewport();
      await expectRead(
        page,
        () => page.evaluate(overlaps, `#${id} :is(svg, .chart, .readout, table, .along-row .scale)`),
        what,
      ).toEqual([]);
    }
  });
}

test('each step and each figure that is presented on a phone is no wider than it', { tag: '@width' }, async ({
  open,
}) => {
  const { page } = await open('#step=0', { viewport: { width: 390, height: 844 } });
  const steps = STEPS.map((_, k) => `#step=${k + 1}&wager=2&text=${NINE}&${ANSWERED[k]}`);
  for (const hash of [...steps, ...FIGURES.map(({ id, preset }) => `#preset=${preset}&source=minilm&show=${id}`)]) {
    await go(page, `${hash}&present=yes`);
    const read = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const shown = [...document.querySelectorAll('#panels :is(h2, .figure, canvas, .chart)')];
        return [scrollWidth - clientWidth, shown.some((node) => node.checkVisibility())];
      });
    await expectRead(page, read, hash).toEqual([0, true]);
  }
});
