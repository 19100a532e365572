/**
 * Loads a classic script on demand, and only once. A failure is not cached, so that another attempt may succeed.
 *
 * The script is classic because a sandboxed frame can't import modules. It stores its exports in a global. Vite builds it as a
 * worker's script (`?worker&url`), but the page runs it itself.
 *
 * @template T
 * @param {string} url
 * @param {string} name of the global
 * @returns {() => Promise<T>}
 */
export function lazyScript(url, name) {
  /** @type {Promise<T> | undefined} */
  let loaded;
  return () => {
    loaded ??= run(url, name).catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/**
 * @param {string} url of a script that vite built for a worker
 * @returns {Worker} throws a DOMException if a frame may not create workers
 */
export const startWorker = (url) => new Worker(trusted ? trusted.createScriptURL(url) : url);

/** A policy for pages that require trusted types. All URLs come from the build. */
const trusted = /** @type {any} */ (globalThis).trustedTypes?.createPolicy('posenc', {
  createScriptURL: (/** @type {string} */ url) => url,
});

/**
 * @param {string} url
 * @param {string} name
 * @returns {Promise<any>}
 */
function run(url, name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const end = () => {
      script.remove();
      // Some hosts answer with a page for missing files.
      const value = /** @type {Record<string, unknown>} */ (globalThis)[name];
      if (value) resolve(value);
      else reject(new Error(`${new URL(url).pathname} could not be loaded.`));
    };
    script.addEventListener('load', end);
    script.addEventListener('error', end);
    script.src = trusted ? trusted.createScriptURL(url) : url;
    document.head.append(script);
  });
}
