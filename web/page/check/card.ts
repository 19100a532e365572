/** What a model's encoding is, in words, numbers and a call. */

import { rotary } from 'posenc';
import type { ModelEncoding, ModelNote, QueryScale } from 'posenc/models';
import { formatShort, formatWhole } from '../../figure/index.ts';
import { findRanges } from '../../files/layer-ranges.ts';
import { LLAMA_CPP } from '../../spec/names.ts';
import { SETTINGS } from '../../spec/settings.ts';
import { calling, writeLiteral } from '../families/javascript.ts';

export interface Card {
  family: string;
  facts: Record<string, string>;
  /** What was assumed and left out, in sentences. */
  notes: string[];
  /** The call of posenc; '' if there is nothing to make. */
  call: string;
}

const FAMILY_NAMES: Record<ModelEncoding['kind'], string> = {
  sinusoidal: 'Sinusoidal encoding',
  learned: 'Learned table',
  rotary: 'Rotary encoding',
  rotaryGrid: 'Rotary encoding of a grid’s cells',
  grid: 'Table for the cells of a grid',
  alibi: 'ALiBi, a bias by distance',
  relativeBuckets: 'Trained biases for buckets of distances',
  windowIndex: 'Trained biases for the cells of a window',
  none: 'No positions',
};

/** Fields whose words on the card differ from their names. */
const FACT_NAMES: Record<string, string> = {
  preset: 'written as in',
  dim: 'columns',
  rows: 'trained rows',
  start: 'first row',
  zeroAt: 'row of zeros',
  maxBias: 'halvings down to the last slope',
  type: 'buckets of',
  maxDistance: 'shared from distance',
  bidirectional: 'before and after the query',
  classToken: 'class tokens',
  shape: 'rows and columns',
};

function formatFact(value: unknown) {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return formatWhole(value);
  return Array.isArray(value) ? value.join(' × ') : String(value);
}

function factsOfRotary(spec: Extract<ModelEncoding, { kind: 'rotary' }>['spec']): Record<string, string> {
  const { dim, base = 10000, layout = 'half', scaling, sections, sectionOrder } = spec;
  const { frequencies, attentionFactor, softmaxFactor } = rotary(spec);
  const turning = Array.from(frequencies).filter((frequency) => frequency > 0);
  const columns = 2 * turning.length;
  const {
    type = 'none',
    factor,
    originalMaxPositionEmbeddings,
    maxPositionEmbeddings,
  } = (scaling ?? {}) as Record<string, any>;
  const original = originalMaxPositionEmbeddings ?? maxPositionEmbeddings;
  return {
    'columns that turn': columns === dim ? `all ${dim}` : `${columns} of ${dim}`,
    frequencies: `${formatShort(turning[0])} to ${formatShort(turning[turning.length - 1])}`,
    base: formatWhole(base),
    scaling: factor === undefined ? type : `${type}, factor ${formatWhole(factor)}`,
    ...(original && { 'original length': `${formatWhole(original)} positions` }),
    layout: `${layout}: pairs are ${SETTINGS.rotaryLayout.options[layout]}, ${LLAMA_CPP[layout]} in llama.cpp`,
    ...(attentionFactor !== 1 && { 'attention factor': formatShort(attentionFactor) }),
    ...(softmaxFactor !== 1 && { 'softmax factor': formatShort(softmaxFactor) }),
    ...(sections && {
      sections: `${Array.from(sections).join(', ')}, ${sectionOrder === 'interleaved' ? 'interleaved' : 'in blocks'}`,
    }),
  };
}

/** What queries are multiplied by at position p. */
const QUERIES: Record<QueryScale['form'], string> = {
  floor: '1 + factor · ln(1 + ⌊(p + shift) / length⌋)',
  power: '(1 + (p + shift) / length)^factor',
  ratio: 'ln p / ln length from p = length on',
  learned: 'scale · ln(p + 1) + bias, of tensor',
};

function factsOfQueries(notes: ModelNote[]): Record<string, string> {
  const scale = notes.find(({ kind }) => kind === 'queries')?.value as QueryScale | undefined;
  if (!scale) return {};
  const formula = QUERIES[scale.form].replace(/factor|shift|length|tensor/g, (name) => Reflect.get(scale, name));
  return { 'queries times': formula.replace('(p + 0)', 'p') };
}

function listFacts({ kind, spec, tensor, notes = [] }: ModelEncoding): Record<string, string> {
  const facts =
    kind === 'rotary'
      ? factsOfRotary(spec)
      : Object.fromEntries(Object.entries(spec).map(([key, value]) => [FACT_NAMES[key] ?? key, formatFact(value)]));
  return {
    ...facts,
    ...(kind === 'sinusoidal' && { base: formatWhole(spec.base ?? 10000) }),
    ...(tensor && { tensor }),
    ...factsOfQueries(notes),
  };
}

/** what a note says, in which the options of posenc are the page's controls */
function wordNote({ kind, field, value, text }: ModelNote): string {
  if (kind !== 'choice') return text;
  if (field === 'part') {
    const [taken, ...others] = value as string[];
    return `the ${taken} was taken: under “Part” you can choose ${others.join(', ')}`;
  }
  const length = value === undefined ? 'the short factors are' : `${formatWhole(Number(value))} positions are`;
  return `the scaling depends on the length of the text: ${length} taken`;
}

/** Notes as sentences. The values that a class gives are one. */
function wordNotes(notes: ModelNote[]): string[] {
  const defaults = notes.filter(({ kind }) => kind === 'default');
  const values = defaults.map(
    ({ field, value }) => `${field} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const all = notes.filter((note) => !defaults.includes(note)).map(wordNote);
  if (defaults.length > 0) all.push(`not in the file, so as in transformers: ${values.join(', ')}`);
  // Names of fields keep their letters.
  return all.map((words) => `${/^\w*_/.test(words) ? words[0] : words[0].toUpperCase()}${words.slice(1)}.`);
}

function writeCall({ kind, spec, tensor }: ModelEncoding) {
  if (kind === 'none') return '';
  if (kind !== 'learned') return calling(kind, writeLiteral(spec)).trimEnd();
  return `import { load, learned } from 'posenc';
import { openSafetensors } from 'posenc/files';

await load();
const file = await openSafetensors('model.safetensors'); // a URL, a File or bytes
const weights = await file.read('${tensor}');
const encoding = learned(${writeLiteral(spec).replace(/ }$/, ', weights }')});`;
}

/** Numbers of layers as ranges, at most three. */
export function formatRanges(numbers: number[]): string {
  const ranges = findRanges(numbers);
  const words = ranges.slice(0, 3).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return `${words.join(', ')}${ranges.length > 3 ? ', …' : ''}`;
}

/** An encoding in a few words, beside those of other layers. */
export function summarizeEncoding({ kind, spec }: ModelEncoding): string {
  if (kind === 'none') return 'no positions';
  if (kind !== 'rotary') return FAMILY_NAMES[kind].toLowerCase();
  const { base, scaling, ...columns } = factsOfRotary(spec);
  const turning = columns['columns that turn'];
  return [`base ${base}`, scaling !== 'none' && scaling, !turning.startsWith('all') && `${turning} columns turn`]
    .filter(Boolean)
    .join(', ');
}

export function createCard(encoding: ModelEncoding): Card {
  const { kind, spec, notes = [], tensor } = encoding;
  return {
    family: FAMILY_NAMES[kind],
    facts: listFacts(encoding),
    notes: [
      ...('sections' in spec ? ['In text all sections have the same positions, as Explore shows them.'] : []),
      ...(tensor && kind === 'learned' ? ['Explore shows random rows, not the trained ones.'] : []),
      ...wordNotes(notes),
    ],
    call: writeCall(encoding),
  };
}
