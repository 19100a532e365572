/**
 * web/posenc/MODELS.md, the table of models: what encodingOf says of the classes' defaults in tests/golden/models.json. Tests compare
 * those answers with what the classes do. And web/posenc/models/refused-names.ts, the names of the other types. tests/golden/make_models.py runs
 * this script, which writes both files.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodingOf, type ModelEncoding } from 'posenc/models';
import { MODEL_RULES } from '../../web/posenc/models/model-rules.ts';
import { readGolden } from './helpers.ts';

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
function makePage() {
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

/** Types whose words decide wrongly: wholes that encode positions themselves, and those whose answer is a call or a formula. */
const CHOSEN: Record<string, string> = {
  queries: 'inkling2_loop_text inkling2_text inkling_text',
  bias: 'esmfold2',
  sines: `conditional_detr detr edgetam_vision_model mask2former maskformer oneformer sam2_vision_model sam3_vision_model
table-transformer`,
  table: `d_fine dab-detr deformable_detr deimv2 edgetam edgetam_video gemma4_unified_vision grounding-dino lightglue
lw_detr mm-grounding-dino omdet-turbo pp_doclayout_v2 pp_doclayout_v3 pp_doclayout_v4 rf_detr rt_detr rt_detr_v2 sam2 sam2_video
sam3 sam3_lite_text sam3_tracker sam3_tracker_video sam3_video sam_hq tvp`,
};

const HAND = Object.values(CHOSEN).join(' ').split(/\s/);

/** The words of tests/golden/model_classes.py for what posenc has no function for. The first that a type has counts. */
const KINDS = ['none', 'convolution', 'queries', 'bias', 'rotation', 'sines', 'table'];

/** Parts that encodingOf never opens, of SAM's kin, of sound and of image codecs, which have no field of a rotation. */
export const NESTED =
  /_((mask|prompt|geometry|detr)_(de|en)coder|hifigan|bigvgan|vq(gan|model)|codebook|adapter|perceiv\w*|perciever|head|backbone|dinov2|det_model|depth|diffusion|detr_vit|detr_resnet)$|[._]audio|acoustic_tokenizer/;

/** The names of the types that the table hasn't, in TypeScript. */
function makeNames() {
  const { positions, transformers } = JSON.parse(readGolden('models.json'));
  const known = [...MODEL_RULES].map(([type, { kind }]) => (kind === 'none' ? '' : type.split('.')[0]));
  const lists = KINDS.toSorted().map((kind) => {
    const said = Object.entries<string[]>(positions).flatMap(([words, types]) => {
      // The parts of a whole have configurations of their own.
      const isKind = !words.includes('parts') && kind === KINDS.find((word) => words.split(' ').includes(word));
      return isKind ? types.filter((type) => ![...known, ...HAND].includes(type) && !NESTED.test(type)) : [];
    });
    const types = [...said, ...(CHOSEN[kind]?.split(/\s/) ?? [])].sort();
    return `  ${kind}: \`${types.join(' ')}\`,`.match(/.{1,158}( |$)/g)?.join('\\\n');
  });
  const about = `The types that model-rules.ts hasn't, by what their classes in transformers ${transformers} say`;
  return `/** ${about}: tests/golden/make_models.py writes this file. */\nexport const REFUSED_NAMES = {\n${lists.join('\n')}\n};\n`;
}

const FILES = [
  { place: new URL('../../web/posenc/MODELS.md', import.meta.url), make: makePage },
  { place: new URL('../../web/posenc/models/refused-names.ts', import.meta.url), make: makeNames },
];

/** What each file holds, and what it has to hold. */
export const readFiles = () => FILES.map(({ place, make }) => [readFileSync(place, 'utf8'), make()]);

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { place, make } of FILES) writeFileSync(place, make());
