/** A page with one element, of which it tells all that is drawn. */

await import('../../dist/element.js' as string);

const main = document.querySelector('main') as HTMLElement;

/** Lists in place of arrays of numbers, since what comes from a test is plain. */
const given = (value: any) => (value?.shape ? { ...value, data: Float32Array.from(value.data) } : value);

/** @param name of a new element, or '' for the one that is there */
async function drawn(name: string, properties: Record<string, unknown>) {
  if (name) main.replaceChildren(document.createElement(name));
  const element = main.firstElementChild as any;
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
