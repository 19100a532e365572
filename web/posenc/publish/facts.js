/**
 * Writes what the READMEs and the documentation repeat of web/spec: tables between markers, the names of presets, ranges and defaults. With
 * `--check` it writes nothing, and fails if a text differs.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { powerOfTen } from '../../figure/numbers.js';
import { literal } from '../../notebooks/anywidget/fields.js';
import { traitOf } from '../../notebooks/anywidget/traits.js';
import { FIELDS, MAX_DIM } from '../../spec/fields.js';
import { GRIDS, PRESETS, ROTARY_GRIDS } from '../../spec/presets.js';
import { BASE, MAX_POSITION, RATIO } from '../../spec/ranges.js';
import { SCALINGS } from '../../spec/scalings.js';
import { GRID_WORDS, PRESET_WORDS, ROTARY_GRID_WORDS, SCALING_WORDS } from '../../spec/words.js';

/** @import { Field } from '../../spec/fields.js' */
/** @import { Range } from '../../spec/ranges.js' */

/** A part of a text that is written, found once. @typedef {[part: RegExp, text: string | ((found: string) => string)]} Part */

const root = new URL('../../../', import.meta.url);
const WIDTH = 128;

const plain = (/** @type {string} */ text) => text.replaceAll('’', "'");
const code = (/** @type {unknown} */ text) => `\`${text}\``;
const quoted = (/** @type {unknown} */ text) => `'${text}'`;
const list = (/** @type {string[]} */ items) => items.join(', ').replace(/, ([^,]*)$/, ' and $1');
const row = (/** @type {(string | number)[]} */ ...cells) =>
  plain(`| ${cells.join(' | ')} |\n`).replaceAll('|  |', '| |');

const presets = Object.entries(PRESETS);

/**
 * @param {string} name
 * @param {string[]} header
 * @param {string[]} rows
 * @returns {Part}
 */
const table = (name, header, rows) => [
  new RegExp(`(?<=<!-- ${name} -->\n)[^]*?(?=<!-- /${name} -->)`),
  `\n${row(...header)}${row(...header.map(() => '---'))}${rows.join('')}\n`,
];

const LAYOUTS = {
  interleaved: 'sine, cosine, sine, …',
  'sin-cos': 'sines, then cosines',
  'cos-sin': 'cosines, then sines',
};
const ODD = { sine: 'ends on a sine', zero: 'ends on a zero', refuse: 'refused', pad: 'cut' };

const presetRows = presets.map(([name, { layout = 'interleaved', endpoint, start = 0, ...more }]) => {
  const { source, note } = PRESET_WORDS[/** @type {keyof typeof PRESETS} */ (name)];
  const { odd = layout === 'interleaved' ? 'sine' : 'zero', norm, zeroAt, halved } = more;
  const columns = [
    LAYOUTS[layout],
    norm ? ', times √(2/dim)' : '',
    zeroAt === undefined ? '' : `; row ${zeroAt}, the padding's, is zeros`,
    note ? ` (${note})` : '',
  ];
  const exponent = endpoint ? 'i/(h - 1)' : odd === 'pad' ? '2i/(dim + 1) where dim is odd' : '2i/dim';
  const last = odd === 'sine' && layout !== 'interleaved' ? 'one more sine' : ODD[odd];
  const other = halved ? '; `endpoint: false`: i/h' : '';
  return row(`${code(name)}: ${source.slice(0, -1)}`, columns.join(''), `${exponent}${other}`, last, start);
});

const grids = Object.entries(GRIDS);
const gridRows = [...new Set(Object.values(GRIDS))].map((dialect) => {
  const names = grids.flatMap(([name, other]) => (other === dialect ? [name] : []));
  return row(
    `${names.map(code).join(', ')}${GRID_WORDS[/** @type {keyof typeof GRIDS} */ (names[0])] ?? ''}`,
    `as in ${code(dialect.axis)}`,
    dialect.first === 'width' ? 'those of the last axis, the width' : 'those of the first axis',
    { refuse: 'refused', zero: 'ends on zeros', pad: 'cut' }[dialect.uneven],
  );
});

const rotaryGridRows = Object.entries(ROTARY_GRIDS).map(([name, { layout = 'half' }]) => {
  const { pairs, coordinates, models } = ROTARY_GRID_WORDS[/** @type {keyof typeof ROTARY_GRIDS} */ (name)];
  return row(code(name), pairs, coordinates, layout, models);
});

const scalingRows = Object.entries(SCALINGS).map(([type, fields]) => {
  const { models = '', note = '' } = SCALING_WORDS[/** @type {keyof typeof SCALINGS} */ (type)] ?? {};
  const keys = Object.entries(fields).map(([key, { length }]) => code(`${key}${length > 1 ? '?' : ''}`));
  return row(code(type), `${keys.join(', ')}${note ? `: ${note}` : ''}`, models);
});

const modelRows = presets.flatMap(([name]) => {
  const words = PRESET_WORDS[/** @type {keyof typeof PRESETS} */ (name)];
  if (!('models' in words)) return [];
  return [row(words.models, code(`sinusoidal(${words.call ?? `{ dim, preset: '${name}' }`})`))];
});
const further = Object.values(PRESET_WORDS).flatMap((words) => ('further' in words ? [words.further] : []));

/**
 * The default of a field for each preset, the most frequent one last.
 *
 * @param {(fields: (typeof presets)[number][1]) => unknown} read
 * @param {(preset: string) => string} named
 * @param {(value: unknown) => string} [shown]
 */
function defaults(read, named, shown = String) {
  const values = presets.map(([, fields]) => shown(read(fields)));
  const withValue = (/** @type {string} */ value) => presets.filter((_, k) => values[k] === value);
  const [most, ...others] = [...new Set(values)].sort((a, b) => withValue(b).length - withValue(a).length);
  const said = others.map((value) => `${value} for ${list(withValue(value).map(([name]) => named(name)))}`);
  return [...said, `${most} for the others`].join(', ');
}
const starts = (/** @type {(preset: string) => string} */ named) => defaults(({ start }) => start ?? 0, named);

/** @param {number} limit as ASCII has it */
function limitOf(limit) {
  const size = Math.abs(limit);
  const powers = [
    [Math.log10(size), '1e', ''],
    [Math.log2(size), '2^', ''],
    [Math.log2(size + 1), '2^', ' - 1'],
  ];
  if (size === MAX_POSITION) return '2^53 - 1';
  const [power, before, after] = (size > 65536 && powers.find(([power]) => Number.isInteger(power))) || [limit, '', ''];
  return `${before}${power}${after}`;
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e-?\d+|\^\d+(?: - 1)?)?`;
const FROM = new RegExp(`(?<=\\bfrom )${NUMBER} to ${NUMBER}`, 'i');
const WITHIN = new RegExp(`(?<=\\bwithin ±)(?:\\(${NUMBER}\\)|${NUMBER})`);

/**
 * @param {string} said
 * @param {Range} range
 */
function withRange(said, [least, most]) {
  if (least !== -most) return said.replace(FROM, `${limitOf(least)} to ${limitOf(most)}`);
  return said.replace(WITHIN, most === MAX_POSITION ? `(${limitOf(most)})` : limitOf(most));
}

/**
 * @param {string} said
 * @param {Field} field
 * @param {(value: unknown) => string} shown
 */
function documented(said, field, shown) {
  const counted = field.kind === 'whole' || field.kind === 'number' ? withRange(said, field.range) : said;
  const fewer = field.kind === 'list' ? counted.replace(/up to \d+/, `up to ${field.most}`) : counted;
  // A null is what the text says of it.
  if (field.initial === null) return fewer;
  return fewer.replace(/Default: ('[\w-]+'|"[\w-]+"|\w+(\.\d+)?|\[\])(?=[.,])/i, `Default: ${shown(field.initial)}`);
}

/**
 * The documentation of a property in a type's declaration.
 *
 * @param {string} type
 * @param {string} key
 */
const propertyOf = (type, key) =>
  new RegExp(`(?<=export type ${type} = \\{((?!\\n\\};)[^])*)/\\*\\*((?!\\*/)[^])*\\*/(?=\\n {2}${key}\\??: )`);

/** The documentation of the properties of the elements. @type {Part[]} */
const properties = Object.entries(FIELDS).map(([key, field]) => [
  new RegExp(`/\\*\\*((?!\\*/)[^])*\\*/(?=\\n {2}${key}: )`, 'g'),
  (doc) => documented(doc, field, (value) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))),
]);

/** The documentation of Python's traits. @type {Part[]} */
const traits = Object.entries(FIELDS).map(([key, field]) => [
  new RegExp(`^ {4}${traitOf(key)}(, \\w+)*: .*(\\n {8}.*)*`, 'gm'),
  (said) => documented(said, field, literal),
]);

/** The documentation of the fields of scalings. @type {Part[]} */
const scalings = Object.entries(SCALINGS).flatMap(([type, fields]) =>
  Object.entries(fields).map(([key, [kind, usual = null]]) => [
    propertyOf(`${type[0].toUpperCase()}${type.slice(1)}Scaling`, key),
    (doc) => {
      const counted = kind === 'ratios' ? RATIO : kind;
      const field = { kind: Array.isArray(counted) ? 'number' : 'flag', range: counted, initial: usual };
      return documented(doc, /** @type {Field} */ (field), String);
    },
  ]),
);

/**
 * The paragraph of a property in a type's declaration, with another sentence, wrapped again if that changes it.
 *
 * @param {string} type
 * @param {string} key
 * @param {RegExp} part
 * @param {string} text
 * @returns {Part}
 */
const sentence = (type, key, part, text) => [
  propertyOf(type, key),
  (doc) => {
    const before = doc
      .slice(3, -2)
      .replace(/\s*\n\s*\*?\s*/g, ' ')
      .trim();
    const after = before.replace(part, text);
    if (after === before && part.test(before)) return doc;
    if (!part.test(before)) throw new Error(`${type}.${key} has no ${part}`);
    if (after.length + 10 <= WIDTH) return `/** ${after} */`;
    const lines = after.match(new RegExp(`\\S.{0,${WIDTH - 6}}(?=\\s|$)`, 'g')) ?? [];
    return `/**\n${lines.map((line) => `   * ${line}\n`).join('')}   */`;
  },
];

/**
 * The names of presets in a type's declaration.
 *
 * @param {string} type
 * @param {object} presets
 * @returns {Part}
 */
const union = (type, presets) => [
  new RegExp(`(?<=export type ${type} = \\{((?!\\n\\};)[^])*\\n {2}preset\\??:)[^;]*(?=;)`),
  () => {
    const names = Object.keys(presets).map(quoted);
    const line = ` ${names.join(' | ')}`;
    return line.length <= 108 ? line : names.map((name) => `\n    | ${name}`).join('');
  },
];

/** @type {Record<string, Part[]>} */
const TEXTS = {
  'README.md': [
    [/(^\| .* \| `sinusoidal\(.*\n)+/m, modelRows.join('')],
    [/^.* (are|is a) further/m, `${list(further)} are further`],
    [/(?<=every base from )[\d.]+ to [^ ]+/, `${BASE[0]} to ${powerOfTen(Math.log10(BASE[1]))}`],
  ],
  'web/posenc/README.md': [
    table('presets', ['preset', 'columns', 'exponent of the base', 'odd dim', 'first position'], presetRows),
    table('grids', ['preset', 'each axis', 'first columns', 'dim not a multiple of 2n'], gridRows),
    table('rotary-grids', ['preset', 'pairs and frequencies', 'coordinates', 'layout', 'used by'], rotaryGridRows),
    table('scalings', ['type', 'keys', 'models'], scalingRows),
  ],
  'web/posenc/index.d.ts': [
    union('SinusoidalSpec', PRESETS),
    union('GridFields', GRIDS),
    union('RotaryGridSpec', ROTARY_GRIDS),
    ...scalings,
    sentence('SinusoidalSpec', 'base', FROM, BASE.map(limitOf).join(' to ')),
    sentence('RotarySpec', 'base', FROM, BASE.map(limitOf).join(' to ')),
    sentence('RotaryGridSpec', 'base', FROM, BASE.map(limitOf).join(' to ')),
    sentence(
      'SinusoidalSpec',
      'layout',
      /(?<=the preset's; ).*(?=\.)/,
      defaults(({ layout }) => layout ?? 'interleaved', quoted, quoted),
    ),
    sentence(
      'SinusoidalSpec',
      'endpoint',
      /(?<=the preset's; ).*(?=\.)/,
      defaults(({ endpoint }) => endpoint ?? false, quoted),
    ),
    sentence('SinusoidalSpec', 'start', /(?<=Default: ).*(?=\.)/, starts(quoted)),
    sentence(
      'SinusoidalSpec',
      'zeroAt',
      /(?<=Default: ).*(?=\.)/,
      defaults(({ zeroAt }) => zeroAt ?? 'none', quoted),
    ),
    sentence(
      'SinusoidalSpec',
      'scale',
      /(?<=Default: ).*(?=\.)/,
      defaults(({ norm }) => (norm ? '√(2/dim)' : 1), quoted),
    ),
  ],
  'web/element/types.d.ts': [...properties, [/(?<=has more than\n +\* +)\d+(?= dimensions)/, String(MAX_DIM)]],
  'web/notebooks/anywidget/posenc/_widgets.py': [
    ...traits,
    [/(?<=that of the preset, which is )[^.]*/, starts((preset) => preset)],
  ],
  'web/notebooks/README.md': [
    [/(?<=as in JavaScript: )[^.]*/, starts(code)],
    [/(?<=in at most )\d+(?= columns)/, String(MAX_DIM)],
  ],
};

const checks = process.argv.includes('--check');
for (const [file, parts] of Object.entries(TEXTS)) {
  const place = new URL(file, root);
  const before = readFileSync(place, 'utf8');
  let after = before;
  for (const [part, text] of parts) {
    if (!part.global && !part.test(after)) throw new Error(`${file} has no ${part}`);
    after = after.replace(part, typeof text === 'string' ? () => text : text);
  }
  if (after === before) continue;
  if (!checks) writeFileSync(place, after);
  else {
    console.error(`${file} differs from web/spec: \`npm run format\` writes it.`);
    process.exitCode = 1;
  }
}
