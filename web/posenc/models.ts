export { encodingOf, encodingsOf } from './models/encoding.ts';
export { permuteRotary } from './models/permute.ts';
