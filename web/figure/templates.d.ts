declare module '*.html?markup' {
  /** Fills a node with the markup, in place of what it had (vite.config.js). */
  export default function render(root: ParentNode): void;
}
