import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GRIDS, PRESETS, ROTARY_GRIDS } from '../../web/spec/presets.ts';
import { SCALINGS } from '../../web/spec/scalings.ts';
import { gzipped } from '../package/apps.ts';
import { assertAllNear, assertNear, NEAR, readGolden } from './helpers.ts';
import { readTexts, root } from './texts.ts';

const { modules, sum, gpt } = JSON.parse(readGolden('documents.json')); // PyTorch's, of the same seeds
const readmes = Object.fromEntries(Object.entries(readTexts()).filter(([path]) => /(^|\/)README\.md$/.test(path)));

/** For each block of a README, by the fields of what it makes, what its comments say of them. Typed arrays come as lists. */
const checks: Record<string, Record<string, (made: any) => void>> = {
  'README.md': {
    'table, first: rotated.data[0]'({ table, first }) {
      assert.deepEqual([table.shape, table.data[512]], [[128, 512], Math.fround(Math.sin(1))]);
      const [cosine, sine] = [Math.cos(57), Math.sin(57)].map(Math.fround);
      assert.equal(first, Math.fround(cosine - sine));
    },
    'next, some: some.shape, sum'({ next, some, sum }) {
      assert.equal(next.data[0], Math.fround(Math.sin(128)));
      assert.deepEqual([some, sum.shape, sum.data[1]], [[4, 512], [2, 128, 512], 1]);
    },
    'kind, spec, note, dim: encoding.dim'({ kind, spec, note, dim }) {
      assert.deepEqual([kind, spec.dim, spec.base, dim], ['rotary', 128, 500000, 128]);
      assert.match(note, /not in the file: .*layout half/);
    },
  },
  'web/posenc/README.md': {
    'table, next, some, sum, alike, pixels: pixels.length'({ table, next, some, sum, alike, pixels }) {
      assert.deepEqual(table.shape, [128, 512]);
      assert.deepEqual(some.shape, [4, 512]);
      assert.equal(next.data[0], Math.fround(Math.sin(128)));
      assert.deepEqual([sum.shape, sum.data[1]], [[2, 128, 512], 1]);
      assert.deepEqual([alike.shape, pixels], [[128, 128], 4 * 128 * 512]);
    },
    'batchFirst, sequenceFirst'({ batchFirst, sequenceFirst }) {
      const near = NEAR.draw + NEAR.table + NEAR.sum;
      assertNear(batchFirst, modules[0], near, 'batch-first');
      assertNear(batchFirst, modules[1], near, 'batch-first, by exp');
      assertNear(sequenceFirst, modules[2], near / 0.9, 'sequence-first');
    },
    sum: (made) => assertNear(made.sum, sum, 2 * NEAR.draw + NEAR.table + 2 * NEAR.sum, 'sum'),
    'text, inputs, targets, shape, sum'({ text, inputs, targets, shape, sum }) {
      assert.deepEqual([text, shape], [gpt.text, [8, 4]]);
      assert.deepEqual([inputs, targets], [gpt.inputs.flat(), gpt.targets.flat()]);
      assertNear(sum, gpt.sum, 2 * NEAR.draw + NEAR.sum, 'sum');
    },
    'table, target'({ table, target }) {
      assertNear({ data: table.weights, shape: table.shape }, { shape: [16, 8], values: target }, 1e-6, 'learned');
    },
    'sum, next'({ sum, next }) {
      assert.deepEqual([sum.dtype, sum.dims, next.shape], ['float16', [2, 3, 8], [2, 1, 8]]);
      assert.ok(
        sum.data.every((bits: number) => bits > 0 && bits < 0x4001),
        'sums from 0 to 2',
      );
      assert.deepEqual([next.data[0], next.data[8]], [57, 128].map(Math.sin).map(Math.fround));
    },
    'table, match, again'({ table, match, again }) {
      assert.deepEqual([match.preset, match.start, match.spec.base], ['tensor2tensor', 3, 500]);
      assert.deepEqual(again, table);
    },
    'agree, cells, notes'({ agree, cells, notes }) {
      assert.ok(agree < cells);
      assert.deepEqual(notes, ['base is 10000, not 500000', 'start is 1, not 0']);
    },
    'wave, pair, same: frequency === frequencies[1], zeros: { ...last, frequency: String(last.frequency) }, factor, divisor, wavelengths'(
      made,
    ) {
      const { wave, pair, same, zeros, factor, divisor, wavelengths } = made;
      assert.deepEqual([wave, pair, same, factor, divisor], ['cosine', 1, true, 1, 31]);
      assert.deepEqual(zeros, { wave: 'zero', pair: -1, frequency: 'NaN' });
      assert.deepEqual([wavelengths[0], wavelengths.length], [2 * Math.PI, 32]);
    },
    'encoded, features, points: points.data, directions: directions.weights, hour: hours.encode([6]).data, timestep, rows: detr.encode(2, { start: 33 }).data'(
      made,
    ) {
      const { encoded, features, points, directions, hour, timestep, rows } = made;
      const shapes = [encoded, features, timestep].map(({ shape }) => shape.join());
      assert.deepEqual(shapes, ['2,3,20', '2,64,2', '1,320']);
      assert.equal(encoded.data[20 + 2], Math.fround(Math.sin(2 * Math.PI * points[1])));
      assert.equal(encoded.data[80 + 1], Math.fround(Math.cos(Math.PI * points[4])));
      const along = [0, 1, 2].reduce((sum, axis) => sum + points[3 + axis] * directions[3 * 7 + axis], 0);
      const [cosine, sine] = features.data.slice(2 * (64 + 7));
      assert.ok(Math.abs(cosine - Math.cos(20 * Math.PI * along)) < 1e-4);
      assert.ok(Math.abs(sine - Math.sin(20 * Math.PI * along)) < 1e-4);
      assert.deepEqual([hour[0], hour[3]], [1, -1]);
      assert.equal(timestep.data[0], Math.fround(Math.cos(981)));
      // The last cell of the first line, then the first cell of the second.
      const angles = [(2 * Math.PI) / 25, 2 * Math.PI, (4 * Math.PI) / 25, (2 * Math.PI) / 34];
      const sines = [rows[0], rows[128], rows[256], rows[256 + 128]];
      for (const [i, sine] of sines.entries()) assert.ok(Math.abs(sine - Math.sin(angles[i])) < 1e-7, `${i}`);
    },
    'rows: patches.rows, shape: sum.shape, first: sum.data.subarray(0, 3 * 768)'({ rows, shape, first }) {
      assert.deepEqual([rows, shape], [197, [8, 197, 768]]);
      assert.ok(first.slice(0, 768).every((value: number) => value === 0));
      assert.equal(first[2 * 768], Math.fround(Math.sin(1)), 'the width comes first');
    },
    'shape: weights.shape, positions: positions.table.shape, same: weights.data.slice(0, 16).every((value, i) => value === pos_embed.data[i])'(
      made,
    ) {
      const { shape, positions, same } = made;
      assert.deepEqual([shape, positions, same], [[321, 16], [321, 16], true]);
    },
    'shape: cos.shape, one: sin.data[64], rotated, frequencies: llama.frequencies'(made) {
      const { shape, one, rotated, frequencies } = made;
      assert.deepEqual(
        [shape, rotated.shape],
        [
          [8192, 64],
          [1, 32, 10, 128],
        ],
      );
      assert.equal(one, Math.fround(Math.sin(1)));
      assert.ok(Math.abs(frequencies[63] - 500000 ** (-126 / 128) / 8) < 1e-20);
      const [cosine, sine] = [Math.cos(57), Math.sin(57)].map(Math.fround);
      assert.equal(rotated.data[0], Math.fround(cosine - sine));
    },
    'factor: qwen.attentionFactor, query: queries.data, key: keys.data, back'({ factor, query, key, back }) {
      assert.ok(Math.abs(factor - 1.1386294361119891) < 1e-15);
      assert.deepEqual(query.slice(0, 128), key.slice(0, 128));
      assert.ok(Math.abs(query[0] - factor * (Math.cos(40000) - Math.sin(40000))) < 1e-6);
      for (const value of back.data) assert.ok(Math.abs(value - 1) < 1e-6, `${value}`);
    },
    'positions, cos, batch, rows: [0, 1].map((i) => rotated.data.slice((i * 12 + 1) * 5 * 128 - 128)[0]), turned: [turned.data[0], turned.data[12 * 128]]'(
      made,
    ) {
      const { positions, cos, batch, rows, turned } = made;
      assert.deepEqual([positions.shape, positions.next], [[3, 5], 5]);
      assert.deepEqual(positions.data, [0, 1, 2, 2, 4, 0, 1, 2, 2, 4, 0, 1, 2, 3, 4]);
      assert.deepEqual(batch[2], [
        [0, 1, 2, 3, 4],
        [0, 0, 0, 1, 2],
      ]);
      const first = (p: number) => Math.fround(Math.fround(Math.cos(p)) - Math.fround(Math.sin(p)));
      assert.deepEqual([...rows, ...turned], [4, 2, 5, 3].map(first));
      assert.deepEqual(cos.shape, [5, 128]);
      // The last 24 pairs turn by the width, and each value stands twice.
      assert.equal(cos.data[3 * 128 + 40], Math.fround(Math.cos(3 * 1e6 ** (-80 / 128))));
      assert.equal(cos.data[3 * 128 + 39], Math.fround(Math.cos(2 * 1e6 ** (-78 / 128))));
      assert.equal(cos.data[3 * 128 + 64 + 40], cos.data[3 * 128 + 40]);
    },
    'doubled, ramped, factors'({ doubled, ramped, factors }) {
      const text = readmes['web/posenc/README.md'];
      assert.deepEqual([doubled[0], ramped[0], factors[0]], [29, 19, 1]);
      for (const [first, ratios] of [doubled, ramped])
        assert.ok(text.includes(`// pair ${first} on: ${ratios.join(', ')}`));
      assert.ok(text.includes(`// 1, ${factors[1].toFixed(4)}`));
    },
    'half, back, k_proj, bias'({ half, back, k_proj, bias }) {
      const rows = [0, 8].flatMap((first) => [0, 2, 4, 6, 1, 3, 5, 7].map((row) => first + row));
      assert.deepEqual(
        half.data,
        rows.flatMap((row) => [3 * row, 3 * row + 1, 3 * row + 2]),
      );
      assert.deepEqual([back.data, back.shape], [k_proj.data, [16, 3]]);
      assert.deepEqual(bias, [0, 2, 1, 3, 4, 5, 6, 7, 8, 10, 9, 11, 12, 13, 14, 15]);
    },
    'shape: rotated.shape, first: rotated.data.subarray(0, 6 * 64), cos, keys'({ shape, first, cos, keys }) {
      assert.deepEqual(
        [shape, cos.shape],
        [
          [1, 6, 201, 64],
          [864, 80],
        ],
      );
      assert.ok(first.slice(0, 5 * 64).every((value: number) => value === 1));
      const [cosine, sine] = [Math.cos, Math.sin].map((wave) => wave(2 * Math.PI * (1 / 14 - 1)));
      assert.ok(Math.abs(first[5 * 64] - (cosine - sine)) < 1e-6, 'the first cell');
      assert.equal(cos.data[2 * 80], Math.fround(Math.cos(1)), 'the third cell is the first of the second line');
      assert.equal(cos.data[2 * 80 + 20], 1);
      assert.ok(Math.abs(keys.data[0] - (Math.cos(1) - Math.sin(1))) < 1e-6, 'cells count from 1');
      assert.ok(keys.data.slice(-88).every((value: number) => value === 1));
    },
    'first: tables.map(({ sin }) => [0, 8, 36].map((pair) => sin.data[pair])), ltx: [1, 2, 3, 1023].map((pair) => video.cos.data[25 * 1024 + pair])'(
      made,
    ) {
      const { first, ltx } = made;
      const [text, image] = [
        [52, 52, 52],
        [0, -29, -52],
      ];
      assert.deepEqual(first, [text.map(Math.sin).map(Math.fround), image.map(Math.sin).map(Math.fround)]);
      // Cell 25 is at time 0, line 1, column 3.
      const [time, height, width] = [-1, 2 / 64 - 1, 6 / 64 - 1];
      const angles = [time, height, width, width * 1e4].map((place) => (place * Math.PI) / 2);
      for (const [i, angle] of angles.entries()) assert.ok(Math.abs(ltx[i] - Math.cos(angle)) < 1e-7, `${i}`);
    },
    'positions: positions.data, sum: sum.data, input: input.data, table: gpt.table.weights, rotated: rotated.data, next: next.data'(
      made,
    ) {
      const { positions, sum, input, table, rotated, next } = made;
      const expected = [0, 1, 2, 3, 1, 1, 0, 1];
      assert.deepEqual(positions, expected);
      for (const [row, position] of expected.entries()) {
        assert.equal(sum[8 * row], Math.fround(Math.sin(position)));
        assert.deepEqual(input.slice(8 * row, 8 * row + 8), table.slice(8 * position, 8 * position + 8));
        const first = 8 * (3 * 4 * Math.floor(row / 4) + (row % 4)); // of the first head
        assert.ok(Math.abs(rotated[first] - (Math.cos(position) - Math.sin(position))) < 1e-6);
      }
      assert.deepEqual([next[0], next[8]], [4, 2].map(Math.sin).map(Math.fround));
    },
    'length, query: query.data, last: cache.subarray(5 * row, 6 * row), after: cache[6 * row], key: cache[2 * row]'(
      made,
    ) {
      const { length, query, last, after, key } = made;
      assert.deepEqual([length, query, after], [6, last, 0]);
      const turned = [5, 2].map((position) => Math.cos(position) - Math.sin(position));
      for (const [i, value] of [query[0], key].entries()) assert.ok(Math.abs(value - turned[i]) < 1e-6);
    },
    'query: query.data, cache, linear, t5'({ query, cache, linear, t5 }) {
      const turned = (position: number) => Math.cos(position) - Math.sin(position);
      // Batch, head, token: the new one of each sequence, the second of the prompt's shorter one, and a place that is free.
      const at = (b: number, h: number, token: number) => cache[((b * 2 + h) * 16 + token) * 64];
      const got = [query[0], query[2 * 64], at(0, 1, 5), at(1, 0, 5), at(1, 1, 3), at(0, 0, 6)];
      assertAllNear(got, [...[5, 3, 5, 3, 1].map(turned), 0], 1e-6);
      assert.deepEqual(linear.shape, [2, 1, 6]);
      assert.deepEqual(
        linear.data.slice(0, 6),
        [5, 4, 3, 2, 1, 0].map((distance) => -distance / 16 + 0),
      );
      assert.deepEqual(t5.data, [10, 8, 6, 4, 2, 0, 11, 9, 7, 5, 3, 1]);
    },
    'part: part.shape, last: part.data.at(-1), bias, trained, count, pairs'(made) {
      const { part, last, bias, trained, count, pairs } = made;
      assert.deepEqual([part, last], [[32, 256, 4096], 0xfc00]); // -Infinity
      assert.equal(bias.data[0], trained.data[0]);
      assert.equal(bias.data[9], trained.data[8 * (16 + 8)]); // the key 9 after the query
      assert.deepEqual([count, pairs.data[0], pairs.shape], [169, 84, [49, 49]]);
    },
    'free: memory.free, shape: x.shape, dropped: [...x.data].filter((value) => value === 0).length, here: x.data.buffer === tokens.weights.buffer'(
      made,
    ) {
      const { free, shape, dropped, here } = made;
      assert.equal(free, 64 * 2 ** 20 - 4 * 512 * (1000 + 128 + 32 * 128));
      assert.deepEqual([shape, here], [[32, 128, 512], true]);
      assert.ok(dropped > 0.08 * 32 * 57 * 512);
    },
    'cos, shared'({ cos, shared }) {
      assert.deepEqual(
        [cos.shape, cos.data[64], shared[64]],
        [[10, 64], Math.cos(1), Math.sin(1)].map((x) => (Array.isArray(x) ? x : Math.fround(x as number))),
      );
    },
    'kind, spec, note, first: rotary.frequencies[0], local, gpt2'({ kind, spec, note, first, local, gpt2 }) {
      assert.deepEqual([kind, spec.dim, spec.scaling.type, first], ['rotary', 128, 'llama3', 1]);
      assert.equal(note, 'not in the file: layout half');
      assert.equal(local.spec.base, 10000);
      assert.deepEqual(gpt2, { kind: 'learned', spec: { rows: 1024, dim: 768 }, tensor: 'wpe.weight' });
    },
    'smollm3, gemma3, qwen3'(groups) {
      const said = [...readmes['web/posenc/README.md'].matchAll(/^\/\/ (\[\['0,1.*\]\])$/gm)];
      assert.equal(said.length, 3);
      for (const [i, got] of Object.values(groups).entries())
        assert.deepEqual(got, JSON.parse(said[i][1].replaceAll("'", '"').replaceAll('undefined', 'null')));
    },
    'llama4, ministral3'(factors) {
      const { models } = JSON.parse(readGolden('model-queries.json'));
      for (const [i, got] of [factors.llama4, factors.ministral3].entries()) {
        const { positions, factors: its } = models[i];
        assert.deepEqual(got, [[0, 8191, 100000].map((p) => Number(its[positions.indexOf(p)].toFixed(6)))]);
        assert.ok(readmes['web/posenc/README.md'].includes(`// ${JSON.stringify(got).replaceAll(',', ', ')}`));
      }
    },
    'pixart: pixart.encode([64 * 48 - 1]).data, sd3: sd3.encode([0]).data, padded: padded.slice((34 * 19 + 29) * 256, (34 * 19 + 31) * 256), sam: [remembered[256], remembered[(4096 + 1) * 256], remembered[3 * 4096 * 256]]'(
      made,
    ) {
      const { pixart, sd3, padded, sam } = made;
      assert.deepEqual(sam, [Math.fround(Math.fround(Math.cos(1)) - Math.fround(Math.sin(1))), sam[0], 1]);
      const sines = [(47 * 64) / 48 / 2, (63 * 64) / 64 / 2, 72 / 3, 64 / 3, 2 * Math.PI * (1 - 5e-8), 0].map(Math.sin);
      const got = [pixart[0], pixart[576], sd3[0], sd3[768], padded[0], padded[256]];
      assertAllNear(got, sines, 1e-7);
    },
    'points, nerf, mipNerf, moved: moved.data, there: cached.data, packed: packed.slice(128, 130), half: [cos.dtype, cos.dims], step: timesteps.encode([0.75]).data[0], clock: clock.encode([Date.UTC(2026, 0, 1, 6)]).data[0], esm: [...esm.frequencies].slice(0, 2), now: now.shape, mass: masses.encode([500]).data[31]'(
      made,
    ) {
      const { points, nerf, mipNerf, moved, there, packed, half, step, clock, esm, now, mass } = made;
      assert.equal(mass, Math.fround(Math.sin((2 * Math.PI * 500) / 1e4)));
      // The second point: y in the third wave.
      const [y, place] = [4 * points[4], 63 + 3 + 2 * 6 + 1];
      const damping = Math.exp(-0.08);
      const got = [nerf[63], nerf[place], nerf[place + 3], mipNerf[60 + 7] / damping, mipNerf[60 + 37] / damping];
      assertAllNear(got, [points[3], Math.sin(y), Math.cos(y), Math.sin(y), Math.cos(y)], 1e-6);
      for (const [i, value] of moved.entries()) assert.ok(Math.abs(value - there[i]) < 1e-6, `${i}: ${value}`);
      assert.deepEqual(
        [packed, half, now],
        [[Math.cos(1), Math.sin(1)].map(Math.fround), ['float16', [4096, 64]], [1, 4]],
      );
      assert.deepEqual([step, clock, esm], [Math.fround(Math.cos(750)), 1, [1, 0.75]]);
    },
  },
};

const lists = '(_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value)';

for (const [path, text] of Object.entries(readmes)) {
  const blocks = [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
  if (blocks.length === 0 && !(path in checks)) continue;
  test(`the code of ${path} runs and does what it says`, () => {
    const its = Object.entries(checks[path] ?? {});
    assert.equal(blocks.length, its.length, 'a check for each block');
    for (const [i, [fields, check]] of its.entries()) {
      const code = `${blocks[i]}\nconsole.log(JSON.stringify({ ${fields} }, ${lists}));`;
      const options = { cwd: root, maxBuffer: 2 ** 27 };
      const said = `${execFileSync(process.execPath, ['--input-type=module', '--eval', code], options)}`;
      check(JSON.parse(said.split('\n')[0])); // a test of the block reports after that
    }
  });
}

test('the first page is short, and begins with code and the commands of a clone', () => {
  const page = readmes['README.md'];
  const words = page.trim().split(/\s+/);
  assert.ok(words.length <= 1300, `${words.length} words`);
  const screen = page.split('\n').slice(0, 40).join('\n');
  assert.match(screen, /^# posenc\n\n[^`#]+\n\n```js\n.*?^```\n\n```sh\n.*^npm test .*?^```$/ms);
});

test('the sizes that the first page names are those of the built files', () => {
  const sizes = [...readmes['README.md'].matchAll(/^\| `posenc(?:\/([\w.]+))?` \|.*\| (\d+) kB \|$/gm)];
  const [, command] = /^\| `npx posenc` \|.*\| (\d+) kB \|$/m.exec(readmes['README.md'])!;
  sizes.push(['', 'command', command] as any);
  assert.equal(sizes.length, 7);
  for (const [, entry = 'posenc', said] of sizes) {
    const file = entry.includes('.') ? entry : `${entry}.js`;
    const bytes = gzipped(readFileSync(`${root}/dist/${file}`));
    assert.equal(Number(said), Math.ceil(bytes / 1000), `${file} has ${bytes} bytes`);
  }
});

test('the guide has a row for each preset and scaling, with where a preset starts and the keys of a scaling', () => {
  const rows = readmes['web/posenc/README.md'].match(/^\| `.*/gm) ?? [];
  const has = (name: string, more = '') =>
    rows.some((row) => row.split('|')[1].includes(`\`${name}\``) && row.includes(more));
  for (const name of Object.keys({ ...GRIDS, ...ROTARY_GRIDS })) assert.ok(has(name), name);
  for (const [name, { start = 0 }] of Object.entries(PRESETS)) assert.ok(has(name, ` | ${start} |`), name);
  for (const [type, fields] of Object.entries(SCALINGS)) {
    const keys = Object.entries(fields).map(([key, { length }]) => `\`${key}${length > 1 ? '?' : ''}\``);
    assert.ok(has(type, `| ${keys.join(', ')}`), type);
  }
});
