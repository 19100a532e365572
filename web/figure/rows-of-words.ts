import { colorize } from 'posenc';
import { mapOf } from './colours.ts';
import { writeDecimals } from './decimals.ts';
import { element, find } from './dom.ts';

/** A map with one row per word. Each row is a separate picture, since rows move. */
export function createWordRows(root: HTMLElement) {
  root.classList.add('word-rows');
  const list = find(root, 'ol');
  const sentence = root.querySelector('.words');
  let items: { row: HTMLElement; chip: HTMLElement; context: CanvasRenderingContext2D; most: HTMLElement }[] = [];
  return {
    fill(words: string[]) {
      items = words.map((word) => {
        const canvas = element('canvas', '');
        canvas.height = 1;
        canvas.setAttribute('aria-hidden', 'true');
        const context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
        const most = element('span', 'most');
        const row = element('li', '', element('bdi', 'word', word), element('span', 'cells', canvas), most);
        return { row, chip: element('bdi', '', word), context, most };
      });
      root.style.setProperty('--count', String(words.length));
      this.arrange([...words.keys()]);
    },

    arrange(order: readonly number[]) {
      list.replaceChildren(...order.map((token) => items[token].row));
      sentence?.replaceChildren(...order.flatMap((token) => [items[token].chip, ' ']));
    },

    nodes: () => items.flatMap(({ row, chip }) => [row, chip]),

    /** @param domain values of the first and the last colour */
    paint(values: Float32Array, dim: number, domain: [number, number]) {
      const colormap = mapOf(root);
      const image = new ImageData(dim, 1);
      items.forEach(({ context }, k) => {
        if (context.canvas.width !== dim) context.canvas.width = dim;
        colorize(values.subarray(k * dim, (k + 1) * dim), { colormap, domain, out: image.data });
        context.putImageData(image, 0, 0);
      });
    },

    /** @param texts beside the rows */
    tell(texts?: string[]) {
      items.forEach(({ most }, k) => {
        writeDecimals(most, texts?.[k] ?? '');
      });
    },
  };
}
