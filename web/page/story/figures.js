/**
 * The figures that only the story has.
 *
 * @module
 */

import '../../figure/panels/shared.css';
import '../../figure/clocks.css';
import '../../figure/rows-of-words.css';
import './figures/figures.css';
import { ofTokens } from '../panels/tokens.js';
import { sumFigure } from './figures/sum.js';

export { baseFigure as base } from './figures/base.js';
export { circleFigure as circle } from './figures/circle.js';
export { countFigure as count } from './figures/count.js';
export const sum = ofTokens(sumFigure);
