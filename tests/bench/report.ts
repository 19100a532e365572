/** The figures as Markdown. */

import type { LoadTimes } from './load.ts';
import type { PageTimes } from './page.ts';
import { SLOWDOWN } from './phone.ts';
import type { CallTimes } from './position.ts';
import { COLUMNS, type Column, type Times, type Work } from './works.ts';

type Measured = { name: string; version: string; times: Times };
/** Where JavaScript ran. */
type Host = Measured & { loadTimes: LoadTimes };

interface Figures {
  /** The machine and other conditions of the figures. */
  setting: string[];
  /** Those measured. */
  works: Work[];
  hosts: Host[];
  pytorch?: Measured;
  /** Of one position. */
  calls: { name: string; calls: CallTimes }[];
  page?: PageTimes;
  /** Bytes, gzipped. */
  sizes: Record<string, number>;
}

function digits(value: number | undefined) {
  if (value === undefined || !Number.isFinite(value)) return '–';
  return value < 100 ? value.toPrecision(3) : value.toFixed(0);
}

/**
 * @param rows the first is the head
 * @param texts so many columns are text, the rest numbers
 */
function table(rows: string[][], texts: number) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column < texts ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))),
  );
  const rule = widths.map((width, column) => (column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [lines[0], rule, ...lines.slice(1)].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** @param share of the values that are smaller */
function quantile(values: number[], share: number) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

const median = (values: number[]) => quantile(values, 0.5);

/** The targets of the package: ratios in Chromium, of the measured works, and sizes. */
function targets({ hosts, pytorch, calls, page, sizes }: Figures) {
  const chromium = hosts.find(({ name }) => name === 'Chromium');
  /** How many times the one takes as long as the other. */
  const ratio = (work: string, one: Column, other: Column) => {
    const times = { ...chromium?.times[work], ...pytorch?.times[work] };
    return Number(times[one]) / Number(times[other]);
  };
  const [loaded, compiled] = (['load', 'limit'] as const).map((name) =>
    chromium ? median(chromium.loadTimes[name]) : Number.NaN,
  );
  type Target = [target: string, measured: number, bound: 'at most' | 'at least', limit: number];
  /** How many times as long as the other the one may take at most, and must take at least. */
  const bounded =
    (bound: Target[2]) =>
    (work: string, one: Column, other: Column, limit: number): Target => [
      `${work}: ${COLUMNS[one].head} / ${COLUMNS[other].head}`,
      ratio(work, one, other),
      bound,
      limit,
    ];
  const [most, least] = [bounded('at most'), bounded('at least')];
  /** How many times a work in a type of 16 bits takes as long as that in float32, in a memory. */
  const toFloat32 = (work: string, dtype: string, limit: number): Target => {
    const [half, whole] = [work.replace(/(?= \d)|(?= in place)/, ` ${dtype}`), work].map((name) =>
      Number(chromium?.times[name]?.memory),
    );
    return [`${work}: ${dtype} / float32`, half / whole, 'at most', limit];
  };
  const [large, medium] = ['encode 8192 × 1024', 'encode 2048 × 512'];
  const size = '32 × 512 × 512';
  const sums = [`add ${size}`, 'add 512 × 32 × 512', `learned.add ${size}`];
  const sumsInPlace = sums.map((name) => name.replace('add', 'add in place'));
  const rowsInPlace = `dropout of rows in place ${size}`;
  const heads = ['', 'interleaved '].map((layout) => `rotate ${layout}1 × 32 × 4096 × 128`);
  const turns = [...heads, 'rotate 4096 × 32 × 128'];
  const turnsInPlace = turns.map((name) => name.replace(/(?=\d)/, 'in place '));
  const step = 'rotate a step, 32 layers of 32 × 128';
  const biases = ['ALiBi', 'T5'].map((name) => `${name} bias 32 × 512 × 4096`);
  const rows: Target[] = [
    // Its recurrence alone takes 4.3 times the limit.
    most(large, 'memory', 'limit', 5.5),
    // The exact starts of every 256 rows take the difference, and the call itself 6 µs.
    most(medium, 'memory', 'bare', 1.25),
    most('encode 512 × 512', 'memory', 'bare', 1.4),
    // The rows are read besides.
    ...sums.map((name) => most(name, 'memory', 'limit', 1.5)),
    ...sumsInPlace.map((name) => most(name, 'memory', 'limit', name.includes(size) ? 1.5 : 1.3)),
    // It makes rows of a quarter of its size, which alone takes 0.85 of the limit.
    most('add in place 4 × 512 × 512', 'memory', 'limit', 2.2),
    // It reads rows of half its size, which all stay in the cache.
    most('add in place 2 × 128 × 512', 'memory', 'limit', 1.8),
    // They read 62 MB at random, which alone takes 1.8 to 1.9 times a copy; embed then adds two more rows to each.
    most(`lookup ${size}`, 'memory', 'limit', 2.1),
    most(`embed ${size}`, 'memory', 'limit', 4.2),
    most(rowsInPlace, 'memory', 'limit', 1.2),
    toFloat32(large, 'float16', 2),
    toFloat32(large, 'bfloat16', 1.6),
    toFloat32(sumsInPlace[0], 'float16', 4), // it computes, where that of float32 waits for memory
    least(large, 'torch', 'memory', 1),
    // PyTorch adds as fast as memory lets it, and is given the table.
    ...[...sumsInPlace, `embed ${size}`, `dropout ${size}`, rowsInPlace].map((name) =>
      least(name, 'torch', 'memory', name.includes(size) ? 1 : 0.8),
    ),
    ...[...sums, `lookup ${size}`].map((name) => least(name, 'torch', 'memory', 1 / 1.3)),
    // Blocks are copied in and out: 1.4 to 1.5 times a copy by itself, and more where a second array comes in.
    most(large, 'out', 'memcpy', 2),
    ...sums.map((name) => most(name, 'out', 'memcpy', 3)),
    ...sumsInPlace.map((name) => most(name, 'out', 'memcpy', 2.2)),
    // A loop that is given its table waits for the same memory.
    least(large, 'loop', 'out', 3),
    ...sums.map((name) => least(name, 'loop', 'out', 1.7)),
    ...sumsInPlace.map((name) => least(name, 'loop', 'out', 2.5)),
    // An Intel Xeon takes 51.
    least(large, 'tfjs', 'out', 40),
    least(large, 'torch', 'out', 6),
    // Bare loops that read the angles, too, take 1.4 to 1.5 times the limit.
    ...turns.map((name) => most(name, 'memory', 'limit', 1.5)),
    ...turnsInPlace.map((name) => most(name, 'memory', 'limit', 1.8)),
    ...[...turns, step].flatMap((name) =>
      (['loop', 'tfjs', 'torch'] as const).map((other) => least(name, other, 'out', 1)),
    ),
    // An Intel Xeon takes 1.15.
    [
      `${turns[0]} / add ${size}, each into out / memcpy`,
      ratio(turns[0], 'out', 'memcpy') / ratio(sums[0], 'out', 'memcpy'),
      'at most',
      1.2,
    ],
    ...biases.map((name) => most(name, 'out', 'memcpy', 1.3)),
    ...biases.map((name) => least(name, 'loop', 'out', 2)),
    ...['', ' noise'].map((kind): Target => {
      const time = chromium?.times[`identify${kind} 7812 × 512`]?.out ?? Number.NaN;
      return [`identify 4,000,000 values${kind && ' of noise'}, tables a second`, 1000 / time, 'at least', 1];
    }),
    ...calls.flatMap(({ name: host, calls }) =>
      calls.map(({ name, goal, times }): Target => [`${host}, ${name}`, times[2], 'at most', goal]),
    ),
    ['load(), ms', loaded, 'at most', 10],
    // The rest is JavaScript that runs for the first time: the decoder, the memory, the imports and the scratch arrays.
    ['load() / compile and instantiate the binary', loaded / compiled, 'at most', 3.8],
    ...(page?.answers ?? []).map(
      ({ name, paints }) => [`page: ${name}, ms to the paint`, median(paints), 'at most', 34] as Target,
    ),
    ...(page?.phones ?? []).flatMap(({ name, unthrottledPaint, bytes, budget, tasks, interactions }) => {
      const [first, ...others] = interactions.map(({ latency }) => latency);
      const limits: [string, number, number][] = [
        ['kB gzipped until it is ready', bytes / 1000, budget / 1000],
        ['first paint at full speed, ms', unthrottledPaint, 300],
        ['first tap, ms', first, 150],
        ['slowest other interaction, ms', Math.max(...others), 150],
        ['longest task, ms', tasks[0]?.duration ?? 0, 100],
      ];
      return limits.map(([what, value, most]) => [`phone, ${name}: ${what}`, value, 'at most', most] as Target);
    }),
    ['dist/posenc.wasm, kB gzipped', sizes['dist/posenc.wasm'] / 1000, 'at most', 15],
    ['dist/posenc.js, kB gzipped', sizes['dist/posenc.js'] / 1000, 'at most', 41],
  ];
  const verdict = ([, measured, bound, limit]: Target) => {
    if (!Number.isFinite(measured)) return 'not measured';
    return (bound === 'at most' ? measured <= limit : measured >= limit) ? 'ok' : 'missed';
  };
  return table(
    [
      ['Target', 'Asked for', '', 'Measured'],
      ...rows.map((row) => [row[0], `${row[2]} ${digits(row[3])}`, verdict(row), digits(row[1])]),
    ],
    3,
  );
}

export function report(figures: Figures) {
  const { setting, works, hosts, pytorch, calls, page, sizes } = figures;
  const versions = [...hosts, ...(pytorch ? [pytorch] : [])].map(({ name, version }) => `${name} ${version}`);
  const paragraphs = [`${[...setting, ...versions].join(', ')}.`];
  if (hosts.length > 0) {
    const columns = Object.keys(COLUMNS) as Column[];
    const rows = hosts.flatMap(({ name, times }) =>
      works.map((work) => {
        const cells = { ...times[work.name], ...pytorch?.times[work.name] };
        return [name, work.name, ...columns.map((column) => digits(cells[column]))];
      }),
    );
    const legend = Object.values(COLUMNS).map(({ head, means }) => `- ${head}: ${means}`);
    const loads = hosts.map(({ name, loadTimes: { load, limit } }) => {
      return `${digits(median(load))} ms in ${name}, and to compile and instantiate the binary ${digits(median(limit))}`;
    });
    paragraphs.push(
      'Milliseconds a call, the least of many after warm-up, on one thread:',
      table([['', '', ...Object.values(COLUMNS).map(({ head }) => head)], ...rows], 2),
      legend.join('\n'),
      `load() takes ${loads.join('; ')} (median of ${hosts[0].loadTimes.load.length} fresh starts).`,
    );
    if (!pytorch) paragraphs.push('PyTorch was not found; on Debian, the package python3-torch has it.');
  }
  if (calls.length > 0) {
    const rows = calls.flatMap(({ name: host, calls }) =>
      calls.map(({ name, times }) => [host, name, ...times.map(digits)]),
    );
    paragraphs.push(
      'Microseconds a call of one position, and how many times as long as a plain loop it takes, medians of pairs:',
      table([['', '', 'posenc', 'loop', 'ratio'], ...rows], 2),
    );
  }
  if (page) {
    const rows = page.answers.map(({ name, paints }) => [
      name,
      ...[median(paints), quantile(paints, 0.95)].map(digits),
    ]);
    paragraphs.push(
      'Milliseconds from an input to the next paint, in Chromium at 1920 × 1080:',
      table([['', 'painted', '95 %'], ...rows], 1),
    );
  }
  for (const { name, firstPaint, ready, interactions, tasks } of page?.phones ?? []) {
    const answers = interactions.map(({ name, latency }) => `${name} ${digits(latency)} ms`);
    const longest = tasks.slice(0, 6).map(({ duration, work }) => [digits(duration), work]);
    paragraphs.push(
      `On a phone, ${name}, ${SLOWDOWN} times slower: first paint after ${digits(firstPaint)} ms, ready after ${digits(ready)} ms; from an input to the paint: ${answers.join(', ')}. The longest tasks, in milliseconds:`,
      table([['task', 'its scripts'], ...longest.map(([duration, work]) => [duration, work])], 2),
    );
  }
  const gzipped = Object.entries(sizes).map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)} kB`);
  paragraphs.push(`Gzipped: ${gzipped.join(', ')}.`, '### Targets', targets(figures));
  return paragraphs.join('\n\n');
}
