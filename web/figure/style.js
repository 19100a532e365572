/**
 * A style sheet for `adoptedStyleSheets`, where a security policy lets no `<style>` in.
 *
 * @param {readonly string[]} rules of a style sheet each
 * @param {Pick<typeof globalThis, 'CSSStyleSheet'>} [view] the window of the document that it is for
 */
export function sheetOf(rules, view = globalThis) {
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  return sheet;
}
