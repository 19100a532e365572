/**
 * Writes the guide's tables of presets and scalings between their markers, from web/spec. With `--check` it writes nothing, and fails if
 * a table differs.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { GRID_WORDS, PRESET_WORDS, ROTARY_GRID_WORDS, SCALING_WORDS } from '../spec/preset-words.ts';
import { GRIDS, PRESETS, ROTARY_GRIDS } from '../spec/presets.ts';
import { SCALINGS } from '../spec/scalings.ts';

const GUIDE = new URL('../posenc/README.md', import.meta.url);

const code = (text: unknown) => `\`${text}\``;
const writeFactRow = (...cells: (string | number)[]) =>
  `| ${cells.join(' | ')} |\n`.replaceAll('’', "'").replaceAll('|  |', '| |');

const LAYOUT_FACTS = {
  interleaved: 'sine, cosine, sine, …',
  'sin-cos': 'sines, then cosines',
  'cos-sin': 'cosines, then sines',
};
const ODD = { sine: 'ends on a sine', zero: 'ends on a zero', refuse: 'refused', pad: 'cut' };

const presetRows = Object.entries(PRESETS).map(([name, { layout = 'interleaved', endpoint, start = 0, ...more }]) => {
  const { source, note } = PRESET_WORDS[name as keyof typeof PRESETS];
  const { odd = layout === 'interleaved' ? 'sine' : 'zero', norm, zeroAt, halved } = more;
  const columns = [
    LAYOUT_FACTS[layout],
    norm ? ', times √(2/dim)' : '',
    zeroAt === undefined ? '' : `; row ${zeroAt}, the padding's, is zeros`,
    note ? ` (${note})` : '',
  ];
  const exponent = endpoint ? 'i/(h - 1)' : odd === 'pad' ? '2i/(dim + 1) where dim is odd' : '2i/dim';
  const last = odd === 'sine' && layout !== 'interleaved' ? 'one more sine' : ODD[odd];
  const other = halved ? '; `endpoint: false`: i/h' : '';
  return writeFactRow(`${code(name)}: ${source.slice(0, -1)}`, columns.join(''), `${exponent}${other}`, last, start);
});

const grids = Object.entries(GRIDS);
const gridRows = [...new Set(Object.values(GRIDS))].map((dialect) => {
  const names = grids.flatMap(([name, other]) => (other === dialect ? [name] : []));
  return writeFactRow(
    `${names.map(code).join(', ')}${GRID_WORDS[(names[0] as keyof typeof GRIDS)] ?? ''}`,
    `as in ${code(dialect.axis)}`,
    dialect.first === 'width' ? 'those of the last axis, the width' : 'those of the first axis',
    { refuse: 'refused', zero: 'ends on zeros', pad: 'cut' }[dialect.uneven],
  );
});

const rotaryGridRows = Object.entries(ROTARY_GRIDS).map(([name, { layout = 'half' }]) => {
  const { pairs, coordinates, models } = ROTARY_GRID_WORDS[name as keyof typeof ROTARY_GRIDS];
  return writeFactRow(code(name), pairs, coordinates, layout, models);
});

const scalingRows = Object.entries(SCALINGS).map(([type, fields]) => {
  const { models = '', note = '' } = SCALING_WORDS[type as keyof typeof SCALINGS] ?? {};
  const keys = Object.entries(fields).map(([key, { length }]) => code(`${key}${length > 1 ? '?' : ''}`));
  return writeFactRow(code(type), `${keys.join(', ')}${note ? `: ${note}` : ''}`, models);
});

const FACT_TABLES: [name: string, header: string[], rows: string[]][] = [
  ['presets', ['preset', 'columns', 'exponent of the base', 'odd dim', 'first position'], presetRows],
  ['grids', ['preset', 'each axis', 'first columns', 'dim not a multiple of 2n'], gridRows],
  ['rotary-grids', ['preset', 'pairs and frequencies', 'coordinates', 'layout', 'used by'], rotaryGridRows],
  ['scalings', ['type', 'keys', 'models'], scalingRows],
];

const before = readFileSync(GUIDE, 'utf8');
let after = before;
for (const [name, header, rows] of FACT_TABLES) {
  const place = new RegExp(`(?<=<!-- ${name} -->\n)[^]*?(?=<!-- /${name} -->)`);
  if (!place.test(after)) throw new Error(`the guide has no table of ${name}`);
  after = after.replace(
    place,
    () => `\n${writeFactRow(...header)}${writeFactRow(...header.map(() => '---'))}${rows.join('')}\n`,
  );
}
if (!process.argv.includes('--check')) writeFileSync(GUIDE, after);
else if (after !== before) {
  console.error('A table of web/posenc/README.md differs from web/spec: `npm run format` writes it.');
  process.exitCode = 1;
}
