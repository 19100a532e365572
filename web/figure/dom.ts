/**
 * Finds an element and checks its type.
 *
 * @param kind Default: HTMLElement.
 */
export function find<T extends Element = HTMLElement>(
  root: ParentNode,
  selector: string,
  kind: new () => T = HTMLElement as any,
): T {
  const node = root.querySelector(selector);
  if (node instanceof kind) return node;
  throw new Error(`the page has no ${kind.name} at ${selector}`);
}

/** Creates an element. Strings become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/** Fills a read-out with names and values side by side. The last pair is the longest and takes the remaining width. */
export function say(readout: HTMLElement, pairs: Record<string, string>, ...more: Node[]) {
  const spans = Object.entries(pairs).map(([name, value]) =>
    element('span', 'pair', element('span', 'name', name), ' ', element('bdi', 'value', value)),
  );
  spans[spans.length - 1].classList.add('wide');
  readout.replaceChildren(...spans, ...more);
}
