/**
 * What each claim about a table costs. Of the candidates that fit, the cheapest is named. The unit is a field of the spec with another value
 * than the preset's.
 */
export const COSTS = {
  field: 1,
  /** A slip in the law: more than another base, which may make the same table, and less than two fields. */
  slip: 1.5,
  /** One in rows, columns or values, or rows that descend: a spec that someone may have meant comes first, if it has at most three fields. */
  bug: 4,
  /** Cosines or sines alone: those of a rotary encoding, in either layout, before a sinusoidal table that has a bug besides. */
  single: 2.9,
  /** ggml's cache, and the real numbers of Meta's freqs_cis: before a sinusoidal table that is swapped, which has the same columns. */
  cache: 3,
  /** A base below 100, which no rotary encoding has. */
  smallBase: 3,
  /** Cells that don't agree: a bug with which all do is likelier. */
  partial: 5,
  /** A base or factor of frequencies that no system has: a bug, even with a field, is likelier. */
  unusual: 5,
  /** A first position between two, which no rotary encoding has, so that any mistake is likelier. */
  between: 20,
  /** A base of more than two digits, or a row of zeros, which fit too much: they are named only if nothing else fits. */
  last: 99,
};

/** A candidate that costs more than the cheapest by this is not named beside it. */
export const MOST_MATCHES = 50;

/** The bits of a choice: of one of the forms and views that are tried, and of one of the bugs. */
export const FORM_BITS = 12;
export const BUG_BITS = 8;
