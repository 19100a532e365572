import type { TypedToken } from './tokens.ts';

export interface AddedInput {
  rows: number;
  /** The embeddings. Default: samples. */
  values?: Float32Array<ArrayBuffer>;
  /** The tokens of the rows; none for a matrix without labels. */
  tokens: TypedToken[];
}

export interface InputProblem {
  problem: string;
  /** The dim with which there would be. */
  dim?: number;
}

export interface MatrixInput {
  values: Float32Array<ArrayBuffer>;
  shape: number[];
}

/** @param labels of the rows, or none */
export function matrixInput(
  { values, shape: [rows] }: MatrixInput,
  labels: readonly string[],
): AddedInput | InputProblem {
  if (labels.length > 0 && labels.length !== rows) {
    return { problem: `There must be one label per row, got ${labels.length} for ${rows} rows.` };
  }
  return { rows, values, tokens: labels.map((piece, id) => ({ id, piece })) };
}
