import { readFile } from 'node:fs/promises';
import type { Frame, Page } from '@playwright/test';
import * as posenc from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { toHash } from '../../web/page/address.ts';
import { fromHash } from '../../web/page/url.ts';
import { code, computeValues, getTable, type View } from '../js/page-code.ts';
import {
  act,
  bringNear,
  expect,
  expectRead,
  find,
  go,
  makeFile,
  near,
  openSettings,
  pixels,
  readHash,
  type Site,
  test,
} from './page.ts';

const EMBED = 'Embed in a page';
const LANGUAGES = { javascript: 'JavaScript', pytorch: 'PyTorch' };

const findCode = (page: Page) => page.locator('#take pre');

test.describe('the panel', () => {
  async function take(open: Site['open'], ...given: Parameters<typeof open>) {
    const { page } = await open(...given);
    await bringNear(page, '#take');
    return { page, view: fromHash(given[0] ?? '', () => '').view };
  }

  async function download(page: Page, kind: string) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: kind, exact: true }).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  /** Pixels of a picture, read by the browser. */
  async function decode(page: Page, png: Buffer) {
    await page.evaluate(
      async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        const canvas = document.body.appendChild(document.createElement('canvas'));
        canvas.id = 'decoded';
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        canvas.getContext('2d')?.drawImage(image, 0, 0);
      },
      `data:image/png;base64,${png.toString('base64')}`,
    );
    return pixels(page, '#decoded');
  }

  /** A table in the page's colours. */
  async function coloured(page: Page, view: View) {
    const { width, data } = await pixels(page, '#table .legend canvas');
    const { domain } = getTable(view);
    return Buffer.from(posenc.colorize(computeValues(view), { colormap: data.subarray(0, 4 * width), domain }));
  }

  const HASH = '#preset=tensor2tensor&length=40&dim=17&start=1000&base=777&scale=2';

  test('.npy contains the table bit for bit', async ({ open }) => {
    const { page, view } = await take(open, HASH);
    const { name, bytes } = await download(page, '.npy');
    expect(name).toBe('posenc-tensor2tensor-base-777-scale-2-40x17-from-1000.npy');
    await expect(page.getByText(/^posenc-tensor2tensor.+npy, 2\.\d+ KiB\.$/)).toBeVisible();
    const tensor = await readNpy(bytes);
    expect(tensor.shape).toEqual([40, 17]);
    expect(tensor.data).toEqual(computeValues(view));
  });

  test('PNG is a picture of the table in its colours, with a block of pixels for each cell', async ({ open }) => {
    const { page, view } = await take(open, HASH);
    const colours = await coloured(page, view);
    const { name, bytes } = await download(page, 'PNG');
    expect(name).toMatch(/40x17-from-1000\.png$/);
    const { width, height, data } = await decode(page, bytes);
    expect([width, height]).toEqual([17 * 25, 40 * 25]);
    const strange = data.findIndex((channel, at) => {
      const [y, x] = [Math.floor(at / 4 / width), Math.floor(at / 4) % width];
      return channel !== colours[4 * (Math.floor(y / 25) * 17 + Math.floor(x / 25)) + (at % 4)];
    });
    expect(strange).toBe(-1);
  });

  test('a table too large for a picture is refused, and one of more cells than that side has a pixel for each', async ({
    open,
  }) => {
    const { page } = await take(open, '#length=1048576&dim=2');
    await page.getByRole('button', { name: 'PNG' }).click();
    const saved = page.locator('#take .saved');
    await expect(saved).toHaveText(
      'posenc-transformer-1048576x2.png could not be written: This browser can’t make a picture of 2 × 1048576 pixels.',
    );
    await act(page, () => find.number(page, 'positions').fill('3000'));
    await expect(saved).toHaveText('');
    const { bytes } = await download(page, 'PNG');
    const { width, height } = await decode(page, bytes);
    expect([width, height]).toEqual([2, 3000]);
  });

  test('the code shown follows the view and the language', async ({ open }) => {
    const { page, view } = await take(open, HASH);
    for (const language of ['javascript', 'pytorch'] as const) {
      await page.getByRole('radio', { name: LANGUAGES[language] }).check();
      await expect(findCode(page)).toHaveText(code(language, view));
      await expectRead(page, async () => fromHash(await readHash(page), () => '').view.language).toBe(language);
    }
    await find.number(page, 'dimensions').fill('18');
    await expect(findCode(page)).toHaveText(code('pytorch', { ...view, dim: 18 }));
    await expect(page.getByText(/^The table shown: 40 × 18, positions 1000 to 1039\.$/)).toBeVisible();
    await expect(page.getByText(/^In Python it is the formula in float64\./)).toBeVisible();
  });

  test('code, link and embed are copied', async ({ site, open }) => {
    const { page, view } = await take(open, `${HASH}&position=1003&text=%22%3Cb%3E+%26`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copy = async (name: string) => {
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await page.locator(`#take .${name} output`, { hasText: 'Copied.' }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const copied = await copy('code');
    expect(copied).toBe(code('javascript', view));
    const link = await copy('link');
    expect(link).toBe(site.address + toHash(view));
    expect(fromHash(new URL(link).hash, () => '')).toEqual({ view, notes: [] });
    const embed = await copy('embed');
    expect(embed).not.toMatch(/&(?!amp;|quot;)/);
    // In a page without a policy, since the page's own refuses style attributes.
    const { page: blank } = await site.blank();
    const frame = await blank.evaluate((source) => {
      const { body } = new DOMParser().parseFromString(source, 'text/html');
      const [frame] = body.children;
      const names = ['src', 'sandbox', 'title', 'loading', 'style'];
      const [src, sandbox, title, loading, style] = names.map((name) => frame.getAttribute(name));
      return { all: body.childNodes.length, name: frame.localName, src, sandbox, title, loading, style };
    }, embed);
    await blank.close();
    expect(frame).toEqual({
      all: 1,
      name: 'iframe',
      src: link,
      sandbox: 'allow-scripts',
      title: 'Positional encodings',
      loading: 'lazy',
      style: 'border:0',
    });
  });

  test('if copying is not allowed, the text is selected, with a note', async ({ open }) => {
    const { page } = await take(open, HASH, {}, (page) =>
      page.addInitScript(() => {
        navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
      }),
    );
    for (const [name, selector] of [
      ['code', 'pre'],
      ['link', 'input[readonly]'],
      ['embed', 'textarea'],
    ]) {
      await page.getByRole('button', { name: `Copy ${name}` }).click();
      await page.locator(`#take .${name} output`, { hasText: 'The text is selected' }).waitFor();
      const { selected, whole } = await page.locator(`#take .${name} ${selector}`).evaluate((node) => {
        const field = node instanceof HTMLPreElement ? undefined : (node as HTMLInputElement);
        const selected =
          field?.value.slice(Number(field.selectionStart), Number(field.selectionEnd)) ?? String(getSelection());
        return { selected, whole: field?.value ?? node.textContent, focused: document.activeElement === node };
      });
      expect(selected.trim()).toBe(whole?.trim());
    }
  });

  test('embedded by its own embed code, it shows and selects, and says that files can’t be saved', async ({
    site,
    open,
  }) => {
    const { page } = await take(open, HASH);
    const embed = await page.getByLabel(EMBED).inputValue();
    const host = await site.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    await host.setContent(embed);
    const frame = (await (await host.waitForSelector('iframe')).contentFrame()) as Frame;
    await frame.getByRole('button', { name: 'Take it' }).click();
    await frame.getByText(/preset: 'tensor2tensor'/).waitFor();
    await expect(frame.getByText(/does not let it save files/)).toBeVisible();
    await expect(frame.getByRole('button', { name: /npy|PNG/, disabled: false })).toHaveCount(0);
    await frame.getByRole('button', { name: 'Copy link' }).click();
    await frame.getByText(/^Cop(ied|ying is not allowed)/).waitFor();

    // A single figure of it.
    await act(page, () => page.getByLabel('What to embed').selectOption('waves'));
    await host.setContent(await page.getByLabel(EMBED).inputValue());
    const waves = host.frameLocator('iframe').locator('#waves');
    await waves.locator('tbody tr').first().waitFor();
    const shown = { ...fromHash(HASH, () => '').view, show: 'waves' as const, present: true };
    await expect(host.locator('iframe')).toHaveAttribute('src', `${site.address}${toHash(shown)}`);
    await expect(host.locator('iframe')).toHaveAttribute('sandbox', 'allow-scripts');
    await host.close();
  });

  test('ALiBi and T5 have code, a link and an embed of their figure, and no files', async ({ site, open }) => {
    const { page } = await take(open, '#preset=alibi&heads=12&start=1000&length=40');
    const shows = async (caption: string, made: RegExp) => {
      await expect(page.getByText(caption, { exact: true })).toBeVisible();
      await expect(page.getByText(made)).toBeVisible();
      await expect(page.getByRole('button', { name: '.npy', exact: true })).toBeHidden();
      const { view } = fromHash(await readHash(page), () => '');
      await expect(page.getByLabel('Link to this view')).toHaveValue(site.address + toHash(view));
      for (const language of ['javascript', 'pytorch'] as const) {
        await page.getByRole('radio', { name: LANGUAGES[language] }).check();
        await expect(findCode(page)).toHaveText(code(language, view));
      }
    };
    await shows(
      'The bias shown: 12 heads × 40 queries × 40 keys, positions 1000 to 1039.',
      /^It makes the bias shown.+ to its scores\.$/,
    );
    await act(page, () => page.getByLabel('What to embed').selectOption('bias'));
    const host = await site.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    await host.setContent(await page.getByLabel(EMBED).inputValue());
    await host.frameLocator('iframe').locator('#bias .readout', { hasText: 'bias of head 0' }).waitFor();
    await host.close();

    await go(page, 'preset=t5&length=1048576');
    await page.getByText(/^The buckets shown/).waitFor();
    await shows(
      'The buckets shown: 1,048,576 queries × 1,048,576 keys, positions 0 to 1,048,575.',
      /by them\. These are 1,099,511,627,776 values, and posenc makes at most 1,073,741,824 at once: show fewer positions\.$/,
    );
    await go(page, 'length=1048576&dim=65');
    await expect(page.getByRole('button', { name: '.npy', exact: true })).toBeVisible();
  });

  test('links don’t contain rows from a file: it says so, and offers the file', async ({ open }) => {
    const { page } = await take(open);
    await expect(page.getByText(/^A link can’t hold/)).toBeHidden();
    const rows = { data: Float32Array.from({ length: 12 }, (_, k) => k / 12), shape: [3, 4] };
    await page.keyboard.press('Escape');
    await openSettings(page);
    await find.rows(page).setInputFiles(makeFile('trained.npy', writeNpy(rows)));
    await act(page, () => find.number(page, 'positions').fill('2'));
    await act(page, () => find.number(page, 'from').fill('1'));
    await bringNear(page, '#take');
    await expect(page.getByText(/A link can’t hold the rows of trained.npy/)).toBeVisible();
    const button = page.getByRole('button', { name: 'Save as .npy' });
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const { data } = await readNpy(await readFile(await saved.path()));
    expect(data).toEqual(rows.data.subarray(4));
    await page.keyboard.press('Escape');
    await bringNear(page, '#addition');
    await expect(page.locator('#addition .problem')).toHaveText(
      'The table’s rows have 4 numbers, MiniLM’s words 384: choose random words.',
    );
  });

  test('the keyboard reaches and works everything', async ({ open }) => {
    const { page } = await take(open);
    await page.getByRole('button', { name: '.npy', exact: true }).focus();
    const stops = [];
    for (let k = 0; k < 10; k++) {
      stops.push(
        await page.evaluate(
          () =>
            document.activeElement?.id || (document.activeElement as any).value || document.activeElement?.localName,
        ),
      );
      await page.keyboard.press('Tab');
    }
    expect(stops.join(' ')).toBe('npy png take-link button select take-embed button javascript pre button');
    await page.getByRole('radio', { name: LANGUAGES.javascript }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(findCode(page)).toHaveText(/^import torch/);
    await page.getByRole('button', { name: 'PNG' }).focus();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(saved.suggestedFilename()).toBe('posenc-transformer-128x64.png');
  });

  for (const width of [320, 1440]) {
    test(`nothing is cut off, ${width} pixels wide`, { tag: width === 320 ? '@width' : [] }, async ({ open }) => {
      for (const hash of ['', '#start=9007199253000000&length=1048576&dim=100', '#preset=alibi&length=1048576']) {
        const { page } = await take(open, hash, { viewport: { width, height: 800 } });
        const panel = page.locator('#take');
        const hidden = () => panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        await expectRead(page, hidden).toBe(0);
      }
    });
  }
});
