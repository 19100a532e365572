/**
 * Writes the table as files.
 *
 * @module
 */

import { element, kindOf } from '../figure/index.js';
import { CODES } from './kinds.js';

/** @typedef {import('./types.js').View} View */

/** Pixels of the longer side of a picture, unless the table has more cells. */
const SIDE = 1024;

/**
 * A file name that describes the content.
 *
 * @param {View} view
 * @param {string} extension
 */
export function fileName(view, extension) {
  const { preset, length, dim, start } = view;
  const words = CODES[kindOf(view).name].fileWords?.(view) ?? [];
  return `${['posenc', preset, ...words, `${length}x${dim}`, ...(start ? [`from-${start}`] : [])].join('-')}.${extension}`;
}

/**
 * The table in its colours, with squares as cells.
 *
 * @param {Uint8ClampedArray<ArrayBuffer>} rgba
 * @param {number} rows
 * @param {number} columns
 * @returns {Promise<Blob>}
 */
export async function pngFile(rgba, rows, columns) {
  const scale = Math.max(Math.floor(SIDE / Math.max(rows, columns)), 1);
  const [small, large] = [element('canvas', ''), element('canvas', '')];
  [small.width, small.height] = [columns, rows];
  [large.width, large.height] = [columns * scale, rows * scale];
  small.getContext('2d')?.putImageData(new ImageData(rgba, columns, rows), 0, 0);
  const context = /** @type {CanvasRenderingContext2D} */ (large.getContext('2d'));
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  const blob = await new Promise((resolve) => large.toBlob(resolve));
  if (!blob) throw new Error(`This browser can’t make a picture of ${large.width} × ${large.height} pixels.`);
  return blob;
}
