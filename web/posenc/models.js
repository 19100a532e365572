export { encodingOf } from './models/encoding.js';
export { permuteRotary } from './models/permute.js';
