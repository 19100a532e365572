import type { Page } from '@playwright/test';
import * as posenc from 'posenc';
import { writeNpy } from 'posenc/files';
import {
  act,
  bringNear,
  expect,
  expectRead,
  find,
  makeFile,
  near,
  openSettings,
  page,
  readHash,
  readTable,
  settled,
  sharePage,
  test,
  text,
  visitAll,
} from './page.ts';
import { readPart } from './words.ts';

await posenc.load();

const WAVES = 'Its waves, by principal components';

test.describe('choosing an encoding', () => {
  sharePage((site) => site.open());

  const show = async (hash: string) => {
    await page.evaluate((hash) => {
      // A field that is being edited keeps its text, and would set it in the next view when it is left.
      (document.activeElement as HTMLElement).blur();
      location.hash = hash;
    }, hash);
    await settled(page);
  };

  const radio = (page: Page, preset: string) =>
    page.getByRole('group', { name: 'Preset' }).getByRole('radio', { name: new RegExp(`^${preset}\\b`) });

  const pick = async (page: Page, preset: string) => {
    if (preset === 'learned') return act(page, () => find.family(page).selectOption('learned'));
    if ((await find.family(page).inputValue()) !== 'sinusoidal') await find.family(page).selectOption('sinusoidal');
    await openSettings(page);
    await act(page, () => radio(page, preset).check());
  };

  const settings = async (page: Page) => Object.fromEntries(new URLSearchParams((await readHash(page)).slice(1)));

  /** @param value of the selected cell */
  const expectValue = async (page: Page, value: number, said?: string) => {
    const shown = Number((await readTable(page)).value);
    expect(Math.abs(shown - value), `${said}: ${shown}, not ${value}`).toBeLessThan(6e-7);
  };

  /** A formula's words, with plain signs and no spaces. */
  const formulas = async (page: Page) => {
    await openSettings(page);
    return (await text(page, '.shown math')).replaceAll('−', '-').replaceAll(/\s/g, '');
  };

  test('every preset shows its own table and its own formula', async () => {
    await show('#position=7&dimension=10');
    const cases = [
      ['tensor2tensor', 0, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['fairseq', 2, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['roformer', 0, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-2i/64'],
      ['diffusers', 0, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['ctranslate2', 1, 'PE(p,i)=sin(pωi)PE(p,32+i)=cos(pωi)ωi=10000-i/31'],
      ['mlx', 0, 'PE(p,i)=0.176777·sin(pωi)PE(p,32+i)=0.176777·cos(pωi)ωi=10000-i/31'],
      ['tatp22', 0, 'PE(p,2i)=sin(pωi)PE(p,2i+1)=cos(pωi)ωi=10000-2i/64'],
      ['transformer', 0, 'PE(p,2i)=sin(pωi)PE(p,2i+1)=cos(pωi)ωi=10000-2i/64'],
    ] as const;
    for (const [preset, start, formula] of cases) {
      await pick(page, preset);
      await expectRead(page, formulas, preset).toBe(formula);
      await expect(find.number(page, 'from'), preset).toHaveValue(String(start));
      await expectRead(page, async () => (await settings(page)).preset ?? 'transformer').toBe(preset);
      const value = posenc.sinusoidal({ dim: 64, preset }).encode([7]).data[10];
      await expectValue(page, value, preset);
    }
    await show('#preset=t5');
    await openSettings(page);
    // MathML leaves out plain spaces at the ends of a text.
    await expectRead(page, () => page.locator('.shown mtext').textContent()).toMatch(/^\u00a0.*where\u00a0$/);
  });

  test('a learned table has rows that are PyTorch’s, and no waves to set', async () => {
    await show('#position=7&dimension=10&start=2000&length=100');
    await pick(page, 'learned');
    // Beyond its rows there is nothing to show.
    await expect(find.number(page, 'from')).toHaveValue('412');
    await expectRead(page, formulas).toBe('PE(p,j)=Wp,jW∈ℝ512×384');
    await expect(page.getByLabel('What the table is')).toHaveValue('minilm');
    await act(page, () => page.getByLabel('What the table is').selectOption('random'));
    await expect(find.number(page, 'base')).toBeHidden();
    await act(page, () => find.number(page, 'from').fill('0'));
    const value = posenc.embedding({ rows: 512, dim: 384, seed: 0 }).weights[7 * 384 + 10];
    await expectValue(page, value);
    await find.number(page, 'from').fill('1000');
    await expect(page.getByText(/only the positions 0 to 511\. Still showing 0\.$/)).toBeVisible();
  });

  test('MiniLM’s table has its size, shows its waves and its spectrum, and gives way to another size', async () => {
    const weights = readPart('positions').rows.positions;
    await show('#preset=learned&position=7&dimension=10');
    await expect(find.number(page, 'dimensions')).toHaveValue('384');
    await expectValue(page, weights[7 * 384 + 10]);
    await expect(page.getByRole('heading', { name: WAVES })).toBeVisible();
    await expect(find.panel(page, WAVES).getByRole('row')).toHaveCount(5);
    // A key pressed before the plot is made, which is after the next layout.
    await page.evaluate(() =>
      new MutationObserver((_, observer) => {
        const chart = document.querySelector('#spectrum [role=application]');
        chart?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
        if (chart) observer.disconnect();
      }).observe(document.body, { subtree: true, childList: true }),
    );
    await page.getByRole('button', { name: 'Spectrum' }).click();
    await expect(page.getByText(/they peak at 170, 57, 18, and 6.5 positions/)).toBeVisible();
    await expect(find.figure(page, /peaks at 170\.3, 56\.8, 18\.\d, 6\.5/)).toBeVisible();
    await expect(page.getByText('A period of 511 positions has 12 % of the power.', { exact: true })).toBeVisible();
    await act(page, () => find.number(page, 'positions').fill('64'));
    await expect(page.locator('#spectrum canvas'), 'drawn once').toHaveCount(1);
    await act(page, () => find.number(page, 'dimensions').fill('64'));
    await expect(page.getByLabel('What the table is')).toHaveValue('random');
    await expectValue(page, posenc.embedding({ rows: 512, dim: 64, seed: 0 }).weights[7 * 64 + 10]);
    await expect(find.panel(page, 'The waves')).toBeHidden();
    await act(page, () => find.family(page).selectOption('sinusoidal'));
    await act(page, () => find.family(page).selectOption('learned'));
    await expect(page.getByLabel('What the table is')).toHaveValue('minilm');
    await expectValue(page, weights[7 * 384 + 10]);
  });

  test('texts about waves are not shown for a learned table', async () => {
    await show('#preset=learned&dim=2048&length=20');
    const said: string[] = [];
    await visitAll(page, async (id) => {
      const texts = page.locator(`#${id} :is(.caption, .sampling)`);
      said.push(...(await texts.filter({ visible: true }).allInnerTexts()));
    });
    expect(said.join('\n')).toMatch(/each pixel shows a mean\./);
    expect(said.join('\n')).toContain('from the random numbers that PyTorch draws');
    const ofWaves = /\bsin|\bcos\b|\bcosines\b|\bcosine of\b|frequenc|\bwaves?\b|\bhands?\b|arithmetic|float64|ω/i;
    expect(said.filter((text) => ofWaves.test(text))).toEqual([]);
    await pick(page, 'transformer');
    await expect(await near(page, '#precision > .caption')).toBeVisible();
    await bringNear(page, '#take');
    await expect(page.getByText(/formula in float64/)).toBeVisible();
    await page.keyboard.press('Escape');
    await bringNear(page, '#table');
    await expect(page.getByText(/waves fade out/)).toBeVisible();
  });

  test('a learned table is read from a file, and other files are refused', async ({ site }) => {
    const { page, problems } = await site.open('#preset=learned&source=random&position=2&dimension=1');
    await openSettings(page);
    const weights = Float32Array.from({ length: 40 }, (_, i) => (i - 20) / 7);
    const npy = writeNpy({ data: weights, shape: [1, 10, 4] });
    const choose = (name: string, content: Uint8Array | string) =>
      find.rows(page).setInputFiles(makeFile(name, content));
    await choose('positions.npy', npy);
    await page.getByText('The rows of positions.npy.').waitFor();
    await expect(find.number(page, 'dimensions')).toHaveValue('4');
    await expect(find.number(page, 'Trained positions')).toHaveValue('10');
    await expect(find.number(page, 'positions')).toHaveValue('10');
    await expectValue(page, weights[9]);
    await expectRead(page, settings, 'it does not travel in the link').not.toHaveProperty('file');
    await expect(page.locator('#table .legend span')).toHaveText(['−2.86', '0', '2.86']);
    await bringNear(page, '#table');
    await expect(page.getByText(/Its values are shown as they are\./)).toBeVisible();

    await choose('noise.npy', 'this is none');
    await page.getByText('Not shown:').waitFor();
    await expectValue(page, weights[9], 'the last table stays');
    await choose('wide.csv', `${'1,'.repeat(5000)}1\n${'1,'.repeat(5000)}1\n`);
    await page
      .getByText('Not shown: wide.csv: Up to 4096 dimensions are shown. This has the shape [2, 5001].')
      .waitFor();
    await pick(page, 'transformer');
    await expect(page.getByRole('button', { name: 'Open a file…' })).toBeHidden();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('of very many tensors the likely ones are offered', async ({ site }) => {
    const { page, problems } = await site.open('#preset=learned&source=random');
    await openSettings(page);
    const count = 200_000;
    const header = Array.from({ length: count }, (_, k) => {
      const name = k === count - 1 ? 'wpe' : `h.${k}`;
      return `"${name}":{"dtype":"F32","shape":[1,2],"data_offsets":[${8 * k},${8 * k + 8}]}`;
    });
    const text = Buffer.from(`{${header}}`);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const buffer = Buffer.concat([length, text, Buffer.alloc(8 * count)]);
    await find.rows(page).setInputFiles(makeFile('many.safetensors', buffer));
    await page.getByText('The rows of wpe in many.safetensors.').waitFor();
    const select = find.tensor(page);
    await expect(select).toHaveValue('wpe');
    await expect(select.locator('option')).toHaveCount(1002);
    await expect(select.locator('option').last()).toHaveText('and 199,000 others');
    await expect(select.locator('option').last()).toBeDisabled();
    await select.selectOption('h.5');
    await page.getByText('The rows of h.5 in many.safetensors.').waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  test('after a short file a longer one is shown as a whole, and a part stays a part', async ({ site }) => {
    const { page, problems } = await site.open('#preset=learned&source=random');
    await openSettings(page);
    const choose = async (name: string, rows: number, shown: string) => {
      const data = Float32Array.from({ length: rows * 2 }, (_, i) => i);
      await find.rows(page).setInputFiles(makeFile(name, writeNpy({ data, shape: [rows, 2] })));
      await page.getByText(`The rows of ${name}.`).waitFor();
      await settled(page);
      await expect(find.number(page, 'positions')).toHaveValue(shown);
    };
    await choose('short.npy', 10, '10');
    await choose('long.npy', 300, '300');
    await act(page, () => find.number(page, 'positions').fill('20'));
    await choose('longer.npy', 400, '20');
    await choose('shorter.npy', 15, '15');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a preset chosen in the frame in which a number was typed keeps that number', async () => {
    await show('#length=64');
    await openSettings(page);
    await page.evaluate(() => {
      const length = document.querySelector('#length') as HTMLInputElement;
      length.value = '20';
      length.dispatchEvent(new Event('input', { bubbles: true }));
      (document.querySelector('#settings [value=roformer]') as HTMLElement).click();
    });
    await expectRead(page, readHash).toBe('#preset=roformer&length=20');
  });

  test('each setting changes the table by itself, is written into the link, and is left again', async () => {
    const start = { dim: 9, position: 3, dimension: 4 };
    await show(`#${new URLSearchParams(start as any)}`);
    await openSettings(page);
    const plain = posenc.sinusoidal({ dim: 9 }).encode([3]).data;
    await expectValue(page, plain[4]);
    for (const [field, choice, spec, dimension = 4] of [
      ['layout', 'cos-sin', { layout: 'cos-sin' }],
      ['layout', 'sin-cos', { layout: 'sin-cos' }],
      ['endpoint', 'yes', { endpoint: true }],
      ['odd', 'zero', { odd: 'zero' }, 8],
      ['odd', 'pad', { odd: 'pad' }],
      ['numerics', 'bfloat16', { numerics: 'bfloat16' }, 1],
      ['maxFrequency', '0.5', { maxFrequency: 0.5 }],
      ['scale', '-2', { scale: -2 }],
      ['base', '7', { base: 7 }],
    ] as [string, string, object, number?][]) {
      const value = posenc.sinusoidal({ dim: 9, ...spec } as any).encode([3]).data[dimension];
      await show(`#${new URLSearchParams({ ...start, dimension } as any)}`);
      const control = page.locator(`#${field}`);
      const before = await control.inputValue();
      const isSelect = await control.evaluate((node) => node.localName === 'select');
      const set = async (to: string) => {
        if (isSelect) await control.selectOption(to);
        else await control.fill(to);
        if (!isSelect) await control.blur();
        await settled(page);
      };
      await set(choice);
      await expectValue(page, value, `${field} ${choice}`);
      await expectRead(page, settings).toEqual({
        dim: '9',
        position: '3',
        ...(dimension !== 4 && { dimension: `${dimension}` }),
        [field]: choice,
      });
      await set(before);
      await expectValue(page, plain[dimension], `${field} left`);
      await expectRead(page, settings).not.toHaveProperty(field);
    }
  });

  test('settings work together, and a link restores all of them', async () => {
    await show('#position=3&dimension=4&dim=9&layout=cos-sin&endpoint=yes&odd=pad&maxFrequency=0.5&scale=2');
    const spec = { dim: 9, layout: 'cos-sin', endpoint: true, odd: 'pad', maxFrequency: 0.5, scale: 2 };
    const value = posenc.sinusoidal(spec as any).encode([3]).data[4];
    await expectValue(page, value);
    await expectRead(page, formulas).toBe('PE(p,i)=2·cos(pωi)PE(p,5+i)=2·sin(pωi)ωi=0.5·10000-i/4');
    await expect(page.getByText(/The last column is that of dim \+ 1\./)).toBeVisible();
    await openSettings(page);
    for (const [field, value] of Object.entries({ ...spec, endpoint: 'yes' })) {
      await expect(page.locator(`#${field}`), field).toHaveValue(String(value));
    }
    await page.getByRole('button', { name: 'Start over' }).click();
    await expect(find.number(page, 'dimensions')).toHaveValue('64');
    for (const field of ['layout', 'endpoint', 'odd', 'maxFrequency', 'scale']) {
      await expect(page.locator(`#${field}`), field).toHaveValue('');
    }
  });

  test('invalid settings are refused with a reason, and nothing is lost', async () => {
    await show('#dim=65');
    await openSettings(page);
    const refused = page.locator('.presets + .error');
    await radio(page, 'mlx').click();
    await expect(refused).toHaveText(/dim must be even in this encoding, got 65/);
    await expect(radio(page, 'transformer')).toBeChecked();
    await pick(page, 'roformer');
    await expect(refused).toHaveText('');
    await find.number(page, 'dimensions').fill('5000');
    await expect(page.getByText(/^Must be a whole number from 1 to 4096\. Still showing 65\.$/)).toBeVisible();
    await find.number(page, 'dimensions').fill('65');
    await expect(page.locator('#dim-error')).toHaveText('');
  });

  test('the keyboard goes through the presets', async () => {
    await show('#step=0');
    await openSettings(page);
    await radio(page, 'transformer').focus();
    await page.keyboard.press('ArrowRight');
    await expectRead(page, settings).toMatchObject({ preset: 'tensor2tensor' });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expectRead(page, settings).toMatchObject({ preset: 'tatp22' });
    await page.keyboard.press('Escape');
    await expect(find.panel(page, 'All settings')).toBeHidden();
    await page.getByLabel('Family of encodings').focus();
    await page.keyboard.press('ArrowDown');
    await expectRead(page, settings).toMatchObject({ preset: 'learned' });
  });

  test('in forced colours the chosen preset stands out, light and dark', async ({ site }) => {
    const { page } = await site.open('#step=0', { forcedColors: 'active' });
    /** The system colours of each preset. */
    const painted = () =>
      page.locator('.chip').evaluateAll((chips) => {
        const probe = document.body.appendChild(document.createElement('i'));
        const names = ['Highlight', 'HighlightText', 'Canvas', 'CanvasText'].map((name) => {
          probe.style.color = name;
          return [getComputedStyle(probe).color, name];
        });
        probe.remove();
        const findName = (colour: string) => names.find(([known]) => known === colour)?.[1] ?? colour;
        return chips.map((chip) => {
          const { color, backgroundColor } = getComputedStyle(chip);
          const sketch = getComputedStyle(chip.querySelector('.sketch') as Element).color;
          return [backgroundColor, color, sketch].map(findName).join(' ');
        });
      });
    const chosen = 'Highlight HighlightText HighlightText';
    await openSettings(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [preset, place] of [
        ['transformer', 0],
        ['mlx', 6],
      ] as [string, number][]) {
        await pick(page, preset);
        const chips = await painted();
        expect([chips.indexOf(chosen), chips.lastIndexOf(chosen)], `${preset}, ${colorScheme}`).toEqual([place, place]);
      }
    }
    await page.close();
  });
});
