import { onThemeChange } from './colours.ts';

/** Calls a function with the sizes of an element whenever they change. Where there is no layout, as in jsdom, there are none. */
export function watchSize(node: Element, onSize: (entry: ResizeObserverEntry) => void) {
  if (globalThis.ResizeObserver) new ResizeObserver((entries) => onSize(entries[entries.length - 1])).observe(node);
}

/**
 * Keeps a canvas, sized by the style sheet, at the resolution of the device.
 *
 * @param canvas already in its document or shadow tree
 * @param draw called with its size in CSS pixels whenever the size or the theme changes. Colours must be read when `restyled` is true:
 *   reading them before the layout would force another one
 */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  draw: (box: { width: number; height: number }, restyled: boolean) => void,
) {
  let box = { width: 0, height: 0 };
  let styled = false;
  // There is nothing to draw until it is measured.
  canvas.width = 0;
  watchSize(canvas, ({ contentRect, devicePixelContentBoxSize }) => {
    // Safari has no devicePixelContentBoxSize.
    const width = devicePixelContentBoxSize?.[0].inlineSize ?? Math.round(contentRect.width * devicePixelRatio);
    const height = devicePixelContentBoxSize?.[0].blockSize ?? Math.round(contentRect.height * devicePixelRatio);
    // A hidden canvas keeps its picture, which is drawn anew only for another size.
    if (width * height === 0 || (width === canvas.width && height === canvas.height)) return;
    const resize = () => {
      // Without a document it has no colours, and is measured again when it is back.
      if (!canvas.isConnected) return;
      canvas.width = width;
      canvas.height = height;
      box = contentRect;
      draw(box, !styled);
      styled = true;
    };
    // Each first drawing is a task of its own: all of a figure, in one frame, would be a long one.
    if (styled) resize();
    else setTimeout(resize);
  });
  onThemeChange(canvas, () => styled && draw(box, true));
}
