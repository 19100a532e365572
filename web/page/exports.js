/**
 * Writes the table as files.
 *
 * @module
 */

import { dimensionAxis, element, kindOf, nextTask, positionAxis, scaleOf } from '../figure/index.js';
import { CODES } from './kinds.js';

/**
 * @typedef {import('./types.js').View} View
 * @typedef {import('../figure/axes.js').Axis} Axis
 *
 * @typedef {object} Cells of the table shown
 * @property {Float32Array} values
 * @property {number} rows
 * @property {number} columns
 *
 * @typedef {object} Colours
 * @property {typeof import('posenc').colorize} colorize
 * @property {Uint8Array} colormap
 * @property {[number, number]} domain
 */

/** Limits of files: values in all, values as text, and the size of a canvas in every browser. */
export const LIMITS = { values: 2 ** 26, text: 2 ** 22, side: 2 ** 14, pixels: 2 ** 24 };

/** Values that are written before the page may respond. */
const TURN = 2 ** 16;

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
 * The shortest decimal number that is the same float32.
 *
 * @param {number} value
 */
function shortest(value) {
  for (let digits = 7; ; digits++) {
    const near = Number(value.toPrecision(digits));
    if (digits === 9 || Math.fround(near) === value) return near;
  }
}

/**
 * One row per position.
 *
 * @param {Cells} cells
 * @returns {Promise<Blob>}
 */
export async function csvFile({ values, rows, columns }) {
  /** @type {string[]} */
  const parts = [];
  for (let row = 0; row < rows; row++) {
    const cells = values.subarray(row * columns, (row + 1) * columns);
    parts.push(`${Array.from(cells, shortest).join(',')}\n`);
    if (Math.floor((row * columns) / TURN) !== Math.floor(((row + 1) * columns) / TURN)) await nextTask();
  }
  return new Blob(parts, { type: 'text/csv' });
}

/**
 * @param {Cells} cells
 * @param {Colours} colours
 * @param {number} across pixels per cell
 * @param {number} down
 */
function picture({ values, rows, columns }, { colorize, colormap, domain }, across, down) {
  const [small, large] = [element('canvas', ''), element('canvas', '')];
  [small.width, small.height] = [columns, rows];
  [large.width, large.height] = [columns * across, rows * down];
  const rgba = colorize(values, { colormap, domain });
  small.getContext('2d')?.putImageData(new ImageData(rgba, columns, rows), 0, 0);
  const context = /** @type {CanvasRenderingContext2D} */ (large.getContext('2d'));
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  return large;
}

/**
 * @param {Cells} cells
 * @param {Colours} colours
 * @param {number} scale
 * @returns {Promise<Blob>}
 */
export async function pngFile(cells, colours, scale) {
  const canvas = picture(cells, colours, scale, scale);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error(`This browser can’t make a picture of ${canvas.width} × ${canvas.height} pixels.`);
  return blob;
}

const SVG = 'http://www.w3.org/2000/svg';
/** The plot of the figure and the margins around it, in pixels. */
const PLOT = { width: 640, height: 400, left: 72, top: 56, right: 24, bottom: 56 };
const FINENESS = 2;
const COLOUR_STOPS = 32;
const TICKS = 12;

/**
 * @param {Element} parent
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
function add(parent, name, attributes, text = '') {
  const node = parent.ownerDocument.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.textContent = text;
  return parent.appendChild(node);
}

/**
 * @param {Element} svg
 * @param {Cells} cells
 * @param {number} start position of the first row
 * @param {string} ink
 */
function addAxes(svg, { rows, columns }, start, ink) {
  const { width, height, left, top } = PLOT;
  const rowAxis = positionAxis(start, rows);
  const columnAxis = dimensionAxis(columns);
  for (const { at, text } of rowAxis.ticks(TICKS)) {
    const y = top + ((at + 0.5) / rows) * height;
    add(svg, 'path', { d: `M${left - 5} ${y}h5`, stroke: ink });
    add(svg, 'text', { x: left - 9, y: y + 4, 'text-anchor': 'end' }, text);
  }
  for (const { at, text } of columnAxis.ticks(TICKS)) {
    const x = left + ((at + 0.5) / columns) * width;
    add(svg, 'path', { d: `M${x} ${top + height}v5`, stroke: ink });
    add(svg, 'text', { x, y: top + height + 19, 'text-anchor': 'middle' }, text);
  }
  add(svg, 'text', { x: left + width / 2, y: top + height + 42, 'text-anchor': 'middle' }, columnAxis.name);
  const turned = { transform: `translate(16 ${top + height / 2}) rotate(-90)`, 'text-anchor': 'middle' };
  add(svg, 'text', turned, rowAxis.name);
}

/**
 * @param {Element} svg
 * @param {Colours} colours
 */
function addLegend(svg, { colormap, domain }) {
  const bar = { x: PLOT.left + PLOT.width - 160, y: 28, width: 160, height: 10 };
  const gradient = add(add(svg, 'defs', {}), 'linearGradient', { id: 'colours' });
  for (let k = 0; k <= COLOUR_STOPS; k++) {
    const entry = Math.round((k / COLOUR_STOPS) * (colormap.length / 4 - 1));
    const [red, green, blue] = colormap.subarray(4 * entry);
    add(gradient, 'stop', { offset: k / COLOUR_STOPS, 'stop-color': `rgb(${red},${green},${blue})` });
  }
  add(svg, 'rect', { ...bar, fill: 'url(#colours)' });
  scaleOf(domain, 3).forEach(({ text }, k) => {
    const anchor = ['start', 'middle', 'end'][k];
    add(svg, 'text', { x: bar.x + (k * bar.width) / 2, y: 50, 'text-anchor': anchor, 'font-size': 11 }, text);
  });
}

/**
 * A figure for print: the table with axes and a colour legend.
 *
 * @param {Cells} cells
 * @param {Colours} colours
 * @param {object} labels
 * @param {string} labels.title
 * @param {number} labels.start position of the first row
 * @param {string} labels.paper its colour
 * @param {string} labels.ink
 * @returns {Blob}
 */
export function svgFile(cells, colours, { title, start, paper, ink }) {
  const { width, height, left, top, right, bottom } = PLOT;
  const whole = { width: left + width + right, height: top + height + bottom };
  const frame = { x: left, y: top, width, height };
  // A separate document, to which the page's security policy does not apply.
  const file = document.implementation.createDocument(SVG, 'svg');
  const svg = file.documentElement;
  const font = { 'font-family': 'system-ui, Helvetica, Arial, sans-serif', 'font-size': 12, fill: ink };
  const attributes = { ...whole, viewBox: `0 0 ${whole.width} ${whole.height}`, role: 'img', ...font };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, String(value));
  add(svg, 'title', {}, title);
  add(svg, 'rect', { ...whole, fill: paper });
  add(svg, 'text', { x: left, y: 24, 'font-size': 14, 'font-weight': 600 }, title);
  // Some programs always blur enlarged pictures, so this one has the resolution of print.
  const fine = (/** @type {number} */ size, /** @type {number} */ count) => Math.ceil((FINENESS * size) / count);
  const canvas = picture(cells, colours, fine(width, cells.columns), fine(height, cells.rows));
  const sharp = { preserveAspectRatio: 'none', 'image-rendering': 'pixelated' };
  add(svg, 'image', { ...frame, ...sharp, href: canvas.toDataURL() });
  add(svg, 'rect', { ...frame, fill: 'none', stroke: ink, 'stroke-opacity': 0.5 });
  addAxes(svg, cells, start, ink);
  addLegend(svg, colours);
  return new Blob([new XMLSerializer().serializeToString(file)], { type: 'image/svg+xml' });
}
