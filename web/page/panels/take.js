import './controls.css';
import './take.css';
import { mapOf, styleOf } from '../../figure/colours.js';
import { element, find } from '../../figure/dom.js';
import { kindOf } from '../../figure/kinds.js';
import { derive } from '../../figure/memoize.js';
import { formatWhole } from '../../figure/numbers.js';
import { codeOf } from '../code.js';
import { bindCopy } from '../copy.js';
import { csvFile, fileName, LIMITS, pngFile, svgFile } from '../exports.js';
import { CODES } from '../kinds.js';
import { PANELS } from '../panels.js';
import { toHash } from '../url.js';
import render from './take.html?markup';

/** @typedef {import('../state.js').View} View */

/** What a frame can show: the whole page, or one figure. */
const FRAMED = [{ id: '', title: 'This whole page', height: 800 }, ...PANELS.filter(({ height }) => height)];
/** Whether the page is in a sandboxed frame, as in its own embed code: the origin is then opaque. */
const EMBEDDED = globalThis.origin === 'null';

/** @param {number} bytes */
function formatSize(bytes) {
  const power = Math.max(Math.floor(Math.log2(bytes || 1) / 10), 0);
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${['bytes', 'KiB', 'MiB'][power]}`;
}

/** @param {View} view */
const tableShown = ({ length, dim }) => `The table shown: ${formatWhole(length)} × ${dim}`;

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const link = element('a', '');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Browsers start to read the blob some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * The code of a frame with the page, or with one of its figures.
 *
 * @param {View} view
 * @param {string} figure the panel's id, or '' for the page
 */
function frameOf(view, figure) {
  const hash = toHash(figure ? { ...view, show: /** @type {View['show']} */ (figure), present: true } : view);
  const source = new URL(hash, location.href).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const { height } = FRAMED.find(({ id }) => id === figure) ?? FRAMED[0];
  return `<iframe src="${source}" title="Positional encodings" sandbox="allow-scripts" width="100%" height="${height}"></iframe>`;
}

/**
 * Exports the table shown as a file, as code and as a link; for a bias by distance, only code and link.
 *
 * @param {HTMLElement} root
 * @param {import('../state.js').Context} context
 * @returns {import('../state.js').Render}
 */
export default function takePanel(root, { posenc, tableOf, change, pending }) {
  render(root);
  const caption = find(root, '.what', HTMLElement);
  const made = find(root, '.made', HTMLElement);
  const asFile = find(root, '.as-file', HTMLElement);
  const limits = find(root, '.limits', HTMLElement);
  const status = find(root, '.saved', HTMLElement);
  const scale = find(root, 'select', HTMLSelectElement);
  const languages = find(root, '.languages', HTMLFieldSetElement);
  const buttons = [...root.querySelectorAll('button')].filter((button) => button.value);
  const [code, link, embed] = ['.code', '.link', '.embed'].map((name) => bindCopy(find(root, name, HTMLElement)));
  const figure = find(root, '.embed select', HTMLSelectElement);
  figure.append(...FRAMED.map(({ id, title }) => new Option(id ? `${title} alone` : title, id)));
  const beside = find(root, '.beside', HTMLElement);
  const share = find(beside, 'button', HTMLButtonElement);
  const npy = find(root, '[value=npy]', HTMLButtonElement);
  share.addEventListener('click', () => npy.click());
  /** @type {View} */
  let current;

  const cells = (view = current) => {
    const { start, length, dim } = view;
    return { values: tableOf(view).encoding.encode(length, { start }).data, rows: length, columns: dim };
  };

  /** @param {View} view */
  const positions = ({ start, length }) => {
    return `positions ${formatWhole(start)} to ${formatWhole(start + length - 1)}`;
  };

  /** @type {Record<string, () => Promise<Blob> | Blob>} */
  const makers = {
    async npy() {
      const { values, rows, columns } = cells();
      const { writeNpy } = await import('posenc/files');
      return new Blob([writeNpy({ data: values, shape: [rows, columns] })]);
    },
    csv: () => csvFile(cells()),
    png: () => pngFile(cells(), colours(), Number(scale.value)),
    svg() {
      const { preset, start } = current;
      const title = `${preset}, ${positions(current)}`;
      return svgFile(cells(), colours(), {
        title,
        start,
        paper: styleOf(root, '--paper'),
        ink: styleOf(root, '--ink'),
      });
    },
  };
  const colours = () => ({
    colorize: posenc.colorize,
    colormap: mapOf(root),
    domain: tableOf(current).domain,
  });

  /** Disables the formats for which the table is too large. */
  const drawLimits = (/** @type {View} */ { length, dim }) => {
    const { values, text, side, pixels } = LIMITS;
    const fits = (/** @type {number} */ each) =>
      Math.max(length, dim) * each <= side && length * dim * each ** 2 <= pixels;
    for (const option of scale.options) option.disabled = Number(option.value) > 1 && !fits(Number(option.value));
    if (scale.selectedOptions[0]?.disabled) scale.value = '1';
    /** @type {Record<string, boolean>} */
    const possible = {
      npy: length * dim <= values,
      csv: length * dim <= text,
      png: fits(1),
      svg: fits(1),
    };
    for (const button of buttons) button.disabled = EMBEDDED || !possible[button.value];
    share.disabled = npy.disabled;
    const said = [
      possible.npy ? '' : `.npy holds up to ${formatWhole(values)} values here`,
      possible.csv ? '' : `CSV up to ${formatWhole(text)} values`,
      possible.png ? '' : `pictures up to ${formatWhole(side)} pixels a side and ${formatWhole(pixels)} in all`,
    ].filter(Boolean);
    limits.textContent = EMBEDDED
      ? 'The page that embeds this one does not let it save files. Open it by its link to save them.'
      : said.length
        ? `Too large for some: ${said.join('; ')}. This table has ${formatWhole(length * dim)} values.`
        : '';
  };

  for (const button of buttons) {
    button.addEventListener('click', async () => {
      const name = fileName(current, button.value);
      status.textContent = `Writing ${name}…`;
      try {
        const blob = await pending.until(Promise.resolve().then(makers[button.value]));
        save(blob, name);
        status.textContent = `${name}, ${formatSize(blob.size)}.`;
      } catch (error) {
        status.textContent = `${name} could not be written: ${/** @type {Error} */ (error).message}`;
      }
    });
  }
  languages.addEventListener('change', ({ target }) => {
    change({ language: /** @type {View['language']} */ (/** @type {HTMLInputElement} */ (target).value) }, true);
  });

  const draw = derive((/** @type {View} */ view) => {
    const { name, panels } = kindOf(view);
    const { shown = tableShown } = CODES[name];
    caption.textContent = `${shown(view)}, ${positions(view)}.`;
    tableOf(view); // what was saved is another table
    status.textContent = '';
    asFile.hidden = !panels.includes('table');
    if (!asFile.hidden) drawLimits(view);
  });
  const drawCode = derive((/** @type {View} */ view) => {
    const { language } = view;
    find(languages, `[value=${language}]`, HTMLInputElement).checked = true;
    const { encoding } = tableOf(view);
    code.show(codeOf(language, view, encoding, () => cells(view).values));
    made.textContent = CODES[kindOf(view).name].made(view, encoding);
  });

  const drawEmbed = () => {
    const { panels } = kindOf(current);
    for (const option of figure.options)
      option.disabled = option.value !== '' && !panels.some((id) => id === option.value);
    if (figure.selectedOptions[0].disabled) figure.value = '';
    embed.show(frameOf(current, figure.value));
  };
  figure.addEventListener('change', drawEmbed);

  return (view) => {
    current = view;
    draw(view);
    drawCode(view);
    link.show(new URL(toHash(view), location.href).href);
    beside.hidden = !view.file;
    find(beside, 'bdi', HTMLElement).textContent = view.file?.name ?? '';
    drawEmbed();
  };
}
