/** The functions of the other entries, with valid arguments. */

import { writeNpy } from 'posenc/files';
import { encodingOf, encodingsOf, permuteRotary } from 'posenc/models';

export const entryCalls: Record<string, [call: (...args: any[]) => unknown, args: () => any[]]> = {
  permuteRotary: [
    permuteRotary,
    () => [new Float32Array(24), { heads: 2, dim: 4, rotaryDim: 2, to: 'half', out: new Float32Array(24) }],
  ],
  writeNpy: [writeNpy, () => [{ data: new Float32Array(24), shape: [6, 4] }]],
  encodingOf: [
    encodingOf,
    () => [
      {
        ...{ model_type: 'llama', hidden_size: 64, num_attention_heads: 4, head_dim: 16, rope_theta: 500000 },
        ...{ max_position_embeddings: 64, rope_scaling: { rope_type: 'linear', factor: 2 } },
      },
      { layerType: 'full_attention', sequenceLength: 9 },
    ],
  ],
  encodingsOf: [
    encodingsOf,
    () => [
      { model_type: 'gemma3_text', head_dim: 16, num_hidden_layers: 7, sliding_window_pattern: 3 },
      { sequenceLength: 9 },
    ],
  ],
};
