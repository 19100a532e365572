/**
 * A figure presented in a frame of another page: without the page's own head and foot, as large as in the page, and with the height that
 * it needs.
 */

import type { View } from './types.ts';

export const isFramed = ({ present }: View) => present && parent !== window;

/** Tells the page around the frame how high the figure is, now and whenever it changes. */
export function tellHeight() {
  let sent = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    // Any page may receive it: the message contains nothing but the height.
    if (height !== sent) parent.postMessage({ type: 'posenc:height', height }, '*');
    sent = height;
  }).observe(document.body);
}
