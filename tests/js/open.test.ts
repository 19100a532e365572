import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { writeNpy } from 'posenc/files';
import { openFile } from '../../web/page/files/open.ts';

const blobOf = (...parts: (string | Uint8Array)[]) => new Blob(parts.map((part) => Buffer.from(part)));

const golden = (name: string) => readFileSync(new URL(`../golden/files/${name}`, import.meta.url));

const assertRefused = (file: Blob, message: RegExp) =>
  assert.rejects(
    openFile(file).then(({ names, read }) => read(names[0])),
    (error: Error) => {
      assert.match(error.message, message);
      return true;
    },
  );

test('the first rows of a table in Fortran order are read correctly', async () => {
  const { names, shape, read } = await openFile(blobOf(golden('fortran-matrix.npy')));
  const [all, first] = [await read(names[0]), await read(names[0], 2)];
  assert.deepEqual(shape(names[0]), [4, 3]);
  assert.deepEqual([first.data, first.shape], [all.data.slice(0, 6), [2, 3]]);
});

test('complex numbers, as freqs_cis are, are cosines beside sines', async () => {
  const angles = Array.from({ length: 12 }, (_, k) => k / 7);
  const parts = Float32Array.from(angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]));
  for (const [floats, complex, shape] of [
    ['(3, 4, 2), }', '(3, 4), }', [3, 8]],
    ['(3, 1, 4, 2), }', '(3, 1, 4), }', [3, 1, 8]],
  ] as const) {
    const sizes = floats.match(/\d+/g)?.map(Number) ?? [];
    const bytes = Buffer.from(writeNpy({ data: parts, shape: sizes }));
    const head = bytes.subarray(0, 128).toString('latin1');
    const header = head.replace("'<f4'", "'<c8'").replace(floats, complex.padEnd(floats.length, ' '));
    assert.notEqual(header, head);
    const file = new Blob([Buffer.from(header, 'latin1'), bytes.subarray(128)]);
    const { shape: said, read } = await openFile(file);
    const table = await read('');
    assert.deepEqual([said(''), table.shape, table.both], [shape, shape, true]);
    const row = (k: number) => [
      ...angles.slice(4 * k, 4 * k + 4).map(Math.cos),
      ...angles.slice(4 * k, 4 * k + 4).map(Math.sin),
    ];
    assert.deepEqual(table.data, Float32Array.from([0, 1, 2].flatMap(row)));
    assert.deepEqual((await read('', 1)).data, Float32Array.from(row(0)));
  }
});

test('a text is read as a table, and other bytes or values that are not finite are refused', async () => {
  const { names, shape, read } = await openFile(blobOf('1,2\n3,4\n5,6\n'));
  assert.deepEqual([names, shape(''), (await read('', 2)).data], [[''], [3, 2], Float32Array.of(1, 2, 3, 4)]);
  const cases: [string | Uint8Array, RegExp][] = [
    ['', /^The file is empty\.$/],
    [' \n\n', /^There are no numbers in this\.$/],
    [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /^This is neither text nor/],
    [new Uint8Array(64), /^This is neither text nor/],
    ['nan,nan\nnan,nan', /^All values are NaN\.$/],
    ['1,2\n3,inf', /^Row 1, column 1, counted from 0, is NaN in float32\. All values must be finite\.$/],
    [writeNpy({ data: Float32Array.of(1, 2, 3, Infinity), shape: [2, 2] }), /^Row 1, column 1.+is Infinity/],
  ];
  for (const [content, message] of cases) await assertRefused(blobOf(content), message);
  for (const magic of ['PK\x03\x04', Uint8Array.of(0x80, 2)]) {
    await assertRefused(blobOf(magic), /^Archives and pickles, .+numpy\.save/);
  }
});
