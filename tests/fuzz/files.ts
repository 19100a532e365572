/**
 * Files with bytes flipped, cut and inserted, headers with other lengths and other words: readers answer or throw a short error of posenc,
 * and what NumPy reads too has NumPy's values.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { openSafetensors, readNpy } from 'posenc/files';
import { readGolden } from '../js/helpers.ts';
import { missing, runPython } from '../python.ts';
import { edited, edits, hostile } from './arbitraries.ts';
import { assertRefusal } from './arguments.ts';
import { type Fuzzer, isLong } from './fuzzers.ts';

const folder = new URL('../golden/files/', import.meta.url);
const npy = readGolden('files/expected.tsv')
  .split('\n')
  .map((line) => line.split('\t')[0])
  .filter((name) => name.endsWith('.npy'))
  .map((name) => new Uint8Array(readFileSync(new URL(name, folder))));
const weights = new Uint8Array(readFileSync(new URL('weights.safetensors', folder)));

/** Words of headers, and their replacements. */
const HEADER_WORDS = [
  ...["'<f4'", "'>f8'", "'|b1'", "'<u2'", "'<f2'", "'>i8'", "'|S4'", 'True', 'False', '(2, 3)', '()', '(3,)', '(0, 4)'],
  ...['(-1,)', '(1e3,)', '(99999999999999999999,)', "'descr'", "'shape'", 'fortran_order', '{', '}', ',', ':', ' '],
  ...['\n', '#'],
];

/** The place of a change, mostly in the header. */
const places = fc.oneof({ weight: 3, arbitrary: fc.nat(140) }, { weight: 1, arbitrary: fc.nat(5000) });
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('set'), at: places, bytes: fc.uint8Array({ minLength: 1, maxLength: 2 }) }),
    fc.record({ kind: fc.constant('insert'), at: places, bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) }),
    fc.record({
      kind: fc.constant('write'),
      at: places,
      bytes: fc.constantFrom(...HEADER_WORDS).map((word) => Buffer.from(word)),
    }),
    fc.record({ kind: fc.constant('remove'), at: places, bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) }),
    fc.record({ kind: fc.constant('cut'), at: places, bytes: fc.constant(new Uint8Array()) }),
  ),
  { maxLength: 3 },
);

function changed(file: Uint8Array, changes: { kind: string; at: number; bytes: Uint8Array }[]) {
  let bytes = Buffer.from(file);
  for (const { kind, at, bytes: given } of changes) {
    const place = at % (bytes.length + 1);
    const replaced =
      { set: given.length, write: given.length, insert: 0, remove: given.length, cut: bytes.length }[kind] ?? 0;
    const inserted = kind === 'remove' ? [] : [given];
    bytes = Buffer.concat([bytes.subarray(0, place), ...inserted, bytes.subarray(place + replaced)]);
  }
  return new Uint8Array(bytes);
}

/** @returns undefined if it is refused */
async function attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    assertRefusal(error, [TypeError, RangeError, Error]);
    return undefined;
  }
}

const SCRIPT = `
import io, struct, sys, warnings
import numpy as np
warnings.simplefilter('ignore')
files = sys.stdin.buffer
while size := files.read(4):
    bytes = files.read(struct.unpack('<I', size)[0])
    try:
        x = np.load(io.BytesIO(bytes), allow_pickle=False)
        y = np.array(x, dtype='<f4', order='C')
        y[np.isnan(y)] = np.nan
        print(','.join(map(str, x.shape)) + ';' + y.tobytes().hex())
    except Exception:
        print('refused')
`;

/** Files that were read, with their results, until NumPy reads all of them together. */
let waiting = [] as { bytes: Uint8Array; told: string }[];
const theirs = { read: 0, refused: 0, missing: false, differing: [] as string[] };

async function askNumpy() {
  const asked = waiting;
  waiting = [];
  const input = asked.flatMap(({ bytes }) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  const output = await runPython('numpy', SCRIPT, Buffer.concat(input));
  const lines = output?.toString().trimEnd().split('\n');
  theirs.missing ||= !lines;
  for (const [k, line] of (lines ?? []).entries()) {
    if (line === 'refused') theirs.refused++;
    else theirs.read++;
    if (line !== 'refused' && line !== asked[k].told) {
      const file = JSON.stringify(Buffer.from(asked[k].bytes).toString('latin1'));
      theirs.differing.push(`${file.slice(0, 400)} is ${asked[k].told.slice(0, 80)}, for NumPy ${line.slice(0, 80)}`);
    }
  }
}

const readers = fc.asyncProperty(fc.nat(npy.length - 1), changes, async (which, its) => {
  const bytes = changed(npy[which], its);
  const tensor = await attempt(() => readNpy(bytes));
  if (!tensor) return;
  const { data, shape } = tensor;
  assert.equal(
    data.length,
    shape.reduce((product, n) => product * n, 1),
  );
  if (!isLong || theirs.missing) return;
  // NaN has many bits: one stands for all.
  const canonical = data.map((value) => (Number.isNaN(value) ? Number.NaN : value));
  waiting.push({ bytes, told: `${shape};${Buffer.from(canonical.buffer).toString('hex')}` });
  if (waiting.length === 500) await askNumpy();
});

async function readAll(file: any) {
  for (const name of file.names.slice(0, 9)) {
    const tensor = await attempt<any>(() => file.read(name));
    if (tensor) assert.deepEqual(tensor.shape, file.shape(name));
  }
}

const safetensors = fc.asyncProperty(changes, async (its) => {
  const { buffer } = changed(weights, its);
  const file = await attempt(() => openSafetensors(buffer));
  if (file) await readAll(file);
});

const headerLength = Number(new DataView(weights.buffer).getBigUint64(0, true));
const header = JSON.parse(Buffer.from(weights.subarray(8, 8 + headerLength)).toString());

const isPlain = (value: unknown) => JSON.stringify(value) !== undefined;
const json = hostile.filter((value) => {
  try {
    return isPlain(value);
  } catch {
    return false;
  }
});

const headers = fc.asyncProperty(
  edits(json),
  fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.bigInt({ min: -9n, max: 2n ** 63n })),
  async (its, more) => {
    const text = Buffer.from(JSON.stringify(edited(structuredClone(header), its)));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt.asUintN(64, BigInt(text.length) + BigInt(more)));
    const bytes = new Uint8Array(Buffer.concat([length, text, weights.subarray(8 + headerLength)]));
    const file = await attempt(() => openSafetensors(bytes.buffer));
    if (file) await readAll(file);
  },
);

export const fuzzers: Fuzzer[] = [
  {
    name: 'files of NumPy',
    property: readers,
    note: async () => {
      if (waiting.length > 0) await askNumpy();
      assert.equal(theirs.differing.length, 0, theirs.differing[0]);
      return theirs.missing
        ? missing('numpy')
        : `${theirs.read} as NumPy reads them, ${theirs.refused} that it refuses`;
    },
  },
  { name: 'files of safetensors', property: safetensors },
  { name: 'headers of safetensors', property: headers },
];
