import './take.css';
import { colorize } from 'posenc';
import { useMemo, useState } from 'preact/hooks';
import { Head } from '../../figure/components.tsx';
import { findKind, formatWhole, readColormap } from '../../figure/index.ts';
import type { FigureTable } from '../../figure/types.ts';
import { toHash } from '../address.ts';
import type { Shown } from '../component.tsx';
import { CopyBox } from '../copy.tsx';
import { findFamily, nameFile, writeCode } from '../families/index.ts';
import { Radios, Select, useStateFor } from '../field.tsx';
import { PAGE_PANELS } from '../panels.ts';
import type { Context, View } from '../types.ts';
import { isTrained } from '../words/trained-table.ts';

/** What a frame can show: the whole page, or one figure. */
const FRAMED_FIGURES = [
  { id: '', title: 'This whole page', height: 800 },
  ...PAGE_PANELS.filter(({ height }) => height),
];
/** Pixels of the longer side of a picture, unless the table has more cells. */
const LONGEST_SIDE = 1024;
/** Whether the page is in a sandboxed frame, as in its own embed code: the origin is then opaque. */
const EMBEDDED = globalThis.origin === 'null';

function formatSize(bytes: number) {
  const power = Math.min(Math.floor(Math.log2(bytes || 1) / 10), 2);
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${['bytes', 'KiB', 'MiB'][power]}`;
}

const tableShown = ({ length, dim }: View) => `The table shown: ${formatWhole(length)} × ${dim}`;

const encodeView = ({ encoding }: FigureTable, { start, length }: View) => encoding.encode(length, { start });

function save(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Browsers start to read the blob some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The code of a frame with the page, or with one of its figures. */
function writeFrame(view: View, figure: string) {
  const hash = toHash(figure ? { ...view, show: figure as View['show'], present: true } : view);
  const source = new URL(hash, location.href).href.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const { height } = FRAMED_FIGURES.find(({ id }) => id === figure) ?? FRAMED_FIGURES[0];
  return `<iframe src="${source}" title="Positional encodings" sandbox="allow-scripts" loading="lazy" width="100%" height="${height}" style="border:0"></iframe>`;
}

async function paintPng(rgba: Uint8ClampedArray<ArrayBuffer>, rows: number, columns: number): Promise<Blob> {
  const scale = Math.max(Math.floor(LONGEST_SIDE / Math.max(rows, columns)), 1);
  const [small, large] = [document.createElement('canvas'), document.createElement('canvas')];
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

const WRITERS = {
  async npy(view: View, { getTable }: Context) {
    const rows = encodeView(getTable(view), view);
    const { writeNpy } = await import('posenc/files');
    return new Blob([writeNpy(rows)]);
  },
  async png(view: View, { getTable }: Context) {
    const table = getTable(view);
    const { data } = encodeView(table, view);
    const colormap = readColormap(document.body);
    return paintPng(colorize(data, { colormap, domain: table.domain }), view.length, view.dim);
  },
};

/** Exports the table shown as a file, as code and as a link; for a bias by distance, only code and link. */
export function Figure({ view, context }: Shown) {
  const { getTable, change, pending } = context;
  const { start, length, file, language } = view;
  const { panels } = findKind(view);
  const { shown = tableShown, made: describeCode } = findFamily(view);
  const table = getTable(view);
  const exported = useMemo(() => ({}), [table, start, length]);
  const [saved, say] = useStateFor(exported, '');
  const [framed, frame] = useState('');
  const canFrame = (id: string) => id === '' || panels.some((panel) => panel === id);

  const saveAs = async (extension: keyof typeof WRITERS) => {
    const name = nameFile(view, extension);
    say(`Writing ${name}…`);
    try {
      const blob = await pending.until(WRITERS[extension](view, context));
      save(blob, name);
      say(`${name}, ${formatSize(blob.size)}.`);
    } catch (error) {
      say(`${name} could not be written: ${(error as Error).message}`);
    }
  };
  const saving = (extension: keyof typeof WRITERS, label: string) => (
    <button type="button" value={extension} disabled={EMBEDDED} onClick={() => saveAs(extension)}>
      {label}
    </button>
  );
  const figure = canFrame(framed) ? framed : '';
  return (
    <>
      <Head id="take" title="Take it">
        <button type="button" popovertarget="take" popovertargetaction="hide">
          Close
        </button>
      </Head>
      <p class="caption what">
        {`${shown(view)}, positions ${formatWhole(start)} to ${formatWhole(start + length - 1)}.`}
      </p>
      <div class="two-columns">
        <div>
          <div class="as-file stack" hidden={!panels.includes('table')}>
            <h3>File</h3>
            <p class="row">
              {saving('npy', '.npy')} <span class="note">float32, as numpy.load reads it</span>
            </p>
            <p class="row">
              {saving('png', 'PNG')} <span class="note">a picture of the table</span>
            </p>
            <p class="embedded note" hidden={!EMBEDDED}>
              The page that embeds this one does not let it save files. Open it by its link to save them.
            </p>
            <p class="saved sampling" role="status">
              {saved}
            </p>
          </div>
          <h3>Link</h3>
          <div class="copied link">
            <label for="take-link">Link to this view</label>
            <CopyBox as="input" id="take-link" name="link" text={new URL(toHash(view), location.href).href} />
            {file && !isTrained(view) && (
              <p class="beside note">
                A link can’t hold the rows of <bdi>{file.name}</bdi>: this one opens random rows instead. Share the file
                too; it is opened in the settings. {saving('npy', 'Save as .npy')}
              </p>
            )}
          </div>
          <div class="copied embed">
            <label for="take-embed">Embed in a page</label>
            <Select
              aria-label="What to embed"
              value={figure}
              options={Object.fromEntries(
                FRAMED_FIGURES.map(({ id, title }) => [id, id ? `${title} alone` : `${title}`]),
              )}
              lacks={(id) => !canFrame(id)}
              onChoose={frame}
            />
            <CopyBox as="textarea" id="take-embed" rows={4} name="embed" text={writeFrame(view, figure)} />
          </div>
        </div>
        <div class="copied code">
          <h3>Code</h3>
          <Radios
            legend="Language"
            options={{ javascript: 'JavaScript', pytorch: 'PyTorch' }}
            {...{ name: 'language', view, change }}
          />
          <CopyBox as="pre" name="code" text={writeCode(language, view, table.encoding)} />
          <p class="caption">
            <span class="made">{describeCode(view)}</span> The JavaScript uses posenc, this page’s package.
          </p>
        </div>
      </div>
    </>
  );
}
