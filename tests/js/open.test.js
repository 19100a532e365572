import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { readNpy, writeNpy } from 'posenc/files';
import { openFile, readText } from '../../web/page/files/open.js';

const data = Float32Array.from({ length: 24 }, (_, k) => (k - 12) / 8);
const table = writeNpy({ data, shape: [6, 4] });

/** @param {(string | Uint8Array)[]} parts */
const blobOf = (...parts) => new Blob(parts.map((part) => Buffer.from(part)));

/** @param {string} name */
const golden = (name) => readFileSync(new URL(`../golden/files/${name}`, import.meta.url));

/** What ends an archive without members. */
const END = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

/**
 * The members of an archive, and its end without a directory.
 *
 * @param {[name: string, content: Uint8Array, packed?: Uint8Array][]} members
 * @param {{ method?: number, large?: boolean }} [options]
 */
function zip(members, { method = 0, large = false } = {}) {
  const parts = members.flatMap(([name, content, packed = content]) => {
    const header = Buffer.alloc(30);
    header.write('PK\x03\x04');
    header.writeUInt16LE(method, 8);
    header.writeUInt32LE(large ? 2 ** 32 - 1 : packed.length, 18);
    header.writeUInt32LE(large ? 2 ** 32 - 1 : content.length, 22);
    header.writeUInt16LE(name.length, 26);
    if (!large) return [header, Buffer.from(name), packed];
    const extra = Buffer.alloc(20);
    header.writeUInt16LE(extra.length, 28);
    extra.writeUInt16LE(1);
    extra.writeUInt16LE(16, 2);
    extra.writeBigUInt64LE(BigInt(content.length), 4);
    extra.writeBigUInt64LE(BigInt(packed.length), 12);
    return [header, Buffer.from(name), extra, packed];
  });
  return Buffer.concat([...parts, END]);
}

/**
 * @param {Blob} file
 * @param {RegExp} message
 */
const assertRefused = (file, message) =>
  assert.rejects(
    openFile(file).then(({ names, read }) => read(names[0])),
    (/** @type {Error} */ error) => {
      assert.match(error.message, message);
      return true;
    },
  );

for (const name of ['stored', 'compressed', 'piped']) {
  test(`an .npz of NumPy is read: ${name}`, async () => {
    const { names, shape, read } = await openFile(blobOf(golden(`${name}.npz`)));
    assert.deepEqual(names, ['vector', 'wpe', 'names']);
    assert.deepEqual(names.map(shape), [[5], [3, 4], [2]]);
    const whole = await readNpy(golden('float32.npy'));
    const wpe = await read('wpe');
    assert.deepEqual([wpe.data, wpe.shape, wpe.format], [whole.data.slice(0, 12), [3, 4], '.npz']);
    assert.deepEqual((await read('vector')).data, Float32Array.of(0, 1, 2, 3, 4));
    const part = await read('wpe', 2);
    assert.deepEqual([part.data, part.shape], [whole.data.slice(0, 8), [2, 4]]);
    await assert.rejects(read('names'), /^Error: posenc: the dtype of the \.npy file must be one of .+ got "<U2"$/);
  });
}

for (const method of [0, 8]) {
  test(`an .npz with sizes of 64 bits is read, and what else is in it is passed over: method ${method}`, async () => {
    const note = Buffer.alloc(2 ** 17, 'PK');
    const packed = (/** @type {Uint8Array} */ content) => (method === 8 ? deflateRawSync(content) : content);
    const members = { 'note.txt': note, 'deep/wpe.npy': table, 'more.txt': note };
    const archive = zip(
      Object.entries(members).map(([name, content]) => [name, content, packed(content)]),
      { method, large: true },
    );
    const { names, read } = await openFile(blobOf(archive, Buffer.alloc(9, ' ')));
    assert.deepEqual(names, ['deep/wpe']);
    assert.deepEqual((await read('deep/wpe')).data, data);
  });
}

test('an archive that is cut off, damaged, encrypted or without tables is refused with a reason', async () => {
  const whole = golden('compressed.npz');
  for (let end = 2; end < whole.length - END.length; end += 20) {
    await assertRefused(blobOf(whole.subarray(0, end)), /^The ZIP archive is cut off or damaged\.$/);
  }
  const missing = Buffer.concat([zip([['a.npy', table]]).subarray(0, -60), END]);
  await assertRefused(blobOf(missing), /^The ZIP archive is cut off or damaged\.$/);
  const encrypted = deflateRawSync(table).map((byte) => byte ^ 0x55);
  const unreadable = /^a\.npy can’t be decompressed: it is damaged or encrypted\.$/;
  await assertRefused(blobOf(zip([['a.npy', table, encrypted]], { method: 8 })), unreadable);
  await assertRefused(blobOf(zip([['a.npy', table]], { method: 12 })), /^a\.npy is compressed with an unsupported/);
  const pickle = zip([['archive/data.pkl', table]]);
  await assertRefused(blobOf(pickle), /^This archive has no \.npy file in it.+numpy\.save/);
  await assertRefused(blobOf(END), /^This archive has no \.npy file in it.+numpy\.save/);
  const text = zip([['a.npy', Buffer.from('no table at all')]]);
  await assertRefused(blobOf(text), /must be "\\x93NUMPY"/);
});

test('an archive that would fill the memory is refused before it does', async () => {
  const bomb = deflateRawSync(Buffer.alloc(2 ** 26));
  const members = Array.from({ length: 8 }, (_, k) => /** @type {const} */ ([`${k}.npy`, table, bomb]));
  const large = /^Arrays in a ZIP archive are read up to 256 MiB\. Save the table alone with numpy\.save/;
  await assertRefused(blobOf(zip(/** @type {any} */ (members), { method: 8 })), large);
  const size = Object.defineProperty(blobOf(END), 'size', { value: 2 ** 28 + 1 });
  await assertRefused(size, /^A ZIP archive is read up to 256 MiB\./);
  const many = zip(Array.from({ length: 10_001 }, (_, k) => [`${k}`, new Uint8Array(1)]));
  await assertRefused(blobOf(many), /^A ZIP archive of more than 10000 files is not read\.$/);
});

test('the first rows of a table in Fortran order are read correctly', async () => {
  const { names, shape, read } = await openFile(blobOf(golden('fortran-matrix.npy')));
  const [all, first] = [await read(names[0]), await read(names[0], 2)];
  assert.deepEqual(shape(names[0]), [4, 3]);
  assert.deepEqual([first.data, first.shape], [all.data.slice(0, 6), [2, 3]]);
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
  for (const [content, message] of cases) await assertRefused(blobOf(content), message);
  await assert.rejects(openFile(new Blob([Uint8Array.of(0x80, 2)])), /^Error: Pickles/);
});

test('a text is cut within a character', async () => {
  assert.equal(await readText(blobOf('€€€'), 7), '€€');
  await assert.rejects(readText(blobOf(Uint8Array.of(0xff, 0xd8))), /This is neither text/);
});
