/** Small ONNX models, written in the wire format of Protocol Buffers. The fields' numbers are those of onnx.proto. */

/** Types of tensors, as onnx.proto numbers them. */
export const FLOAT = 1;
export const INT64 = 7;
export const FLOAT16 = 10;

/** The domain of ONNX Runtime's additional operators. */
export const MICROSOFT = 'com.microsoft';

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);

/**
 * A field of a message.
 *
 * @param number the field's
 * @param value an integer, a text or a message
 */
function field(number: number, value: number | string | number[]) {
  if (typeof value === 'number') return [...varint(number << 3), ...varint(value)];
  const bytes = typeof value === 'string' ? [...new TextEncoder().encode(value)] : value;
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

/** An operation. */
export function node(
  operator: string,
  inputs: string[],
  output: string,
  {
    attributes = {},
    domain = '',
  }: {
    /** Integers. */
    attributes?: Record<string, number>;
    /** The operator's. Default: ONNX's. */
    domain?: string;
  } = {},
) {
  const names = [...inputs.flatMap((name) => field(1, name)), ...field(2, output)];
  const settings = Object.entries(attributes).flatMap(([name, value]) =>
    field(5, [...field(1, name), ...field(3, value), ...field(20, 2)]),
  );
  return field(1, [...names, ...field(4, operator), ...settings, ...field(7, domain)]);
}

/**
 * A model for tensors of any shape.
 *
 * @param inputs their types
 * @param outputs their types
 * @param constants that the nodes use
 */
export function model(
  inputs: Record<string, number>,
  nodes: number[][],
  outputs: Record<string, number>,
  constants: Record<string, { data: Float32Array; shape: readonly number[] }> = {},
) {
  const values = (number: number, types: Record<string, number>) =>
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
