/** posenc's functions of the families that few first views have. */

export { alibi, learned, relativeBuckets, rotary } from 'posenc';
