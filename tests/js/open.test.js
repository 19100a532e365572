import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { writeNpy } from 'posenc/files';
import { openFile, readText } from '../../web/page/files/open.js';

const data = Float32Array.from({ length: 24 }, (_, k) => (k - 12) / 8);
const table = writeNpy({ data, shape: [6, 4] });

/** @param {(string | Uint8Array)[]} parts */
const blobOf = (...parts) => new Blob(parts.map((part) => Buffer.from(part)));

/**
 * @param {number} size
 * @param {[offset: number, bytes: 2 | 4 | 8, value: number][]} fields
 */
function record(size, fields) {
  const bytes = Buffer.alloc(size);
  for (const [offset, count, value] of fields) {
    if (count === 8) bytes.writeBigUInt64LE(BigInt(value), offset);
    else bytes.writeUIntLE(value, offset, count);
  }
  return bytes;
}

/**
 * An archive in the form that other programs write.
 *
 * @param {Record<string, Uint8Array>} members
 * @param {{ method?: number, large?: boolean, flags?: number, comment?: string }} [options]
 */
function zip(members, { method = 0, large = false, flags = 0, comment = '' } = {}) {
  let offset = 0;
  const [locals, entries] = [[], []].map(() => /** @type {Buffer[]} */ ([]));
  for (const [name, content] of Object.entries(members)) {
    const packed = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    // The local header may lack the sizes and have other extra fields than the directory.
    const local = record(30 + name.length + 5, [
      [0, 4, 0x04034b50],
      [26, 2, name.length],
      [28, 2, 5],
    ]);
    local.write(name, 30);
    const numbers = large ? [content.length, packed.length, offset] : [];
    const extra = record(large ? 7 + 4 + 24 : 0, [
      ...(large
        ? /** @type {[number, 2 | 4 | 8, number][]} */ ([
            [0, 2, 9],
            [2, 2, 3],
            [7, 2, 1],
            [9, 2, 24],
          ])
        : []),
      ...numbers.map((value, k) => /** @type {[number, 8, number]} */ ([11 + 8 * k, 8, value])),
    ]);
    const said = (/** @type {number} */ value) => (large ? 2 ** 32 - 1 : value);
    const entry = record(46, [
      [0, 4, 0x02014b50],
      [8, 2, flags],
      [10, 2, method],
      [20, 4, said(packed.length)],
      [24, 4, said(content.length)],
      [28, 2, name.length],
      [30, 2, extra.length],
      [42, 4, said(offset)],
    ]);
    entries.push(entry, Buffer.from(name), extra);
    locals.push(local, packed);
    offset += local.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end64 = [
    record(56, [
      [0, 4, 0x06064b50],
      [40, 8, directory.length],
      [48, 8, offset],
    ]),
    record(20, [
      [0, 4, 0x07064b50],
      [8, 8, offset + directory.length],
    ]),
  ];
  const end = record(22, [
    [0, 4, 0x06054b50],
    [12, 4, large ? 2 ** 32 - 1 : directory.length],
    [16, 4, large ? 2 ** 32 - 1 : offset],
    [20, 2, comment.length],
  ]);
  return Buffer.concat([...locals, directory, ...(large ? end64 : []), end, Buffer.from(comment)]);
}

for (const [what, options] of /** @type {[string, Parameters<typeof zip>[1]][]} */ ([
  ['stored', {}],
  ['deflated', { method: 8 }],
  ['with sizes of 64 bits', { large: true }],
  ['deflated, with sizes of 64 bits and a comment', { large: true, method: 8, comment: 'PK\x05\x06 is not the end' }],
])) {
  test(`an .npz is read: ${what}`, async () => {
    const other = writeNpy({ data: data.subarray(0, 3), shape: [3] });
    const bytes = zip({ 'a.npy': other, 'note.txt': Buffer.from('none'), 'deep/wpe.npy': table }, options);
    const { names, shape, read } = await openFile(new Blob([bytes]));
    assert.deepEqual(names, ['a', 'deep/wpe']);
    assert.deepEqual(names.map(shape), [[3], [6, 4]]);
    assert.deepEqual(await read('deep/wpe').then(({ data, shape, kind }) => [data, shape, kind]), [
      data,
      [6, 4],
      '.npz',
    ]);
    assert.deepEqual((await read('a')).data, data.slice(0, 3));
    const part = await read('deep/wpe', 2);
    assert.deepEqual([part.data, part.shape], [data.slice(0, 8), [2, 4]]);
  });
}

test('an invalid, truncated or encrypted archive is refused with a reason', async () => {
  const whole = zip({ 'a.npy': table }, { method: 8 });
  /** @type {[Uint8Array, RegExp][]} */
  const cases = [
    [whole.subarray(0, -30), /^The ZIP archive is cut off or damaged\.$/],
    [Buffer.from('PK'), /^The ZIP archive is cut off or damaged\.$/],
    [zip({ 'a.npy': table }, { flags: 1 }), /^a\.npy is encrypted\.$/],
    [zip({ 'a.npy': table }, { method: 12 }), /^a\.npy is compressed with an unsupported method\.$/],
    [zip({ 'archive/data.pkl': table }), /^This archive has no \.npy file in it.+numpy\.save/],
    [whole.fill(255, 40, 60), /^The ZIP archive is cut off or damaged\.$/],
    [zip({ 'a.npy': Buffer.from('no table') }), /must be "\\x93NUMPY"|at least 12 bytes/],
  ];
  for (const [bytes, message] of cases) {
    await assert.rejects(
      openFile(new Blob([new Uint8Array(bytes)])).then(({ names, read }) => read(names[0])),
      (/** @type {Error} */ error) => {
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test('without decompression, a deflated .npz is refused with a reason and a stored one is read', async (t) => {
  const own = globalThis.DecompressionStream;
  t.after(() => Object.assign(globalThis, { DecompressionStream: own }));
  Object.assign(globalThis, { DecompressionStream: undefined });
  await assert.rejects(
    openFile(new Blob([zip({ 'a.npy': table }, { method: 8 })])),
    /can’t decompress.+Use numpy\.savez\./,
  );
  const { read } = await openFile(new Blob([zip({ 'a.npy': table })]));
  assert.deepEqual((await read('a')).data, data);
});

test('the first rows of a table in Fortran order are read correctly', async () => {
  const bytes = readFileSync(new URL('../golden/files/fortran-matrix.npy', import.meta.url));
  const { names, shape, read } = await openFile(blobOf(bytes));
  const [all, first] = [await read(names[0]), await read(names[0], 2)];
  assert.deepEqual(shape(names[0]), [4, 3]);
  assert.deepEqual(first.data.subarray(0, 6), all.data.subarray(0, 6));
});

test('a text is read as a table, and other bytes or values that are not finite are refused', async () => {
  const { names, shape, read } = await openFile(blobOf('1,2\n3,4\n5,6\n'));
  assert.deepEqual([names, shape(''), (await read('', 2)).data], [[''], [3, 2], Float32Array.of(1, 2, 3, 4)]);
  /** @type {[string | Uint8Array, RegExp][]} */
  const cases = [
    ['', /^The file is empty\.$/],
    [' \n\n', /^There are no numbers in this\.$/],
    [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /^This is neither text nor/],
    [new Uint8Array(64), /^This is neither text nor/],
    ['nan,nan\nnan,nan', /^All values are NaN\.$/],
    ['1,2\n3,inf', /^Row 2, column 2, counted from 1, is NaN in float32\. All values must be finite\.$/],
    [writeNpy({ data: Float32Array.of(1, 2, 3, Infinity), shape: [2, 2] }), /^Row 2, column 2.+is Infinity/],
  ];
  for (const [content, message] of cases) {
    await assert.rejects(
      openFile(blobOf(content)).then(({ names, read }) => read(names[0])),
      (/** @type {Error} */ error) => {
        assert.match(error.message, message);
        return true;
      },
    );
  }
  await assert.rejects(openFile(new Blob([Uint8Array.of(0x80, 2)])), /^Error: Pickles/);
});

test('a text is cut within a character', async () => {
  assert.equal(await readText(blobOf('€€€'), 7), '€€');
  await assert.rejects(readText(blobOf(Uint8Array.of(0xff, 0xd8))), /This is neither text/);
});
