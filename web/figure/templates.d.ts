declare module '*.html?markup' {
  /** Replaces the content of a node by the markup (vite.config.ts). */
  export default function render(root: ParentNode): void;
}
