/**
 * A style sheet for `adoptedStyleSheets`, which security policies allow where they forbid `<style>`.
 *
 * @param {readonly string[]} rules the text of each style sheet
 * @param {Pick<typeof globalThis, 'CSSStyleSheet'>} [view] the window of the document that uses it
 */
export function sheetOf(rules, view = globalThis) {
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  return sheet;
}
