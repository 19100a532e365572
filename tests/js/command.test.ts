import assert from 'node:assert/strict';
import { type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { load, rotary } from 'posenc';
import { writeNpy } from 'posenc/files';
import { compare } from 'posenc/identify';
import { readGolden } from './helpers.ts';
import { root } from './texts.ts';

await load();

const folder = mkdtempSync(join(tmpdir(), 'posenc-command-'));
const place = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const COMMAND = join(root, 'dist/command.js');

function run(args: string[], options: SpawnSyncOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8', ...options });
  return { status, out: `${stdout}`, error: `${stderr}` };
}

const scaling = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
const llama = {
  ...{ model_type: 'llama', head_dim: 64, num_hidden_layers: 4, rope_theta: 500000 },
  rope_scaling: { ...scaling, original_max_position_embeddings: 8192 },
};
const gemma = { model_type: 'gemma3_text', head_dim: 64, num_hidden_layers: 12, rope_theta: 1000000 };
const config = place('config.json', JSON.stringify(llama));
const layered = place('gemma.json', JSON.stringify(gemma));

test('show says what each layer has, for people and for programs', () => {
  const { status, out, error } = run(['show', config]);
  assert.deepEqual([status, error], [0, '']);
  assert.match(out, /^layers 0-3: rotary\n {2}dim +64\n {2}base +500000\n.*\n {2}scaling +llama3, factor 8,/);
  assert.ok(out.split('\n').every((line) => line.length <= 100));
  const [group] = JSON.parse(run(['show', '-', '--json'], { input: JSON.stringify(llama) }).out);
  assert.deepEqual([group.layers, group.kind, group.attention_factor], [[0, 1, 2, 3], 'rotary', 1]);
  assert.ok(Math.abs(group.inv_freq[31] - 500000 ** (-62 / 64) / 8) < 1e-12);
  assert.match(
    run(['show', layered, '--layer', '5']).out,
    /^layers 5, 11 \(full_attention\): rotary\n.*\n {2}base +1000000/,
  );
});

test('show and table fit 100 columns for every model', () => {
  const { models } = JSON.parse(readGolden('model-configs.json'));
  for (const { name, config } of models) {
    const { status, out, error } = run(['show', '-'], { input: JSON.stringify(config) });
    assert.deepEqual([status, error], [0, ''], name);
    assert.ok(
      out.split('\n').every((line) => line.length <= 100),
      out,
    );
  }
  const { out, error } = run(['table', config, '--what', 'cos']);
  assert.ok(out.split('\n').every((line) => line.length <= 100));
  assert.match(error, /^note: not in the file: layout half/);
});

test('table prints exact numbers in each form, and check reads them', () => {
  const cos = ['table', config, '--what', 'cos', '--positions', '0,57,8191'];
  const [{ spec }] = JSON.parse(run(['show', config, '--json']).out);
  const right = rotary(spec).tables([0, 57, 8191], { columns: 'dim' }).cos.data;
  const numbers = (text: string) => Float32Array.from(text.match(/-?[\d.]+(e-\d+)?/g) as string[], Number);
  assert.deepEqual(numbers(run([...cos, '--as', 'json']).out), right);
  assert.deepEqual(numbers(run([...cos, '--as', 'csv']).out), right);
  const { out } = run([...cos, '--as', 'c']);
  assert.match(out, /^static const float cos\[3\]\[64\] = \{\{1\.0f, /);
  assert.deepEqual(numbers(out.slice(out.indexOf('{'))), right);
  for (const form of ['csv', 'json', 'npy'])
    for (const columns of ['dim', 'pairs', 'interleaved']) {
      const file = join(folder, `cos.${form}`);
      run(['table', config, '--what', 'cos', '--length', '64', '--as', form, '--columns', columns, '-o', file]);
      assert.match(run(['check', file]).out, /^rotary, cos, dim 64, .*base 500000/);
      const { status, out } = run(['check', file, '--config', config]);
      assert.equal(status, columns === 'interleaved' ? 1 : 0, out);
      assert.match(out, columns === 'interleaved' ? /^layout is interleaved, not half/ : /^right, as layers 0-3 \(all/);
    }
  assert.match(run(['table', '--rotary', 'dim=8,base=5e5']).out, /^0: +1\n1: +0\.0376060309\n/);
  assert.equal(run(['table', '--alibi', 'heads=2', '--as', 'json']).out, '[0.0625, 0.00390625]\n');
  assert.equal(run(['table', '--relative-buckets', 'type=t5', '--length', '2', '--as', 'csv']).out, '0,17\n1,0\n');
  assert.match(run(['table', '--grid', 'dim=8,shape=2x3', '--as', 'csv']).out, /^0,0,1,1,0,0,1,1\n/);
  assert.match(run(['table', layered]).error, /--layer must be given, since layers differ: layers 0-4, 6-10/);
});

test('check and diff answer by their exit code, and say first how it differs', () => {
  const late = rotary({ dim: 64, base: 10000 }).tables(64, { columns: 'dim', start: 1 }).cos;
  const file = place('late.npy', writeNpy(late));
  const { status, out } = run(['check', file, '--config', config]);
  assert.equal(status, 1);
  assert.match(out, /^(?=.*base is 10000, not 500000)(?=.*scaling is missing)(?=.*start is 1, not 0)/);
  const [compared] = JSON.parse(run(['check', file, '--config', layered, '--start', '1', '--json']).out);
  assert.deepEqual([compared.layers[0], compared.differences], [0, []]);
  const noise = place(
    'noise.csv',
    Array.from({ length: 8 }, (_, k) => [1, 2, 3, 4].map((c) => Math.sin(c * c + k ** 3))).join('\n'),
  );
  assert.deepEqual([run(['check', noise]).status, run(['check', noise]).out], [3, 'no encoding known here\n']);
  assert.equal(run(['diff', config, config]).status, 0);
  const other = place('other.json', JSON.stringify({ ...llama, rope_scaling: { ...llama.rope_scaling, factor: 32 } }));
  assert.deepEqual(run(['diff', config, other]), { status: 1, out: 'layers 0-3: scaling.factor: 8 → 32\n', error: '' });
});

test('what is wrong is one line on standard error, with the code 2, and help has a screen', () => {
  const html = place('page.json', '<!doctype html>');
  for (const [args, message] of [
    [['shwo'], /^posenc: there is no command shwo/],
    [['show'], /a FILE or MODEL is missing/],
    [['show', join(folder, 'none.json')], /none\.json can’t be read: ENOENT/],
    [['show', html], /is no config: it is HTML/],
    [['show', config, '--layer', '9'], /--layer must be from 0 to 3, got 9/],
    [['show', config, '--lyer', '9'], /Unknown option '--lyer'/],
    [['table', '--rotary', 'dim=7'], /dim must be even/],
    [['table', '--rotary', 'dim:8'], /a field is name=value, got dim:8/],
    [['table', config, '--what', 'rows'], /--what must be inv_freq or cos or sin for rotary, got rows/],
    [['check', config], /is no table: Line 1/],
    [['vectors', '--group', 'nothing'], /there is no group nothing; --list names them/],
  ] as [string[], RegExp][]) {
    const { status, out, error } = run(args);
    assert.deepEqual([status, out], [2, ''], `${args}`);
    assert.match(error, message);
    assert.match(error, /^posenc: [^\n]+\n$/);
  }
  for (const name of ['', 'show', 'table', 'check', 'diff', 'vectors']) {
    const { status, out } = run([...(name ? [name] : []), '--help']);
    assert.equal(status, 0);
    assert.ok(out.split('\n').length <= 30 && out.split('\n').every((line) => line.length <= 100), name);
    if (name) assert.match(out, new RegExp(`\\n {2}posenc ${name} `), 'an example');
  }
});

test('a model’s name is fetched, and only a name', async () => {
  const asked: [url?: string, token?: string][] = [];
  const server = createServer(({ url, headers }, answer) => {
    asked.push([url, headers.authorization]);
    if (url === '/some/model/resolve/main/config.json') answer.end(JSON.stringify(llama));
    else if (url?.startsWith('/html')) answer.end('<html>');
    else answer.writeHead(url?.startsWith('/gated') ? 401 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const HF_ENDPOINT = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const show = (name: string) =>
    new Promise<[code: number | null, text: string]>((resolve) => {
      const child = spawn(process.execPath, [COMMAND, 'show', name], {
        env: { ...process.env, HF_ENDPOINT, HF_TOKEN: 'secret' },
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
      child.on('close', (code) => resolve([code, text]));
    });
  try {
    assert.match((await show('some/model'))[1], /^layers 0-3: rotary/);
    for (const [name, message] of [
      ['gated/model', /asks for access: set HF_TOKEN/],
      ['lost/model', /answers 404\n$/],
      ['html/model', /is no config: it is HTML/],
    ] as const) {
      const [code, text] = await show(name);
      assert.equal(code, 2);
      assert.match(text, message);
    }
    assert.deepEqual(asked[0], ['/some/model/resolve/main/config.json', 'Bearer secret']);
    const count = asked.length;
    await show(config);
    assert.equal(asked.length, count);
  } finally {
    server.close();
  }
});

const made = join(folder, 'vectors');
run(['vectors', '-o', made]);
const groups = Object.fromEntries(
  readdirSync(made).map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(made, name), 'utf8'))]),
);

test('vectors are the same on every machine, and each group is small', () => {
  const names = readdirSync(made);
  assert.ok(names.length >= 26);
  const hash = createHash('sha256');
  for (const name of names.sort()) {
    const text = readFileSync(join(made, name));
    assert.ok(text.length <= 60_000, `${name}: ${text.length}`);
    hash.update(text);
  }
  assert.equal(hash.digest('hex'), HASH);
  const listed = run(['vectors', '--list']).out.trim().split('\n');
  assert.deepEqual(listed.map((line) => line.split(' ')[0]).sort(), Object.keys(groups).sort());
});

test('each mistake is one that compare names, and its cells are those of that bug alone', () => {
  const seen = new Set<string>();
  for (const { mistakes = [], table, tolerance, columns, inv_freq } of Object.values<any>(groups)) {
    const pairs: number[] = columns ?? inv_freq?.map((_: number, k: number) => k);
    for (const { bug, cells } of mistakes) {
      seen.add(bug);
      assert.equal(cells.length, 3);
      for (const [position, pair, cos] of cells) {
        const right = table.find((row: any) => row.position === position).cos[pairs.indexOf(pair)];
        assert.ok(Math.abs(cos - right) > 4 * (tolerance.absolute + tolerance.per_position * position), bug);
      }
    }
  }
  assert.ok(seen.size >= 12, `${[...seen]}`);
  const { inv_freq: frequencies } = groups['llama-3.1-8b'];
  assert.deepEqual(
    compare(rotary({ dim: 128, frequencies }).tables(99), rotary({ dim: 128, base: 500000 })).differences,
    [{ id: 'scaling', note: 'scaling is llama3, where there is none' }],
  );
});

const ROTATIONS = [
  'llama-2-7b',
  'llama-3.1-8b',
  'mistral-nemo',
  'gpt-oss-20b',
  'qwen2.5-7b-yarn',
  'gpt-j-6b',
  'phi-2',
  'glm-4-9b',
];
const ask = (bug: string, names: string[]) =>
  run([
    'vectors',
    ...names.flatMap((name) => ['--group', name]),
    '--run',
    `python3 ${join(root, 'tests/js/port.py')} ${bug}`,
  ]);

/** A group for each bug of a port. The others' message has no name. */
const CAUGHT: [bug: string, group: string, message: RegExp][] = [
  ...[
    ...[
      ['base', 'llama-3.1-8b'],
      ['scaling', 'llama-3.1-8b'],
      ['factor', 'gpt-oss-20b'],
    ],
    ...[
      ['original-max-position-embeddings', 'llama-3.1-8b'],
      ['freq-factors-swapped', 'llama-3.1-8b'],
    ],
    ...[
      ['truncate', 'gpt-oss-20b'],
      ['attention-factor-missing', 'gpt-oss-20b'],
    ],
    ...[
      ['attention-factor-squared', 'qwen2.5-7b-yarn'],
      ['exponent-over-head-dim', 'phi-2'],
    ],
    ...[
      ['frequencies-bfloat16', 'llama-2-7b'],
      ['positions-bfloat16', 'llama-2-7b'],
      ['angles-bfloat16', 'llama-2-7b'],
    ],
    ['start', 'llama-2-7b'],
  ].map(([bug, group]): [string, string, RegExp] => [bug, group, new RegExp(`cos, .*looks like ${bug}(;|$)`, 'm')]),
  ['layout', 'gpt-j-6b', /FAILED {2}apply, /],
  ['head-dim', 'mistral-nemo', /inv_freq, 80 numbers, not 64/],
  ['slopes', 'bloom-560m', /slopes, number 0/],
  ['slopes-interpolated', 'mpt-12-heads', /slopes, number/],
  ['nonsense', 'llama-2-7b', /the answer is no array of numbers/],
  ['dies', 'llama-2-7b', /the port ended/],
];

test('a right port passes, in float64 and in float32, and a port with a bug is told which', () => {
  for (const bug of ['', 'float32']) {
    const { status, out } = ask(bug, ROTATIONS);
    assert.equal(status, 0, out);
    assert.match(out, /8 of 8 groups passed\n$/);
  }
  for (const [bug, group, message] of CAUGHT) {
    const { status, out } = ask(bug, [group]);
    assert.equal(status, 1, `${bug}: ${out}`);
    assert.match(out, message, bug);
  }
});

test('the guide’s reader of vectors takes every table', () => {
  const guide = readFileSync(join(root, 'web/posenc/README.md'), 'utf8');
  const [, reader] = /```python\n(import json.*?)```/s.exec(guide.slice(guide.indexOf('## For ports'))) ?? [];
  assert.ok(reader.trim().split('\n').length <= 15);
  for (const name of ['llama-3.1-8b', 'gemma-3-4b-full']) {
    const file = join(made, `${name}.json`);
    const { status, stderr } = spawnSync('python3', ['-c', reader, file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
});

const HASH = '01428147b2c877885ae9cf0f9d9d90d2a7567104ae9b47a1f462934dd18c9734';
