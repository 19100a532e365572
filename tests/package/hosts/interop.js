/** Tensors and files of other libraries, in Chromium: the golden table goes there, is doubled, and comes back. */

import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { checkPage, installedVersion } from './host.js';

/** @import { Host } from './host.js' */

/**
 * A field of a message in the wire format of Protocol Buffers.
 *
 * @param {number} number the field's, below 16
 * @param {number | string | number[]} value an integer, a text or a message; the integer, or the length, is below 128
 */
function field(number, value) {
  if (typeof value === 'number') return [number << 3, value];
  const bytes = typeof value === 'string' ? [...Buffer.from(value)] : value;
  return [(number << 3) | 2, bytes.length, ...bytes];
}

/** An ONNX model, c = a + b for float32 tensors of any shape. The fields' numbers are those of onnx.proto. */
function additionModel() {
  const float32 = field(2, field(1, field(1, 1))); // type, tensor_type, elem_type
  const value = (/** @type {string} */ name) => [...field(1, name), ...float32];
  const node = [...field(1, 'a'), ...field(1, 'b'), ...field(2, 'c'), ...field(4, 'Add')];
  const inputs = [...field(11, value('a')), ...field(11, value('b'))];
  const graph = [...field(1, node), ...field(2, 'addition'), ...inputs, ...field(12, value('c'))];
  return [...field(1, 8), ...field(7, graph), ...field(8, field(2, 13))]; // IR version 8, operators of version 13
}

const ONNX_SESSION = `
    import { env, InferenceSession, Tensor } from 'onnxruntime-web';
    env.wasm.wasmPaths = '/node_modules/onnxruntime-web/dist/';
    const session = await InferenceSession.create(Uint8Array.of(${additionModel()}), { executionProviders: ['wasm'] });`;

/**
 * What a page does with each library, whose name comes first: from `table` to `sum`, which is the table twice. Neither doubling nor
 * halving rounds.
 *
 * @type {Record<string, string>}
 */
const USES = {
  'onnxruntime-web': `${ONNX_SESSION}
    const tensor = new Tensor('float32', table.data, table.dims);
    const { c } = await session.run({ a: tensor, b: tensor });
    const sum = encoding.add(c, { scale: 0.5 });`,

  'onnxruntime-web, arrays in a posenc.memory': `${ONNX_SESSION}
    const memory = await posenc.memory(2 ** 20);
    const there = memory.tensor(table.shape);
    encoding.encode(280, { out: there.data });
    const tensor = new Tensor('float32', there.data, there.dims);
    const { c } = await session.run({ a: tensor, b: tensor });
    const doubled = memory.tensor(c.dims);
    doubled.data.set(c.data);
    const sum = encoding.add(doubled, { scale: 0.5, out: doubled.data });`,

  '@tensorflow/tfjs': `
    import * as tf from '@tensorflow/tfjs';
    await tf.setBackend('cpu');
    const tensor = tf.tensor(table.data, table.shape);
    const doubled = tensor.add(tensor);
    const sum = encoding.add({ data: await doubled.data(), shape: doubled.shape }, { scale: 0.5 });`,

  '@huggingface/transformers': `
    import { Tensor } from '@huggingface/transformers';
    const doubled = new Tensor('float32', table.data, table.dims).mul(2);
    const { data, dims } = encoding.add(doubled, { scale: 0.5 });
    const sum = new Tensor('float32', data, dims);`,

  npyjs: `
    import { dump, parse } from 'npyjs';
    import { readNpy, writeNpy } from 'posenc/files';
    const { data, shape } = encoding.add(parse(writeNpy(table).buffer));
    const sum = await readNpy(dump(data, shape));`,
};

/** @type {Host[]} */
export const hosts = Object.entries(USES).map(([name, use]) => ({
  name,
  version: () => installedVersion(name.split(',')[0]),
  async run(context) {
    const { folder, project, serve } = context;
    const { build } = await import(join(project, 'node_modules/esbuild/lib/main.js'));
    const contents = `
      import { load } from 'posenc';
      const posenc = await load();
      const encoding = posenc.sinusoidal({ dim: 7 });
      const table = encoding.encode(280);
      ${use}
      globalThis.values = [...sum.data].map((value) => value / 2);`;
    const options = { bundle: true, format: 'esm', logLevel: 'silent', outfile: join(folder, 'bundle.js') };
    await build({ ...options, stdin: { contents, resolveDir: folder } });
    await writeFile(join(folder, 'index.html'), '<!doctype html><script type="module" src="bundle.js"></script>');
    await checkPage(context, `${await serve(project)}${relative(project, folder)}/`);
  },
}));
