/**
 * The front end of the widgets, for every host of anywidget's modules. It shows the element that the model names, passes the
 * model's traits to it, and returns the user's choices and the computed results.
 */

import { load } from 'posenc';
import 'posenc/element';
import { ELEMENTS as FIELDS, LOOKS } from '../../spec/elements.ts';
import { link, type WidgetLink, type WidgetModel } from './link.ts';
import { themeAround } from './theme.ts';
import { formatProperty, formatTrait } from './traits.ts';

/** An array as it is transferred. */
interface Wire {
  shape: number[];
  /** float32, little-endian; or numbers, if somebody wrote the model by hand. */
  data: DataView | number[];
  /** Whether it was computed here, not given. */
  computed?: boolean;
}

type PosencElement = HTMLElement & { ready: Promise<void>; update: () => void; value: object | undefined } & Record<
    string,
    any
  >;

/** The elements, and the results of each by the names of the model's traits. */
const WIDGET_ELEMENTS: Record<
  string,
  (element: Record<string, any>) => Record<string, { shape: number[]; data: Float32Array } | undefined>
> = {
  'posenc-heatmap': ({ table }) => ({ table }),
  'posenc-rotary': ({ tables }) => ({ cos: tables?.cos, sin: tables?.sin }),
  'posenc-waves': ({ table }) => ({ table }),
  'posenc-add': ({ sum }) => ({ sum }),
};

/** The traits of the selection and the view. The results do not depend on them. */
const LOOK = LOOKS.map(formatTrait);

/** The traits that decide the results and that the user may change in the element. */
const SPEC = [...new Set(Object.values(FIELDS).flat())].filter((key) => !LOOKS.includes(key)).map(formatTrait);

/** The traits that are only inputs; a computed table is also an output. */
const GIVEN = ['embeddings', 'labels', 'table'];

/** The most numbers of results in one message: 8 MiB, since Jupyter's server accepts 10 MiB. */
const LIMIT = 2 ** 21;

/** Milliseconds between messages while a selection moves: in marimo each message runs cells. */
const OFTEN = 100;

function unpack({ shape, data }: Wire): { shape: number[]; data: Float32Array } {
  if (Array.isArray(data)) return { shape, data: Float32Array.from(data) };
  // A copy, since the bytes may not be aligned.
  const { buffer, byteOffset, byteLength } = data;
  return { shape, data: new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)) };
}

function pack({ shape, data }: { shape: number[]; data: Float32Array }): Wire {
  return { shape, data: new DataView(data.buffer, data.byteOffset, data.byteLength), computed: true };
}

/** The element's error message, or ''. */
function readError({ shadowRoot }: PosencElement): string {
  const parts = [...(shadowRoot?.querySelectorAll('[part~="error"]') ?? [])];
  return parts.map(({ textContent }) => textContent).join('');
}

/** The results of the element, or the reason why they are not sent. */
function collectResults(element: PosencElement): Record<string, unknown> {
  const computed = WIDGET_ELEMENTS[element.localName];
  const width = ('tables' in element && element.rotaryDim) || element.dim;
  const numbers = element.embeddings?.data.length ?? element.length * width;
  const tensors = Object.entries(computed(numbers > LIMIT ? {} : element));
  const names = tensors.map(([name]) => name).join(' and ');
  const error =
    numbers > LIMIT ? `At most ${LIMIT} numbers are sent, not the ${numbers} of ${names}.` : readError(element);
  const packed = tensors.map(([name, tensor]) => [name, tensor && !error ? pack(tensor) : null]);
  return { ...Object.fromEntries(packed), error };
}

/** The given table, which replaces the one that the model's other traits describe. */
function findOwnTable(get: WidgetLink['get']): Wire | null | undefined {
  const table = get('table');
  return table?.computed ? null : table;
}

/**
 * Shows the model's traits in the element, now and whenever one changes.
 *
 * @param onShow called with each trait that is shown
 * @param onChange called after a change
 */
function showTraits(
  element: PosencElement,
  { get, listen }: WidgetLink,
  onShow: (trait: string) => void,
  onChange: () => void,
) {
  const traits = [...LOOK, ...SPEC, ...GIVEN].filter((trait) => get(trait) !== undefined);
  const show = (trait: string) => {
    const value = trait === 'table' ? findOwnTable(get) : get(trait);
    element[formatProperty(trait)] = ['embeddings', 'table'].includes(trait) && value ? unpack(value) : value;
    onShow(trait);
  };
  const replaced = traits.filter((trait) => SPEC.includes(trait));
  // The traits that a table replaces are set before the table.
  for (const trait of traits) {
    show(trait);
    listen(trait, () => {
      if (findOwnTable(get) && replaced.includes(trait)) return;
      if (trait === 'table') replaced.forEach(show);
      show(trait);
      onChange();
    });
  }
}

/** Saves the user's choices and the results in the model. */
function createAnswers(element: PosencElement, { get, save }: WidgetLink) {
  let ended = false;
  let isWaiting = false;
  let stale = true; // whether the model's result is out of date
  let telling: ReturnType<typeof setTimeout> | undefined;

  /** Those of the traits whose values in the model differ from the element's. */
  const moved = (traits: string[]) =>
    Object.fromEntries(
      traits
        .map((trait) => [trait, element[formatProperty(trait)], get(trait)])
        .filter(([, value, previous]) => previous !== undefined && JSON.stringify(value) !== JSON.stringify(previous)),
    );
  /** The selected cell; null with an error, though the last good picture still has one. */
  const selected = () => (readError(element) ? null : (element.value ?? null));

  /** Saves everything, once for all changes made together. */
  const answer = async () => {
    if (isWaiting) return;
    isWaiting = true;
    await element.ready;
    isWaiting = false;
    if (ended) return;
    // In a hidden page there is no next frame.
    element.update();
    const table = findOwnTable(get);
    const result = stale ? (table ? { error: readError(element) } : collectResults(element)) : {};
    if (readError(element)) return save({ ...result, value: null });
    stale = false;
    save({ ...moved(table ? LOOK : [...LOOK, ...SPEC]), ...result, value: element.value ?? null });
  };

  element.addEventListener('input', () => {
    telling ??= setTimeout(() => {
      telling = undefined;
      save({ ...moved(LOOK), value: selected() });
    }, OFTEN);
  });
  element.addEventListener('change', () => {
    stale ||= Object.keys(moved(SPEC)).length > 0;
    answer();
  });

  return {
    answer,
    noteShown(trait: string) {
      stale ||= !LOOK.includes(trait);
    },
    end() {
      ended = true;
      clearTimeout(telling);
    },
  };
}

/**
 * Gives the element the model's theme, or that of its surroundings.
 *
 * @returns of the page's theme
 */
function followJupyterTheme(element: PosencElement, { get, listen }: WidgetLink): MutationObserver {
  const paint = () => {
    // Some hosts add `el` to the page later: it has no surroundings yet.
    if (element.isConnected) element.theme = get('theme') ?? themeAround(element);
  };
  const repaint = new MutationObserver(paint);
  for (const around of [document.documentElement, document.body]) repaint.observe(around, { attributes: true });
  listen('theme', paint);
  paint();
  element.ready.then(paint);
  return repaint;
}

/** @returns removes the element */
function render({ model, el }: { model: WidgetModel; el: HTMLElement }): () => void {
  const linked = link(model);
  const name = linked.get('element');
  if (!Object.hasOwn(WIDGET_ELEMENTS, name)) {
    throw new RangeError(`posenc: element must be ${Object.keys(WIDGET_ELEMENTS).join(' or ')}, got ${name}`);
  }
  const element = document.createElement(name) as PosencElement;
  const { answer, noteShown, end } = createAnswers(element, linked);
  showTraits(element, linked, noteShown, answer);
  el.append(element);
  const repaint = followJupyterTheme(element, linked);
  answer();
  return () => {
    end();
    linked.end();
    repaint.disconnect();
    element.remove();
  };
}

export default {
  /** Compiles posenc while the host lays out its page. */
  initialize() {
    load().catch(() => {}); // the element shows the reason
  },
  render,
};
