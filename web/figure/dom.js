/**
 * Finds an element and checks its type.
 *
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} [kind] Default: HTMLElement.
 * @returns {T}
 */
export function find(root, selector, kind = /** @type {any} */ (HTMLElement)) {
  const node = root.querySelector(selector);
  if (node instanceof kind) return node;
  throw new Error(`the page has no ${kind.name} at ${selector}`);
}

/**
 * Creates an element. Strings become text, never markup.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} className
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/**
 * Fills a read-out with names and values side by side. The last pair is the longest and takes the remaining width.
 *
 * @param {HTMLElement} readout
 * @param {Record<string, string>} pairs
 * @param {Node[]} more
 */
export function say(readout, pairs, ...more) {
  const spans = Object.entries(pairs).map(([name, value]) =>
    element('span', 'pair', element('span', 'name', name), ' ', element('bdi', 'value', value)),
  );
  spans[spans.length - 1].classList.add('wide');
  readout.replaceChildren(...spans, ...more);
}
