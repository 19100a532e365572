import { colorize } from 'posenc';
import { mapOf } from './colours.js';
import { writeDecimals } from './decimals.js';
import { element, find } from './dom.js';

/**
 * A map with one row per word. Each row is a separate picture, since rows move.
 *
 * @param {HTMLElement} root
 */
export function createWordRows(root) {
  root.classList.add('word-rows');
  const list = find(root, 'ol');
  const sentence = root.querySelector('.words');
  /** @type {{ row: HTMLElement, chip: HTMLElement, context: CanvasRenderingContext2D, most: HTMLElement }[]} */
  let items = [];
  return {
    /** @param {string[]} words */
    fill(words) {
      items = words.map((word) => {
        const canvas = element('canvas', '');
        canvas.height = 1;
        canvas.setAttribute('aria-hidden', 'true');
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
        const most = element('span', 'most');
        const row = element('li', '', element('bdi', 'word', word), element('span', 'cells', canvas), most);
        return { row, chip: element('bdi', '', word), context, most };
      });
      root.style.setProperty('--count', String(words.length));
      this.arrange([...words.keys()]);
    },

    /** @param {readonly number[]} order */
    arrange(order) {
      list.replaceChildren(...order.map((token) => items[token].row));
      sentence?.replaceChildren(...order.flatMap((token) => [items[token].chip, ' ']));
    },

    nodes: () => items.flatMap(({ row, chip }) => [row, chip]),

    /**
     * @param {Float32Array} values
     * @param {number} dim
     * @param {[number, number]} domain values of the first and the last colour
     */
    paint(values, dim, domain) {
      const colormap = mapOf(root);
      const image = new ImageData(dim, 1);
      items.forEach(({ context }, k) => {
        if (context.canvas.width !== dim) context.canvas.width = dim;
        colorize(values.subarray(k * dim, (k + 1) * dim), { colormap, domain, out: image.data });
        context.putImageData(image, 0, 0);
      });
    },

    /** @param {string[]} [texts] beside the rows */
    tell(texts) {
      items.forEach(({ most }, k) => {
        writeDecimals(most, texts?.[k] ?? '');
      });
    },
  };
}
