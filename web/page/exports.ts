import { element } from '../figure/index.ts';
import { findFamily } from './families/index.ts';
import type { View } from './types.ts';

/** Pixels of the longer side of a picture, unless the table has more cells. */
const LONGEST_SIDE = 1024;

export function fileName(view: View, extension: string) {
  const { preset, length, dim, start } = view;
  const words = findFamily(view).fileWords?.(view) ?? [];
  return `${['posenc', preset, ...words, `${length}x${dim}`, ...(start ? [`from-${start}`] : [])].join('-')}.${extension}`;
}

export async function pngFile(rgba: Uint8ClampedArray<ArrayBuffer>, rows: number, columns: number): Promise<Blob> {
  const scale = Math.max(Math.floor(LONGEST_SIDE / Math.max(rows, columns)), 1);
  const [small, large] = [element('canvas', ''), element('canvas', '')];
  [small.width, small.height] = [columns, rows];
  [large.width, large.height] = [columns * scale, rows * scale];
  small.getContext('2d')?.putImageData(new ImageData(rgba, columns, rows), 0, 0);
  const context = large.getContext('2d') as CanvasRenderingContext2D;
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  const blob = await new Promise<Blob | null>((resolve) => large.toBlob(resolve));
  if (!blob) throw new Error(`This browser can’t make a picture of ${large.width} × ${large.height} pixels.`);
  return blob;
}
