/**
 * The custom elements `<posenc-heatmap>`, `<posenc-rotary>`, `<posenc-waves>` and `<posenc-add>`. Importing this module defines them if
 * there is a document and their names are not taken. Their properties are documented in types.ts.
 */

import type { Matrix } from '../figure/addition/input.ts';
import { matrixInput, memoize, SENTENCE_TOKENS, textInput } from '../figure/index.ts';
import type { RotaryRows } from '../figure/kinds/rotary-table.ts';
import { type Add, addPanel } from '../figure/panels/add.ts';
import { tablePanel } from '../figure/panels/table.ts';
import { wavesPanel } from '../figure/panels/waves.ts';
import { MAX_DIM } from '../spec/fields.ts';
import { PosencElement } from './base.ts';
import { attributeText, define } from './properties.ts';
import * as styles from './styles.ts';
import type { Matrix as Given } from './types.ts';

const isSize = (size: unknown) => Number.isInteger(size) && Number(size) >= 0;

/** Checks an array that is given to an element. */
function matrixOf(name: string, given: Given): Matrix {
  // The value may be of any kind.
  const { shape: its, dims } = given as Record<string, any>;
  const sizes = its ?? dims;
  const shape: number[] = sizes?.length === 2 ? Array.from(sizes) : [];
  const { data } = given;
  if (!(data instanceof Float32Array) || shape.length !== 2 || !shape.every(isSize)) {
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

/** An element that shows a table, which may be given. */
class TableElement extends PosencElement {
  get table() {
    const { start, length } = this.view;
    return this.encoding?.encode(length, { start });
  }

  set table(table) {
    if (table) {
      const { values, shape } = matrixOf('table', table);
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
  static panel = tablePanel;
}

export class PosencRotary extends PosencElement {
  static section = 'table';
  static label = 'Table of a rotary encoding';
  static rules = PosencHeatmap.rules;
  static preset = 'rotary' as const;
  static panel = tablePanel;

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
  static panel = wavesPanel;
}

export class PosencAdd extends PosencElement {
  static section = 'addition';
  static label = 'Positional encodings added to embeddings';
  static rules = [styles.host, styles.figure, styles.trio, styles.add];
  // The panel checks the length itself, since it depends on the embeddings.
  static needed: typeof PosencElement.needed = (view) => ({ ...view, length: 1 });
  static panel: typeof PosencElement.panel = (root, context, node) => {
    const panel = addPanel(root, context);
    node.#panel = panel;
    return (view) => panel.render(view, node.#input());
  };

  #panel: Add | undefined;
  #embeddings: Matrix | undefined;
  #labels: readonly string[] = [];
  #inputOf = memoize((embeddings: Matrix | undefined, labels: readonly string[]) =>
    embeddings ? matrixInput(embeddings, labels) : textInput(SENTENCE_TOKENS),
  );

  #input() {
    return this.#inputOf(this.#embeddings, this.#labels);
  }

  get embeddings() {
    return this.#embeddings && { data: this.#embeddings.values, shape: this.#embeddings.shape };
  }

  set embeddings(embeddings) {
    this.#embeddings = embeddings ? matrixOf('embeddings', embeddings) : undefined;
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
    const list = (labels ?? []) as any;
    if (typeof list[Symbol.iterator] !== 'function') throw new TypeError('posenc: labels must be a list of strings');
    this.#labels = Array.from(list, (label) => attributeText(label));
    this.patch({});
  }

  get sum() {
    return this.#panel?.sum(this.view, this.#input());
  }

  get cell() {
    return this.#panel?.cell(this.view, this.#input());
  }
}

define('posenc-heatmap', PosencHeatmap);
define('posenc-rotary', PosencRotary);
define('posenc-waves', PosencWaves);
define('posenc-add', PosencAdd);
