import { tokenize } from '../tokenizer.js';

Object.assign(globalThis, { posencTokenizer: { tokenize } });
