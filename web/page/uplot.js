/**
 * Stands for uPlot in the page's scripts: it comes in a script of its own, when a chart is to be drawn (main.js).
 *
 * @module
 */

const loaded = () => /** @type {{ uPlot: typeof import('uplot') }} */ (/** @type {unknown} */ (globalThis)).uPlot;

export default class {
  /** @param {ConstructorParameters<typeof import('uplot')>} options */
  constructor(...options) {
    const uPlot = loaded();
    // biome-ignore lint/correctness/noConstructorReturn: whoever makes a chart is given uPlot's
    return new uPlot(...options);
  }

  static get pxRatio() {
    return loaded().pxRatio;
  }
}
