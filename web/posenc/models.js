export { encodingOf, encodingsOf } from './models/encoding.js';
export { permuteRotary } from './models/permute.js';
