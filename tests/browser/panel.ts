/** What a panel of the page shows, as a whole. */

import type { Page } from '@playwright/test';
import type { SinusoidalSpec } from 'posenc';
import * as posenc from 'posenc';
import { toHash } from '../../web/page/address.ts';
import { INITIAL_VIEW } from '../../web/page/page-state.ts';
import type { View } from '../../web/page/types.ts';
import { bringNear } from './page.ts';

await posenc.load();

/** The encoding of a view of the sinusoidal family. */
export const makeSinusoidal = ({ preset, dim, base, numerics, scale }: View) =>
  posenc.sinusoidal({
    ...{ dim, base, numerics, preset: preset as SinusoidalSpec['preset'] },
    ...(scale !== null && { scale }),
  });

/** The address of the page without its story that differs from the initial view by these fields. */
export const hashOfView = (patch: Partial<View>) =>
  toHash({ ...INITIAL_VIEW, pinned: 'position' in patch || 'shift' in patch, ...patch });

/**
 * Follows a link, also one to the address that the page has, with a panel in sight.
 *
 * @param panel selector
 */
export async function follow(page: Page, hash: string, panel: string) {
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
 * @param panel selector
 */
export async function readState(page: Page, panel: string) {
  await bringNear(page, panel);
  return page.locator(panel).evaluate((root) => {
    const all = (selector: string) => [...root.querySelectorAll(selector)] as any[];
    // Read from a copy: reading would change how the page's own canvas is kept.
    const digest = (canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const context = new OffscreenCanvas(width || 1, height || 1).getContext('2d');
      if (!context || width * height === 0) return 'empty';
      context.drawImage(canvas, 0, 0);
      let sum = 0;
      const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
      for (const pixel of pixels) sum = (Math.imul(sum, 31) + pixel) | 0;
      return `${width} × ${height}: ${sum}`;
    };
    return {
      text: (root as HTMLElement).innerText,
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
