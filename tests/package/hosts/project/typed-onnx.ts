/** Outputs of ONNX Runtime's sessions, whose type may be any of its own, as values of the package. */

import type { InferenceSession } from 'onnxruntime-web';
import type { Tensor } from 'posenc';
import * as posenc from 'posenc';

export async function rotate(session: InferenceSession, feeds: InferenceSession.FeedsType) {
  const { query, attention_mask } = await session.run(feeds);
  const positions = posenc.positionsFromMask(attention_mask);
  const rotated: Tensor<'float32' | 'float16'> = posenc.rotary({ dim: 64 }).apply(query, { positions });
  const wide: Tensor = posenc.rotary({ dim: 64 }).apply(query, { start: positions.next, dtype: 'float32' });
  return [rotated, wide];
}
