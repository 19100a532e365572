/** What the families need that few first views have: posenc's functions, and what makes the table of rotary encodings. */

export { alibi, learned, relativeBuckets, rotary } from 'posenc';
export { rotaryTable } from '../figure/kinds/rotary-table.js';
