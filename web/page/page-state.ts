/** The view of the page, which links restore: the view of the figures, and fields that only the page has. */

import type { FieldParser } from '../figure/field-text.ts';
import * as figures from '../figure/figure-state.ts';
import { createFields, findKind, readInitials } from '../figure/index.ts';
import type { FigureView, Preset } from '../figure/types.ts';
import { FAMILY_FIELDS, findStartDefault } from '../spec/families.ts';
import { FIELDS, PAGE_FIELDS } from '../spec/fields.ts';
import type { View } from './types.ts';

type PageFields = { [K in keyof View]: FieldParser<View[K]> };

const explored = { initial: null, local: true, parse: () => null, format: () => '' };

export const pageFields: PageFields = { ...figures.figureFields, ...createFields(PAGE_FIELDS), explored };

export const INITIAL_VIEW: View = Object.freeze({ ...readInitials({ ...FIELDS, ...PAGE_FIELDS }), explored: null });

/** The fields that only Check shows. */
export const NO_MODEL = { model: '', part: null, layers: null };

/** Fields that say how and where something is shown. The others are what a reader changes in a step of the story. */
const AROUND: (keyof View)[] = ['text', 'step', 'place', 'show', 'present', 'theme', 'pinned'];

export const isAction = (keys: string[]) => !keys.every((key) => AROUND.includes(key as keyof View));

/** The place that an address without one opens: that of its model, of its figure or of its step. */
export function findHome({ step, show, model }: Pick<View, 'step' | 'show' | 'model'>): View['place'] {
  if (model) return 'check';
  if (show) return show === 'check' ? 'check' : 'explore';
  return step ? 'learn' : 'explore';
}

/** The fields that the chosen preset decides. */
export const PLAIN_FIELDS = Object.fromEntries(
  FAMILY_FIELDS.filter((key) => figures.INITIAL_FIGURE[key] === null).map((key) => [key, null]),
);

export function chosen(before: FigureView, preset: Preset): Partial<FigureView> {
  const { start, length, numerics } = before;
  const { limits, fields } = findKind({ preset });
  const { first, last } = limits(before);
  const origin = start === findStartDefault(before.preset) ? findStartDefault(preset) : start;
  const visible = Math.min(length, last - first + 1);
  return {
    ...{ ...PLAIN_FIELDS, preset, length: visible },
    start: Math.min(Math.max(origin, first), last - visible + 1),
    // Without arithmetic there is no rounding.
    numerics: fields.includes('numerics') ? numerics : 'exact',
  };
}
