/**
 * Adds rules to a page or a shadow tree, where its security policy lets no `<style>` in.
 *
 * @param {Document | ShadowRoot} root
 * @param {...string} rules of a style sheet each
 */
export function adoptStyle(root, ...rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
