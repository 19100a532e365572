import { mapOf, onThemeChange } from './colours.ts';
import { element } from './dom.ts';

/**
 * A colour bar, drawn with the colour map of the cells.
 *
 * @param labels of the low end, the middle and the high end
 */
export function createLegend(root: HTMLElement, labels: string[]) {
  const bar = element('canvas', '');
  bar.height = 1;
  bar.setAttribute('aria-hidden', 'true');
  root.classList.add('legend');
  const texts = labels.map((label) => element('span', '', label));
  root.append(bar, ...texts);
  const draw = () => {
    const map = mapOf(root);
    bar.width = map.length / 4;
    const context = bar.getContext('2d') as CanvasRenderingContext2D;
    context.putImageData(new ImageData(new Uint8ClampedArray(map), bar.width, 1), 0, 0);
  };
  // Styles are read only after the layout: reading them before would force another one.
  new ResizeObserver(draw).observe(bar);
  onThemeChange(root, draw);
  return {
    label(next: string[]) {
      next.forEach((label, k) => {
        texts[k].textContent = label;
      });
    },
  };
}
