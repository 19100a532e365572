/**
 * The ranges of numbers that several functions take, each the least and the greatest.
 *
 * @module
 */

/** @typedef {readonly [least: number, most: number]} Range */

/** The farthest position, up to which float64 counts exactly. */
export const MAX_POSITION = Number.MAX_SAFE_INTEGER;

/** The largest seed of PyTorch's random numbers. */
export const MAX_SEED = 2 ** 32 - 1;

/** Bases of frequencies. @type {Range} */
export const BASE = [1.0001, 1e12];

/** Ratios of frequencies. @type {Range} */
export const RATIO = [1e-12, 1e12];

/** Factors that only grow. @type {Range} */
export const GROWTH = [1, 1e12];

/** Weights, of which 0 means none. @type {Range} */
export const WEIGHT = [0, 1e12];

/** Frequencies in radians per position. @type {Range} */
export const FREQUENCY = [-1e12, 1e12];

/** Probabilities and shares. @type {Range} */
export const SHARE = [0, 1];
