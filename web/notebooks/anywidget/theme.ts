/** The theme around an element: a notebook's theme may differ from the system's. */

/** The parent element of a node, through shadow roots. */
function findParent({ parentNode }: Node): Element | null {
  if (parentNode instanceof ShadowRoot) return parentNode.host;
  return parentNode instanceof Element ? parentNode : null;
}

/** The theme of the nearest ancestor with a painted background. */
export function themeAround(element: Element): 'light' | 'dark' {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  for (let around = findParent(element); around && canvas; around = findParent(around)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(around).backgroundColor; // the colour may have any syntax, so a pixel is read back
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? 'dark' : 'light';
  }
  return 'light';
}
