/** A CommonJS module, whose compiler may not know that Node can require ES modules. */

import type { Tensor } from 'posenc' with { 'resolution-mode': 'import' };

export async function encode(): Promise<Tensor> {
  const posenc = await import('posenc');
  const { encodingOf } = await import('posenc/models');
  await posenc.load();
  const encoding = posenc.make(encodingOf({ model_type: 'llama', head_dim: 64 }));
  if (encoding?.kind !== 'rotary') throw new Error('another kind');
  return encoding.tables(3).cos;
}
