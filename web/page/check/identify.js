import { identifyScript, loadIdentify } from '../lazy.js';
import { startWorker } from '../script.js';

/**
 * @typedef {import('posenc/identify').Match} Match
 * @typedef {import('posenc').Values} Values
 *
 * @typedef {(table: Values | { cos: Values, sin: Values }, options: import('posenc/identify').IdentifyOptions) => Promise<Match[]>} Identify
 */

/**
 * Runs `identify` in a worker, so that the page stays responsive. In frames that may not create workers, it runs in the page
 * itself.
 *
 * @returns {Identify} A new call cancels the previous one, which rejects.
 */
export function createIdentify() {
  /** @type {Worker | undefined} */
  let worker;
  /** @type {((reason: Error) => void) | undefined} rejects the running call */
  let giveUp;
  let allowed = true;

  /** @type {Identify} */
  const inWorker = (table, options) =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      worker ??= startWorker(identifyScript);
      worker.onmessage = ({ data: { matches, problem } }) => {
        giveUp = undefined;
        if (matches) resolve(matches);
        else reject(new Error(problem));
      };
      worker.onerror = () => {
        allowed = false;
        resolve(inPage(table, options));
      };
      worker.postMessage({ table, options });
    });

  /** @type {Identify} */
  const inPage = async (table, options) => (await loadIdentify()).identify(table, options);

  return async (table, options) => {
    if (giveUp) {
      worker?.terminate();
      worker = undefined;
      giveUp(new Error('Another table was given.'));
      giveUp = undefined;
    }
    if (!allowed) return inPage(table, options);
    try {
      return await inWorker(table, options);
    } catch (error) {
      // Nothing else throws synchronously.
      if (!(error instanceof DOMException)) throw error;
      allowed = false;
      return inPage(table, options);
    }
  };
}
