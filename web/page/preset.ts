import { findKind, INITIAL_FIGURE } from '../figure/index.ts';
import type { FigureView, Preset } from '../figure/types.ts';
import { FAMILY_FIELDS, findStartDefault } from '../spec/families.ts';

/** The fields that the chosen preset decides. */
export const PLAIN_FIELDS = Object.fromEntries(
  FAMILY_FIELDS.filter((key) => INITIAL_FIGURE[key] === null).map((key) => [key, null]),
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
