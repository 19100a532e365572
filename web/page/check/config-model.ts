/** A model's encoding, from its config.json, and the settings that show it. This module includes the reader: import it on demand. */

import type { EncodingsOfOptions, LayersEncoding } from 'posenc/models';
import { findLayers } from '../../files/layer-ranges.ts';
import { PAGE_FIELDS } from '../../spec/fields.ts';
import type { View } from '../types.ts';
import { type Card, createCard, listViewFields, nameLayers, summarizeEncoding } from './card.ts';
import { parseSettings } from './settings.ts';

export interface Answer {
  name: string;
  /** The numbers of the layers, if the file numbers them. */
  numbers?: number[];
  card: Card;
  /** The settings that show it, if the page can. */
  patch?: Partial<View>;
  /** Why it can't. */
  unshown?: string;
}

/** The number of positions a model is made for, if its file says so. */
function findLength(config: any): number | undefined {
  const { max_position_embeddings: length, text_config: inner } = config;
  return length ?? inner?.max_position_embeddings;
}

function createAnswer(encoding: LayersEncoding, length: number | undefined, view: View): Answer {
  const name = `${nameLayers(encoding)}: ${summarizeEncoding(encoding)}`;
  const answer = { name, numbers: encoding.layers, card: createCard(encoding) };
  try {
    const patch = parseSettings(listViewFields(encoding), ['source', 'waves', 'domain', 'span']);
    // The Rounding panel then spans the model's positions.
    if (encoding.kind === 'rotary' && Number.isSafeInteger(length) && Number(length) >= 16) patch.span = length;
    if (encoding.kind === 'learned') patch.length = Math.min(view.length, Number(patch.rows) - Number(patch.start));
    return { ...answer, patch };
  } catch (error) {
    return { ...answer, unshown: `The page can’t show this model: ${(error as Error).message}.` };
  }
}

/** The fields without which a config would have another answer, or undefined if they are too many for a link. */
export function createLink(config: object, options: EncodingsOfOptions): Pick<View, 'model' | 'part'> | undefined {
  const writeConfig = (file: object) => {
    try {
      return JSON.stringify([findLayers(file, options), findLength(file)]);
    } catch {}
  };
  const wanted = writeConfig(config);
  // A file with thousands of layers keeps the rest.
  const end = performance.now() + 200;
  const prune = (object: any, whole: (part: object) => object): object => {
    let kept = object;
    for (const key of Object.keys(object)) {
      const { [key]: value, ...rest } = kept;
      if (performance.now() > end) break;
      if (writeConfig(whole(rest)) === wanted) kept = rest;
      else if (value?.constructor === Object)
        kept = { ...kept, [key]: prune(value, (part) => whole({ ...kept, [key]: part })) };
    }
    return kept;
  };
  const model = JSON.stringify(prune(config, (part) => part));
  return model.length <= PAGE_FIELDS.model.max ? { model, part: options.part ?? null } : undefined;
}

/** The encodings of a model's layers, the settings that show them, and the parts that its file has, if it has several. */
export function readModel(config: object, options: EncodingsOfOptions, view: View) {
  const groups = findLayers(config, options);
  const parts = groups[0].notes?.find(({ field }) => field === 'part')?.value ?? [];
  const answers = groups.map((encoding) => createAnswer(encoding, findLength(config), view));
  return { answers, parts: parts as string[] };
}
