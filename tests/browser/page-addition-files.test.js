import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNpy } from 'posenc/files';
import { initial } from '../../web/page/state.js';
import {
  equation,
  expectFigures,
  expectNear,
  idsOf,
  inputOfFile,
  PANEL,
  shownIds,
  showView,
  type,
} from './addition.js';
import { bringNear, expect, formula, hashOf, hover, readout, settled, test } from './page.js';

/** @typedef {import('@playwright/test').Page} Page */

const data = Float32Array.from({ length: 600 * 8 }, (_, k) => Math.sin(k) * 2);

/** Where the files of this test are. @type {string} */
let folder;
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posenc-addition-'));
});
test.afterAll(() => rm(folder, { recursive: true }));

/**
 * @param {string} name
 * @param {string | Uint8Array} contents
 */
async function file(name, contents) {
  const path = join(folder, name);
  await writeFile(path, contents);
  return path;
}

/** @param {Record<string, { dtype: string, shape: number[], data: Uint8Array }>} tensors */
function safetensors(tensors) {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
    const begin = end;
    end += data.length;
    return [name, { dtype, shape, data_offsets: [begin, end] }];
  });
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, ...Object.values(tensors).map(({ data }) => data)]);
}

/** @param {Float32Array} values */
const bytes = (values) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/**
 * Opens a file in the panel, and waits for what is said about it.
 *
 * @param {Page} page
 * @param {string} path
 * @param {RegExp | string} note
 * @param {RegExp | string} [error]
 */
async function choose(page, path, note, error = '') {
  await page.setInputFiles(`${PANEL} [type=file]`, path);
  await settled(page);
  await expect(page.locator(`${PANEL} .file .note`)).toHaveText(note);
  await expect(page.locator(`${PANEL} .file .error`)).toHaveText(error);
}

/**
 * Checks a cell of the sum against a matrix.
 *
 * @param {Page} page
 * @param {Float32Array} values
 * @param {{ rows: number, dim: number, row: number, column: number, position?: number }} cell
 */
async function expectCell(page, values, { rows, dim, row, column, position = row }) {
  await hover(page, `${PANEL} .sum .plot`, { row, column, rows, columns: dim });
  const { said, numbers } = await equation(page);
  expect(said.row).toBe(String(row));
  const [value, added] = [values[row * dim + column], formula(position, column, { dim })];
  expectNear(numbers, [value, added, value + added]);
}

test.describe('embeddings and texts from files', () => {
  /** @type {Page} */
  let page;
  /** @type {string[]} */
  let problems;
  test.beforeAll(async ({ site }) => {
    ({ page, problems } = await site.open('#show=addition'));
    await bringNear(page, PANEL);
  });
  test.afterAll(() => page.close());
  test.afterEach(() => expect(problems.splice(0)).toEqual([]));

  /** @param {Parameters<typeof showView>[1]} [patch] */
  const show = async (patch) => {
    await bringNear(page, PANEL);
    const back = page.locator('.file .back');
    if (await back.isVisible()) await back.click();
    await showView(page, patch);
  };
  const part = (/** @type {string} */ selector) => page.locator(`${PANEL} ${selector}`);

  test('an .npy sets the dim, is cut, and gives way to the text', async () => {
    await show();
    await choose(
      page,
      await file('mine.npy', writeNpy({ data, shape: [600, 8] })),
      'mine.npy: 512 rows of 8 numbers, the first of 600 rows. The table has 8 dimensions now.',
    );
    expect(await hashOf(page)).toBe('#dim=8&show=addition');
    await expect(part('.ordering')).toBeHidden();
    await expectCell(page, data, { rows: 512, dim: 8, row: 500, column: 5 });
    for (const disabled of ['#segments', '#seed']) await expect(page.locator(disabled)).toBeDisabled();
    for (const hidden of ['.chips', '.comparison']) await expect(part(hidden)).toBeHidden();

    // With another dim the mismatch is reported, and no number is shown.
    // The browser may scroll to where the page was then, and panels out of sight are not drawn.
    await page.goBack();
    await bringNear(page, PANEL);
    await expect(part('.problem')).toHaveText(/^The embeddings’ rows have 8 numbers, the table’s 64\./);
    await expect(part('.sum .plot')).toBeHidden();
    await page.getByRole('button', { name: 'Show 8 dimensions' }).click();
    await expectCell(page, data, { rows: 512, dim: 8, row: 3, column: 2 });

    await page.getByRole('button', { name: 'Back to the text' }).click();
    expect((await readout(page, PANEL)).token).toBe('␣an');
    await expect(part('.file .note')).toHaveText('');
    for (const enabled of ['#segments', '#seed']) await expect(page.locator(enabled)).toBeEnabled();
    await expect(part('.comparison')).toBeVisible();
  });

  test('a batch’s figures are those of the file, in either order and after each change', async () => {
    const values = data.slice(0, 60).map((value) => 3 * value);
    await show();
    await choose(
      page,
      await file('batch.npy', writeNpy({ data: values, shape: [5, 3, 4] })),
      /5 × 3 rows of 4 numbers\./,
    );
    let view = { ...initial, dim: 4 };
    /** @type {[Partial<typeof view>, () => Promise<unknown>][]} */
    const changes = [
      [{}, async () => {}],
      [{ order: 'sequence-first' }, () => page.selectOption('#order', 'sequence-first')],
      [{ root: true }, () => page.locator('#root').check()],
      [{ start: 7 }, () => page.fill('#start', '7')],
      [
        { dropout: 0.5 },
        async () => {
          await page.locator('.further summary').click();
          await page.fill('#dropout', '0.5');
        },
      ],
    ];
    for (const [patch, by] of changes) {
      view = { ...view, ...patch };
      await by();
      await settled(page);
      await expectFigures(page, view, inputOfFile(view, values, [5, 3]));
    }
  });

  test('an .npz of NumPy offers its arrays', async () => {
    await show();
    const path = fileURLToPath(new URL('../golden/files/compressed.npz', import.meta.url));
    await choose(page, path, 'wpe: 3 rows of 4 numbers. The table has 4 dimensions now.');
    await expect(part('.tensor option')).toHaveText(['Choose one', 'vector [5]', 'wpe [3, 4]', 'names [2]']);
    await expect(part('.tensor option:disabled')).toHaveText(['vector [5]', 'names [2]']);
    await expectCell(
      page,
      Float32Array.of(...Array(12).keys()).map((k) => (k - 7.5) / 3),
      {
        rows: 3,
        dim: 4,
        row: 1,
        column: 3,
      },
    );
  });

  test('a .safetensors offers its tensors by name', async () => {
    await show();
    const half = Uint8Array.from([0x80, 0x3f, 0x00, 0xc0, 0x40, 0x3f, 0x80, 0x3e]); // bfloat16: 1, -2, 0.75, 0.25
    const path = await file(
      'model.safetensors',
      safetensors({
        'h.0.bias': { dtype: 'F32', shape: [4], data: bytes(data.slice(0, 4)) },
        ids: { dtype: 'I64', shape: [1, 1], data: new Uint8Array(8) },
        wte: { dtype: 'F32', shape: [600, 8], data: bytes(data) },
        wpe: { dtype: 'BF16', shape: [2, 2], data: half },
        zeros: { dtype: 'F32', shape: [2, 2], data: new Uint8Array(16) },
      }),
    );
    await choose(page, path, /^wte: 512 rows of 8 numbers, the first of 600 rows\./);
    await expectCell(page, data, { rows: 512, dim: 8, row: 300, column: 7 });
    const options = page.locator('#tensor option');
    await expect(options).toHaveText([
      ...['Choose one', 'h.0.bias [4]', 'ids [1, 1]', 'wte [600, 8]', 'wpe [2, 2]', 'zeros [2, 2]'],
    ]);
    await expect(options.nth(1)).toBeDisabled();

    const note = part('.file .note');
    await page.selectOption('#tensor', 'wpe');
    await expect(note).toHaveText(/^wpe: 2 rows of 2 numbers\./);
    expect(await hashOf(page)).toBe('#dim=2&show=addition');
    const view = { ...initial, dim: 2 };
    const wpe = Float32Array.of(1, -2, 0.75, 0.25);
    await expectFigures(page, view, inputOfFile(view, wpe, [1, 2]));

    // A tensor that can't be read changes nothing.
    await page.selectOption('#tensor', 'ids');
    await expect(part('.file .error')).toHaveText(/^ids: The dtype .* must be F32 or F16 or BF16, got "I64"\.$/);
    await expect(page.locator('#tensor')).toHaveValue('wpe');
    await expectFigures(page, view, inputOfFile(view, wpe, [1, 2]));

    await page.selectOption('#tensor', 'zeros');
    await expect(note).toHaveText(/^zeros: /);
    await expect(page.locator('.norms .verdict')).toHaveText('The embedding’s rows are all zeros.');
    await expectFigures(page, view, inputOfFile(view, new Float32Array(4), [1, 2]));
  });

  test('of very many tensors the likely ones are offered', async () => {
    await show();
    const count = 200_000;
    const header = Array.from({ length: count }, (_, k) => {
      const name = k === count - 1 ? 'wte' : `h.${k}`;
      return `"${name}":{"dtype":"F32","shape":[1,2],"data_offsets":[${8 * k},${8 * k + 8}]}`;
    });
    const text = Buffer.from(`{${header}}`);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const values = new Float32Array(2 * count).fill(0.5);
    const path = await file('many.safetensors', Buffer.concat([length, text, bytes(values)]));
    await choose(page, path, /^wte: 1 row of 2 numbers\./);
    await expect(page.locator('#tensor')).toHaveValue('wte');
    const options = page.locator('#tensor option');
    await expect(options).toHaveCount(1002);
    await expect(options.last()).toHaveText('and 199,000 others');
    await expect(options.last()).toBeDisabled();
    await page.selectOption('#tensor', 'h.5');
    await expect(part('.file .note')).toHaveText(/^h\.5: 1 row of 2 numbers\./);
    await expectCell(page, values, { rows: 1, dim: 2, row: 0, column: 1 });
  });

  test('a .csv of any separator, dropped on the panel', async () => {
    await show();
    for (const [separator, name] of [
      [',', 'a'],
      ['\t', 'b'],
      [';', 'c'],
      [' ', 'd'],
    ]) {
      const rows = [
        [1, -2.5, 3e-1],
        [0.5, 4, 5],
      ];
      const contents = `${rows.map((row) => row.join(separator)).join('\r\n')}\r\n`;
      const over = await page.locator(PANEL).evaluate(
        (panel, { name, contents }) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([contents], `${name}.csv`));
          return ['dragover', 'drop'].map((type) => {
            const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
            panel.querySelector('.trio')?.dispatchEvent(event);
            return panel.classList.contains('over');
          });
        },
        { name, contents },
      );
      expect(over).toEqual([true, false]);
      await expect(part('.file .note')).toHaveText(new RegExp(`^${name}\\.csv: 2 rows of 3 numbers\\.`));
      await expectCell(page, Float32Array.of(...rows.flat()), { rows: 2, dim: 3, row: 1, column: 1 });
    }
    const long = Array.from({ length: 700 }, (_, row) => `${row}.5,1`).join('\n');
    await choose(page, await file('long.csv', long), /^long\.csv: 512 rows of 2 numbers, the first of 700 rows\./);
  });

  test('a .txt becomes the text, as far as it is read', async () => {
    await show();
    await choose(page, await file('poem.txt', 'Über\r\nallen Gipfeln'), '');
    await expect(part('.summary')).toHaveText(/ 18 characters/);
    await expect(page.locator('#text')).toHaveValue('Über\nallen Gipfeln');
    expect(await shownIds(page)).toEqual(idsOf('Über\nallen Gipfeln'));

    // 100 MB, only a small part of which is read.
    const path = join(folder, 'huge.txt');
    const handle = await open(path, 'w');
    await handle.write('€ is three bytes; '.repeat(3000));
    await handle.truncate(100e6);
    await handle.close();
    await choose(page, path, '');
    await expect(part('.summary')).toHaveText(/from the first 8000 characters/);
    expect((await page.inputValue('#text')).length).toBe(8001);
  });

  test('of 100 MB only the rows shown are read', async () => {
    await show();
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      Object.assign(globalThis, { read: 0 });
      Blob.prototype.arrayBuffer = function () {
        /** @type {any} */ (globalThis).read += this.size;
        return arrayBuffer.call(this);
      };
    });
    const rows = 100_000;
    for (const [name, head] of /** @type {[string, Uint8Array][]} */ ([
      [
        'big.npy',
        Buffer.concat([
          Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'),
          Buffer.from(`{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, 256), }`.padEnd(117)),
          Buffer.from('\n'),
        ]),
      ],
      ['big.safetensors', safetensors({ wte: { dtype: 'F32', shape: [rows, 256], data: new Uint8Array(0) } })],
    ])) {
      const path = join(folder, name);
      const handle = await open(path, 'w');
      const fixed = Buffer.from(head)
        .toString('latin1')
        .replace('"data_offsets":[0,0]', `"data_offsets":[0,${rows * 1024}]`);
      const start = Buffer.from(fixed, 'latin1');
      if (name.endsWith('s')) start.writeBigUInt64LE(BigInt(start.length - 8));
      await handle.write(start);
      await handle.write(bytes(Float32Array.of(0.25, -0.5)));
      await handle.truncate(start.length + rows * 1024);
      await handle.close();
      await choose(page, path, /512 rows of 256 numbers, the first of 100,000 rows\./);
      expect(await page.evaluate(() => /** @type {any} */ (globalThis).read)).toBeLessThan(2e6);
      await hover(page, `${PANEL} .sum .plot`, { row: 0, column: 1, rows: 512, columns: 256 });
      expectNear((await equation(page)).numbers, [-0.5, 1, 0.5]);
    }
  });

  test('unreadable files are refused with a reason, and the last good state stays', async () => {
    await show({ dim: 3 });
    const good = 'good.csv: 2 rows of 3 numbers.';
    await choose(page, await file('good.csv', '1,2,3\n4,5,6'), good);
    const said = await readout(page, PANEL);
    // How each format is read is tested without a browser.
    const bad = /** @type {[string, string | Uint8Array, RegExp][]} */ ([
      ['empty.npy', '', /The file is empty\./],
      ['empty.txt', '', /The file is empty\./],
      ['binary.txt', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /This is neither text/],
      ['noextension', 'no table', /Line 1, column 1: “no” is not a number\./],
      ['ragged.csv', '1,2,3\n4,5\n', /Line 2 has 2 columns, line 1 has 3\./],
      ['nan.csv', '1,2,3\n4,nan,6\n', /Row 2, column 2, counted from 1, is NaN in float32\./],
      [
        'vector.npy',
        await readFile(new URL('../golden/files/vector.npy', import.meta.url)),
        /Embeddings must have the shape \[rows, dim\], or three axes\. This has the shape \[5\]\./,
      ],
      [
        'none.npy',
        writeNpy({ data: new Float32Array(0), shape: [0, 4] }),
        /Embeddings must not be empty\. This has the shape \[0, 4\]\./,
      ],
      [
        'wide.npy',
        writeNpy({ data: new Float32Array(8194), shape: [2, 4097] }),
        /Up to 4096 dimensions are shown\. This has the shape \[2, 4097\]\./,
      ],
      ['many.npy', writeNpy({ data: new Float32Array(513), shape: [1, 513, 1] }), /the second axis alone has more\./],
      [
        'bias.safetensors',
        safetensors({ bias: { dtype: 'F32', shape: [2], data: new Uint8Array(8) } }),
        /It has no tensor of a suitable shape\./,
      ],
    ]);
    for (const [name, contents, reason] of bad) {
      await choose(page, await file(name, contents), good, new RegExp(`^${name}: .*${reason.source}`));
    }
    expect(await readout(page, PANEL)).toEqual(said);
    // The next good one clears the error.
    await choose(page, await file('other.csv', '1 2 3'), 'other.csv: 1 row of 3 numbers.');
  });

  test('typing goes back to the text', async () => {
    await show({ dim: 3 });
    await choose(page, await file('m.csv', '1,2,3\n4,5,6'), /m\.csv/);
    await type(page, 'two words');
    expect((await readout(page, PANEL)).token).toBe('␣words');
    await expect(part('.file .note')).toHaveText('');
  });
});

test('a file given to a panel that was never in sight is shown there', async ({ site }) => {
  const { page, problems } = await site.open('#step=0', { viewport: { width: 1000, height: 400 } });
  // The panel's controls are there once its code is, before it is drawn.
  await settled(page);
  await page.setInputFiles(`${PANEL} [type=file]`, await file('early.csv', '1,2,3\n4,5,6'));
  expect(await hashOf(page)).toBe('#dim=3');
  await bringNear(page, PANEL);
  await expect(page.locator(`${PANEL} .file .error`)).toHaveText('');
  await expect(page.locator(`${PANEL} .file .note`)).toHaveText(
    'early.csv: 2 rows of 3 numbers. The table has 3 dimensions now.',
  );
  await expectCell(page, Float32Array.of(1, 2, 3, 4, 5, 6), { rows: 2, dim: 3, row: 1, column: 1 });
  expect(problems).toEqual([]);
  await page.close();
});
