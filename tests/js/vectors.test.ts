import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const command = path('../../dist/command.js');
const folder = mkdtempSync(join(tmpdir(), 'posenc-vectors-'));
after(() => rmSync(folder, { recursive: true }));
execFileSync(process.execPath, [command, 'vectors', '-o', folder]);
const files = readdirSync(folder).sort();
const vectors = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));

/** Runs the port of port.py, or another. */
const run = (env: object, groups: string[] = [], port = `python3 '${path('port.py')}'`) =>
  new Promise<{ code: number | null; out: string }>((resolve) => {
    const args = [command, 'vectors', '--run', port, ...groups.flatMap((group) => ['--group', group])];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.on('close', (code) => resolve({ code, out }));
  });

/** Ports that fail, what is said of them, and the groups that they are asked for besides one. */
const PORTS = [
  ['cat > /dev/null', /no answer in 10 s/],
  ['read line; exit 3', /the port ended \(3\)/],
  ['no-such-command', /the port ended \(127\)/],
  ['while read line; do echo \'[1, "2"]\'; done', /not an array of numbers: \[1, "2"\]/],
  ["while read line; do echo '[]'; done", /0 numbers, not 8/],
  [`while read line; do echo '[${[...Array(9).keys()].map((k) => 2 ** -k / 2)}]'; done`, /9 numbers, not 8/],
  // Each failure comes after an answer: the port is asked to the end.
  ['read line; echo null; read line; exit 3', /^alibi-8 +skipped$/m, 'llama-cache', 'gemma-3-4b-full'],
] as const;
/** Beside the other tests: the command waits ten seconds for the first. */
const failing = Promise.all(PORTS.map(([port, , ...others]) => run({}, [...others, 'alibi-8'], port)));

test('the vectors are the same bytes on every machine, and small', () => {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(join(folder, file));
    assert.ok(bytes.length <= 60_000, `${file} has ${bytes.length} bytes`);
    hash.update(bytes);
  }
  assert.ok(files.length >= 26);
  const listed = execFileSync(process.execPath, [command, 'vectors', '--list', '--group', vectors[1].id]);
  assert.match(String(listed), new RegExp(`^${vectors[1].id} +\\S.*\n$`));
  // Llama 4's class token, which doesn't turn, comes last.
  const { cos } = vectors.find(({ id }) => id === 'llama-4-grid');
  assert.ok(cos[0] < 1 && cos.slice(-32).every((value: number) => value === 1));
  assert.equal(hash.digest('hex'), '6633f57a214ba2be441f6d2fdcaf139b76cf01eafb104b7a78e02b8cbf2c106b');
});

test('three cells tell each mistake from the right values and from the other mistakes', () => {
  for (const { id, mistakes, table, tolerance, columns } of vectors) {
    assert.ok(mistakes.length > 0, id);
    const limit = (position: any) => tolerance.absolute + tolerance.per_position * Math.max(...[position].flat());
    for (const { bug, of, cells } of mistakes) {
      assert.ok(cells.length === 3 || of === 'softmax_factor', `${id}: ${bug}`);
      if (of !== 'cos' || !table) continue;
      const isRight = ([position, pair, value]: [any, number, number]) => {
        const { cos } = table.find((row: any) => String(row.position) === String(position));
        return Math.abs(cos[columns ? columns.indexOf(pair) : pair] - value) <= limit(position);
      };
      assert.ok(!cells.every(isRight), `${id}: ${bug}`);
    }
    const told = mistakes.map(({ of, cells }: any) => JSON.stringify([of, cells]));
    assert.equal(new Set(told).size, told.length, id);
  }
});

test('right ports pass in float64 and float32, and one in bfloat16 fails where frequencies are', async () => {
  const [double, single, brief] = await Promise.all(['float64', 'float32', 'bfloat16'].map((TYPE) => run({ TYPE })));
  for (const { code, out } of [double, single]) {
    assert.equal(code, 0, out);
    assert.equal(out.match(/ passed$/gm)?.length, 30);
  }
  assert.equal(brief.code, 1);
  assert.deepEqual(brief.out.match(/^[\w.-]+(?= +passed$)/gm), [
    ...['smollm3-still', 'ministral-3-queries', 'left-padding', 'opt-1.3b', 'alibi-8', 'alibi-12', 'mpt-40'],
    ...['t5-encoder', 't5-decoder'],
  ]);
});

/** The group that catches each mistake of the port, and its name there if it is another. */
const CAUGHT: [bug: string, group: string, named?: string][] = [
  ['layout', 'llama-3.1-8b'],
  ['base', 'qwen2.5-7b'],
  ['scaling', 'llama-3.1-8b'],
  ['factor', 'llama-3.2-1b'],
  ['freq-factors-swapped', 'llama-3.1-8b'],
  ['truncate', 'gpt-oss-120b'],
  ['truncate', 'qwen2.5-7b-yarn'],
  ['attention-factor-missing', 'gpt-oss-120b'],
  ['attention-factor', 'gpt-oss-factor-1'],
  ['mscale', 'deepseek-v3'],
  ['layer', 'gemma-3-4b-sliding'],
  ['sequence-length', 'phi-3.5-short'],
  ['exponent-over-head-dim', 'phi-2'],
  ['dim', 'mistral-nemo-12b'],
  ['frequencies-bfloat16', 'mistral-7b-v0.3'],
  ['positions-bfloat16', 'mistral-7b-v0.3'],
  ['start', 'llama-cache'],
  ['layer-rotates', 'smollm3-still'],
  ['padding-ignored', 'left-padding'],
  ['offset', 'opt-1.3b', 'start'],
  ['heads-plain', 'alibi-12'],
  ['slopes', 'alibi-8', 'start'],
  ['max-distance', 't5-encoder'],
  ['missing', 'ministral-3-queries'],
];

for (const [bug, group, named = bug] of CAUGHT) {
  test(`${group} catches ${bug}, and names it`, async () => {
    const { code, out } = await run({ BUG: bug }, [group]);
    assert.equal(code, 1);
    assert.match(out, new RegExp(`^${group} .*(position|number) .* \\[${named}\\]\\n$`));
  });
}

test('frequencies are compared in proportion to their size', async () => {
  const { code, out } = await run({ BUG: 'slowest' }, ['llama-3.1-8b']);
  assert.deepEqual([code, out], [1, 'llama-3.1-8b              inv_freq, number 54: 0, not 0.00000194269254\n']);
});

test('a mistake is not named by a few of its cells', async () => {
  const { code, out } = await run({ BUG: 'buckets-from-1' }, ['t5-encoder']);
  assert.deepEqual([code, out], [1, 't5-encoder                buckets, position -200, column 0: 16, not 15\n']);
});

test('a port that hangs, dies, prints nonsense or can’t be started fails its cases', async () => {
  for (const [k, { code, out }] of (await failing).entries()) {
    assert.equal(code, 1, PORTS[k][0]);
    assert.match(out, PORTS[k][1]);
  }
});

test('a program of the guide reads the files', () => {
  const guide = readFileSync(path('../../web/posenc/README.md'), 'utf8');
  const [, program] = /```python\n(import json, math\n.*?)```/s.exec(guide) ?? [];
  assert.ok(program.trim().split('\n').length <= 15);
  const call = `print(check('${join(folder, 'llama-cache.json')}', wave))\nprint(check('${join(folder, 'glm-4-9b.json')}', lambda *_: ([1] * 32, [0] * 32)))`;
  const plain =
    'def wave(vector, position):\n    angles = [position * f for f in vector["inv_freq"]]\n    return [math.cos(a) for a in angles], [math.sin(a) for a in angles]\n';
  assert.match(
    execFileSync('python3', ['-c', `${program}\n${plain}${call}`], { encoding: 'utf8' }),
    /^None\n\(1, 0, 1, 0\.5403\d+, \[\]\)\n$/,
  );
});
