/**
 * Loads a classic script when it is wanted, and only once. A failure is forgotten, so that another try may succeed.
 *
 * Classic, since a sandboxed frame may import nothing: what the script has to give it leaves in a global. Vite builds such a
 * script for a worker (`?worker&url`), and the page runs it itself.
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
 * @returns {Worker} throws a DOMException where a frame may have none
 */
export const startWorker = (url) => new Worker(trusted ? trusted.createScriptURL(url) : url);

/** What lets pages load scripts whose policy wants trusted types. The URLs are the build's own. */
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
      // Some hosts answer with a page for what they don't have.
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
