/** What makes the tables of kinds other than sinusoidal, which is loaded when one is shown. */

export * as learned from './learned-table.js';
export * as rotary from './rotary-table.js';
