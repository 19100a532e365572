/** The panels of the page, in its order. page.tsx has their sections. */

interface PanelOfPage {
  /** That of its section. */
  id: string;
  /** Of a figure, which can be presented alone. */
  title?: string;
  /** Whether it stands below the table, where one panel is open at a time. */
  below?: boolean;
  /** The height of a frame that shows it alone, in pixels, which a page of 760 pixels needs. */
  height?: number;
  /** How much of a screen that shows it alone isn’t its body’s, in rem. Default: 14.5. */
  rest?: number;
}

export const PAGE_PANELS: PanelOfPage[] = [
  { id: 'story' },
  { id: 'choose' },
  { id: 'table', title: 'Table', height: 550, rest: 18 },
  { id: 'waves', title: 'Waves', height: 560, rest: 4.5 },
  { id: 'bias', title: 'Bias', height: 480 },
  { id: 'addition', title: 'Words + positions', below: true, height: 540 },
  { id: 'frequencies', title: 'Frequencies', below: true, height: 450, rest: 7.5 },
  { id: 'rope', title: 'Query and key', below: true, height: 520, rest: 7 },
  { id: 'similarity', title: 'Similarity', below: true, height: 430 },
  { id: 'spectrum', title: 'Spectrum', below: true, height: 350 },
  { id: 'precision', title: 'Rounding', below: true, height: 480 },
  { id: 'sums', title: 'Sums', below: true, height: 570 },
  { id: 'check', title: 'Your table' },
  { id: 'model' },
  { id: 'take' },
  { id: 'settings' },
];
