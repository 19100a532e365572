/** What makes the tables of kinds other than sinusoidal, which is loaded when one is shown. */

export * as learned from './learned-table.ts';
export * as rotary from './rotary-table.ts';
