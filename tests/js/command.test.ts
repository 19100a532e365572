import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { alibi, load, rotary, sinusoidal } from 'posenc';
import { readNpy, writeNpy } from 'posenc/files';
import { readGolden } from './helpers.ts';

await load();

const command = fileURLToPath(new URL('../../dist/command.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'posenc-command-'));
after(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const { models } = JSON.parse(readGolden('model-configs.json'));
for (const { name, config } of models) writeFileSync(path(`${name}.json`), JSON.stringify(config));

/** Runs it in the folder of the files. */
function run(args: string[], input?: string | Uint8Array) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: folder, input });
  return { code: status, out: String(stdout), error: String(stderr), bytes: stdout };
}

const LLAMA = 'Llama-3.1-8B-Instruct.json';

test('show says what each group of layers has, in 100 columns', () => {
  // All in one process, which takes a tenth of the time.
  const names = JSON.stringify(models.map(({ name }: { name: string }) => `${name}.json`));
  const script = `for (const name of ${names}) {
    process.argv = ['', '', 'show', name];
    await import('${pathToFileURL(command)}?' + name);
  }`;
  const args = ['--no-warnings', '--input-type=module', '--eval', script];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  const lines = stdout.split('\n');
  assert.ok(lines.length > 5 * models.length);
  for (const line of lines) assert.ok(line.length <= 100, line);
  assert.match(
    run(['show', LLAMA]).out,
    /rotary.*base +500000\n.*scaling +llama3, factor 8,.*inv_freq +64 from 1 to 3\.06892599e-7/s,
  );
  const { out } = run(['show', 'gemma-3-1b-it.json', '--layer', '5', '--json']);
  const [{ layers, kind, spec, frequencies, attentionFactor }, ...others] = JSON.parse(out);
  assert.deepEqual(
    [layers, kind, spec.base, frequencies.length, attentionFactor],
    [[5, 11, 17, 23], 'rotary', 1e6, 128, 1],
  );
  assert.equal(others.length, 0);
});

test('table writes exact numbers in each format, and check reads them', async () => {
  const options = ['table', LLAMA, '--what', 'cos', '--positions', '0,57,8191'];
  const { spec } = JSON.parse(run(['show', LLAMA, '--json']).out)[0];
  const right = rotary(spec).tables([0, 57, 8191]).cos.data;
  assert.deepEqual((await readNpy(run([...options, '--as', 'npy']).bytes)).data, right);
  assert.deepEqual(Float32Array.from(JSON.parse(run([...options, '--as', 'json']).out).flat()), right);
  const numbers = run([...options, '--as', 'csv'])
    .out.split(/[\n,]/)
    .slice(0, -1);
  assert.deepEqual(Float32Array.from(numbers, Number), right);
  assert.match(run([...options, '--as', 'c']).out, /^static const float posenc_cos\[3\]\[64\] =\n {2}\{\{1\.0f,1\.0f/);
  const frequencies = run(['table', LLAMA, '--what', 'inv_freq']).out;
  assert.match(frequencies, /^0: +1\n1: +0\.814617234\n/);
  assert.match(run(['check', '-', '--config', LLAMA], frequencies).out, /^right\n64 of 64/);
  const { out } = run(options);
  assert.match(out, /^57: {9}0\.899866819 /m);
  for (const line of out.split('\n')) assert.ok(line.length <= 100);
  for (const columns of ['dim', 'interleaved', 'pairs'])
    for (const as of ['text', 'csv', 'json', 'c', 'npy']) {
      const table = run(['table', LLAMA, '--what', 'cos', '--length', '64', '--columns', columns, '--as', as]);
      const { code, out } = run(['check', '-', '--config', LLAMA], table.bytes);
      assert.match(`${code} ${out}`, columns === 'interleaved' ? /^1 layout is/ : /^0 right\n/, `${columns} ${as}`);
    }
});

test('table takes specs, and writes what each kind has', () => {
  for (const [options, start] of [
    [['--alibi', 'heads=8', '--what', 'slopes', '--as', 'json'], '[0.5,0.25,0.125,'],
    [['--alibi', 'heads=8', '--what', 'bias', '--length', '2', '--as', 'json'], '[[[0,0.5],[-0.5,0]],'],
    [['--alibi', 'heads=8', '--what', 'bias', '--positions', '2', '--as', 'json'], '[[[-1,-0.5,0]],'],
    [['--sinusoidal', 'dim=4,layout=sin-cos', '--what', 'rows', '--positions', '0', '--as', 'csv'], '0,0,1,1\n'],
    [
      ['--rotary', 'dim=4,base=1e12,scaling.type=linear,scaling.factor=10', '--what', 'inv_freq', '--as', 'c'],
      'static const float posenc_inv_freq[2] =\n  {0.1f,1e-7f};\n',
    ],
    [
      [LLAMA, '--what', 'cos', '--numerics', 'float32', '--positions', '8191', '--as', 'csv'],
      '-0.646390498,0.977398813,',
    ],
    [['--grid', 'dim=8,shape=2x3', '--what', 'rows', '--as', 'csv'], '0,0,1,1,0,0,1,1\n'],
    [['t5-small.json', '--part', 'encoder', '--what', 'buckets', '--length', '3', '--as', 'json'], '[[0,17,18],'],
    [
      ['t5-small.json', '--part', 'encoder', '--what', 'buckets', '--length', '2', '--as', 'c'],
      'static const int posenc_buckets[2][2] =\n  {{0,17},',
    ],
  ] as const) {
    const { out, error } = run(['table', ...options]);
    assert.ok(out.startsWith(start), `${options}: ${out.slice(0, 80)}${error}`);
  }
});

test('check names a table or what differs from a config, with the exit code', () => {
  const { data, shape } = rotary({ dim: 128 }).tables(256).cos;
  writeFileSync(path('cos.npy'), writeNpy({ data, shape }));
  const noise = { data: Float32Array.from({ length: 4096 }, (_, i) => Math.sin(i * i)), shape: [64, 64] };
  writeFileSync(path('noise.npy'), writeNpy(noise));
  const descending = sinusoidal({ dim: 64 }).encode(64, { start: 40, step: -1 });
  writeFileSync(path('descending.npy'), writeNpy(descending));
  writeFileSync(path('zeros.npy'), writeNpy({ ...descending, data: new Float32Array(4096) }));
  // A missing factor 2 makes the table of base 100, which nobody chooses.
  writeFileSync(path('halved.npy'), writeNpy(sinusoidal({ dim: 64, base: 100 }).encode(64)));
  writeFileSync(path('own.npy'), writeNpy(rotary({ dim: 64, base: 12345 }).tables(64).cos));
  writeFileSync(path('whole.npy'), writeNpy(sinusoidal({ dim: 1024, preset: 'fairseq' }).encode(32, { start: 0 })));
  // Of eight heads one, or one cell, has other values.
  const bias = alibi({ heads: 8 }).bias(16, 16, { symmetric: true });
  writeFileSync(path('head.npy'), writeNpy({ ...bias, data: bias.data.map((v, i) => (i >> 8 === 3 ? v / 3 : v)) }));
  writeFileSync(path('cell.npy'), writeNpy({ data: data.map((v, i) => (i === 99 ? 7 : v)), shape }));
  for (const [args, code, first] of [
    [['head.npy'], 1, /^head 3, counted from 0, has other values \[cells\]\n/],
    [['cell.npy'], 1, /^1 of 16384 values differ \[cells\]\n/],
    [['cos.npy'], 0, /^right\nrotary\(\{ dim: 128/],
    [['cos.npy', '--start', '1'], 1, /^start is 0, not 1 \[start\]\n/],
    [['cos.npy', '--config', 'Qwen3 MoE.json'], 1, /^base is 10000, not \d+ \[base\]\n/],
    [['noise.npy'], 3, /can’t say/],
    [
      ['own.npy'],
      3,
      /^posenc can’t say whether it is right: no system known here has this base\nrotary\(\{ dim: 64, base: 12345 \}\)/,
    ],
    [['zeros.npy'], 3, /^this is no encoding’s table: all its values are 0\n/],
    [['descending.npy'], 0, /^right\nsinusoidal\(.*rows from position 40, step -1\n/],
    [['halved.npy'], 1, /^the exponent lacks its factor 2, i\/dim \[exponent-halved\]\n/],
    [['whole.npy', '--config', 'nllb-200-distilled-600M.json', '--start', '0'], 0, /^right\n/],
    [['cos.npy', '--config', 'Jamba.json'], 3, /^$/],
    [['none.npy'], 2, /^$/],
  ] as const) {
    const { code: is, out, error } = run(['check', ...args]);
    assert.equal(is, code, `${args}: ${out}${error}`);
    assert.match(out, first);
  }
  const { differences, cells } = JSON.parse(run(['check', 'cos.npy', '--config', LLAMA, '--json']).out);
  assert.deepEqual([cells, differences.length > 0], [256 * 64, true]);
});

test('diff compares two configs layer by layer', () => {
  const { code, out } = run(['diff', LLAMA, 'Llama-3.2-1B-Instruct.json']);
  assert.deepEqual(
    [code, out],
    [1, 'dim: 128 | 64, layers 0-31\nrotaryDim: 128 | 64, layers 0-31\nscaling.factor: 8 | 32, layers 0-31\n'],
  );
  assert.deepEqual(run(['diff', LLAMA, LLAMA]), {
    code: 0,
    out: 'the same\n',
    error: '',
    bytes: Buffer.from('the same\n'),
  });
  // Both have the length, on which the scaling depends.
  const scaling = { rope_type: 'dynamic', factor: 4 };
  const dynamic = { model_type: 'llama', head_dim: 64, max_position_embeddings: 2048, rope_scaling: scaling };
  writeFileSync(path('dynamic.json'), JSON.stringify(dynamic));
  assert.equal(run(['diff', 'dynamic.json', 'dynamic.json', '--length', '100000']).out, 'the same\n');
  const [first, ...others]: any[] = JSON.parse(run(['diff', 'gemma-3-1b-it.json', LLAMA, '--json']).out);
  assert.deepEqual(first.field, 'dim');
  assert.equal(others.find(({ a }) => a === 'no such layer')?.layers.at(-1), 31);
});

test('errors are one line that names the argument', () => {
  writeFileSync(path('page.json'), '<!doctype html>');
  writeFileSync(path('empty.json'), '');
  writeFileSync(
    path('binary.json'),
    Uint8Array.from({ length: 999 }, (_, k) => k * k),
  );
  writeFileSync(path('huge.json'), '{}');
  truncateSync(path('huge.json'), 3e9);
  for (const [args, message] of [
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
    [['table', LLAMA, '--what', 'rows'], /^posenc: --what must be one of inv_freq, cos, sin, got rows\n$/],
    [['table', 'gemma-3-1b-it.json', '--what', 'cos'], /^posenc: --layer must be given/],
    [['table', '--rotary', 'dim=0', '--what', 'cos'], /^posenc: dim must be an integer.*got 0\n$/],
  ] as const) {
    const { code, out, error } = run([...args]);
    assert.deepEqual([code, out], [2, ''], error);
    assert.match(error, message);
  }
});

test('the help of each subcommand fits one screen, with an example', () => {
  for (const name of ['show', 'table', 'check', 'diff', 'vectors']) {
    const { code, out } = run([name, '--help']);
    assert.equal(code, 0);
    assert.ok(out.split('\n').length <= 24 && out.split('\n').every((line) => line.length <= 100), name);
    assert.match(out, new RegExp(`\n\n {2}posenc ${name} `));
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
    `"${process.execPath}" "${command}" table --rotary dim=128 --what cos --length 20000 | head -1`,
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
  const ask = (name: string, env = {}) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [command, 'show', name], {
        cwd: folder,
        env: { ...process.env, HF_ENDPOINT, ...env },
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part) => {
          text += part;
        });
      child.on('close', (code) => resolve(`${code} ${text}`));
    });
  try {
    assert.match(await ask('me/model'), /^0 rotary, /);
    assert.match(await ask('me/gated', { HF_TOKEN: 'secret' }), /^0 rotary, /);
    assert.match(
      await ask('me/gated', { HF_TOKEN: '' }),
      /^2 posenc: me\/gated: http.* answers 401: there is no such model, or it needs a token .*\n$/,
    );
    assert.match(
      await ask('me/none'),
      /^2 posenc: .* answers 404: there is no such model, or it has no config\.json\n$/,
    );
    assert.match(await ask('me/ends'), /^2 posenc: .* does not answer \(\w+\)\n$/);
    assert.match(await ask('me/page'), /^2 posenc: me\/page is no config: it is HTML\n$/);
  } finally {
    server.close();
  }
});
