/** What the rooms of the page share. */

import type { HTMLAttributes } from 'preact';
import type { Value } from '../figure/field-text.ts';
import type * as figures from '../figure/types.ts';
import type { PAGE_FIELDS } from '../spec/fields.ts';
import type { createQueue } from './queue.ts';

/** What the page shows, which links restore: the view of the figures, and fields that only the page has. */
export type View = figures.FigureView & {
  -readonly [K in keyof typeof PAGE_FIELDS]: Value<(typeof PAGE_FIELDS)[K]>;
} & {
  /** What Explore and Check show again when Learn is left: its steps have views of their own. */
  explored: View | null;
};

export type Change = (patch: Partial<View>, settled: figures.Settled) => string;

/** What a component passes on to its element. */
export type Attributes = Omit<HTMLAttributes<any>, 'role'>;

/** What a control gets. */
export interface Controlled {
  view: View;
  change: Change;
}

export type Context = Omit<figures.FigureContext, 'change'> & {
  change: Change;
  /** The view that is asked for. A panel may not have drawn it yet. */
  current: () => View;
  /** Goes to another place, step or figure, and to a section there, by default that of the figure. Returns as `change` does. */
  navigate: (patch: Partial<View>, section?: string | null) => string;
  /** Draws panels, at once or soon. A frame shows one panel, and has no queue. */
  queue?: ReturnType<typeof createQueue>;
};
