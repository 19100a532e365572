/** What the families need that few first views have: posenc's functions, and what makes their tables. */

export { alibi, learned, relativeBuckets, rotary } from 'posenc';
export * as tables from '../figure/kinds/tables.ts';
