/** Typical code in JavaScript, written with care. */

/** @param frequencies one for each pair of columns */
export function encode(out: Float32Array, start: number, length: number, frequencies: Float64Array) {
  const pairs = frequencies.length;
  let at = 0;
  for (let position = start; position < start + length; position++) {
    for (let pair = 0; pair < pairs; pair++) {
      const angle = position * frequencies[pair];
      out[at++] = Math.sin(angle);
      out[at++] = Math.cos(angle);
    }
  }
  return out;
}

/**
 * @param x [batch, length, dim]
 * @param table [length, dim]
 */
export function addBatchFirst(out: Float32Array, x: Float32Array, table: Float32Array) {
  const size = table.length;
  for (let first = 0; first < x.length; first += size) {
    for (let i = 0; i < size; i++) out[first + i] = x[first + i] + table[i];
  }
  return out;
}

/**
 * @param x [length, batch, dim]
 * @param table [length, dim]
 */
export function addSequenceFirst(out: Float32Array, x: Float32Array, table: Float32Array, batch: number, dim: number) {
  let at = 0;
  for (let row = 0; row < table.length; row += dim) {
    for (let b = 0; b < batch; b++) {
      for (let i = 0; i < dim; i++, at++) out[at] = x[at] + table[row + i];
    }
  }
  return out;
}

/** @param weights [vocabulary, dim] */
export function lookup(out: Float32Array, weights: Float32Array, ids: Int32Array, dim: number) {
  for (let i = 0; i < ids.length; i++) {
    const row = ids[i] * dim;
    out.set(weights.subarray(row, row + dim), i * dim);
  }
  return out;
}

/** @param positions [length, dim] */
export function embed(
  out: Float32Array,
  tokens: { weights: Float32Array; ids: Int32Array },
  segments: { weights: Float32Array; ids: Int32Array },
  positions: Float32Array,
  dim: number,
) {
  let at = 0;
  for (let row = 0; row < tokens.ids.length; row++) {
    const [token, segment, position] = [tokens.ids[row] * dim, segments.ids[row] * dim, at % positions.length];
    for (let i = 0; i < dim; i++, at++) {
      out[at] = tokens.weights[token + i] + segments.weights[segment + i] + positions[position + i];
    }
  }
  return out;
}

/** @param run of values that are kept or dropped together */
export function dropout(out: Float32Array, x: Float32Array, p: number, run: number) {
  for (let first = 0; first < x.length; first += run) {
    const factor = Math.random() < p ? 0 : 1 / (1 - p);
    for (let i = first; i < first + run; i++) out[i] = x[i] * factor;
  }
  return out;
}

/**
 * @param tables [length, pairs] each
 * @param frequencies one for each pair
 */
export function tables(
  { cos, sin }: { cos: Float32Array; sin: Float32Array },
  start: number,
  frequencies: Float64Array,
) {
  const pairs = frequencies.length;
  for (let at = 0, position = start; at < cos.length; position++) {
    for (let pair = 0; pair < pairs; pair++, at++) {
      const angle = position * frequencies[pair];
      cos[at] = Math.cos(angle);
      sin[at] = Math.sin(angle);
    }
  }
}

/**
 * @param x rows of 2 · pairs
 * @param tables [length, pairs] each
 * @param rows how x and the tables go together
 */
export function rotate(
  out: Float32Array,
  x: Float32Array,
  { cos, sin }: { cos: Float32Array; sin: Float32Array },
  {
    pairs,
    shared,
    layout,
  }: {
    pairs: number;
    /** So many rows of x after each other share one of the tables. */
    shared: number;
    layout: 'half' | 'interleaved';
  },
) {
  const [step, apart] = layout === 'half' ? [1, pairs] : [2, 1];
  let at = 0;
  while (at < x.length) {
    for (let row = 0; row < cos.length; row += pairs) {
      for (let k = 0; k < shared; k++, at += 2 * pairs) {
        for (let i = row, first = at; i < row + pairs; i++, first += step) {
          const a = x[first];
          const b = x[first + apart];
          const c = cos[i];
          const s = sin[i];
          out[first] = a * c - b * s;
          out[first + apart] = b * c + a * s;
        }
      }
    }
  }
  return out;
}

/**
 * A causal bias of the last queries.
 *
 * @param out [heads, queries, keys]
 * @param slopes one for each head
 */
export function alibi(out: Float32Array, slopes: Float64Array, queries: number, keys: number) {
  let at = 0;
  for (const slope of slopes) {
    for (let query = keys - queries; query < keys; query++) {
      for (let distance = -query; distance <= 0; distance++) out[at++] = slope * distance;
      for (const end = at + keys - 1 - query; at < end; at++) out[at] = Number.NEGATIVE_INFINITY;
    }
  }
  return out;
}

/**
 * A trained bias of the last queries.
 *
 * @param out [heads, queries, keys]
 * @param table [buckets, heads]
 * @param indices buckets of key - query, from the last query and the first key on
 */
export function trained(out: Float32Array, table: Float32Array, indices: Int32Array, queries: number, keys: number) {
  const heads = out.length / (queries * keys);
  const line = new Float32Array(indices.length);
  let at = 0;
  for (let head = 0; head < heads; head++) {
    for (let i = 0; i < line.length; i++) line[i] = table[indices[i] * heads + head];
    for (let first = queries - 1; first >= 0; first--) {
      for (let i = first; i < first + keys; i++) out[at++] = line[i];
    }
  }
  return out;
}

/**
 * The cosines between all rows, each pair's once.
 *
 * @param out [rows, rows]
 * @param x [rows, dim]
 */
export function similarity(out: Float32Array, x: Float32Array, dim: number) {
  const rows = x.length / dim;
  const norms = new Float64Array(rows);
  for (let a = 0; a < rows; a++) {
    let squares = 0;
    for (let i = 0; i < dim; i++) squares += x[a * dim + i] ** 2;
    norms[a] = Math.sqrt(squares);
  }
  for (let a = 0; a < rows; a++) {
    for (let b = a; b < rows; b++) {
      let dot = 0;
      for (let i = 0; i < dim; i++) dot += x[a * dim + i] * x[b * dim + i];
      const cosine = dot / (norms[a] * norms[b]);
      out[a * rows + b] = cosine;
      out[b * rows + a] = cosine;
    }
  }
  return out;
}

/**
 * @param out RGBA
 * @param colormap RGBA
 */
export function colorize(out: Uint32Array, x: Float32Array, colormap: Uint32Array, [low, high]: [number, number]) {
  const entries = colormap.length;
  for (let i = 0; i < x.length; i++) {
    const place = Math.floor(((x[i] - low) / (high - low)) * entries);
    // Not a number fails every comparison.
    out[i] = place >= entries ? colormap[entries - 1] : place >= 0 ? colormap[place] : place < 0 ? colormap[0] : 0;
  }
  return out;
}

export function sum(values: Float32Array) {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
}
