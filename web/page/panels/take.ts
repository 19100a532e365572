import '../controls.css';
import './take.css';
// Paper is one way to take the page.
import '../print.css';
import { derive, element, find, formatWhole, kindOf, mapOf } from '../../figure/index.ts';
import type { Table } from '../../figure/types.ts';
import { codeOf } from '../code.ts';
import { bindCopy } from '../copy.ts';
import { fileName, pngFile } from '../exports.ts';
import { bindRadios } from '../field.ts';
import { CODES } from '../kinds.ts';
import { PANELS } from '../panels.ts';
import type { Context, Render, View } from '../types.ts';
import { toHash } from '../url.ts';
import { isTrained } from '../words/table.ts';
import render from './take.html?markup';

/** What a frame can show: the whole page, or one figure. */
const FRAMED = [{ id: '', title: 'This whole page', height: 800 }, ...PANELS.filter(({ height }) => height)];
/** Whether the page is in a sandboxed frame, as in its own embed code: the origin is then opaque. */
const EMBEDDED = globalThis.origin === 'null';

function formatSize(bytes: number) {
  const power = Math.min(Math.floor(Math.log2(bytes || 1) / 10), 2);
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${['bytes', 'KiB', 'MiB'][power]}`;
}

const tableShown = ({ length, dim }: View) => `The table shown: ${formatWhole(length)} × ${dim}`;

const positionsOf = ({ start, length }: View) =>
  `positions ${formatWhole(start)} to ${formatWhole(start + length - 1)}`;

const rowsOf = ({ encoding }: Table, { start, length }: View) => encoding.encode(length, { start });

function save(blob: Blob, name: string) {
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
 * @param figure the panel's id, or '' for the page
 */
function frameOf(view: View, figure: string) {
  const hash = toHash(figure ? { ...view, show: figure as View['show'], present: true } : view);
  const source = new URL(hash, location.href).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const { height } = FRAMED.find(({ id }) => id === figure) ?? FRAMED[0];
  return `<iframe src="${source}" title="Positional encodings" sandbox="allow-scripts" loading="lazy" width="100%" height="${height}" style="border:0"></iframe>`;
}

/** Saves the table shown as a file, by a button for each format. */
function bindFiles(root: HTMLElement, { posenc, tableOf, pending }: Context): Render {
  const status = find(root, '.saved', HTMLElement);
  let current: View;

  const makers: Record<string, () => Promise<Blob>> = {
    async npy() {
      const rows = rowsOf(tableOf(current), current);
      const { writeNpy } = await import('posenc/files');
      return new Blob([writeNpy(rows)]);
    },
    async png() {
      const table = tableOf(current);
      const rgba = posenc.colorize(rowsOf(table, current).data, { colormap: mapOf(root), domain: table.domain });
      return pngFile(rgba, current.length, current.dim);
    },
  };
  find(root, '.embedded', HTMLElement).hidden = !EMBEDDED;
  for (const button of root.querySelectorAll('button')) {
    button.disabled = EMBEDDED;
    button.addEventListener('click', async () => {
      const name = fileName(current, button.value);
      status.textContent = `Writing ${name}…`;
      try {
        const blob = await pending.until(makers[button.value]());
        save(blob, name);
        status.textContent = `${name}, ${formatSize(blob.size)}.`;
      } catch (error) {
        status.textContent = `${name} could not be written: ${(error as Error).message}`;
      }
    });
  }

  const forget = derive((view: View) => {
    status.textContent = '';
    // What was saved is another table.
    return [tableOf(view), view.length, view.start];
  });

  return (view) => {
    current = view;
    root.hidden = !kindOf(view).panels.includes('table');
    if (!root.hidden) forget(view);
  };
}

/** The code of a frame with the page, or with one of the view's figures. */
function bindEmbed(block: HTMLElement): Render {
  const copy = bindCopy(block);
  const figure = find(block, 'select', HTMLSelectElement);
  figure.append(...FRAMED.map(({ id, title }) => new Option(id ? `${title} alone` : title, id)));
  let current: View;
  const draw = () => {
    const { panels } = kindOf(current);
    for (const option of figure.options) {
      option.disabled = option.value !== '' && !panels.some((id) => id === option.value);
    }
    if (figure.selectedOptions[0].disabled) figure.value = '';
    copy.show(frameOf(current, figure.value));
  };
  figure.addEventListener('change', draw);
  return (view) => {
    current = view;
    draw();
  };
}

/** The code of what is shown. */
function bindCode(block: HTMLElement, { tableOf, change }: Context): Render {
  const copy = bindCopy(block);
  const made = find(block, '.made', HTMLElement);
  const renderLanguage = bindRadios(block, 'language', change);
  const draw = derive((view: View) => {
    const table = tableOf(view);
    copy.show(codeOf(view.language, view, table.encoding));
    made.textContent = CODES[kindOf(view).name].made(view);
  });
  return (view) => {
    renderLanguage(view);
    draw(view);
  };
}

/** Exports the table shown as a file, as code and as a link; for a bias by distance, only code and link. */
export default function takePanel(root: HTMLElement, context: Context): Render {
  render(root);
  const part = (selector: string) => find(root, selector, HTMLElement);
  const caption = part('.what');
  const renders = [bindFiles(part('.as-file'), context), bindCode(part('.code'), context), bindEmbed(part('.embed'))];
  const link = bindCopy(part('.link'));
  const beside = part('.beside');
  const [share, npy] = [find(beside, 'button', HTMLButtonElement), find(root, '[value=npy]', HTMLButtonElement)];
  share.addEventListener('click', () => npy.click());
  share.disabled = EMBEDDED;

  return (view) => {
    const { shown = tableShown } = CODES[kindOf(view).name];
    caption.textContent = `${shown(view)}, ${positionsOf(view)}.`;
    for (const render of renders) render(view);
    link.show(new URL(toHash(view), location.href).href);
    beside.hidden = !view.file || isTrained(view);
    find(beside, 'bdi', HTMLElement).textContent = view.file?.name ?? '';
  };
}
