/** The ranges of numbers that several functions take, each the least and the greatest. */

export type Range = readonly [least: number, most: number];

/** The farthest position, up to which float64 counts exactly. */
export const MAX_POSITION = Number.MAX_SAFE_INTEGER;

/** Coordinates of a rotated grid's first cell: float64 counts on exactly from whole ones, and from others rounds to 2^-37. */
export const ORIGIN: Range = [-(2 ** 52), 2 ** 52];
export const FRACTIONAL_ORIGIN: Range = [-(2 ** 15), 2 ** 15];

/** The largest seed of PyTorch's random numbers. */
export const MAX_SEED = 2 ** 32 - 1;

/** Bases of frequencies. */
export const BASE: Range = [1.0001, 1e12];

/** Ratios of frequencies. */
export const RATIO: Range = [1e-12, 1e12];

/** Factors that only grow. */
export const GROWTH: Range = [1, 1e12];

/** Weights; 0 means none. */
export const WEIGHT: Range = [0, 1e12];

/** Frequencies in radians per position. */
export const FREQUENCY: Range = [-1e12, 1e12];

/** Probabilities and shares. */
export const SHARE: Range = [0, 1];
