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

/** Calls a function with the sizes of an element whenever they change. Where there is no layout, as in jsdom, there are none. */
export function watchSize(node: Element, onSize: (entry: ResizeObserverEntry) => void) {
  if (globalThis.ResizeObserver) new ResizeObserver((entries) => onSize(entries[entries.length - 1])).observe(node);
}
