/**
 * Fills a node with markup in the form that the build writes (web/posenc/vite.config.ts). `innerHTML` is not used, since some
 * pages require trusted types.
 */
export function fill(root: ParentNode, markup: string) {
  const made = document.createElement('div');
  let node: Element = made;
  for (const piece of markup.split('<').slice(1)) {
    const [tag, text] = piece.split('>');
    const [name] = tag.split(' ');
    if (name === '/') {
      node = node.parentNode as Element;
    } else {
      const namespace = name === 'math' ? 'http://www.w3.org/1998/Math/MathML' : node.namespaceURI;
      node = node.appendChild(document.createElementNS(namespace, name));
      for (const [, key, , value = ''] of tag.slice(name.length).matchAll(/([\w-]+)(?:=(["'])(.*?)\2)?/g)) {
        node.setAttribute(key, value);
      }
    }
    if (text) node.append(text);
  }
  root.replaceChildren(...made.childNodes);
}
