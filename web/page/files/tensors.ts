import { formatWhole } from '../../figure/index.ts';
import type { Pending } from '../../figure/types.ts';
import type { Opened } from '../../files/open.ts';
import type { ReadTable } from '../../files/parse-table.ts';
import { formatSizes } from '../../files/shapes.ts';
import { openThere } from '../check/client.ts';

interface Origin {
  file: string;
  /** The name of the tensor, if it has one. */
  name: string;
  /** The length of its first axis, which may have been read only in part. */
  length: number;
}

export const FILE_FORMATS = '.npy, .safetensors, or numbers as text: CSV, JSON, C arrays, what Python prints';

/** The most tensors of a list: more can't be looked through, and a browser takes seconds to make it. */
const MOST_LISTED = 1000;

function wordError(error: unknown) {
  const message = (error as Error).message.replace('posenc: ', '');
  // Names of fields keep their letters.
  const first = /^\w*_/.test(message) ? message.charAt(0) : message.charAt(0).toUpperCase();
  return `${first}${message.slice(1)}${/[.?!]$/.test(message) ? '' : '.'}`;
}

/**
 * Why a panel can't show a tensor.
 *
 * @returns the first broken rule and the shape, or ''
 */
export function brokenRule(shape: number[], rules: [right: boolean, rule: string][]): string {
  const [, rule] = rules.find(([isRight]) => !isRight) ?? [];
  return rule ? `${rule} This has the shape [${shape.join(', ')}].` : '';
}

export const rulesOfTables = (shape: number[]): [right: boolean, rule: string][] => [
  [
    shape.length >= 2 && !Number.isNaN(formatSizes(shape)[0]),
    'A table must have the shape [length, dim], besides axes of size 1.',
  ],
  [!shape.includes(0), 'A table must not be empty.'],
];

export interface Offer {
  listed: { name: string; label: string; fits: boolean }[];
  /** How many are not listed, in words, or ''. */
  others: string;
  chosen: string;
}

function createOffer(fitting: string[], { names, shape }: Opened): Omit<Offer, 'chosen'> {
  const possible = new Set(fitting);
  const some = names.length > MOST_LISTED ? fitting.slice(0, MOST_LISTED) : names;
  const listed = some.map((name) => ({ name, label: `${name} [${shape(name).join(', ')}]`, fits: possible.has(name) }));
  const left = names.length - some.length;
  return { listed, others: left ? `and ${formatWhole(left)} others` : '' };
}

/** The tensors that a panel can show, the likely ones first. */
function findFitting({ names, shape }: Opened, { objection, likely }: Pick<ReadingFile, 'objection' | 'likely'>) {
  const fitting = names.filter((name) => objection(shape(name), name) === '');
  if (fitting.length > 0) return fitting.sort((a, b) => Number(likely.test(b)) - Number(likely.test(a)));
  throw new Error(names[0] === '' ? objection(shape(''), '') : 'It has no tensor of a suitable shape.');
}

interface Attempts {
  pending: Pending;
  onStart?: (text: string) => void;
  /** Called with the error, or ''. */
  onEnd: (problem: string) => void;
}

/** Runs attempts to read something. A new attempt cancels the one before. */
export function createAttempts({ pending, onStart, onEnd }: Attempts) {
  let latest = 0;
  const run = async (name: string, work: (outdated: () => boolean) => Promise<void>): Promise<void> => {
    const mine = ++latest;
    const outdated = () => mine !== latest;
    let problem = '';
    onStart?.(`Reading${name && ` ${name}`}…`);
    try {
      await work(outdated);
    } catch (error) {
      problem = `${name && `${name}: `}${wordError(error)}`;
    }
    if (!outdated()) onEnd(problem);
  };
  return {
    /** @param name of what is read */
    attempt: (name: string, work: (outdated: () => boolean) => Promise<void>) => pending.until(run(name, work)),
    cancel() {
      latest++;
    },
  };
}

interface ReadingFile extends Attempts {
  /** Why the panel can't show a tensor of this shape and name, or ''. */
  objection: (shape: number[], name: string) => string;
  likely: RegExp;
  /** Returns the tensor to show first, of those that the panel can show, the likely ones first. Default: the first. */
  choose?: (names: string[], opened: Opened, outdated: () => boolean) => string | Promise<string>;
  /** Changes an opened file for the panel. Default: the file as it is. */
  adapt?: (opened: Opened) => Opened;
  /** The number of slices along the first axis to read. Default: all. */
  rowsOf?: (shape: number[]) => number;
  /** Throws if it can't be shown. */
  onTable: (table: ReadTable, origin: Origin, outdated: () => boolean) => void | Promise<void>;
  /** Called with the tensors of a file that has several, or without any. */
  onOffer: (offer?: Offer) => void;
}

/** Opens files for a panel and offers their tensors. A new attempt cancels the previous one, and a failure changes nothing. */
export function createReader(panel: ReadingFile) {
  const { onTable, choose = ([first]) => first, adapt = (opened) => opened, rowsOf = () => Infinity } = panel;
  let offered: { file: string; opened: Opened; list: Omit<Offer, 'chosen'> } | undefined;
  let latest: { name: string; opened: Opened } | undefined;

  const update = () => {
    const many = offered && offered.opened.names.length > 1 ? offered : undefined;
    panel.onOffer(many && { ...many.list, chosen: latest?.opened === many.opened ? latest.name : '' });
  };
  const { attempt, cancel } = createAttempts({
    ...panel,
    onEnd(problem) {
      panel.onEnd(problem);
      update();
    },
  });

  const show = (file: string, opened: Opened, name: string) =>
    attempt(name || file, async (outdated) => {
      const shape = opened.shape(name);
      const table = await opened.read(name, rowsOf(shape));
      if (outdated()) return;
      await onTable(table, { file, name, length: shape[0] }, outdated);
      if (!outdated()) latest = { name, opened };
    });

  return {
    attempt,
    choose(name: string) {
      if (offered && name) show(offered.file, offered.opened, name);
    },
    open: (file: File) =>
      attempt(file.name, async (outdated) => {
        const opened = adapt(await openThere(file));
        if (outdated()) return;
        const fitting = findFitting(opened, panel);
        offered = { file: file.name, opened, list: createOffer(fitting, opened) };
        const chosen = await choose(fitting.slice(0, MOST_LISTED), opened, outdated);
        if (!outdated()) await show(file.name, opened, chosen);
      }),
    forget() {
      cancel();
      offered = latest = undefined;
      update();
    },
  };
}
