/** Specs near one that is asked for, and what differs between two, in words. */

import { ROTARY_BASES } from '../../../spec/rotations.ts';
import { roundTo } from '../angles.ts';
import { describeBug } from '../bugs.ts';
import { BETAS, COMMON_LENGTHS, FACTORS } from '../laws.ts';
import type { TableBug } from '../types.ts';

/** Other values of fields, as models have them. A flag has its opposite too, a list its reverse, and any other field may be missing. */
const COMMON_VALUES: Record<string, readonly unknown[]> = {
  base: ROTARY_BASES,
  factor: FACTORS,
  ...BETAS,
  betaFast: [...BETAS.betaFast, 16],
  buckets: [32, 64, 128, 256],
  layout: ['interleaved', 'half', 'sin-cos', 'cos-sin'],
};

/** The change of a field that has another value in the table. */
export function describeChange(field: string, is: unknown, not: unknown): TableBug {
  const id = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (is === undefined) return { id, note: `${field} is missing` };
  // Of a scaling, the type.
  const [has, asked] = [is, not].map((value: any) => value?.type ?? (Array.isArray(value) ? `[${value}]` : value));
  const doubled = field === 'base' && has === asked ** 2 ? ', or the exponent is doubled' : '';
  return { id, note: `${field} is ${has}, ${asked === undefined ? 'where there is none' : `not ${asked}`}${doubled}` };
}

/** The fields in which two complete specs differ. Equal numbers of all axes are one number. */
export const listChanges = (is: any, not: any): TableBug[] =>
  Object.keys({ ...is, ...not }).flatMap((field) => {
    const [has, asked] = [is[field], not[field]];
    if (field === 'odd' || (field === 'dim' && 'rotaryDim' in not)) return [];
    // Of a largest frequency that is measured, six digits are right.
    const round = (_: string, part: any) => (field === 'maxFrequency' && part > 0 ? roundTo(part, 6) : part);
    const write = (value: unknown) => JSON.stringify(value, round);
    if (write(has) === write(asked) || new Set([has, asked].flat().map(write)).size === 1) return [];
    return has?.type && has.type === asked?.type ? listChanges(has, asked) : describeChange(field, has, asked);
  });

export type Variant = [spec: any, ...changes: TableBug[]];

/** A spec, and those in which one field is missing or has another usual value. */
export function* listVariants(spec: any): Generator<Variant> {
  yield [spec];
  for (const [field, value] of Object.entries<any>(spec)) {
    const isList = Array.isArray(value);
    const opposite =
      value === !!value ? !value : isList ? [...value].reverse() : field === 'rotaryDim' ? spec.dim : undefined;
    // A row of zeros is another's only where there should be one.
    const common = field === 'zeroAt' && value !== undefined ? [0] : COMMON_VALUES[field];
    for (const other of [...(common ?? (/max|len/i.test(field) ? COMMON_LENGTHS : [])), opposite])
      if (other !== value) yield [{ ...spec, [field]: other }, describeChange(field, other, value)];
  }
  // Swapped, they leave no frequencies between: which one wins depends on the order of a port's conditions.
  for (const limit of spec.highFreqFactor ? [spec.lowFreqFactor, spec.highFreqFactor] : []) {
    yield [{ ...spec, lowFreqFactor: limit, highFreqFactor: limit }, describeBug({ id: 'freq-factors-swapped' })];
  }
  // Layers of other types may have neither the base nor the scaling.
  for (const base of spec.scaling ? ROTARY_BASES : [])
    if (base !== spec.base)
      yield [
        { ...spec, base, scaling: undefined },
        describeChange('base', base, spec.base),
        describeChange('scaling', undefined, spec.scaling),
      ];
  for (const [scaling, ...changes] of spec.scaling ? listVariants(spec.scaling) : [])
    yield [{ ...spec, scaling }, ...changes];
}
