/** The panels of the page, in its order. Each has a section in index.html, and a module that lazy.ts loads. */

import type { PanelOfPage } from './types.ts';

export const PANELS: PanelOfPage[] = [
  { id: 'story' },
  { id: 'choose' },
  { id: 'table', title: 'Table', height: 600 },
  { id: 'waves', title: 'Waves', height: 560 },
  { id: 'bias', title: 'Bias', height: 480 },
  { id: 'addition', title: 'Words + positions', below: true, large: true, height: 540 },
  { id: 'rope', title: 'Query and key', below: true, large: true, height: 520 },
  { id: 'similarity', title: 'Similarity', below: true, height: 430 },
  { id: 'frequencies', title: 'Frequencies', below: true, height: 480 },
  { id: 'spectrum', title: 'Spectrum', below: true, large: true, height: 380 },
  { id: 'precision', title: 'Rounding', below: true, height: 480 },
  { id: 'check', title: 'Your table', large: true },
  { id: 'model', large: true },
  { id: 'take' },
  { id: 'settings' },
];
