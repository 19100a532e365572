/** The layers of a model, by its config. */

import { type EncodingsOfOptions, encodingOf, encodingsOf, type LayersEncoding } from 'posenc/models';

/** The encodings of a model's layers, or its only one if the file doesn't number them. */
export function findLayers(config: object, options?: EncodingsOfOptions): LayersEncoding[] {
  try {
    return encodingsOf(config, options);
  } catch (error) {
    try {
      return [encodingOf(config, options)];
    } catch {
      throw error;
    }
  }
}

/** Numbers in ascending order as ranges. */
export function findRanges(numbers: number[]): [first: number, last: number][] {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
