/**
 * Scripts that are loaded on demand.
 *
 * @module
 */

import * as files from './lazy/files.js?worker&url';
import * as identify from './lazy/identify.js?worker&url';
import * as models from './lazy/models.js?worker&url';
import * as tokenizer from './lazy/tokenizer.js?worker&url';
import { lazyScript } from './script.js';

/**
 * GPT-2's vocabulary.
 *
 * @type {() => Promise<typeof import('./tokenizer.js')>}
 */
export const loadTokenizer = lazyScript(tokenizer.default, 'posencTokenizer');

/**
 * Readers and writers of files.
 *
 * @type {() => Promise<typeof import('posenc/files') & typeof import('./files/open.js')>}
 */
export const loadFiles = lazyScript(files.default, 'posencFiles');

/**
 * The reader of models' config files.
 *
 * @type {() => Promise<typeof import('./model.js')>}
 */
export const loadModels = lazyScript(models.default, 'posencModels');

export const identifyScript = identify.default;

/**
 * The comparison of tables without a worker.
 *
 * @type {() => Promise<{ identify: import('./check/identify.js').Identify }>}
 */
export const loadIdentify = lazyScript(identifyScript, 'posencIdentify');
