/**
 * The figures as text: aligned, or as Markdown.
 *
 * @module
 */

import { COLUMNS, WORKS } from './works.js';

/** @import { PageTimes } from './page.js' */
/** @import { Column, Times, Work } from './works.js' */

/** @typedef {{ name: string, version: string, times: Times }} Measured */
/** @typedef {Measured & { loadTimes: number[] }} Host where JavaScript ran */

/**
 * @typedef {object} Figures
 * @property {string[]} setting the machine and what else bears on the figures
 * @property {Work[]} works those measured
 * @property {Host[]} hosts
 * @property {Measured} [pytorch]
 * @property {PageTimes} [page]
 * @property {Record<string, number>} sizes bytes, gzipped
 */

/** @param {number | undefined} value */
function digits(value) {
  if (value === undefined || !Number.isFinite(value)) return '–';
  return value < 100 ? value.toPrecision(3) : value.toFixed(0);
}

/**
 * @param {string[][]} rows the first is the head
 * @param {number} texts so many columns are text, the rest numbers
 * @param {boolean} markdown
 */
function table(rows, texts, markdown) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column < texts ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))),
  );
  if (!markdown) return lines.map((line) => line.join('  ').trimEnd()).join('\n');
  const rule = widths.map((width, column) => (column < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [lines[0], rule, ...lines.slice(1)].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/**
 * @param {number[]} values
 * @param {number} share of the values that are smaller
 */
function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
}

/** @param {number[]} values */
const median = (values) => quantile(values, 0.5);

/**
 * What is asked of the package: ratios in Chromium, and sizes.
 *
 * @param {Figures} figures
 * @param {boolean} markdown
 */
function targets({ hosts, pytorch, page, sizes }, markdown) {
  const chromium = hosts.find(({ name }) => name === 'Chromium');
  /**
   * How many times the one takes as long as the other.
   * @param {string} work
   * @param {Column} one
   * @param {Column} other
   */
  const ratio = (work, one, other) => {
    const times = { ...chromium?.times[work], ...pytorch?.times[work] };
    return Number(times[one]) / Number(times[other]);
  };
  const [large, , , small, add, addSequenceFirst] = WORKS.map(({ name }) => name);
  /** @typedef {[target: string, measured: number, bound: 'at most' | 'at least', limit: number]} Target */
  /**
   * Of a work that does little but move its bytes.
   * @param {string} work
   * @returns {Target[]}
   */
  const moved = (work) => [
    [`${work}: into out / memcpy`, ratio(work, 'out', 'memcpy'), 'at most', 1.5],
    [`${work}: PyTorch, out / into out`, ratio(work, 'torchOut', 'out'), 'at least', 1],
    [`${work}: PyTorch / fresh`, ratio(work, 'torch', 'fresh'), 'at least', 1],
  ];
  const moves = WORKS.filter(({ kind, learned }) => learned || ['lookup', 'embed', 'dropout'].includes(kind));
  /** @type {Target[]} */
  const rows = [
    [`${large}: into out / memcpy`, ratio(large, 'out', 'memcpy'), 'at most', 2],
    [`${large}: JS loop / into out`, ratio(large, 'loop', 'out'), 'at least', 16],
    [`${large}: tfjs-wasm / into out`, ratio(large, 'tfjs', 'out'), 'at least', 100],
    [`${large}: PyTorch / into out`, ratio(large, 'torch', 'out'), 'at least', 6],
    [`${small}: JS loop / into out`, ratio(small, 'loop', 'out'), 'at least', 8],
    [`${add}: into out / memcpy`, ratio(add, 'out', 'memcpy'), 'at most', 1.5],
    [`${add}: JS loop / into out`, ratio(add, 'loop', 'out'), 'at least', 3],
    [`${addSequenceFirst}: into out / memcpy`, ratio(addSequenceFirst, 'out', 'memcpy'), 'at most', 1.5],
    [`${addSequenceFirst}: JS loop / into out`, ratio(addSequenceFirst, 'loop', 'out'), 'at least', 3],
    ...moves.flatMap(({ name }) => moved(name)),
    ['page: first paint, ms', page ? median(page.firstPaint) : Number.NaN, 'at most', 1000],
    ...(page?.answers ?? []).map(
      ({ name, work }) => /** @type {Target} */ ([`page: ${name}, ms of script`, median(work), 'at most', 16]),
    ),
    ['dist/posenc.wasm, kB gzipped', sizes['dist/posenc.wasm'] / 1000, 'at most', 17],
    ['dist/posenc.js, kB gzipped', sizes['dist/posenc.js'] / 1000, 'at most', 32],
  ];
  const verdict = (/** @type {Target} */ [, measured, bound, limit]) => {
    if (!Number.isFinite(measured)) return 'not measured';
    return (bound === 'at most' ? measured <= limit : measured >= limit) ? 'ok' : 'missed';
  };
  return table(
    [
      ['Target', 'Asked for', '', 'Measured'],
      ...rows.map((row) => [row[0], `${row[2]} ${row[3]}`, verdict(row), digits(row[1])]),
    ],
    3,
    markdown,
  );
}

/**
 * @param {Figures} figures
 * @param {boolean} markdown
 */
export function report(figures, markdown) {
  const { setting, works, hosts, pytorch, page, sizes } = figures;
  const versions = [...hosts, ...(pytorch ? [pytorch] : [])].map(({ name, version }) => `${name} ${version}`);
  const paragraphs = [`${[...setting, ...versions].join(', ')}.`];
  if (hosts.length > 0) {
    const columns = /** @type {Column[]} */ (Object.keys(COLUMNS));
    const rows = hosts.flatMap(({ name, times }) =>
      works.map((work) => {
        const cells = { ...times[work.name], ...pytorch?.times[work.name] };
        return [name, work.name, ...columns.map((column) => digits(cells[column]))];
      }),
    );
    const legend = Object.values(COLUMNS).map(({ head, means }) => `${markdown ? '- ' : ''}${head}: ${means}`);
    const loads = hosts.map(({ name, loadTimes }) => `${digits(median(loadTimes))} ms in ${name}`);
    paragraphs.push(
      'Milliseconds a call, the least of many after warm-up, on one thread:',
      table([['', '', ...Object.values(COLUMNS).map(({ head }) => head)], ...rows], 2, markdown),
      legend.join('\n'),
      `load() takes ${loads.join(', ')} (median of ${hosts[0].loadTimes.length} fresh starts).`,
    );
    if (!pytorch) paragraphs.push('PyTorch was not found; on Debian, the package python3-torch has it.');
  }
  if (page) {
    const rows = page.answers.map(({ name, work, render }) => [
      name,
      ...[work, render].flatMap((values) => [median(values), quantile(values, 0.95)].map(digits)),
    ]);
    paragraphs.push(
      'Milliseconds from a change to the page, in Chromium at 1920 × 1080: the script’s part, and until it is painted:',
      table([['', 'script', '95 %', 'painted', '95 %'], ...rows], 1, markdown),
      `The page’s first paint comes after ${digits(median(page.firstPaint))} ms, its panels after ${digits(median(page.filled))} ms.`,
    );
  }
  const gzipped = Object.entries(sizes).map(([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)} kB`);
  paragraphs.push(`Gzipped: ${gzipped.join(', ')}.`, `${markdown ? '### ' : ''}Targets`, targets(figures, markdown));
  return paragraphs.join('\n\n');
}
