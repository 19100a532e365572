/**
 * The custom elements `<posenc-heatmap>`, `<posenc-rotary>`, `<posenc-waves>` and `<posenc-add>`. Importing this module defines them if
 * there is a document and their names are not taken. Their properties are documented in types.ts.
 */

import { type AddedInput, createSum, type Sum } from '../figure/addition/sum.ts';
import { SENTENCE_TOKENS } from '../figure/addition/tokens.ts';
import { conflict, memoize } from '../figure/index.ts';
import type { RotaryRows } from '../figure/kinds/rotary-table.ts';
import { TablePanel } from '../figure/panels/table-panel.tsx';
import { findSelected } from '../figure/panels/trio.tsx';
import { WavesPanel } from '../figure/panels/waves-panel.tsx';
import type { FigureView } from '../figure/types.ts';
import { MAX_DIM } from '../spec/fields.ts';
import { AddPanel, type InputProblem } from './add.tsx';
import { PosencElement } from './posenc-element.tsx';
import { attributeText, define } from './properties.ts';
import * as styles from './styles.ts';
import type { Matrix as Given } from './types.ts';

const isElementSize = (size: unknown) => Number.isInteger(size) && Number(size) >= 0;

function parseMatrix(name: string, input: Given) {
  // The value may be of any kind.
  const { shape: shapeOption, dims } = input as Record<string, any>;
  const sizes = shapeOption ?? dims;
  const shape: number[] = sizes?.length === 2 ? Array.from(sizes) : [];
  const { data } = input;
  if (!(data instanceof Float32Array) || shape.length !== 2 || !shape.every(isElementSize)) {
    throw new TypeError(`posenc: ${name} must have a Float32Array data and a shape of 2 axes`);
  }
  const [rows, dim] = shape;
  const size = rows * dim;
  if (data.length !== size || size === 0) {
    throw new RangeError(`posenc: ${name} must have as many numbers as its shape, got ${data.length} for [${shape}]`);
  }
  if (dim > MAX_DIM) throw new RangeError(`posenc: ${name} must have at most ${MAX_DIM} dimensions, got ${dim}`);
  const strange = data.findIndex((value) => !Number.isFinite(value));
  if (strange >= 0) throw new RangeError(`posenc: ${name} must be finite, got ${data[strange]} at ${strange}`);
  return { values: Float32Array.from(data), shape };
}

type MatrixInput = ReturnType<typeof parseMatrix>;

/** An element that shows a table, which may be given. */
class TableElement extends PosencElement {
  get table() {
    const { start, length } = this.view;
    return this.encoding?.encode(length, { start });
  }

  set table(table) {
    if (table) {
      const { values, shape } = parseMatrix('table', table);
      const file = { name: 'table', weights: values };
      this.patch({ file, preset: 'learned', rows: shape[0], dim: shape[1], start: 0, length: shape[0] });
    } else {
      this.patch({ file: null });
      this.restore('preset', 'rows', 'dim', 'start', 'length');
    }
  }
}

export class PosencHeatmap extends TableElement {
  static section = 'table';
  static label = 'Table of positional encodings';
  static rules = [styles.host, styles.figure, styles.table];
  static Panel = TablePanel;
}

export class PosencRotary extends PosencElement {
  static section = 'table';
  static label = 'Table of a rotary encoding';
  static rules = PosencHeatmap.rules;
  static preset = 'rotary' as const;
  static Panel = TablePanel;

  get tables() {
    const { start, length } = this.view;
    const encoding = this.encoding as RotaryRows | undefined;
    return encoding?.rotary.tables(length, { start });
  }
}

export class PosencWaves extends TableElement {
  static section = 'waves';
  static label = 'Waves of positional encodings';
  static rules = [styles.host, styles.figure, styles.chart];
  static Panel: typeof PosencElement.Panel = (props) => (
    <WavesPanel {...props} table={props.context.getTable(props.view)} />
  );
}

export class PosencAdd extends PosencElement {
  static section = 'addition';
  static label = 'Positional encodings added to embeddings';
  static rules = [styles.host, styles.figure, styles.trio, styles.add];
  // The panel checks the length itself, since it depends on the embeddings.
  static needed: typeof PosencElement.needed = (view) => ({ ...view, length: 1 });
  static Panel: typeof PosencElement.Panel = ({ element, ...props }) => (
    <AddPanel {...props} sum={element.#sumOf(props.view)} sampled={!element.#embeddings} />
  );

  #embeddings: MatrixInput | undefined;
  #labels: readonly string[] = [];
  #inputOf = memoize((embeddings: MatrixInput | undefined, labels: readonly string[]): AddedInput | InputProblem => {
    if (!embeddings) return { rows: SENTENCE_TOKENS.length, tokens: SENTENCE_TOKENS };
    const { values, shape } = embeddings;
    const [rows] = shape;
    if (labels.length > 0 && labels.length !== rows)
      return { problem: `There must be one label per row, got ${labels.length} for ${rows} rows.` };
    return { rows, values, tokens: labels.map((piece, id) => ({ id, piece })) };
  });

  #addUp = createSum();

  #sumOf(view: FigureView): Sum | InputProblem {
    const input = this.#inputOf(this.#embeddings, this.#labels);
    if ('problem' in input) return input;
    const { rows, values } = input;
    const dim = values ? values.length / rows : view.dim;
    if (dim !== view.dim) {
      return { problem: `The embeddings’ rows have ${dim} numbers, the table’s ${view.dim}.`, dim };
    }
    const problem = conflict({ ...view, length: rows });
    return problem ? { problem } : this.#addUp(view, input, this.getTable(view));
  }

  /** Undefined before it is loaded, and if there is none. */
  get #sum() {
    const sum = this.encoding && this.#sumOf(this.view);
    return sum && 'tables' in sum ? sum : undefined;
  }

  get embeddings() {
    return this.#embeddings && { data: this.#embeddings.values, shape: this.#embeddings.shape };
  }

  set embeddings(embeddings) {
    this.#embeddings = embeddings ? parseMatrix('embeddings', embeddings) : undefined;
    if (this.#embeddings) {
      const [length, dim] = this.#embeddings.shape;
      this.patch({ dim, length });
    } else {
      this.restore('dim', 'length');
    }
  }

  get labels() {
    return [...this.#labels];
  }

  set labels(labels) {
    const list: Iterable<unknown> = labels ?? [];
    if (typeof list[Symbol.iterator] !== 'function') throw new TypeError('posenc: labels must be a list of strings');
    this.#labels = Array.from(list, (label) => attributeText(label));
    this.patch({});
  }

  get sum() {
    const sum = this.#sum;
    const shape = sum && [sum.input.rows, sum.dim];
    return sum && shape && { data: sum.tables.sum.slice(), shape, dims: shape, dtype: 'float32' as const };
  }

  get cell() {
    const sum = this.#sum;
    if (!sum) return undefined;
    const { row, position, dimension } = findSelected(this.view, sum);
    return { position, dimension, value: sum.tables.sum[row * sum.dim + dimension] };
  }
}

define('posenc-heatmap', PosencHeatmap);
define('posenc-rotary', PosencRotary);
define('posenc-waves', PosencWaves);
define('posenc-add', PosencAdd);
