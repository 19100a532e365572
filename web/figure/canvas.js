/**
 * Keeps a canvas at the device's pixels, which the style sheet gives a size.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {(box: { width: number, height: number }) => void} draw called with its size in CSS pixels whenever that changes
 */
export function fitCanvas(canvas, draw) {
  // Until it is measured there is nothing to draw.
  canvas.width = 0;
  new ResizeObserver((entries) => {
    const { contentRect, devicePixelContentBoxSize } = entries[entries.length - 1];
    // Safari has no devicePixelContentBoxSize.
    canvas.width = devicePixelContentBoxSize?.[0].inlineSize ?? Math.round(contentRect.width * devicePixelRatio);
    canvas.height = devicePixelContentBoxSize?.[0].blockSize ?? Math.round(contentRect.height * devicePixelRatio);
    draw(contentRect);
  }).observe(canvas);
}
