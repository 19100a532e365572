/**
 * Which encoding made a table, and what is wrong with it. It computes with `posenc`, whose `load` or `loadFrom` has to succeed first;
 * both are exported here too.
 */

export { load, loadFrom } from 'posenc';
export { compare } from './identify/compare/compare.ts';
export { identify } from './identify/identify.ts';
export type * from './identify/types.ts';
