/** What a model's encoding is, in words, numbers and a call. */

import { rotary } from 'posenc';
import type { LayersEncoding, ModelEncoding, ModelNote, QueryScale } from 'posenc/models';
import { formatScaling, formatShort, formatWhole } from '../../figure/index.ts';
import { findRanges } from '../../files/layer-ranges.ts';
import { BUCKET_NAMES, LLAMA_CPP } from '../../spec/names.ts';
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

const formatFields = (spec: object): Record<string, string> =>
  Object.fromEntries(Object.entries(spec).map(([key, value]) => [FACT_NAMES[key] ?? key, formatFact(value)]));

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

/** Numbers of layers as ranges, at most three. */
export function formatRanges(numbers: number[]): string {
  const ranges = findRanges(numbers);
  const words = ranges.slice(0, 3).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  return `${words.join(', ')}${ranges.length > 3 ? ', …' : ''}`;
}

/** Which layers a group has: their type, and their numbers. '' if the file says neither. */
export function nameLayers({ layerType, layers }: LayersEncoding): string {
  const numbers = layers && `${layers.length === 1 ? 'layer' : 'layers'} ${formatRanges(layers)}`;
  return [layerType, numbers].filter(Boolean).join(', ');
}

interface ConfigKind<Spec> {
  name: string;
  /** Default: the fields of its spec. */
  listFacts?: (spec: Spec) => Record<string, string>;
  /** In a few words, beside other layers'. Default: its name. */
  summarize?: (spec: Spec) => string;
  /** Default: a call with its spec. */
  writeCall?: (spec: Spec, tensor: string | undefined) => string;
  /** What else is said of it. */
  note?: string;
  /** The fields of the page's view that show it. Throws if the page has no figure for it. */
  listFields: (spec: Spec) => Record<string, unknown>;
}

const refuse = (what: string) => () => {
  throw new Error(`it has ${what}`);
};

const CONFIG_KINDS: { [K in ModelEncoding['kind']]: ConfigKind<Extract<ModelEncoding, { kind: K }>['spec']> } = {
  sinusoidal: {
    name: 'Sinusoidal encoding',
    listFacts: (spec) => ({ ...formatFields(spec), base: formatWhole(spec.base ?? 10000) }),
    listFields({ zeroAt, ...rest }) {
      if (zeroAt !== undefined) throw new Error('no setting moves the row of zeros');
      return rest;
    },
  },
  learned: {
    name: 'Learned table',
    writeCall: (spec, tensor) => `import { load, learned } from 'posenc';
import { openSafetensors } from 'posenc/files';

await load();
const file = await openSafetensors('model.safetensors'); // a URL, a File or bytes
const weights = await file.read('${tensor}');
const encoding = learned(${writeLiteral(spec).replace(/ }$/, ', weights }')});`,
    note: 'Explore shows random rows, not the trained ones.',
    listFields: (spec) => ({ preset: 'learned', source: 'random', ...spec }),
  },
  rotary: {
    name: 'Rotary encoding',
    listFacts: factsOfRotary,
    summarize(spec) {
      const { base, scaling, ...columns } = factsOfRotary(spec);
      const turning = columns['columns that turn'];
      return [`base ${base}`, scaling !== 'none' && scaling, !turning.startsWith('all') && `${turning} columns turn`]
        .filter(Boolean)
        .join(', ');
    },
    listFields: ({ layout: rotaryLayout, rotaryDim, scaling, dim, base }) => ({
      ...{ preset: 'rotary', dim, base, rotaryLayout, rotaryDim: rotaryDim === dim ? undefined : rotaryDim },
      scaling: scaling && formatScaling(scaling),
    }),
  },
  rotaryGrid: {
    name: 'Rotary encoding of a grid’s cells',
    listFields: refuse('a rotary encoding of a grid’s cells'),
  },
  grid: { name: 'Table for the cells of a grid', listFields: refuse('a table for the cells of a grid') },
  alibi: { name: 'ALiBi, a bias by distance', listFields: (spec) => ({ preset: 'alibi', ...spec }) },
  relativeBuckets: {
    name: 'Trained biases for buckets of distances',
    listFields({ type: preset, ...rest }) {
      if (preset !== 't5') throw new Error(`its buckets are those of ${BUCKET_NAMES[preset]}`);
      return { preset, ...rest };
    },
  },
  windowIndex: {
    name: 'Trained biases for the cells of a window',
    listFields: refuse('trained biases of the cells of a window'),
  },
  none: {
    name: 'No positions',
    writeCall: () => '',
    listFields: refuse('no positions'),
  },
};

const findConfigKind = ({ kind }: ModelEncoding) => CONFIG_KINDS[kind] as ConfigKind<object>;

/** An encoding in a few words, beside those of other layers. */
export function summarizeEncoding(encoding: ModelEncoding): string {
  const { name, summarize = () => name.replace(/^.(?=[a-z])/, (letter) => letter.toLowerCase()) } =
    findConfigKind(encoding);
  return summarize(encoding.spec);
}

export const listViewFields = (encoding: ModelEncoding) => findConfigKind(encoding).listFields(encoding.spec);

export function createCard(encoding: ModelEncoding): Card {
  const { kind, spec, notes = [], tensor } = encoding;
  const {
    name,
    listFacts = formatFields,
    writeCall = () => calling(kind, writeLiteral(spec)).trimEnd(),
    note,
  } = findConfigKind(encoding);
  return {
    family: name,
    facts: { ...listFacts(spec), ...(tensor && { tensor }), ...factsOfQueries(notes) },
    notes: [
      ...('sections' in spec ? ['In text all sections have the same positions, as Explore shows them.'] : []),
      ...(tensor && note ? [note] : []),
      ...wordNotes(notes),
    ],
    call: writeCall(spec, tensor),
  };
}
