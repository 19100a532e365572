/**
 * Small ONNX models, written in the wire format of Protocol Buffers. The fields' numbers are those of onnx.proto.
 *
 * @module
 */

/** Types of tensors, as onnx.proto numbers them. */
export const FLOAT = 1;
export const INT64 = 7;
export const FLOAT16 = 10;

/** The domain of ONNX Runtime's additional operators. */
export const MICROSOFT = 'com.microsoft';

/**
 * @param {number} value
 * @returns {number[]}
 */
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);

/**
 * A field of a message.
 *
 * @param {number} number the field's
 * @param {number | string | number[]} value an integer, a text or a message
 */
function field(number, value) {
  if (typeof value === 'number') return [...varint(number << 3), ...varint(value)];
  const bytes = typeof value === 'string' ? [...new TextEncoder().encode(value)] : value;
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

/**
 * An operation.
 *
 * @param {string} operator
 * @param {string[]} inputs
 * @param {string} output
 * @param {object} [options]
 * @param {Record<string, number>} [options.attributes] integers
 * @param {string} [options.domain] the operator's. Default: ONNX's.
 */
export function node(operator, inputs, output, { attributes = {}, domain = '' } = {}) {
  const names = [...inputs.flatMap((name) => field(1, name)), ...field(2, output)];
  const settings = Object.entries(attributes).flatMap(([name, value]) =>
    field(5, [...field(1, name), ...field(3, value), ...field(20, 2)]),
  );
  return field(1, [...names, ...field(4, operator), ...settings, ...field(7, domain)]);
}

/**
 * A model for tensors of any shape.
 *
 * @param {Record<string, number>} inputs their types
 * @param {number[][]} nodes
 * @param {Record<string, number>} outputs their types
 * @param {Record<string, { data: Float32Array, shape: readonly number[] }>} [constants] that the nodes use
 */
export function model(inputs, nodes, outputs, constants = {}) {
  const values = (/** @type {number} */ number, /** @type {Record<string, number>} */ types) =>
    Object.entries(types).flatMap(([name, type]) =>
      // name; type, tensor_type, elem_type
      field(number, [...field(1, name), ...field(2, field(1, field(1, type)))]),
    );
  const tensors = Object.entries(constants).flatMap(([name, { data, shape }]) => {
    const bytes = [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)];
    return field(5, [
      ...shape.flatMap((size) => field(1, size)),
      ...field(2, FLOAT),
      ...field(8, name),
      ...field(9, bytes),
    ]);
  });
  const graph = [...nodes.flat(), ...field(2, 'graph'), ...tensors, ...values(11, inputs), ...values(12, outputs)];
  const operators = [field(2, 23), [...field(1, MICROSOFT), ...field(2, 1)]]; // a domain and its version each
  return Uint8Array.from([...field(1, 8), ...field(7, graph), ...operators.flatMap((version) => field(8, version))]); // IR version 8
}
