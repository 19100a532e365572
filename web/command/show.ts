/** `posenc show` and `posenc diff`: what a config says of positions. */

import type { LayersEncoding } from 'posenc/models';
import { LLAMA_CPP } from '../spec/names.ts';
import { findAnswers, formatLayers, makeLayer, readLayers } from './encodings.ts';
import type { ChosenOptions } from './options.ts';
import { InputError } from './read-files.ts';
import { shorten, wrap, writeJson, writeLines } from './write.ts';

const formatSpecValue = (value: any): string => {
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const all = Array.from(value as number[]);
    return all.length > 6 ? `${all.length} numbers from ${all[0]} to ${all.at(-1)}` : all.join(' × ');
  }
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, field]) => (name === 'type' ? formatSpecValue(field) : `${name} ${formatSpecValue(field)}`))
    .join(', ');
};

const LAYOUT_WORDS: Record<string, string> = {
  half: `half: column i with column i + rotaryDim/2 (llama.cpp: ${LLAMA_CPP.half})`,
  interleaved: `interleaved: columns 2i and 2i + 1 (llama.cpp: ${LLAMA_CPP.interleaved})`,
};

/** What a porter looks up of an answer. */
function describeLayers(answer: LayersEncoding) {
  const encoding = makeLayer(answer);
  const { attentionFactor, softmaxFactor, frequencies, slopes } = encoding ?? {};
  // Frequencies given by the file are there twice.
  const { frequencies: _, ...spec } = encoding?.spec ?? answer.spec;
  return { spec, attentionFactor, softmaxFactor, frequencies, slopes };
}

function formatAnswer(answer: LayersEncoding) {
  const { layers, layerType, kind, notes = [], tensor } = answer;
  const { spec, attentionFactor, softmaxFactor, frequencies, slopes } = describeLayers(answer);
  const facts = Object.entries(spec).map(([name, value]) => [
    name,
    kind === 'rotary' && name === 'layout' ? LAYOUT_WORDS[value as string] : formatSpecValue(value),
  ]);
  const range = (list: Float64Array) => `${list.length} from ${shorten(list[0])} to ${shorten(list[list.length - 1])}`;
  if (frequencies) facts.push(['inv_freq', range(frequencies)]);
  if (slopes) facts.push(['slopes', range(slopes)]);
  if (attentionFactor !== undefined) facts.push(['attention factor', String(shorten(attentionFactor))]);
  if (softmaxFactor !== undefined) facts.push(['softmax factor', String(shorten(softmaxFactor))]);
  if (tensor) facts.push(['weights', tensor]);
  const isOnce = ['sinusoidal', 'learned', 'grid'].includes(kind);
  const where = layers ? `layers ${formatLayers(layers)}` : isOnce ? 'before the first layer' : 'in its layers';
  return [
    wrap(`${kind === 'none' ? 'no encoding' : kind}, ${where}${layerType ? ` (${layerType})` : ''}`),
    ...facts.map(([name, value]) => wrap(`  ${name.padEnd(30)}${value}`, ' '.repeat(32))),
    ...notes.map(({ text }) => wrap(`  note: ${text}`, '    ')),
  ].join('\n');
}

export async function showModel([source]: string[], choices: ChosenOptions) {
  const answers = findAnswers(await readLayers(source, choices), choices.layer);
  if (choices.json) {
    const plain = (list?: Float64Array) => list && [...list];
    writeJson(
      answers.map((answer) => {
        const { frequencies, slopes, ...facts } = describeLayers(answer);
        return { ...answer, ...facts, frequencies: plain(frequencies), slopes: plain(slopes) };
      }),
    );
  } else writeLines(answers.map(formatAnswer).join('\n\n'));
  return 0;
}

function flatten(answer: LayersEncoding) {
  const { spec, attentionFactor, softmaxFactor } = describeLayers(answer);
  const fields: Record<string, string> = { kind: answer.kind };
  const add = (name: string, value: any) => {
    if (typeof value === 'object' && value && !ArrayBuffer.isView(value) && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    else if (value !== undefined) fields[name] = ArrayBuffer.isView(value) ? String(value) : formatSpecValue(value);
  };
  for (const [name, value] of Object.entries({ ...spec, attentionFactor, softmaxFactor })) add(name, value);
  return fields;
}

export async function diff(sources: string[], choices: ChosenOptions) {
  if (sources.every((source) => source === '-')) throw new InputError('only one of A and B can be -');
  const [a, b] = await Promise.all(sources.map((source) => readLayers(source, choices)));
  const rows = new Map<string, { layers: number[]; field: string; a?: string; b?: string }>();
  const numbers = [...new Set([...a, ...b].flatMap(({ layers }) => layers ?? []))].sort((x, y) => x - y);
  for (const layer of numbers.length > 0 ? numbers : [-1]) {
    const [left, right] = [a, b].map((answers): Record<string, string> => {
      const answer = answers.find(({ layers }) => !layers || layers.includes(layer));
      return answer ? flatten(answer) : { kind: 'no such layer' };
    });
    for (const field of Object.keys({ ...left, ...right })) {
      const [x, y] = [left[field], right[field]];
      if (x === y || (field !== 'kind' && left.kind !== right.kind)) continue;
      const key = JSON.stringify([field, x, y]);
      const entry = rows.get(key) ?? { layers: [], field, a: x, b: y };
      if (layer >= 0) entry.layers.push(layer);
      rows.set(key, entry);
    }
  }
  const differences = [...rows.values()];
  if (choices.json) writeJson(differences);
  else if (differences.length === 0) writeLines('the same');
  else
    for (const { layers, field, a: x = '(none)', b: y = '(none)' } of differences)
      writeLines(wrap(`${field}: ${x} | ${y}${layers.length ? `, layers ${formatLayers(layers)}` : ''}`));
  return differences.length > 0 ? 1 : 0;
}
