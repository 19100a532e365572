/** A page with one element, of which it tells all that is drawn. */

await import(/** @type {string} */ ('../../dist/element.js'));

const main = /** @type {HTMLElement} */ (document.querySelector('main'));

/** Lists in place of arrays of numbers, since what comes from a test is plain. @param {any} value */
const given = (value) => (value?.shape ? { ...value, data: Float32Array.from(value.data) } : value);

/**
 * @param {string} name of a new element, or '' for the one that is there
 * @param {Record<string, unknown>} properties
 */
async function drawn(name, properties) {
  if (name) main.replaceChildren(document.createElement(name));
  const element = /** @type {any} */ (main.firstElementChild);
  await element.ready;
  for (const [property, value] of Object.entries(properties)) element[property] = given(value);
  await element.settled();
  const { shadowRoot } = element;
  const seen = [...shadowRoot.querySelectorAll('canvas')].filter((canvas) => canvas.width && canvas.checkVisibility());
  const canvases = seen.map((canvas) => canvas.toDataURL());
  const places = [...shadowRoot.querySelectorAll('.cell, .u-cursor-x, .cross')].map(({ style }) => style.cssText);
  return JSON.stringify([shadowRoot.querySelector('section').innerText, canvases, places]);
}
Object.assign(globalThis, { drawn });

export {};
