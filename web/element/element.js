/**
 * The custom elements `<posenc-heatmap>`, `<posenc-rotary>`, `<posenc-waves>` and `<posenc-add>`. Importing this module defines them if
 * there is a document and their names are not taken. Their properties are documented in types.d.ts.
 *
 * @module
 */

import { matrixInput, memoize, SENTENCE_TOKENS, TABLES, textInput } from '../figure/index.js';
import * as tables from '../figure/kinds/tables.js';
import { addPanel } from '../figure/panels/add.js';
import { tablePanel } from '../figure/panels/table.js';
import { wavesPanel } from '../figure/panels/waves.js';
import { MAX_DIM } from '../spec/fields.js';
import { PosencElement } from './base.js';
import { attributeText, define } from './properties.js';
import * as styles from './styles.js';

/**
 * @typedef {import('../figure/addition/input.js').Matrix} Matrix
 * @typedef {import('./types.js').Matrix} Given
 */

Object.assign(TABLES, tables);

const isSize = (/** @type {unknown} */ size) => Number.isInteger(size) && Number(size) >= 0;

/**
 * Checks an array that is given to an element.
 *
 * @param {string} name
 * @param {Given} given
 * @returns {Matrix}
 */
function matrixOf(name, given) {
  // The value may be of any kind.
  const { shape: its, dims } = /** @type {Record<string, any>} */ (given);
  const sizes = its ?? dims;
  const shape = sizes?.length === 2 ? Array.from(sizes) : [];
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
  static preset = /** @type {const} */ ('rotary');
  static panel = tablePanel;

  get tables() {
    const { start, length } = this.view;
    const encoding = /** @type {import('../figure/kinds/rotary-table.js').RotaryRows | undefined} */ (this.encoding);
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
  static rules = [styles.host, styles.figure, styles.add];
  // The panel checks the length itself, since it depends on the embeddings.
  /** @type {typeof PosencElement.needed} */
  static needed = (view) => ({ ...view, length: 1 });
  /** @type {typeof PosencElement.panel} */
  static panel = (root, context, node) => {
    const panel = addPanel(root, context);
    node.#panel = panel;
    return (view) => panel.render(view, node.#input());
  };

  /** @type {import('../figure/panels/add.js').Add | undefined} */
  #panel;
  /** @type {Matrix | undefined} */
  #embeddings;
  /** @type {readonly string[]} */
  #labels = [];
  #inputOf = memoize((/** @type {Matrix | undefined} */ embeddings, /** @type {readonly string[]} */ labels) =>
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
    const list = /** @type {any} */ (labels ?? []);
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
