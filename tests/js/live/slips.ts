import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as posenc from 'posenc';
import { identify } from 'posenc/identify';
import { sortMatches } from '../../../web/files/matches.ts';
import { createFinding } from '../../../web/page/check/finding.ts';
import { createMaking } from '../../../web/page/check/settings.ts';
import { ROTARY_SLIPS, SLIPS } from '../../../web/page/check/slips.ts';
import { missing, runPython } from '../../python.ts';

await posenc.load();

/** The tutorial's lines. A slip replaces the line that assigns the same name, or is added at the end. */
const PYTHON = `
import json, math, re, sys
import torch

# So that growing frequencies are exact too.
torch.set_default_dtype(torch.float64)
SINUSOIDAL = [
    'position = torch.arange(length)[:, None]',
    'div_term = torch.exp(torch.arange(0, dim, 2) * (-math.log(base) / dim))',
    'angle = position * div_term',
    'pe = torch.zeros(length, dim)',
    'pe[:, 0::2], pe[:, 1::2] = torch.sin(angle), torch.cos(angle)',
    'columns = list(pe.T)',
]
ROTARY = [
    'position_ids = torch.arange(length)',
    'inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2) / dim))',
    'freqs = position_ids[:, None] * inv_freq',
    'emb = torch.cat((freqs, freqs), dim=-1)',
    'cos, sin = emb.cos(), emb.sin()',
]

def first(line):
    return re.match(r'[^ ]*', line)[0]

for line, length, dim in json.load(sys.stdin):
    rotary = first(line) in ('position_ids', 'inv_freq', 'freqs', 'cos,')
    lines = ROTARY if rotary else SINUSOIDAL
    after = line.startswith(('pe = ', 'pe[:, 1', 'pe[0', 'cos, sin', '#'))
    # A line that changes what is there comes after it.
    changes = re.match(r'(\\w+) = \\1\\.', line) and not after
    place = 1 + next((k for k, other in enumerate(lines) if first(other) == first(line)), 0)
    lines = [*lines[:place], line + '.double()', *lines[place:]] if changes else [*lines, line] if after else [line if first(line) == first(other) else other for other in lines]
    names = {'torch': torch, 'math': math, 'length': length, 'dim': dim, 'base': 10000.0, 'head_dim': 2 * dim, 'rotary_dim': dim}
    for each in lines:
        exec(each, names)
    for table in [names['cos'], names['sin']] if rotary else [names['pe']]:
        sys.stdout.buffer.write(table.contiguous().float().numpy().tobytes())
torch.set_default_dtype(torch.float32)
`;

/** Lengths and dims in which a slip shows. */
const SIZES: Record<string, [length: number, dim: number]> = {
  'positions-bfloat16': [600, 16],
  'positions-float16': [2200, 16],
};
const USUAL = [64, 32] as [number, number];

/** What stands for a slip's number. */
const NUMBERS: Record<string, string> = {
  ...{
    degrees: '57.29577951',
    dropout: '0.1',
    logarithm: '10',
    'positions-divided': 'length',
    'rows-repeated': '2',
    'rows-clamped': '40',
    'rows-shifted': '5',
    scaled: '1.25',
    turns: '6.283185307',
  },
};

const isRotary = (line: string) => /^(position_ids|inv_freq|freqs|cos, sin) =/.test(line);

const withNumber = (id: string, line: string) => line.replaceAll('NUMBER', NUMBERS[id] ?? '1');
const all = [...Object.entries(SLIPS), ...Object.entries(ROTARY_SLIPS)].flatMap(([id, { wrong, right }]) =>
  [wrong, ...(right ? [right] : [])].flatMap((line) =>
    line ? { id, line: withNumber(id, line), isRight: line === right, size: SIZES[id] ?? USUAL } : [],
  ),
);
const output = await runPython('torch', PYTHON, JSON.stringify(all.map(({ line, size }) => [line, ...size])));
let from = 0;
for (const { id, line, isRight: right, size } of output ? all : []) {
  const [length, dim] = size;
  const take = (width: number) => {
    const data = new Float32Array(new Uint8Array((output as Buffer).subarray(from, from + 4 * length * width)).buffer);
    from += 4 * length * width;
    return { data, shape: line === 'pe = pe.T' ? [width, length] : [length, width] };
  };
  const width = line.includes('torch.arange(0, head_dim') ? 2 * dim : dim;
  const table = isRotary(line) ? { cos: take(width), sin: take(width) } : take(dim);
  test(`${right ? 'are right' : `make ${id}`}: ${line}`, () => {
    const found = identify(table).map(({ bugs }) => bugs.map((bug) => bug.id).join());
    // The table of another base is simpler than one whose exponent is wrong.
    const isSecond = id.startsWith('exponent') || (/^(swapped|(co)?sine-only)$/.test(id) && !isRotary(line));
    const named = !right && isSecond ? found.find(Boolean) : found[0];
    assert.equal(named, right ? '' : id);
    if (isRotary(line)) return;
    // The code is that of the correct table.
    const [match] = sortMatches(identify(table, { nearest: true })).filter(({ kind }) => kind === 'sinusoidal');
    if (match?.kind !== 'sinusoidal') return assert.fail('no sinusoidal match');
    const [rows, columns] = (table as any).shape;
    const { making } = createFinding(match, { ...(table as any), rows, dim: columns, decimals: 0, both: false });
    if (!making || 'javascript' in making) return assert.fail('no code of a view');
    assert.equal((making.spec as posenc.SinusoidalSpec).start, 0);
    const made = createMaking(making, length).encoding.encode(length);
    const { data, shape } = posenc.sinusoidal({ dim }).encode(length);
    assert.deepEqual(made.shape, shape);
    assert.ok(made.data.every((value, k) => Math.abs(value - data[k]) < 1e-6));
  });
}
if (!output) test('run in PyTorch', (t) => t.skip(missing('torch')));
