/**
 * What a panel of the page shows, as a whole.
 *
 * @module
 */

import * as posenc from 'posenc';
import { initial } from '../../web/page/state.js';
import { toHash } from '../../web/page/url.js';
import { bringNear } from './page.js';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {import('../../web/page/types.js').View} View
 */

await posenc.load();

/**
 * The encoding of a view of the sinusoidal family.
 *
 * @param {View} view
 */
export const sinusoidalOf = ({ preset, dim, base, numerics, scale }) =>
  posenc.sinusoidal({
    ...{ dim, base, numerics, preset: /** @type {import('posenc').SinusoidalSpec['preset']} */ (preset) },
    ...(scale !== null && { scale }),
  });

/**
 * The address of the page without its story that differs from the initial view by these fields.
 *
 * @param {Partial<View>} patch
 */
export const hashOfView = (patch) => toHash({ ...initial, pinned: 'position' in patch || 'shift' in patch, ...patch });

/**
 * Follows a link, also one to the address that the page has, with a panel in sight.
 *
 * @param {Page} page
 * @param {string} hash
 * @param {string} panel selector
 */
export async function follow(page, hash, panel) {
  await page.mouse.move(0, 0);
  await page.evaluate((hash) => {
    history.replaceState(null, '', hash);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }, hash);
  await bringNear(page, panel);
}

/**
 * Everything that a panel shows: its texts, fields, labels and pictures.
 *
 * @param {Page} page
 * @param {string} panel selector
 */
export async function stateOf(page, panel) {
  await bringNear(page, panel);
  return page.locator(panel).evaluate((root) => {
    const all = (/** @type {string} */ selector) => /** @type {any[]} */ ([...root.querySelectorAll(selector)]);
    // Read from a copy: reading would change how the page's own canvas is kept.
    const digest = (/** @type {HTMLCanvasElement} */ canvas) => {
      const { width, height } = canvas;
      const context = new OffscreenCanvas(width || 1, height || 1).getContext('2d');
      if (!context || width * height === 0) return 'empty';
      context.drawImage(canvas, 0, 0);
      let sum = 0;
      for (const byte of context.getImageData(0, 0, width, height).data) sum = (Math.imul(sum, 31) + byte) | 0;
      return `${width} × ${height}: ${sum}`;
    };
    return {
      text: /** @type {HTMLElement} */ (root).innerText,
      fields: all('input, select, textarea').map(({ id, name, value, checked, disabled, min, max }) =>
        [id || name, value, checked, disabled, min, max].join(),
      ),
      labels: all('[aria-label]').map(({ ariaLabel }) => ariaLabel),
      pictures: all('canvas')
        .filter((canvas) => canvas.checkVisibility())
        .map(digest),
    };
  });
}
