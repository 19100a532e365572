import { clamp } from './numbers.ts';

/**
 * Diverging colour maps from blue through neutral to orange, distinguishable with every common colour blindness. Both arms
 * have the same lightness at the same distance from zero, so that equal magnitudes look equally strong.
 */

/** Odd, so that zero has its own entry. */
const MAP_ENTRIES = 255;

/**
 * Control points from the most negative value to the most positive, in OKLCH: lightness, chroma, hue in degrees.
 * Zero is near white on a light page and near black on a dark one.
 */
const POINTS = {
  light: [
    [0.4, 0.135, 262],
    [0.6, 0.14, 254],
    [0.82, 0.075, 244],
    [0.975, 0.004, 95],
    [0.82, 0.1, 68],
    [0.6, 0.145, 48],
    [0.4, 0.115, 36],
  ],
  dark: [
    [0.9, 0.06, 225],
    [0.74, 0.115, 240],
    [0.5, 0.13, 256],
    [0.235, 0.008, 265],
    [0.5, 0.125, 45],
    [0.74, 0.135, 62],
    [0.9, 0.075, 85],
  ],
};

type Theme = keyof typeof POINTS;

/** @returns OKLab, in which colours mix evenly */
function toLab([lightness, chroma, hue]: number[]): number[] {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

/** @returns sRGB, 0 to 255 */
function toRgb([lightness, a, b]: number[]): number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const x = clamp(linear, 0, 1);
    return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
  });
}

/** @returns RGBA entries, in the form that `colorize` expects */
function createMap(theme: Theme): Uint8Array {
  const points = POINTS[theme].map(toLab);
  const map = new Uint8Array(4 * MAP_ENTRIES);
  for (let entry = 0; entry < MAP_ENTRIES; entry++) {
    const place = (entry / (MAP_ENTRIES - 1)) * (points.length - 1);
    const left = Math.min(Math.floor(place), points.length - 2);
    const mixed = points[left].map((x, k) => x + (points[left + 1][k] - x) * (place - left));
    map.set([...toRgb(mixed), 255], 4 * entry);
  }
  return map;
}

const maps: Partial<Record<Theme, Uint8Array>> = {};

/** A custom property of the style sheet, for drawing on a canvas. It may differ between parts of a page. */
export const readStyle = (node: Element, name: string) => getComputedStyle(node).getPropertyValue(name).trim();

export function readColormap(node: Element) {
  const theme = readStyle(node, '--theme') === 'dark' ? 'dark' : 'light';
  maps[theme] ??= createMap(theme);
  return maps[theme];
}

const THEME = 'posenc:theme';

/** Redraws when the theme of the node's tree changes. The node itself keeps the listener, so that both go together. */
export function onThemeChange(node: HTMLElement, redraw: () => void) {
  node.dataset.themed = '';
  node.addEventListener(THEME, redraw);
}

/** @param root a tree whose theme may have changed */
export function themeChanged(root: Document | ShadowRoot) {
  for (const node of root.querySelectorAll('[data-themed]')) node.dispatchEvent(new Event(THEME));
}

/** Redraws a tree when the system changes between light and dark, until what it returns is called. */
export function followTheme(root: Document | ShadowRoot): () => void {
  const view = ((root.ownerDocument ?? root) as Document).defaultView;
  // The document of a template has no window and shows nothing. jsdom has no media.
  if (!view?.matchMedia) return () => {};
  const draw = () => themeChanged(root);
  const system = view.matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', draw);
  return () => system.removeEventListener('change', draw);
}
