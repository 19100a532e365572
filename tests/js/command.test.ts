import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { alibi, load, rotary, rotaryGrid, sinusoidal } from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { assertRecorded, randomInteger, randomNumbers, readGolden } from './helpers.ts';

await load();

const command = fileURLToPath(new URL('../../dist/command.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'posenc-command-'));
after(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const { models } = JSON.parse(readGolden('model-configs.json'));
for (const { name, config } of models) writeFileSync(path(`${name}.json`), JSON.stringify(config));

type Command = readonly [args: readonly string[], input?: string | Uint8Array, env?: object];

/** Runs in a process of its own: each command begins when nothing is left to do for the one before. */
const script = `
import { Readable } from 'node:stream';
const { stdout, stderr } = process;
const [write, runs] = [stdout.write.bind(stdout), []];
stdout.setMaxListeners(0);
for (const [args, input, env] of COMMANDS) {
  const parts = { stdout: [], stderr: [] };
  for (const name in parts) process[name].write = (part) => parts[name].push(Buffer.from(part));
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input, 'base64')]), configurable: true });
  Object.assign(process.env, env);
  process.argv = ['', '', ...args];
  await import('${pathToFileURL(command)}?' + runs.length);
  await new Promise((resolve) => process.once('beforeExit', resolve));
  runs.push([process.exitCode, ...Object.values(parts).map((all) => Buffer.concat(all).toString('base64'))]);
}
process.exitCode = 0;
write(JSON.stringify(runs));`;

/** Runs commands in the folder of the files, all in one process, which takes a tenth of the time of one for each. */
async function runAll(commands: readonly Command[]) {
  const list = commands.map(([args, input = '', env = {}]) => [args, Buffer.from(input).toString('base64'), env]);
  const options = { cwd: folder, maxBuffer: 2 ** 26 };
  const ended = promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-'], options);
  ended.child.stdin?.end(script.replace('COMMANDS', JSON.stringify(list)));
  return JSON.parse((await ended).stdout).map(([code, ...streams]: [number, string, string]) => {
    const [bytes, error] = streams.map((text) => Buffer.from(text, 'base64'));
    return { code, bytes, out: String(bytes), error: String(error) };
  }) as { code: number; bytes: Buffer; out: string; error: string }[];
}

const LLAMA = 'Llama-3.1-8B-Instruct.json';

test('show says what each group of layers has, in 100 columns', async () => {
  const shown = await runAll(models.map(({ name }: { name: string }) => [['show', `${name}.json`]]));
  assert.deepEqual(new Set(shown.map(({ code, error }) => `${code}${error}`)), new Set(['0']));
  const lines = shown.flatMap(({ out }) => out.split('\n'));
  assert.ok(lines.length > 5 * models.length);
  for (const line of lines) assert.ok(line.length <= 100, line);
  for (const [model, words] of [
    [LLAMA, /rotary.*base +500000\n.*scaling +llama3, factor 8,.*inv_freq +64 from 1 to 3\.06892599e-7/s],
    ['DeepSeek-V3.json', / softmax factor +1\.87385421\n/],
    ['bloom-3b.json', / slopes +32 from 0\.840896415 to 0\.00390625\n/],
    ['gpt2-medium.json', /^learned, before the first layer\n.* weights +wpe\.weight\n/s],
    ['gemma-3-1b-it.json', /, layers 5, 11, 17, 23 \(full_attention\)\n/],
    ['Qwen2.5-VL-7B-Instruct.json', / sections +16 × 24 × 24\n/],
  ] as const)
    assert.match(shown[models.findIndex(({ name }: any) => `${name}.json` === model)].out, words);
  const [{ out }] = await runAll([[['show', 'gemma-3-1b-it.json', '--layer', '5', '--json']]]);
  const [{ layers, kind, spec, frequencies, attentionFactor }, ...others] = JSON.parse(out);
  assert.deepEqual(
    [layers, kind, spec.base, frequencies.length, attentionFactor],
    [[5, 11, 17, 23], 'rotary', 1e6, 128, 1],
  );
  assert.equal(others.length, 0);
});

test('commands with options drawn at random write what is recorded', async () => {
  const random = randomNumbers(53);
  const pick = <Choice>(choices: readonly Choice[]) => choices[randomInteger(random, 0, choices.length - 1)];
  const file = () => [`${pick(models as { name: string }[]).name}.json`];
  const specs = [
    '--rotary dim=12,base=100',
    '--sinusoidal dim=6,preset=fairseq',
    '--grid dim=8,shape=2x3',
    '--alibi heads=6',
  ];
  const maybe = (...texts: string[]) =>
    pick(['', '', ...texts])
      .split(' ')
      .filter(Boolean);
  const place = () => [...maybe('--layer 5'), ...maybe('--part text', '--part encoder')];
  const rows = () => maybe('--positions 0,57', '--positions 3', '--length 5');
  const what = () => pick(['cos', 'cos', 'sin', 'sin', 'inv_freq', 'rows', 'bias', 'slopes', 'buckets']);
  const forms = () => [
    ...maybe('--columns dim', '--columns interleaved', '--columns pairs'),
    ...maybe('--numerics float32', '--numerics bfloat16'),
    ...maybe('--as csv', '--as json', '--as c', '--as npy'),
  ];
  const table = () => [
    'table',
    ...(random() < 0.5 ? file() : pick(specs).split(' ')),
    '--what',
    what(),
    ...rows(),
    ...forms(),
  ];
  const commands: string[][] = [
    ...Array.from({ length: 300 }, () => [...table(), ...(random() < 0.2 ? place() : [])]),
    ...Array.from({ length: 60 }, () => ['show', ...file(), ...place(), ...maybe('--length 9999'), ...maybe('--json')]),
    ...Array.from({ length: 40 }, () => ['diff', ...file(), ...file(), ...maybe('--json')]),
  ];
  const saved = ['cos', 'sin', 'rows', 'bias', 'inv_freq'].flatMap((what) =>
    ['npy', 'csv', 'json'].map((as) => [what, `saved-${what}.${as}`]),
  );
  await runAll(
    saved.map(([what, name]): Command => {
      const spec = { rows: specs[1], bias: specs[3] }[what] ?? specs[0];
      return [['table', ...spec.split(' '), '--what', what, '--as', name.split('.')[1], '-o', name]];
    }),
  );
  for (const [, name] of saved) {
    commands.push(['check', name], ['check', name, '--json'], ['check', name, '--config', ...file(), '--start', '3']);
  }
  const ran = await runAll(commands.map((args): Command => [args]));
  const lines = ran.flatMap(({ code, out, error }, k) => {
    const said = `${out}${error}`
      .replaceAll(/\0|[^ -~\n]/g, '?')
      .trimEnd()
      .split('\n');
    const first = said.slice(0, 5).map((line) => `  ${line.slice(0, 160)}`);
    return [`${commands[k].join(' ')}: ${code}, ${out.length} characters, ${said.length} lines`, ...first];
  });
  assertRecorded('command', lines);
});

test('table writes exact numbers in each format, and check reads them', async () => {
  const options = ['table', LLAMA, '--what', 'cos', '--positions', '0,57,8191'];
  const [shown, { out }, frequencies, npy, json, csv, c] = await runAll([
    [['show', LLAMA, '--json']],
    [options],
    [['table', LLAMA, '--what', 'inv_freq']],
    ...['npy', 'json', 'csv', 'c'].map((as): Command => [[...options, '--as', as]]),
  ]);
  const right = rotary(JSON.parse(shown.out)[0].spec).tables([0, 57, 8191]).cos.data;
  assert.deepEqual((await readNpy(npy.bytes)).data, right);
  assert.deepEqual(Float32Array.from(JSON.parse(json.out).flat()), right);
  assert.deepEqual(Float32Array.from(csv.out.split(/[\n,]/).slice(0, -1), Number), right);
  assert.match(c.out, /^static const float posenc_cos\[3\]\[64\] =\n {2}\{\{1\.0f,1\.0f/);
  assert.match(frequencies.out, /^0: +1\n1: +0\.814617234\n/);
  assert.match(out, /^57: {9}0\.899866819 /m);
  for (const line of out.split('\n')) assert.ok(line.length <= 100);
  // A table of another layout has the same text, but takes longer to name.
  const forms = ['text', 'csv', 'json', 'c', 'npy'].flatMap((as) =>
    ['dim', 'pairs', ...(as === 'c' ? ['interleaved'] : [])].map((columns) => ['--columns', columns, '--as', as]),
  );
  const whole = ['table', LLAMA, '--what', 'cos', '--length', '16'];
  const [written, ...tables] = await runAll([['-o', 'cos.txt'], ...forms].map((form) => [[...whole, ...form]]));
  assert.deepEqual([written.out, readFileSync(path('cos.txt'))], ['', tables[1].bytes]);
  const [list, ...checked] = await runAll(
    [frequencies, ...tables].map(({ bytes }) => [['check', '-', '--config', LLAMA], bytes]),
  );
  assert.match(list.out, /^right\n64 of 64/);
  for (const [k, form] of forms.entries())
    assert.match(
      `${checked[k].code} ${checked[k].out}`,
      form[1] === 'interleaved' ? /^1 layout is/ : /^0 right\n/,
      `${form}`,
    );
});

test('table takes specs, and writes what each kind has', async () => {
  const cases = [
    [['--alibi', 'heads=8', '--what', 'bias', '--length', '2', '--as', 'json'], '[[[0,0.5],[-0.5,0]],'],
    [['--alibi', 'heads=8', '--what', 'bias', '--positions', '2', '--as', 'json'], '[[[-1,-0.5,0]],'],
    [
      ['--sinusoidal', 'dim=4,layout=sin-cos,endpoint=false', '--what', 'rows', '--positions', '57'],
      '57:         0.436164767    0.539632022    0.899866819 ',
    ],
    [
      ['--rotary', 'dim=4,base=1e12,scaling.type=linear,scaling.factor=10', '--what', 'inv_freq', '--as', 'c'],
      'static const float posenc_inv_freq[2] =\n  {0.1f,1e-7f};\n',
    ],
    [
      [LLAMA, '--what', 'cos', '--numerics', 'float32', '--positions', '8191', '--as', 'csv'],
      '-0.646390498,0.977398813,',
    ],
    [
      [LLAMA, '--what', 'cos', '--columns', 'dim', '--numerics', 'float32', '--positions', '8191', '--as', 'csv'],
      '-0.646390498,0.977398813,',
    ],
    [['--rotary', 'dim=4', '--what', 'sin', '--positions', '1', '--as', 'csv'], '0.841470957,0.00999983307\n'],
    // The most numbers that a table has; the length is not that of the text.
    [['--rotary', 'dim=128', '--what', 'inv_freq', '--length', '131072'], '0:                    1\n1:'],
    [['Phi-3.5-vision-instruct.json', '--what', 'inv_freq', '--length', '8192', '--as', 'csv'], '1,0.825404185,'],
    [['bloom-3b.json', '--layer', '3', '--what', 'slopes', '--as', 'json'], '[0.840896415,'],
    [['EXAONE-4.0-32B.json', '--what', 'inv_freq', '--as', 'csv'], '1,0.805842188,'],
    [['Qwen2.5-VL-7B-Instruct.json', '--what', 'cos', '--positions', '5', '--as', 'csv'], '0.2836622,-0.631260991,'],
    [
      ['Qwen2.5-VL-7B-Instruct.json', '--part', 'vision', '--what', 'sin', '--as', 'c'],
      'static const float posenc_sin[576][40] =',
    ],
    ...Object.entries({ dim: '-0.416146845,0.999800026,-0.416146845,', interleaved: '-0.416146845,-0.416146845,' }).map(
      ([columns, row]): [string[], string] => [
        ['tower.json', '--what', 'cos', '--columns', columns, '--positions', '5', '--as', 'csv'],
        row,
      ],
    ),
    [['swin.json', '--what', 'buckets', '--as', 'json'], '[[4,3,1,0],[5,4,2,1],'],
    [['--grid', 'dim=8,shape=2x3', '--what', 'rows', '--positions', '5'], '5:          0.909297407   0.0199986659 '],
    [['t5-small.json', '--part', 'encoder', '--what', 'buckets', '--length', '3', '--as', 'json'], '[[0,17,18],'],
    [
      ['t5-small.json', '--part', 'encoder', '--what', 'buckets', '--length', '2', '--as', 'c'],
      'static const int posenc_buckets[2][2] =\n  {{0,17},',
    ],
  ] as const;
  writeFileSync(path('swin.json'), JSON.stringify({ model_type: 'swin', window_size: 2 }));
  const tower = { hidden_size: 32, num_attention_heads: 4, image_size: 42, patch_size: 14 };
  writeFileSync(path('tower.json'), JSON.stringify({ model_type: 'llama4_vision_model', ...tower }));
  const made = await runAll(cases.map(([options]) => [['table', ...options]]));
  for (const [k, [options, start]] of cases.entries())
    assert.ok(made[k].out.startsWith(start), `${options}: ${made[k].out.slice(0, 80)}${made[k].error}`);
});

test('check names a table or what differs from a config, with the exit code', async () => {
  const { data, shape } = rotary({ dim: 128 }).tables(64).cos;
  writeFileSync(path('cos.npy'), writeNpy({ data, shape }));
  const noise = { data: Float32Array.from({ length: 4096 }, (_, i) => Math.sin(i * i)), shape: [64, 64] };
  writeFileSync(path('noise.npy'), writeNpy(noise));
  const descending = sinusoidal({ dim: 64 }).encode(64, { start: 40, step: -1 });
  writeFileSync(path('descending.npy'), writeNpy(descending));
  writeFileSync(path('zeros.npy'), writeNpy({ ...descending, data: new Float32Array(4096) }));
  // A missing factor 2 makes the table of base 100, which nobody chooses.
  writeFileSync(path('halved.npy'), writeNpy(sinusoidal({ dim: 64, base: 100 }).encode(64)));
  writeFileSync(path('own.npy'), writeNpy(rotary({ dim: 64, base: 12345 }).tables(64).cos));
  const doubled = rotary({ dim: 64, base: 1e8 }).tables(64, { columns: 'dim' }).cos;
  writeFileSync(path('doubled.npy'), writeNpy({ ...doubled, data: doubled.data.map((v) => Number(v.toFixed(3))) }));
  writeFileSync(path('whole.npy'), writeNpy(sinusoidal({ dim: 1024, preset: 'fairseq' }).encode(32, { start: 0 })));
  const dynamic = { type: 'dynamic', factor: 2, maxPositionEmbeddings: 64, sequenceLength: 96 } as const;
  writeFileSync(path('long.npy'), writeNpy(rotary({ dim: 64, scaling: dynamic }).tables(96).cos));
  const rope_scaling = { type: 'dynamic', factor: 2 };
  const llama = { model_type: 'llama', head_dim: 64, max_position_embeddings: 64, rope_scaling };
  writeFileSync(path('dynamic.json'), JSON.stringify(llama));
  // Of eight heads one, or one cell, has other values.
  const bias = alibi({ heads: 8 }).bias(16, 16, { symmetric: true });
  writeFileSync(path('head.npy'), writeNpy({ ...bias, data: bias.data.map((v, i) => (i >> 8 === 3 ? v / 3 : v)) }));
  writeFileSync(path('cell.npy'), writeNpy({ data: data.map((v, i) => (i === 99 ? 7 : v)), shape }));
  writeFileSync(path('causal.npy'), writeNpy(alibi({ heads: 8 }).bias(16, 16, { causal: true })));
  writeFileSync(path('one-head.npy'), writeNpy({ data: bias.data.slice(512, 768), shape: [16, 16] }));
  /** Two tensors of one shape. */
  const writeTensors = (file: string, sizes: number[], tensors: Record<string, ArrayLike<number>>) => {
    const numbers = Float32Array.from(Object.values(tensors).flatMap((values) => Array.from(values)));
    const half = numbers.byteLength / 2;
    const entries = Object.keys(tensors).map((name, k) => [
      name,
      { dtype: 'F32', shape: sizes, data_offsets: [k * half, (k + 1) * half] },
    ]);
    const header = JSON.stringify(Object.fromEntries(entries)).padEnd(256);
    const bytes = new Uint8Array(numbers.buffer);
    writeFileSync(path(file), Buffer.concat([Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0), Buffer.from(header), bytes]));
  };
  // A list of frequencies after another, and rows of positions after others.
  const { frequencies } = rotary({ dim: 128, base: 500000 });
  writeTensors('list.safetensors', [64], { position_ids: Array(64).fill(1), 'rotary_emb.inv_freq': frequencies });
  writeTensors('named.safetensors', [64, 64], { 'wte.weight': noise.data, 'wpe.weight': descending.data });
  const grid = rotaryGrid({ dim: 64, preset: 'qwen2-vl', shape: [6, 9] }).tables();
  writeTensors('cells.safetensors', [6, 9, 32], { cos: grid.cos.data, sin: grid.sin.data });
  const cases = [
    [['one-head.npy'], 0, /^right\nalibi\(.*, symmetric true\n/, /slope is that of head 2, .* of 8 heads/],
    [['cells.safetensors'], 0, /^right\nrotaryGrid\(\{ dim: 64, preset: 'qwen2-vl', shape: \[6,9\] \}\), cos-sin/],
    [['causal.npy'], 0, /^right\nalibi\(\{ heads: 8 \}\), bias from position 0, causal true\n/],
    [['list.safetensors'], 0, /^right\nrotary\(\{ dim: 128, base: 500000 \}\), frequencies/],
    [['named.safetensors'], 0, /^right\nsinusoidal\(/, /the tensor wpe\.weight is checked/],
    [['head.npy'], 1, /^head 3, counted from 0, has other values \[cells\]\n/],
    [['cell.npy'], 1, /^1 of 4096 values differ \[cells\]\n/],
    [['cos.npy'], 0, /^right\nrotary\(\{ dim: 128.*\n\d+ of \d+ values agree\n$/],
    [
      ['doubled.npy'],
      0,
      /^right\n.*\n4096 of 4096 values agree, within 5\.0e-4\n$/,
      /^note: base 10000 with a doubled exponent .*\n(note: it can also be.*\n( {2}.*\n)*){3}$/,
    ],
    [['cos.npy', '--start', '1'], 1, /^start is 0, not 1 \[start\]\n/],
    [['cos.npy', '--config', 'Qwen3 MoE.json'], 1, /^base is 10000, not \d+ \[base\]\n/],
    [['long.npy', '--config', 'dynamic.json'], 1, /./],
    [['long.npy', '--config', 'dynamic.json', '--length', '96'], 0, /^right\n.* agree, as cos\n/],
    [['noise.npy'], 3, /can’t say/],
    [
      ['own.npy'],
      3,
      /^posenc can’t say whether it is right: no system known here has its base\nrotary\(\{ dim: 64, base: 12345 \}\)/,
    ],
    [['zeros.npy'], 3, /^no encoding known here makes this table: all its values are 0\n/],
    [['descending.npy'], 0, /^right\nsinusoidal\(.*rows from position 40, step -1\n/],
    [['descending.npy', '--json'], 0, /^\{"match":\{"kind":"sinusoidal".*"start":40,"step":-1,/],
    [['halved.npy'], 1, /^the exponent lacks its factor 2, i\/dim \[exponent-halved\]\n/],
    [['whole.npy', '--config', 'nllb-200-distilled-600M.json', '--start', '0'], 0, /^right\n/],
    [['cos.npy', '--config', 'Jamba.json'], 3, /^$/],
    [['cos.npy', '--config', 'whisper-large-v2.json'], 3, /^$/, /part can also be encoder/],
    [['none.npy'], 2, /^$/],
  ] as const;
  const [json, ...checked] = await runAll([
    [['check', 'cos.npy', '--config', LLAMA, '--json']],
    ...cases.map(([args]): Command => [['check', ...args]]),
  ]);
  for (const [k, [args, code, first, note = /^/]] of cases.entries()) {
    assert.equal(checked[k].code, code, `${args}: ${checked[k].out}${checked[k].error}`);
    assert.match(checked[k].out, first);
    assert.match(checked[k].error, note);
  }
  const { differences, cells } = JSON.parse(json.out);
  assert.deepEqual([cells, differences.length > 0], [64 * 64, true]);
});

test('diff compares two configs layer by layer', async () => {
  // Both have the length, on which the scaling depends.
  const scaling = { rope_type: 'dynamic', factor: 4 };
  const dynamic = { model_type: 'llama', head_dim: 64, max_position_embeddings: 2048, rope_scaling: scaling };
  writeFileSync(path('dynamic.json'), JSON.stringify(dynamic));
  const [learned, others, same, long, json] = await runAll([
    [['diff', 'gpt2-medium.json', 'all-MiniLM-L6-v2.json']],
    [['diff', LLAMA, 'Llama-3.2-1B-Instruct.json']],
    [['diff', LLAMA, LLAMA]],
    [['diff', 'dynamic.json', 'dynamic.json', '--length', '100000']],
    [['diff', 'gemma-3-1b-it.json', LLAMA, '--json']],
  ]);
  assert.equal(learned.out, 'rows: 1024 | 512\ndim: 1024 | 384\n');
  assert.deepEqual(
    [others.code, others.out],
    [1, 'dim: 128 | 64, layers 0-31\nrotaryDim: 128 | 64, layers 0-31\nscaling.factor: 8 | 32, layers 0-31\n'],
  );
  assert.deepEqual([same.code, same.out, same.error], [0, 'the same\n', '']);
  assert.equal(long.out, 'the same\n');
  const [first, ...fields]: any[] = JSON.parse(json.out);
  assert.deepEqual(first.field, 'dim');
  // Where kinds differ, other fields say nothing.
  const beyond = fields.filter(({ layers }) => layers.includes(31));
  assert.deepEqual(
    beyond.map(({ field, a }) => [field, a]),
    [['kind', 'no such layer']],
  );
});

test('errors are one line that names the argument', async () => {
  writeFileSync(path('page.json'), '<!doctype html>');
  writeFileSync(path('empty.json'), '');
  writeFileSync(
    path('binary.json'),
    Uint8Array.from({ length: 999 }, (_, k) => k * k),
  );
  writeFileSync(path('huge.json'), '{}');
  truncateSync(path('huge.json'), 3e9);
  const cases = [
    [['shwo'], /^posenc: the command must be one of show, table, check, diff.*got shwo\n$/],
    [['show'], /^posenc: show takes 1 argument, got 0; posenc show --help/],
    [['show', 'none.json'], /^posenc: none\.json: no such file or folder\n$/],
    [['show', 'page.json'], /^posenc: page\.json is no config: it is HTML\n$/],
    [['show', 'gpt2'], /^posenc: gpt2: no such file; the name of a model is owner\/name\n$/],
    [['show', './none'], /^posenc: \.\/none: no such file or folder\n$/],
    [['show', '.'], /^posenc: \.: is a folder, not a file\n$/],
    [['show', 'empty.json'], /^posenc: empty\.json is no config: it is empty\n$/],
    [['show', 'binary.json'], /^posenc: binary\.json is no config: it is no JSON object\n$/],
    [['show', 'huge.json'], /^posenc: huge\.json is no config: it is too large\n$/],
    [['check', 'huge.json'], /^posenc: huge\.json: Text is read up to 64 MiB/],
    [['show', LLAMA, '--layer', '99'], /^posenc: --layer must be one of 0-31, got 99\n$/],
    [['show', LLAMA, '--part', 'head'], /^posenc: --part must be one of text, decoder, encoder, vision, got head;/],
    [['table', LLAMA, '--what', 'cos', '--length', '0'], /^posenc: --length must be a whole number from 1, got 0;/],
    [['table', LLAMA, '--what', 'cos', '--length', '1e9'], /^posenc: a table has at most 16777216 numbers: --length/],
    [['table', '--alibi', 'heads=8', '--what', 'bias', '--positions', '9999999'], /^posenc: a table has at most/],
    [['table', '--rotary', 'dim=x', '--what', 'cos'], /^posenc: dim must be an integer.*got "x"\n$/],
    [['table', LLAMA, '--what', 'cos', '-o', 'none/x'], /^posenc: -o none\/x: no such file or folder\n$/],
    [['check', 'a', '--start', '-1'], /^posenc: --start needs = before a value that begins with -, as in --start=-1;/],
    [['diff', '-', '-'], /^posenc: only one of A and B can be -\n$/],
    [['vectors', '--run', ''], /^posenc: --run must be given, got nothing;/],
    [['vectors', '--list', '-o', 'x'], /^posenc: vectors takes only one of --list, -o and --run\n$/],
    [['vectors', '-o', LLAMA], /^posenc: -o Llama.*\.json: is a file, not a folder\n$/],
    [['show', LLAMA, '--layer', 'x'], /^posenc: --layer must be a whole number, got x/],
    [['show', LLAMA, '--lenght', '1'], /^posenc: Unknown option '--lenght'; posenc show --help/],
    [
      ['table', LLAMA, '--what', 'cos', '--columns', 'constructor'],
      /^posenc: --columns must be one of pairs, dim, inter/,
    ],
    [
      ['table', LLAMA, '--what', 'cos', '--as', 'constructor'],
      /^posenc: --as must be one of text, csv, json, npy, c, got/,
    ],
    [
      ['table', LLAMA, '--what', 'constructor'],
      /^posenc: --what must be one of inv_freq, cos, sin, got constructor\n$/,
    ],
    [['table', LLAMA, '--what', 'rows'], /^posenc: --what must be one of inv_freq, cos, sin, got rows\n$/],
    [['table', 'gemma-3-1b-it.json', '--what', 'cos'], /^posenc: --layer must be given/],
    [['table', '--rotary', 'dim=0', '--what', 'cos'], /^posenc: dim must be an integer.*got 0\n$/],
  ] as const;
  const refused = await runAll(cases.map(([args]) => [args]));
  for (const [k, [, message]] of cases.entries()) {
    const { code, out, error } = refused[k];
    assert.deepEqual([code, out], [2, ''], error);
    assert.match(error, message);
  }
});

test('the help of each subcommand fits one screen, with an example', async () => {
  const names = ['show', 'table', 'check', 'diff', 'vectors'];
  const said = await runAll([[[]], [['--help']], [['--version']]]);
  assert.deepEqual([said[0].out, ...said.map(({ code }) => code)], [said[1].out, 2, 0, 0]);
  assert.match(said[2].out, /^\d+\.\d+\.\d+\n$/);
  for (const [k, { code, out }] of (await runAll(names.map((name) => [[name, '--help']]))).entries()) {
    assert.equal(code, 0);
    assert.ok(out.split('\n').length <= 24 && out.split('\n').every((line) => line.length <= 100), names[k]);
    assert.match(out, new RegExp(`\n\n {2}posenc ${names[k]} `));
  }
});

test('a disk that is full is an error', { skip: !existsSync('/dev/full') }, () => {
  const args = ['-c', `"${process.execPath}" "${command}" show '${LLAMA}' > /dev/full`];
  const { status, stderr } = spawnSync('sh', args, { cwd: folder, encoding: 'utf8' });
  assert.match(`${status} ${stderr}`, /^2 posenc: the output can't be written: ENOSPC.*\n$/);
});

test('a pipe that ends early is no error', async () => {
  const child = spawn('sh', [
    '-c',
    `"${process.execPath}" "${command}" table --rotary dim=128 --what cos --length 2000 | head -1`,
  ]);
  let error = '';
  child.stderr.on('data', (text) => {
    error += text;
  });
  await new Promise((resolve) => child.on('close', resolve));
  assert.equal(error, '');
});

test('a model is fetched from HF_ENDPOINT, with the token, and what it answers is said in one line', async () => {
  const server = createServer((request, response) => {
    const { url, headers } = request;
    if (url === '/me/gated/resolve/main/config.json' && headers.authorization !== 'Bearer secret')
      response.statusCode = 401;
    else if (url === '/me/none/resolve/main/config.json') response.statusCode = 404;
    else if (url === '/me/ends/resolve/main/config.json') return response.destroy();
    response.end(url?.includes('page') ? '<html>' : readFileSync(path(LLAMA)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const HF_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const cases = [
    ['me/model', '', /^0 rotary, /],
    ['me/gated', 'secret', /^0 rotary, /],
    ['me/gated', '', /^2 posenc: me\/gated: http.* answers 401: there is no such model, or it needs a token .*\n$/],
    ['me/none', '', /^2 posenc: .* answers 404: there is no such model, or it has no config\.json\n$/],
    ['me/ends', '', /^2 posenc: .* does not answer \(\w+\)\n$/],
    ['me/page', '', /^2 posenc: me\/page is no config: it is HTML\n$/],
  ] as const;
  try {
    const asked = await runAll(cases.map(([name, HF_TOKEN]) => [['show', name], '', { HF_ENDPOINT, HF_TOKEN }]));
    for (const [k, { code, out, error }] of asked.entries()) assert.match(`${code} ${out}${error}`, cases[k][2]);
  } finally {
    server.close();
  }
});
