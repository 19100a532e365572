/** The model types of transformers with an encoding that posenc has no function for: those of names.ts. */

import { NAMES } from './names.ts';

/** What models with trained biases have, if posenc has no function for them. */
export const BIASES = 'it has trained biases of relative positions';

/** what models have that posenc has no function for */
const REASONS: Record<string, string> = {
  convolution: 'a convolution encodes positions',
  queries: `queries are scaled by 1 + alpha ln(max(1, (p + 1) / n_floor)); ${BIASES}`,
  bias: BIASES,
  rotation: 'its rotation is of its own kind',
  sines: "its sines follow the image: grid({ preset: 'tatp22', origin: 1, maxFrequency: 2π / size, … })",
  table: 'its tables or sinusoids are of its own kind',
};

const OTHERS = new Map(
  Object.entries(NAMES).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const)),
);

/** What a model type has that posenc has no function for. A whole whose parts have configurations of their own has nothing. */
export const foreign = (type = '') => REASONS[OTHERS.get(type) ?? ''];
