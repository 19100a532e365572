import { type RotaryEncoding, type RotarySpec, rotary } from 'posenc';
import { formatShort, formatWhole } from '../numbers.ts';
import type { RowEncoding, TableTraits } from '../types.ts';

/** The pair is -1 in columns that are not rotated. */
type RotaryColumn = { pair: number; sine: boolean };
export type RotaryRows = RowEncoding & { rotary: RotaryEncoding; columns: RotaryColumn[] };

/** What each column becomes if every pair of the vector is (1, 0): the pair's cosine or its sine. */
function listColumns({ dim, spec: { rotaryDim, layout } }: RotaryEncoding): RotaryColumn[] {
  const pairs = rotaryDim / 2;
  return Array.from({ length: dim }, (_, column) => {
    if (column >= rotaryDim) return { pair: -1, sine: false };
    return layout === 'half'
      ? { pair: column % pairs, sine: column >= pairs }
      : { pair: column >> 1, sine: column % 2 === 1 };
  });
}

/**
 * A rotary encoding as a table: the row of a position is the rotation of the vector whose pairs are all (1, 0). The dot product
 * of two rows then depends only on their distance.
 */
export function rotaryRows(rotary: RotaryEncoding): RotaryRows {
  const { dim, spec } = rotary;
  const columns = listColumns(rotary);
  const pairs = spec.rotaryDim / 2;
  // Cosines, then sines.
  let memory = new Float32Array(0);
  return {
    ...{ rotary, columns },
    dim,
    encode(rows, { start, step, dims: [from, to] = [0, dim], out } = {}) {
      const count = typeof rows === 'number' ? rows : rows.length;
      const size = count * pairs;
      if (memory.length < 2 * size) memory = new Float32Array(2 * size);
      const places = columns.slice(from, to).map(({ pair, sine }) => (pair < 0 ? -1 : pair + (sine ? size : 0)));
      rotary.tables(rows, {
        ...(start !== undefined && { start }),
        ...(step !== undefined && { step }),
        out: { cos: memory.subarray(0, size), sin: memory.subarray(size, 2 * size) },
      });
      const data = out ?? new Float32Array(count * places.length);
      let at = 0;
      for (let row = 0; row < count; row++) {
        for (const place of places) data[at++] = place < 0 ? 0 : memory[place + row * pairs];
      }
      const shape = [count, places.length];
      return { data, shape, dims: shape, dtype: 'float32' };
    },
  };
}

export function traits({ rotary, columns }: RotaryRows): TableTraits {
  const { spec, frequencies, attentionFactor: factor } = rotary;
  const { base, rotaryDim, layout, scaling, numerics } = spec;
  const range: [number, number] = [-factor, factor];
  const order =
    layout === 'half'
      ? 'The first columns of all pairs come before the second ones'
      : 'The columns of a pair are neighbours';
  return {
    ...{ range, domain: range },
    column(dimension) {
      const { pair, sine } = columns[dimension];
      const frequency = pair < 0 ? 0 : frequencies[pair];
      if (frequency === 0) return { wave: pair < 0 ? 'zero' : 'still', pair: -1, frequency: NaN };
      return { wave: sine ? 'sine' : 'cosine', pair, frequency };
    },
    means: numerics === 'exact' && frequencies.every((frequency) => frequency <= Math.PI),
    caption: `It turns queries and keys and is not added: each row shows every pair (1, 0) after its turn, as a cosine and a sine. ${order}.`,
    formula(position, dimension) {
      const { pair, sine } = columns[dimension];
      if (pair < 0) return '0, in a column that does not turn';
      const times = factor === 1 ? '' : `${formatShort(factor)} · `;
      const angle = scaling
        ? `${formatWhole(position)} · ${formatShort(frequencies[pair])}`
        : `${formatWhole(position)} / ${base}^(${2 * pair}/${rotaryDim})`;
      const rounded = numerics === 'exact' ? '' : `, in ${numerics}`;
      return `${times}${sine ? 'sin' : 'cos'}(${angle})${rounded}`;
    },
  };
}

export const make = (spec: RotarySpec) => rotaryRows(rotary(spec));
