/**
 * What figures have drawn, read from the page.
 *
 * @module
 */

/** @typedef {import('@playwright/test').Locator} Locator */

/**
 * Runs in the page: the colours of the only row of a canvas.
 *
 * @param {Element | null} node
 */
export function coloursOf(node) {
  const { width } = /** @type {HTMLCanvasElement} */ (node);
  const copy = new OffscreenCanvas(width, 1).getContext('2d');
  copy?.drawImage(/** @type {HTMLCanvasElement} */ (node), 0, 0);
  return [...(copy?.getImageData(0, 0, width, 1).data ?? [])];
}

/**
 * What the maps of a figure show: per map the word of each row, its colours, and the text beside it.
 *
 * @param {Locator} figure
 * @returns {Promise<Record<string, [word: string, colours: string, beside: string][]>>}
 */
export const mapsOf = (figure) =>
  figure.evaluate((root) => {
    const said = (/** @type {Element} */ row, /** @type {string} */ part) => row.querySelector(part)?.textContent ?? '';
    const coloursOf = (/** @type {HTMLCanvasElement} */ canvas) => {
      const copy = new OffscreenCanvas(canvas.width, 1).getContext('2d');
      copy?.drawImage(canvas, 0, 0);
      return copy?.getImageData(0, 0, canvas.width, 1).data.join() ?? '';
    };
    return Object.fromEntries(
      Array.from(root.querySelectorAll('figure'), (map) => [
        map.classList[0],
        Array.from(map.querySelectorAll('li'), (row) => [
          said(row, '.word'),
          coloursOf(/** @type {HTMLCanvasElement} */ (row.querySelector('canvas'))),
          said(row, '.most'),
        ]),
      ]),
    );
  });

/**
 * Runs in the page: the colours in the middle of each cell of a heatmap.
 *
 * @param {Element} plot
 * @param {{ rows: number, columns: number }} size
 */
export function cellsOf(plot, { rows, columns }) {
  const canvas = /** @type {HTMLCanvasElement} */ (plot.querySelector('canvas'));
  const { width, height } = canvas;
  const copy = /** @type {any} */ (new OffscreenCanvas(width, height).getContext('2d'));
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  return Array.from({ length: rows * columns }, (_, cell) => {
    const x = Math.floor((((cell % columns) + 0.5) / columns) * width);
    const y = Math.floor(((Math.floor(cell / columns) + 0.5) / rows) * height);
    return [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
  }).flat();
}

/**
 * The lines painted at points of a chart, each by the number of its colour.
 *
 * @param {Locator} chart
 * @param {[x: number, y: number][]} points as fractions of the plot, from its lower left corner
 * @returns {Promise<number[][]>}
 */
export const linesAt = (chart, points) =>
  chart.evaluate((root, points) => {
    const canvas = /** @type {HTMLCanvasElement} */ (root.querySelector('canvas'));
    const plot = /** @type {Element} */ (root.querySelector('.u-over')).getBoundingClientRect();
    const copy = /** @type {any} */ (
      new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    );
    copy.fillRect(0, 0, 1, 1);
    const lines = [1, 2, 3, 4, 5, 6, 7, 8].map((line) => {
      copy.fillStyle = getComputedStyle(root).getPropertyValue(`--line-${line}`).trim();
      copy.fillRect(0, 0, 1, 1);
      return [...copy.getImageData(0, 0, 1, 1).data];
    });
    copy.clearRect(0, 0, canvas.width, canvas.height);
    copy.drawImage(canvas, 0, 0);
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    return points.map(([x, y]) => {
      const left = Math.floor((plot.left - box.left + x * plot.width) * scale);
      const top = Math.floor((plot.top - box.top + (1 - y) * plot.height) * scale);
      const { data } = copy.getImageData(left, top - 1, 1, 3);
      // A line between two pixels leaves an eighth of the paper's colour in both.
      const near = (/** @type {number[]} */ colour) =>
        [0, 1, 2].some((at) => colour.every((part, k) => Math.abs(part - data[4 * at + k]) < 40));
      return [1, 2, 3, 4, 5, 6, 7, 8].filter((line) => near(lines[line - 1]));
    });
  }, points);

/**
 * The rings that a chart's cursor puts on its lines, as fractions of the plot, from its lower left corner.
 *
 * @param {Locator} chart
 * @returns {Promise<[x: number, y: number][]>}
 */
export const ringsOf = (chart) =>
  chart.evaluate((root) => {
    const plot = /** @type {Element} */ (root.querySelector('.u-over')).getBoundingClientRect();
    return [...root.querySelectorAll('.u-cursor-pt')].map((ring) => {
      const { x, y, width, height } = ring.getBoundingClientRect();
      return [(x + width / 2 - plot.x) / plot.width, 1 - (y + height / 2 - plot.y) / plot.height];
    });
  });

/**
 * The clocks of a figure.
 *
 * @param {Locator} figure
 */
export const clocksOf = (figure) =>
  figure.locator('.dials li').evaluateAll((clocks) =>
    clocks.map((clock) => {
      const said = (/** @type {string} */ part) => {
        const node = /** @type {HTMLElement} */ (clock.querySelector(part));
        return node.checkVisibility() ? node.textContent : '';
      };
      const hand = (/** @type {string} */ name) => {
        const line = /** @type {Element} */ (clock.querySelector(name));
        return ['x2', 'y2'].map((end) => Number(line.getAttribute(end)));
      };
      const arc = clock.querySelector('.arc')?.getAttribute('d') ?? '';
      return {
        ...{ pair: said('.pair'), turns: said('.turns'), bit: said('.bit') },
        ...{ hand: hand('.hand'), ahead: hand('.ahead'), arc: arc.match(/A12 12 0 (\d \d)/)?.[1] },
      };
    }),
  );

/**
 * Runs in the page: the labels of an axis, and where they are, in percent.
 *
 * @param {Element[]} ticks
 */
export function ticksOf(ticks) {
  return ticks.map((tick) => ({
    at: Number.parseFloat(/** @type {HTMLElement} */ (tick).style.getPropertyValue('--at')),
    text: tick.textContent ?? '',
  }));
}
