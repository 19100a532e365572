/**
 * Uses each control of the page by itself, from a given view. `records/page` has what a screen reader is told afterwards. After a change
 * to the page's words, run this file with `--update-snapshots`, and read what differs.
 */

import type { Locator, Page } from '@playwright/test';
import { expect, go, openSettings, settled, test } from './page.ts';

type Use = [name: string, use: (control: Locator) => Promise<unknown>];
type Start = [hash: string, part: string, prepare?: (page: Page) => Promise<unknown>];

/** In a table's row, only the first: the others do the same. */
const CONTROLS =
  'button:not(td ~ td *), select, input:not([type=file], [readonly]), textarea:not([readonly]), summary, [role=application]';
/** Keys for figures. With Ctrl they belong to the browser. */
const KEYS = 'ArrowRight ArrowUp End Home PageDown Shift+ArrowDown + Control+ArrowRight Enter'.split(' ');

const press = (key: string): Use => [key, (control) => control.press(key)];
const fill = (text: string): Use => [`“${text}”`, (control) => control.fill(text).then(() => control.blur())];
const click = (name: string) => (page: Page) => page.getByRole('button', { name }).click();

const FAMILIES = ['transformer', 'learned', 'rotary', 'alibi', 't5'];
const YARN = 'yarn+factor=4+originalMaxPositionEmbeddings=2048';
const STARTS: Start[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((step): Start => [`step=${step}`, 'main']),
  ['step=0', '#choose, #table, #waves, .names, #addition'],
  ...['similarity', 'precision', 'sums'].map((id): Start => [`show=${id}`, `#${id}`]),
  ['preset=learned', '#choose, #addition'],
  ['preset=learned&show=spectrum', '#spectrum'],
  ['preset=learned&source=random', '#choose, .names'],
  ['preset=rotary', '#choose, .names, #frequencies'],
  ['preset=rotary&show=rope', '#rope'],
  ['preset=alibi', '#choose, #bias'],
  ['preset=t5', '#choose, #bias'],
  [`preset=rotary&scaling=${YARN}`, '#settings', openSettings],
  ...FAMILIES.flatMap((preset): Start[] => [
    [`preset=${preset}&start=3`, '#settings', openSettings],
    [`preset=${preset}&length=7`, '#take', click('Take it')],
  ]),
  ['place=check', 'main'],
  // The themes tell the files of both examples apart.
  ['place=check&theme=dark', '#check', click('Example: PyTorch tutorial')],
  ['place=check&theme=light', '#check', click('Example: a common bug')],
  ['model=Llama+3.1+8B', '#model'],
  ['model=Gemma+3+1B', '#model'],
];

async function listUses(control: Locator): Promise<Use[]> {
  const { tag, type, min, max, options } = await control.evaluate((node: any) => ({
    ...{ tag: node.localName, type: node.type, min: node.min, max: node.max },
    options: [...(node.options ?? [])].flatMap(({ disabled, label }) => (disabled ? [] : label)),
  }));
  if (tag === 'select') return options.map((label: string) => [label, (list: Locator) => list.selectOption({ label })]);
  if (type === 'number') return [min && Number(min) - 1, min, max, max && Number(max) + 1].map(String).map(fill);
  if (type === 'range') return ['Home', 'ArrowRight', 'End'].map(press);
  if (type === 'textarea' || type === 'text') return ['', 'to be or not to be'].map(fill);
  return tag === 'div' ? KEYS.map(press) : [['clicked', (button) => button.click()]];
}

/** What a screen reader is told, without cells, which the names of rows repeat, and without axes, whose ticks depend on fonts. */
const readLines = async (page: Page) =>
  (await page.locator('body').ariaSnapshot())
    .replaceAll(process.env.POSENC_PAGE ?? '', 'https://page/')
    // How small a picture is depends on the browser.
    .replace(/(\.png, )[\d.]+/g, '$1…')
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => !/^('?(cell|columnheader|rowheader|rowgroup|table)\b|text: .*\d [−\d,.]+ [−\d,.]+)/.test(line));

/** How many lines went, and those that came. */
function compareLines(before: string[], after: string[]) {
  const left = new Map<string, number>();
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  const added = after.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
  return [`  ${before.length + added.length - after.length} lines went`, ...added.map((line) => `  ${line}`)];
}

for (const [hash, part, prepare] of STARTS) {
  test(`what each control changes in ${part} of #${hash}`, async ({ open }) => {
    test.setTimeout(600_000);
    const { page } = await open();
    const show = async () => {
      await page.goto(`${process.env.POSENC_PAGE}#${hash}`);
      await settled(page);
      await prepare?.(page);
      await settled(page);
    };
    await page.goto('about:blank');
    await show();
    const controls = page
      .locator(part)
      .locator(CONTROLS)
      .filter({ visible: true, hasNotText: /^(Play|Print all)$/ });
    const before = await readLines(page);
    const record = [...before];
    const count = await controls.count();
    for (let k = 0; k < count; k++) {
      const control = controls.nth(k);
      if (await control.isDisabled()) continue;
      const [name] = (await control.ariaSnapshot()).split('\n');
      record.push('', `# ${name.slice(2).replace(/(?<=["\]]'?):( .*)?$/, '')}`);
      for (const [how, use] of await listUses(control)) {
        await use(control);
        await settled(page);
        record.push(`${how}: ${new URL(page.url()).hash}`, ...compareLines(before, await readLines(page)));
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        await go(page, `#${hash}`);
        if (String(await readLines(page)) === String(before)) continue;
        await page.goto('about:blank');
        await show();
      }
    }
    expect(record.join('\n')).toMatchSnapshot(`${hash.replace(/\W+/g, '-')}.txt`);
  });
}
