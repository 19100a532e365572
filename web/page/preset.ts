import { initial, kindOf } from '../figure/index.ts';
import type { Preset, View } from '../figure/types.ts';
import { FAMILY_FIELDS, startOf } from '../spec/families.ts';

/** The fields that the chosen preset decides. */
export const PLAIN = Object.fromEntries(FAMILY_FIELDS.filter((key) => initial[key] === null).map((key) => [key, null]));

/** The changes to the view when the preset changes. */
export function chosen(before: View, preset: Preset): Partial<View> {
  const { start, length, numerics } = before;
  const { limits, fields } = kindOf({ preset });
  const { first, last } = limits(before);
  const origin = start === startOf(before.preset) ? startOf(preset) : start;
  const shown = Math.min(length, last - first + 1);
  return {
    ...{ ...PLAIN, preset, length: shown },
    start: Math.min(Math.max(origin, first), last - shown + 1),
    // Without arithmetic there is no rounding.
    numerics: fields.includes('numerics') ? numerics : 'exact',
  };
}
