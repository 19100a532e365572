/**
 * What figures have drawn, read from the page.
 *
 * @module
 */

/** @typedef {import('@playwright/test').Locator} Locator */

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
