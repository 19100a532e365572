/** Panels that are loaded after the page, so that the visible ones are ready sooner. */

import { nextPaint } from '../figure/index.ts';
import type { Panel, PanelOfPage, Render, View } from './types.ts';

/**
 * The module of each panel, with its code, markup and style. Its default export gets the section and the context, and returns how it draws
 * a view.
 */
export const LOADERS: Record<string, () => Promise<{ default: Panel }>> = {
  story: () => import('./story/story.ts'),
  choose: () => import('./panels/choose.ts'),
  table: () => import('./panels/table.ts'),
  waves: () => import('./panels/waves.ts'),
  bias: () => import('./panels/bias.ts'),
  rope: () => import('./panels/rope.ts'),
  similarity: () => import('./explore/similarity.tsx'),
  spectrum: () => import('./explore/spectrum.tsx'),
  frequencies: () => import('./panels/frequencies.ts'),
  addition: () => import('./explore/words.tsx'),
  precision: () => import('./panels/precision.ts'),
  check: () => import('./panels/check.ts'),
  model: () => import('./panels/model.ts'),
  take: () => import('./panels/take.ts'),
  settings: () => import('./panels/settings.ts'),
};

let painted: Promise<unknown> | undefined;
/** The first paint, in this frame, which nothing may delay. */
const firstPaint = () => {
  painted ??= nextPaint();
  return painted;
};

/** What loads the panels, in the page's order. */
export const waiting: { id: string; large?: boolean; arrive: () => Promise<unknown>; reveal: () => void }[] = [];

/**
 * A panel that is loaded when the page is idle or when it comes near. Until its first drawing it keeps its room, and is neither shown nor
 * laid out.
 */
export function lazyPanel({ id, large }: PanelOfPage): Panel {
  return (root, context) => {
    root.classList.add('unloaded');
    let render: Render | undefined;
    let latest: View;
    const arrive = async () => {
      const { default: panel } = await LOADERS[id]();
      if (!render) root.classList.replace('unloaded', 'undrawn');
      render ??= panel(root, context);
      return render;
    };
    const reveal = () => root.classList.remove('undrawn');
    waiting.push({ id, large, arrive, reveal });
    return async (view) => {
      latest = view;
      if (!render) await firstPaint();
      const draw = render ?? (await arrive());
      reveal();
      await draw(latest);
    };
  };
}

/** Loads some of them at once, and lays them out. */
export const bring = (ids: string[]) =>
  Promise.allSettled(waiting.filter(({ id }) => ids.includes(id)).map(({ arrive, reveal }) => arrive().then(reveal)));
