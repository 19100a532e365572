/** The figures that only the story has. */

import '../../figure/panels/shared.css';
import '../../figure/clocks.css';
import '../../figure/rows-of-words.css';
import './figures/figures.css';

export { baseFigure as base } from './figures/base.ts';
export { circleFigure as circle } from './figures/circle.ts';
export { countFigure as count } from './figures/count.ts';
export { sumFigure as sum } from './figures/sum.ts';
