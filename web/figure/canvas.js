/**
 * Keeps a canvas, sized by the style sheet, at the resolution of the device.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {(box: { width: number, height: number }) => void} draw called with its size in CSS pixels whenever the size changes
 */
export function fitCanvas(canvas, draw) {
  // There is nothing to draw until it is measured.
  canvas.width = 0;
  new ResizeObserver((entries) => {
    const { contentRect, devicePixelContentBoxSize } = entries[entries.length - 1];
    // Safari has no devicePixelContentBoxSize.
    canvas.width = devicePixelContentBoxSize?.[0].inlineSize ?? Math.round(contentRect.width * devicePixelRatio);
    canvas.height = devicePixelContentBoxSize?.[0].blockSize ?? Math.round(contentRect.height * devicePixelRatio);
    draw(contentRect);
  }).observe(canvas);
}
