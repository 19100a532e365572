import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Tensor } from 'posenc';
import { openNpy, openSafetensors, readNpy, type Safetensors, writeNpy } from 'posenc/files';
import { assertSameBits, randomInteger, randomNumbers, randomValues, readRows, widened } from './helpers.ts';
import { isRefusal } from './refusals/rules.ts';

/** A file of tests/golden/files, in its own memory. */
const readFile = (name: string) => new Uint8Array(readFileSync(new URL(`../golden/files/${name}`, import.meta.url)));

const expected = readRows('files/expected.tsv').map(({ file, tensor, shape, float32 }) => ({
  file,
  tensor,
  shape: numbers(shape, ',', 10),
  data: new Float32Array(Uint32Array.from(numbers(float32, ' ', 16)).buffer),
}));

function numbers(text: string, between: string, radix: number) {
  return text === '' ? [] : text.split(between).map((digits) => Number.parseInt(digits, radix));
}

function assertTensor(actual: Tensor, expected: { shape: number[]; data: Float32Array }, what: string) {
  assert.deepEqual(actual.shape, expected.shape, what);
  assert.deepEqual(actual.dims, expected.shape, what);
  assert.equal(actual.dtype, 'float32', what);
  assertSameBits(actual.data, expected.data, what);
}

/** Each call must reject with this error. */
async function assertRefused(cases: [says: string, ...calls: (() => unknown)[]][]) {
  for (const [says, ...calls] of cases)
    for (const call of calls) await assert.rejects(async () => call(), isRefusal(says), `${call}: ${says}`);
}

function detached(bytes: Uint8Array<ArrayBuffer>) {
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

const makeBytes = (part: string | Uint8Array | number[]) =>
  typeof part === 'string' ? Buffer.from(part, 'utf8') : Uint8Array.from(part);

const joined = (...parts: (string | Uint8Array | number[])[]) => new Uint8Array(Buffer.concat(parts.map(makeBytes)));

function little(value: number | bigint, size: 1 | 2 | 4 | 8) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes.subarray(0, size);
}

// .npy

const npyRows = expected.filter(({ file }) => file.endsWith('.npy'));

/**
 * A .npy file with the given header; valid by default.
 *
 * @param options data in zero bytes
 */
function npy(
  header: string,
  { data = 24, version = 1, length, pad = 0 }: { data?: number; version?: number; length?: number; pad?: number } = {},
) {
  const text = `${header}${' '.repeat(pad)}\n`;
  const size = little(length ?? text.length, version === 1 ? 2 : 4);
  return joined([0x93], 'NUMPY', [version, 0], size, text, new Uint8Array(data));
}

const dict = ({ descr = "'<f4'", order = 'False', shape = '(2, 3)' } = {}) =>
  `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`;

/** Files whose headers have these values of a field. */
const withEach = (field: 'descr' | 'order' | 'shape', ...values: string[]) =>
  values.map((value) => npy(dict({ [field]: value })));

test('readNpy reads what numpy wrote', async () => {
  assert.equal(npyRows.length, 29);
  for (const row of npyRows) assertTensor(await readNpy(readFile(row.file)), row, row.file);
});

test('readNpy takes a buffer, a view, a Blob or a File and does not change it', async () => {
  const [row] = npyRows;
  const bytes = readFile(row.file);
  const odd = joined([7], bytes, [7]);
  const sources = {
    ArrayBuffer: bytes.buffer,
    Uint8Array: odd.subarray(1, -1),
    Buffer: Buffer.from(odd.buffer, 1, bytes.length),
    Blob: new Blob([bytes]),
  };
  for (const [kind, source] of Object.entries(sources)) {
    const tensor = await readNpy(source);
    assertTensor(tensor, row, kind);
    tensor.data.fill(0);
    assertTensor(await readNpy(source), row, kind);
  }
});

test('readNpy reads headers that are written in other ways', async () => {
  const plain = "{'shape':(2,3),'descr':'<f4','fortran_order':False}";
  for (const pad of [0, 1, 2, 3]) {
    const { shape } = await readNpy(npy(plain, { pad }));
    assert.deepEqual(shape, [2, 3]);
  }
});

test('a quote that is not closed is refused, however long the header goes on', async () => {
  // With an ambiguous pattern per letter, this would take exponential time.
  for (const quote of ['"', "'"])
    await assert.rejects(readNpy(npy(`{${quote}${'a'.repeat(60_000)}`)), /^Error: posenc: /);
});

test('every float16 is widened exactly', async () => {
  const halves = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half);
  const header = dict({ descr: "'<f2'", shape: '(65536,)' });
  const { data } = await readNpy(joined(npy(header, { data: 0 }), new Uint8Array(halves.buffer)));
  assert.deepEqual([...data], [...widened(halves, 'float16')]);
});

test('readNpy puts any number of axes in Fortran order into C order', async () => {
  const random = randomNumbers(22);
  for (const axes of [0, 1, 2, 3, 4, 6, 32]) {
    const shape = Array.from({ length: axes }, () => randomInteger(random, 1, axes > 6 ? 2 : 5));
    if (axes > 6) shape.fill(1, 8);
    const count = shape.reduce((product, n) => product * n, 1);
    const written = new Float32Array(count);
    const expected = randomValues(random, count);
    for (const [i, value] of expected.entries()) {
      let [rest, place, step] = [i, 0, count];
      for (let axis = axes - 1; axis >= 0; axis--) {
        step /= shape[axis];
        place += (rest % shape[axis]) * step;
        rest = Math.floor(rest / shape[axis]);
      }
      written[place] = value;
    }
    const header = npy(dict({ order: 'True', shape: `(${shape.map((n) => `${n}, `).join('')})` }), { data: 0 });
    const made = await readNpy(joined(header, new Uint8Array(written.buffer)));
    assertTensor(made, { shape, data: expected }, `[${shape}]`);
  }
  const none = await readNpy(npy(dict({ order: 'True', shape: '(2, 0, 3)' }), { data: 0 }));
  assertTensor(none, { shape: [2, 0, 3], data: new Float32Array(0) }, 'no values');
});

test('every nonzero byte of a boolean is 1', async () => {
  const header = npy(dict({ descr: "'|b1'", shape: '(4,)' }), { data: 0 });
  const made = await readNpy(joined(header, [0, 1, 2, 255]));
  assertTensor(made, { shape: [4], data: Float32Array.of(0, 1, 1, 1) }, 'booleans');
});

test('readNpy says what is wrong with a file', async () => {
  const whole = readFile('float32.npy');
  const header = 'E the header of the .npy file';
  const headerIs = `${header} must be a dict of descr, fortran_order and shape, a tuple, got`;
  const dtype = 'E the dtype of the .npy file must be';
  const headers = [
    ...['', '3', "{'descr': '<f4', 'shape': (6,)}", `${dict()} {}`],
    "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}",
    "{descr: '<f4', 'fortran_order': False, 'shape': (2, 3)}",
    "{'descr\": '<f4', 'fortran_order': False, 'shape': (2, 3)}",
  ];
  const shapes = [
    ...['[2, 3]', '(2, 3]', '(2 3)', '(2,, 3)', '(, )', '(2.0, 3)', '(2, 3e0)', '(02, 3)', '(2, 3', '{2, 3}'],
    ...["(2, 3), 'shape': (2, 3)", '(2, 3) (2, 3)'],
  ];
  const cases: [says: string, ...files: Uint8Array<ArrayBuffer>[]][] = [
    ['E the length of the file from byte 0 on must be at least 12 bytes, got 11', whole.slice(0, 11)],
    ['E the length of the file from byte 0 on', new Uint8Array(0)],
    ['E the beginning of a .npy file must be "\\x93NUMPY", got "PK…', joined('PK\x03\x04', whole)],
    ['E the version of the .npy file must be 1.0, 2.0 or 3.0, got "1.1"', npy(dict()).with(7, 1)],
    ['E the version of the .npy file', ...[0, 4].map((version) => npy(dict(), { version }))],
    ['E the header length of the .npy file must be at most 90 here, got 118', whole.slice(0, 100)],
    [
      'E the header length of the .npy file',
      ...[{ length: 60000 }, { pad: 10000 }, { version: 2, length: 2 ** 32 - 1 }].map((is) => npy(dict(), is)),
    ],
    [`${headerIs} "{'descr': '<f4', 'fortran_order': False,…"`, npy(dict(), { length: 40 })],
    [`${headerIs} "None"`, npy('None')],
    [
      header,
      ...headers.map((text) => npy(text)),
      ...withEach('order', 'false', 'true'),
      ...withEach('shape', ...shapes),
    ],
    [`${dtype} one of <f4, <f2, …, |b1, or one of these with > (big-endian), got "<c8"`, readFile('complex.npy')],
    [`${dtype} … got [an array of length 2, an array of length 2]`, readFile('structured.npy')],
    [`${dtype} …`, readFile('strings.npy'), ...withEach('descr', "'toString'", "'>c8'", "'>'", "'>>f4'", '4')],
    ['E fortran_order of the .npy file must be True or False, got 1', ...withEach('order', '1')],
    ['E fortran_order of the .npy file', ...withEach('order', "'F'")],
    [
      'E the shape of the .npy file must be a list of at most 32 integers from 0 to 2^53 - 1, got [-2, -3]',
      ...withEach('shape', '(-2, -3)'),
    ],
    [
      'E the shape of the .npy file',
      ...withEach('shape', '6', '(6)', '(9223372036854775808,)', `(${'1, '.repeat(33)})`),
    ],
    ['E the data of the .npy file must be 96 bytes long, for shape [2, 3, 4], got 95', whole.slice(0, -1)],
    [
      'E the data of the .npy file',
      ...[whole.slice(0, -4), joined(whole, whole)],
      ...withEach('shape', '(4294967296, 2147483648)', '(9007199254740991, 9007199254740991, 0)'),
    ],
  ];
  for (const [says, ...files] of cases)
    for (const file of files) await assert.rejects(readNpy(file), isRefusal(says), `${Buffer.from(file)}: ${says}`);
});

test('readNpy and openSafetensors refuse other sources', async () => {
  const [npy, tensors] = [readNpy, openSafetensors] as any[];
  const gone = detached(new Uint8Array(8));
  const none = [undefined, null, [1, 2], new Float32Array(2), { url: '/' }, 7, gone, gone.buffer];
  const shared = [new SharedArrayBuffer(8), new Uint8Array(new SharedArrayBuffer(8))];
  const addresses = ['https://example.org/a.npy', new URL('http://localhost/')];
  const advice = '; in Node, await fs.openAsBlob(path) opens a file';
  const paths = ['a.safetensors', './a.safetensors', '/x/a.safetensors', 'C:\\a.safetensors', ''];
  await assertRefused([
    [`T source must be an ArrayBuffer, a Uint8Array or a Blob, got "a.npy"${advice}`, () => npy('a.npy')],
    ['T source', ...[...none, ...shared, ...addresses].map((source) => () => npy(source))],
    ['T source must be an ArrayBuffer, a Uint8Array, a Blob or a URL, got 7', () => tensors(7)],
    ['T source', ...[...none, ...shared].map((source) => () => tensors(source))],
    [`T source must be …${advice}`, ...paths.map((path) => () => tensors(path))],
  ]);
});

test('more values than one result holds are refused before they are read', async () => {
  const count = 2 ** 30 + 1;
  const claiming = (header: Uint8Array<ArrayBuffer>, data: number) =>
    Object.defineProperty(new Blob([header]), 'size', { value: header.length + data });
  const array = claiming(npy(dict({ descr: "'|u1'", shape: `(${count},)` }), { data: 0 }), count);
  const tensors = claiming(safetensors({ a: entry('F16', [count], [0, 2 * count]) }), 2 * count);
  await assertRefused([
    [`R the .npy file must be at most 2^30 values, got ${count}`, () => readNpy(array)],
    ['R "a"', async () => (await openSafetensors(tensors)).read('a')],
  ]);
});

// The first rows

function takeFirst({ shape: [length, ...slice], data }: { shape: number[]; data: Float32Array }, rows: number) {
  return { shape: [rows, ...slice], data: data.subarray(0, (data.length / Math.max(length, 1)) * rows) };
}

test('the first rows of every file are those of the whole', async () => {
  for (const row of npyRows.filter(({ shape }) => shape.length > 0)) {
    const { shape, read } = await openNpy(readFile(row.file));
    assert.deepEqual(shape, row.shape);
    for (let rows = 0; rows <= shape[0]; rows++) {
      assertTensor(await read({ rows }), takeFirst(row, rows), `${rows} rows of ${row.file}`);
    }
    assertTensor(await read(), row, row.file);
    assertTensor(await readNpy(readFile(row.file), { rows: 0 }), takeFirst(row, 0), row.file);
  }
  const file = await openSafetensors(weights);
  for (const row of expected.filter(({ file, shape }) => file === 'weights.safetensors' && shape.length > 0)) {
    for (let rows = 0; rows <= row.shape[0]; rows++) {
      assertTensor(await file.read(row.tensor, { rows }), takeFirst(row, rows), `${rows} rows of ${row.tensor}`);
    }
    assert.deepEqual(file.shape(row.tensor), row.shape);
  }
});

test('the first rows take no more bytes than they have', async () => {
  const count = 2 ** 30 + 1;
  const bytes = joined(
    npy(dict({ shape: `(${count}, 1)` }), { data: 0 }),
    new Uint8Array(Float32Array.of(3, 5, 7).buffer),
  );
  const file = Object.defineProperty(new Blob([bytes]), 'size', { value: bytes.length - 12 + 4 * count });
  const slice = file.slice.bind(file);
  let last = 0;
  file.slice = (from, to = 0) => {
    last = Math.max(last, to);
    return slice(from, to);
  };
  const { shape, read } = await openNpy(file);
  assert.deepEqual([shape, last], [[count, 1], bytes.length - 12]);
  shape[0] = 1;
  assert.deepEqual((await read({ rows: 2 })).data, Float32Array.of(3, 5));
  assert.equal(last, bytes.length - 4);

  const { start, positions } = large;
  const tensors = await openAt('/large');
  requests = [];
  const part = await tensors.read('wpe.weight', { rows: 3 });
  assertTensor(part, { shape: [3, 100], data: positions.subarray(0, 300) }, 'three rows');
  const from = start + 8 * MEGABYTE;
  assert.deepEqual(requests, [{ range: `bytes=${from}-${from + 1199}`, sent: 1200 }]);
});

test('rows that a tensor does not have are refused', async () => {
  const tensors = await openSafetensors(weights);
  const six = writeNpy({ data: new Float32Array(12), shape: [6, 2] });
  const { read } = (await openNpy(six)) as any;
  await assertRefused([
    ['R rows must be an integer from 0 to 6, got 7', () => read({ rows: 7 })],
    ['R rows', ...[-1, 1.5, Infinity].map((rows) => () => read({ rows }))],
    ['T rows', () => read({ rows: '2' })],
    ['T read has no option "row"; it has rows', () => read({ row: 2 })],
    ['T the options of read must be an options object (rows), got 2', () => read(2)],
    ['R rows', () => readNpy(six, { rows: 7 }), () => tensors.read('wpe.weight', { rows: 8 })],
    ['R rows must be absent for a tensor without axes, got 1', () => tensors.read('scale', { rows: 1 })],
    ['R rows', () => readNpy(readFile('scalar.npy'), { rows: 1 })],
  ]);
});

test('openNpy tells the shape of what it cannot read', async () => {
  const { shape, read } = await openNpy(readFile('complex.npy'));
  assert.deepEqual(shape, [1]);
  await assertRefused([['E the dtype of the .npy file', () => read()]]);
  const cut = await openNpy(readFile('float32.npy').slice(0, -4));
  assert.deepEqual(cut.shape, [2, 3, 4]);
  await assertRefused([['E the data of the .npy file', () => cut.read({ rows: 1 })]]);
});

test('writeNpy writes what numpy writes, byte for byte', async () => {
  for (const name of ['float32.npy', 'scalar.npy', 'vector.npy', 'empty.npy']) {
    const bytes = readFile(name);
    assert.deepEqual(writeNpy(await readNpy(bytes)), bytes, name);
  }
  // Headers of every length modulo 64: each ends with a newline, where the data begins.
  for (const first of [1, 10, 100]) {
    for (const axes of Array(32).keys()) {
      const bytes = writeNpy({ data: new Float32Array(first), shape: [first, ...Array(axes).fill(1)] });
      const start = bytes.length - 4 * first;
      assert.deepEqual([start % 64, bytes[start - 1]], [0, 10], `${first}, ${axes}`);
      assert.deepEqual((await readNpy(bytes)).shape.length, axes + 1);
    }
  }
  for (const vector of [new Float32Array([0, 1, 2, 3, 4]), new Float64Array([0, 1, 2, 3, 4]), [0, 1, 2, 3, 4]]) {
    assert.deepEqual(writeNpy(vector), readFile('vector.npy'), `a bare ${vector.constructor.name}`);
  }
  const { data } = npyRows[0];
  const view = new Float32Array(joined(new Uint8Array(8), new Uint8Array(data.buffer)).buffer, 8);
  assert.deepEqual(writeNpy({ data: view, dims: [2, 3, 4] }), readFile('float32.npy'), 'a view, and dims');

  const file = readFile('float16.npy');
  const halves = new Uint16Array(joined([0, 0], file.subarray(-28)).buffer, 2);
  assert.deepEqual(writeNpy({ data: halves, shape: [14], dtype: 'float16' }), file, 'float16');
  assert.deepEqual(writeNpy({ data: halves, dims: [14], dtype: 'float16' }), file, 'float16, and dims');
});

/** Node has it from version 24 on; before, a class with the same name and bits. */
const {
  Float16Array = class extends Uint16Array {
    get [Symbol.toStringTag]() {
      return 'Float16Array' as any;
    }
  },
} = globalThis as { Float16Array?: any };

test('writeNpy takes a Float16Array', () => {
  const file = readFile('float16.npy');
  const data = new Float16Array(file.buffer, file.length - 28, 14);
  assert.deepEqual(writeNpy({ data, shape: [14], dtype: 'float16' }), file);
});

test('writeNpy refuses invalid tensors', async () => {
  const write = writeNpy as any;
  const half = (fields: object) => () => write({ data: new Uint16Array(2), shape: [2], dtype: 'float16', ...fields });
  const none = [undefined, new ArrayBuffer(8), { data: new Float32Array(2) }];
  const unnamed = [half({ dtype: undefined }), half({ dtype: 2 })];
  await assertRefused([
    ['T tensor', ...none.map((tensor) => () => write(tensor))],
    ['T tensor[1]', () => write([1, null])],
    ['R the shape of tensor', () => write({ data: new Float32Array(2), shape: [3] }), half({ shape: [3] })],
    ['T the dtype of tensor, a Uint16Array,', () => write(new Uint16Array(2)), ...unnamed],
    ['R the dtype of tensor, a Uint16Array,', half({ dtype: 'uint16' })],
    [
      'R the dtype of tensor must be "float32" or "float16", as NumPy has no bfloat16, got "bfloat16"',
      half({ dtype: 'bfloat16' }),
    ],
    ['R the shape of tensor[0]', half({ shape: [-2] })],
    ['T the data of tensor', half({ data: new Int16Array(2) })],
  ]);
});

// .safetensors

const weights = readFile('weights.safetensors');
const weightRows = expected.filter(({ file }) => file === 'weights.safetensors');

/**
 * A .safetensors file with the given header.
 *
 * @param options data in zero bytes
 */
function safetensors(header: string | object, { data = 0, length }: { data?: number; length?: number | bigint } = {}) {
  const text = makeBytes(typeof header === 'string' ? header : JSON.stringify(header));
  return joined(little(length ?? text.length, 8), text, new Uint8Array(data));
}

const entry = (dtype: string, shape: unknown, offsets: unknown) => ({ dtype, shape, data_offsets: offsets });

async function assertWeights(file: Safetensors) {
  assert.deepEqual([...file.names].sort(), [...weightRows.map(({ tensor }) => tensor), 'double', 'ids'].sort());
  assert.deepEqual(file.shape('ids'), [3]);
  for (const row of weightRows) {
    assert.deepEqual(file.shape(row.tensor), row.shape);
    assertTensor(await file.read(row.tensor), row, row.tensor);
  }
}

test('openSafetensors reads what the format’s own library wrote, from memory and from Blobs', async () => {
  const odd = joined([7], weights, [7]);
  for (const source of [weights.buffer, odd.subarray(1, -1), new Blob([weights])]) {
    const file = await openSafetensors(source);
    await assertWeights(file);
    file.shape('ids')[0] = 77;
    file.names.length = 0;
    (await file.read('scale')).data[0] = 77;
    assert.deepEqual(file.shape('ids'), [3]);
    assert.equal((await file.read('scale')).data[0], 0.125);
  }
});

test('files without tensors, with spaces after the header and with tensors in any order are read', async () => {
  assert.deepEqual((await openSafetensors(safetensors('{}'))).names, []);
  const header = {
    b: entry('F32', [1], [4, 8]),
    __proto: 1,
    a: entry('BF16', [2], [0, 4]),
    c: entry('F32', [0], [4, 4]),
  };
  const text = JSON.stringify(header).replace('"__proto":1', '"__metadata__":{"a":"b"}');
  const file = await openSafetensors(safetensors(`${text}   `, { data: 8 }));
  assert.deepEqual(file.names, ['b', 'a', 'c']);
  assert.deepEqual((await file.read('c')).shape, [0]);
});

test('the names stand in the header’s order, those that look like integers too', async () => {
  const entries = ['b', '2', '10', '1', 'a'].map(
    (name, i) => `"${name}":${JSON.stringify(entry('F32', [1], [4 * i, 4 * i + 4]))}`,
  );
  const file = await openSafetensors(safetensors(`{${entries.join()}}`, { data: 20 }));
  assert.deepEqual(file.names, ['b', '2', '10', '1', 'a']);
  const odd = ['__proto__', 'constructor', '{"a": [', '\\', '\u2028', ''].map(
    (name) =>
      `${JSON.stringify(name)} :\n{"dtype":"F32","shape":[0],"data_offsets":[0,0],"more":{"a":[1.5e3,null,true,{}]}}`,
  );
  const other = await openSafetensors(safetensors(`{ ${odd.join('\t,')} }`));
  assert.deepEqual(other.names, ['__proto__', 'constructor', '{"a": [', '\\', '\u2028', '']);
  assert.deepEqual((await other.read('__proto__')).shape, [0]);
});

test('openSafetensors refuses JSON that the format’s own library refuses', async () => {
  const headerIs = 'E the header of the .safetensors file must be JSON:';
  const metadata = 'E __metadata__ in the header of the .safetensors file';
  const a = '"dtype":"F32","shape":[2],"data_offsets":[0,8]';
  const cases: [says: string, ...headers: string[]][] = [
    [`${headerIs} the key "a" occurs twice`, `{"a":{${a}},"a":{${a}}}`, `{"a":{${a}},"\\u0061":{${a}}}`],
    [`${headerIs} the key "dtype" occurs twice`, `{"a":{${a},"dtype":"F32"}}`],
    [`${headerIs} the key "__metadata__" occurs twice`, `{"__metadata__":{},"a":{${a}},"__metadata__":{}}`],
    [`${metadata} must be an object of strings, got ["a"]`, `{"__metadata__":["a"],"a":{${a}}}`],
    [metadata, `{"__metadata__":{"a":1},"a":{${a}}}`, `{"__metadata__":"a","a":{${a}}}`],
    [
      'E the shape of "a" must be a list of at most 32 integers from 0 to 2^53 - 1, got ["2.0"]',
      `{"a":{${a.replace('[2]', '[2.0]')}}}`,
    ],
    ['E the shape of "a"', ...['[2e0]', '[-0]'].map((shape) => `{"a":{${a.replace('[2]', shape)}}}`)],
    ['E data_offsets of "a" must be … got [0, "8.0"]', `{"a":{${a.replace('8]', '8.0]')}}}`],
    [`${headerIs} an unpaired surrogate`, `{"\\ud800":{${a}}}`],
    [`${headerIs} …`, `{"a":[${a}]}`, '['.repeat(1e5), `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`],
  ];
  for (const [says, ...headers] of cases)
    await assertRefused([[says, ...headers.map((text) => () => openSafetensors(safetensors(text, { data: 8 })))]]);
  assert.deepEqual((await openSafetensors(safetensors('{"__metadata__":null}'))).names, []);
});

test('messages are short whatever the names are', async () => {
  const name = 'x'.repeat(1e5);
  const short = (error: Error) => error instanceof Error && error.message.length < 500;
  const text = (value: unknown) => safetensors({ [name]: value }, { data: 8 });
  const f32 = [entry('F32', [3], [0, 8]), entry('F32', name, [0, 8]), entry('F32', [2], name)];
  for (const value of [3, ...f32, entry(name, [2], [1, 8])]) await assert.rejects(openSafetensors(text(value)), short);
  const { read, shape } = await openSafetensors(text(entry(name, [2], [0, 8])));
  await assert.rejects(read(name), short);
  await assert.rejects(read(`${name}x`), short);
  assert.throws(() => shape(`${name}x`), short);
  const twice = `"${name}":${JSON.stringify(entry('F32', [0], [0, 0]))}`;
  await assert.rejects(openSafetensors(safetensors(`{${twice},${twice}}`)), short);
  await assert.rejects(openSafetensors(`data:,${name}`), short);
  await assert.rejects(readNpy(npy(dict({ descr: `'${'x'.repeat(9000)}'` }))), short);
});

test('openSafetensors says what is wrong with a file', async () => {
  const open = (bytes: Uint8Array<ArrayBuffer>) => () => openSafetensors(bytes);
  const one = (value: unknown, data = 8) => open(safetensors({ a: value }, { data }));
  const two = (a: object, b: object, data = 8) => open(safetensors({ a, b }, { data }));
  const lengthIs = 'E the header length of the .safetensors file';
  const headerIs = 'E the header of the .safetensors file must be';
  const size = weights.length;
  const huge = Object.defineProperty(new Blob([little(1e9, 8)]), 'size', { value: 2e9 });
  const f32 = (from: number, to = from + 8, count = (to - from) / 4) => entry('F32', [count], [from, to]);
  await assertRefused([
    ['E the length of the file from byte 0 on', open(new Uint8Array(7))],
    [`${lengthIs} must be at most 2 here, got 3n`, open(safetensors('{}', { length: 3 }))],
    [`${lengthIs} must be at most 100000000 here, got 1000000000n`, () => openSafetensors(huge)],
    [lengthIs, open(weights.slice(0, 8)), open(safetensors('{}', { length: 2n ** 63n }))],
    [
      `${headerIs} JSON: …`,
      ...['', '{"a":'].map((header) => open(safetensors(header))),
      open(joined(little(27, 8), '{"__metadata__":{"a":"b', [0xff], '"}}')),
    ],
    [`${headerIs} an object from its first byte on, got []`, open(safetensors('[]'))],
    [`${headerIs} an object from its first byte on, got an object`, open(safetensors(' {}'))],
    ['E the dtype of "a" must be a string, got undefined', one(null)],
    ['E the dtype of "a"', one(entry(32 as any, [2], [0, 8]))],
    ['E the shape of "a"', ...[2, ['2'], [-1, -2], [2 ** 63]].map((shape) => one(entry('F32', shape, [0, 8])))],
    ['E data_offsets of "a" must be two integers from 0 to 2^53 - 1 in order, got [8, 0]', one(f32(8, 0, 2))],
    ['E data_offsets of "a"', ...[8, [0], [-8, 0], [0, 2 ** 63]].map((offsets) => one(entry('F32', [2], offsets)))],
    ['E the data of "a" must be 12 bytes long, for F32 of shape [3], got 8', one(f32(0, 8, 3))],
    ['E the data of "a" must be 4 bytes long, for BF16 of shape [2], got 8', one(entry('BF16', [2], [0, 8]))],
    ['E the data of "a" must be 16 bytes long, for I64 of shape [2], got 8', one(entry('I64', [2], [0, 8]))],
    ['E the data of "a" must be 1.5 bytes long, for F4 of shape [3], got 2', one(entry('F4', [3], [0, 2]))],
    ['E the data of "a"', one(entry('F32', [2 ** 32, 2 ** 31], [0, 8]))],
    ['E data_offsets of "a" must be from 0 on, where the data before it ends, got [4, 8]', one(f32(4, 8))],
    ['E data_offsets of "b"', two(f32(0), f32(4), 12), two(f32(0), f32(0))],
    ['E data_offsets of "a" must be from 4 on, …', two(f32(8, 12), f32(0, 4), 12)],
    [`E the length of the .safetensors file must be ${size} bytes, got ${size - 1}`, open(weights.slice(0, -1))],
    ['E the length of the .safetensors file', one(f32(0, 16)), one(f32(0, 4)), one(f32(0, 2 ** 52))],
  ]);
});

test('a tensor that cannot be read is named, and the others are read', async () => {
  const file = await openSafetensors(weights);
  const { read, shape } = file as any;
  const wide = safetensors({ a: entry('F128', [2], [0, 7]) }, { data: 7 });
  await assertRefused([
    ['E the dtype of "ids" must be F32 or F16 or BF16, got "I64"', () => read('ids')],
    ['E the dtype of "double"', () => read('double')],
    ['E the dtype of "a"', async () => (await openSafetensors(wide)).read('a')],
    [
      `R name must be a name in the file or the end of one: ${file.names.map((each) => `"${each}"`).join(', ')}, got "wpe"`,
      () => read('wpe'),
    ],
    ['R name', () => shape('__metadata__'), () => read('constructor')],
    ['T name', () => shape(3), () => read()],
  ]);
  await assertWeights(file);

  const lost = weights.slice();
  const opened = await openSafetensors(lost.buffer);
  detached(lost);
  await assertRefused([['E the file could not be read: …detached…', () => opened.read('scale')]]);
});

test('the end of a name is enough where it fits one tensor', async () => {
  const names = ['wpe.weight', 'h.wpe.weight', 'model.decoder.positions.weight', 'model.encoder.positions.weight'];
  const layers = Array.from({ length: 20 }, (_, i) => `layers.${i}.bias`);
  const header = Object.fromEntries(
    [...names, ...layers].map((name, i) => [name, entry('F32', [1], [4 * i, 4 * i + 4])]),
  );
  const bytes = safetensors(header, { data: 4 * 24 });
  const start = bytes.length - 4 * 24;
  for (let i = 0; i < 24; i++) bytes.set(new Uint8Array(Float32Array.of(i).buffer), start + 4 * i);
  const { read, shape } = await openSafetensors(bytes);
  assert.deepEqual(shape('decoder.positions.weight'), [1]);
  const ends = ['wpe.weight', 'h.wpe.weight', 'decoder.positions.weight', '7.bias', 'layers.17.bias'];
  assert.deepEqual(await Promise.all(ends.map(async (name) => (await read(name)).data[0])), [0, 1, 2, 11, 21]);
  const eight = layers.slice(0, 8).map((name) => `"${name}"`);
  await assertRefused([
    [
      `R name must be the end of one name, not of "${names[2]}", "${names[3]}", got "positions.weight"`,
      () => read('positions.weight'),
    ],
    [
      `R name must be the end of one name, not of ${eight.join(', ')} and 12 others, got "bias"`,
      async () => shape('bias'),
    ],
    // An end begins after a dot.
    [
      'R name must be a name in the file or the end of one: …',
      ...['pe.weight', '.weight', ''].map((name) => () => read(name)),
    ],
  ]);
});

// .safetensors from a server

const MEGABYTE = 2 ** 20;
/** A file like large weights: the requested tensor between others of 24 MB. */
const large = (() => {
  const positions = randomValues(randomNumbers(21), 1000);
  const header = {
    before: entry('F32', [2, MEGABYTE], [0, 8 * MEGABYTE]),
    'wpe.weight': entry('F32', [10, 100], [8 * MEGABYTE, 8 * MEGABYTE + 4000]),
    after: entry('F32', [4, MEGABYTE], [8 * MEGABYTE + 4000, 24 * MEGABYTE + 4000]),
  };
  const start = 8 + JSON.stringify(header).length;
  const bytes = safetensors(header, { data: 24 * MEGABYTE + 4000 });
  bytes.set(new Uint8Array(positions.buffer), start + 8 * MEGABYTE);
  return { bytes, positions, start };
})();

let requests: { range: string | undefined; sent: number }[] = [];
/** Responses that have neither ended nor been aborted. */
let pending = 0;
/** the content of /changing */
let changing: Uint8Array = weights;
/** Its further headers. */
let validators = {};
let address = '';

/** What is at each path, and further headers. Under /plain the server knows no ranges, under /hidden it hides them. */
const served: Record<string, () => { bytes: Uint8Array; headers?: Record<string, string> }> = {
  '/weights': () => ({ bytes: weights }),
  '/large': () => ({ bytes: large.bytes }),
  '/cut': () => ({ bytes: weights.subarray(0, 600) }),
  '/length': () => ({ bytes: weights.subarray(0, 8) }),
  '/nothing': () => ({ bytes: new Uint8Array(0) }),
  '/shifted': () => ({ bytes: weights, headers: { 'content-range': `bytes 4-11/${weights.length}` } }),
  '/lie': () => ({ bytes: safetensors('{}', { length: 1e8 }) }),
  '/changing': () => ({ bytes: changing, headers: validators }),
};

const server = createServer(async ({ url = '', headers }, response) => {
  const request = { range: headers.range, sent: 0 };
  requests.push(request);
  const [ranges, hidden] = [!url.endsWith('/plain'), url.endsWith('/hidden')];
  const answer = served[url.replace(/(?<=.)\/.*/, '')]?.();
  if (url === '/silent') return;
  if (url === '/stalled') return response.writeHead(206, { 'content-length': '8' }).write('1234');
  if (url === '/hung-up')
    return response.writeHead(206, { 'content-length': '8' }).write('1234', () => response.destroy());
  if (!answer) return response.writeHead(url === '/broken' ? 500 : 404).end();
  const { bytes } = answer;
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  pending++;
  response.once('close', () => pending--);
  let body = bytes;
  if (!ranges) response.writeHead(200, { 'content-length': bytes.length, ...answer.headers });
  if (ranges && from) {
    body = bytes.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + body.length - 1}/${bytes.length}`;
    response.writeHead(body.length ? 206 : 416, { ...(hidden ? {} : { 'content-range': range }), ...answer.headers });
  }
  for (let at = 0; at < body.length && !response.destroyed; at += 65536) {
    const piece = body.subarray(at, at + 65536);
    request.sent += piece.length;
    if (!response.write(piece)) {
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    }
  }
  response.end();
});

before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

function openAt(path: string) {
  requests = [];
  return openSafetensors(address + path);
}

test('openSafetensors reads from a URL, with ranges, hidden ones and without', async () => {
  for (const path of ['/weights', '/weights/hidden', '/weights/plain']) await assertWeights(await openAt(path));
  const url = new URL('/weights', address);
  const file = await openSafetensors(url);
  url.pathname = '/missing';
  await assertWeights(file);
});

test('with ranges, a server sends only the header and the tensor', async () => {
  const { start, positions } = large;
  const file = await openAt('/large');
  assert.deepEqual(requests, [
    { range: 'bytes=0-7', sent: 8 },
    { range: `bytes=8-${start - 1}`, sent: start - 8 },
  ]);
  requests = [];
  assertTensor(await file.read('wpe.weight'), { shape: [10, 100], data: positions }, 'wpe.weight');
  const from = start + 8 * MEGABYTE;
  assert.deepEqual(requests, [{ range: `bytes=${from}-${from + 3999}`, sent: 4000 }]);
});

test('without ranges, a server is stopped after the tensor', async () => {
  const file = await openAt('/large/plain');
  assertTensor(await file.read('wpe.weight'), { shape: [10, 100], data: large.positions }, 'wpe.weight');
  const sent = requests.map((request) => request.sent);
  assert.equal(sent.length, 3);
  // More bytes than needed are in buffers on the way.
  assert.ok(sent[2] >= 8 * MEGABYTE && sent[2] < 18 * MEGABYTE, `${sent[2]} bytes sent`);
  for (let tries = 0; pending > 0 && tries < 100; tries++) await setTimeout(20);
  assert.equal(pending, 0);
  assert.ok(sent[0] < 10 * MEGABYTE && sent[1] < 10 * MEGABYTE, `${sent} bytes sent`);
});

test('an empty tensor needs no request', async () => {
  const file = await openAt('/weights');
  requests = [];
  assert.deepEqual((await file.read('nothing')).shape, [0, 4]);
  assert.deepEqual(requests, []);
});

test('a missing file is reported', async () => {
  const open = (path: string) => () => openAt(path);
  const read = (path: string) => async () => (await openAt(path)).read('wpe.weight');
  const closed = 'http://127.0.0.1:1/weights';
  await assertRefused([
    [`E ${address}/missing could not be read: it answered 404`, open('/missing')],
    [`E ${address}/broken could not be read: it answered 500`, open('/broken')],
    [`E ${address}/hung-up could not be read: …`, open('/hung-up')],
    [`E ${address}/shifted could not be read: it sent byte 4 instead of byte 0`, open('/shifted')],
    [`E ${closed} could not be read: …`, () => openSafetensors(closed)],
    [`E the length of ${address}/nothing from byte 0 on must be at least 8 bytes, got 0`, open('/nothing')],
    ['E the header length of the .safetensors file', open('/length')],
    [`E the length of ${address}/length/hidden from byte 8 on`, open('/length/hidden')],
    [`E the length of ${address}/lie/plain from byte 8 on`, open('/lie/plain')],
    ['E the length of the .safetensors file', open('/cut')],
    [`E the length of ${address}/cut/hidden from byte ${weights.length - 28} on`, read('/cut/hidden')],
    [`E the length of ${address}/cut/plain from byte ${weights.length - 28} on`, read('/cut/plain')],
  ]);
});

test('a file that changes after it was opened is refused', async () => {
  const other = joined(weights, [0]);
  const date = (day: number) => new Date(Date.UTC(2020, 1, day)).toUTCString();
  const changes = [
    ['/changing', { etag: '"1"' }, { etag: '"2"' }, weights],
    ['/changing', { 'last-modified': date(1) }, { 'last-modified': date(2) }, weights],
    ['/changing', { etag: '"1"', 'last-modified': date(1) }, { etag: '"1"', 'last-modified': date(2) }, weights],
    ['/changing', {}, {}, other],
    ['/changing', {}, {}, weights.subarray(0, 600)],
    ['/changing', {}, {}, weights.subarray(0, 10)],
    ['/changing/hidden', { etag: '"1"' }, { etag: '"2"' }, weights],
    ['/changing/plain', { etag: '"1"' }, { etag: '"2"' }, weights],
    ['/changing/plain', {}, {}, other],
  ] as [path: string, before: object, after: object, bytes: Uint8Array][];
  for (const [path, before, after, bytes] of changes) {
    [changing, validators] = [weights, before];
    const file = await openAt(path);
    await file.read('scale');
    [changing, validators] = [bytes, after];
    const message = `E ${address}${path} could not be read: it has changed since it was opened`;
    await assertRefused([[message, () => file.read('scale')]]);
  }
  // A header that the server sends only once proves nothing.
  [changing, validators] = [weights, { etag: '"1"' }];
  const file = await openAt('/changing');
  validators = { 'last-modified': date(1) };
  await assertWeights(file);
});

test('an AbortSignal ends a pending read', async () => {
  const reason = new Error('enough');
  await assert.rejects(openSafetensors(weights, { signal: AbortSignal.abort(reason) }), reason);
  for (const path of ['/silent', '/stalled']) {
    const controller = new AbortController();
    const opening = openSafetensors(address + path, { signal: controller.signal });
    await Promise.all([assert.rejects(opening, reason), setTimeout(100).then(() => controller.abort(reason))]);
  }
  const controller = new AbortController();
  const file = await openSafetensors(`${address}/weights`, { signal: controller.signal });
  await file.read('scale');
  controller.abort(reason);
  await assert.rejects(file.read('scale'), reason);
  const open = openSafetensors as any;
  await assertRefused([
    ['T signal must be an AbortSignal, got true', () => open(weights, { signal: true })],
    ['T openSafetensors has no option "sginal"; it has signal', () => open(weights, { sginal: 1 })],
  ]);
});

test('a server that stops answering is given up after a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const silent = () => new Promise<never>(() => {});
  const stalled = async () => new Response(new ReadableStream({ pull: silent, cancel: silent }), { status: 206 });
  // Mocked twice, it would be given back as the first mock.
  const { mock: fetching } = t.mock.method(globalThis, 'fetch', silent);
  for (const answer of [silent, stalled]) {
    fetching.mockImplementation(answer);
    const opening = assertRefused([
      [`E ${address}/weights could not be read: the server sent nothing for 60 seconds`, () => openAt('/weights')],
    ]);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    t.mock.timers.tick(60_000);
    await opening;
  }
});
