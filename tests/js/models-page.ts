/**
 * web/posenc/MODELS.md, the table of models: what encodingOf says of the classes' defaults in tests/golden/models.json. Tests compare
 * those answers with what the classes do. tests/golden/make_models.py runs this script, which writes the file.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodingOf, type ModelEncoding } from 'posenc/models';
import { readGolden } from './helpers.ts';

const PAGE = new URL('../../web/posenc/MODELS.md', import.meta.url);

const list = (numbers: number[]) => `[${numbers.join(', ')}]`;

const WORDS: Record<string, (spec: any, note?: string) => (string | false | undefined)[]> = {
  rotary: ({ dim, rotaryDim = dim, base, layout, scaling, sections, sectionOrder }) => [
    `\`${layout}\``,
    rotaryDim === dim ? `dim ${dim}` : `${rotaryDim} of dim ${dim}`,
    `base ${base}`,
    scaling && `\`${scaling.type}\` ${scaling.factor ?? ''}`.trim(),
    sections && `sections ${list(sections)} ${sectionOrder === 'blocks' ? 'in blocks' : 'interleaved'}`,
  ],
  learned: ({ rows, dim, start }) => [`${rows} rows`, `dim ${dim}`, start && `from row ${start}`],
  sinusoidal: ({ preset, dim, layout }) => [`\`${preset}\``, layout && `\`${layout}\``, `dim ${dim}`],
  rotaryGrid: ({ preset, dim, layout, base, shape, classToken, mergeSize }, note) => [
    `\`${preset}\``,
    layout && `\`${layout}\``,
    `dim ${dim}`,
    `base ${base}`,
    /any size/.test(note ?? '') ? 'images of any size' : list(shape),
    classToken && `classToken ${classToken}`,
    mergeSize && `mergeSize ${mergeSize}`,
  ],
  grid: ({ preset, dim, shape }) => [`\`${preset}\``, `dim ${dim}`, `${list(shape)} and a class token`],
  alibi: ({ heads }) => [`${heads} heads`],
  relativeBuckets: ({ type, left, right, buckets, maxDistance, bidirectional }) =>
    type === 'clip'
      ? [`distances clipped to ${left} before and ${right} after`]
      : [`${buckets} to distance ${maxDistance}`, bidirectional ? 'both directions' : 'backwards'],
  windowIndex: ({ shape }) => [list(shape)],
  none: () => [],
};

function words({ kind, spec, tensor, note }: ModelEncoding) {
  const all = [kind === 'none' ? 'no positions' : kind, ...WORDS[kind](spec, note), tensor && `\`${tensor}\``];
  return all.filter(Boolean).join(', ');
}

/** The page in Markdown. */
export function makePage() {
  const { models, transformers } = JSON.parse(readGolden('models.json'));
  const rows = new Map<string, string>();
  for (const { type, source, config, layers = {}, parts = {} } of models) {
    if (rows.has(type)) continue;
    const asked = [
      ...Object.keys(layers).map((layerType) => ({ name: layerType, options: { layerType } })),
      ...Object.keys(parts).map((part) => ({ name: part, options: { part } })),
    ];
    // Equal ones are listed once.
    const said = new Map<string, string[]>();
    for (const { name, options } of asked.length > 0 ? asked : [{ name: '', options: undefined }]) {
      const text = words(encodingOf(config, options as any));
      said.set(text, [...(said.get(text) ?? []), name]);
    }
    const all = [...said].map(([text, names]) => `${names.join(', ')}${names[0] && ': '}${text}`);
    rows.set(type, `| \`${type}\` | ${all.join('; ')} | ${source.replace(/^models\//, '')} |`);
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const about = [
    '# Models',
    '',
    `What the defaults of ${rows.size} model types in transformers ${transformers} mean, as \`encodingOf\` of \`posenc/models\` reads them. A checkpoint's file has`,
    'its own sizes. The files of the last column are in `transformers/models`. `tests/golden/make_models.py` writes this file.',
    '',
  ];
  return [...about, '| model type | encoding | read in |', '| --- | --- | --- |', ...sorted, ''].join('\n');
}

export const readPage = () => readFileSync(PAGE, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, makePage());
