import clocksStyle from '../../figure/clocks.css?inline';
import scoresStyle from '../../figure/panels/scores.css?inline';
import { scoresPanel } from '../../figure/panels/scores.js';
import sharedStyle from '../../figure/panels/shared.css?inline';
import rowsStyle from '../../figure/rows-of-words.css?inline';
import { sheetOf } from '../../figure/style.js';
import { ofTokens } from '../panels/tokens.js';
import { baseFigure as base } from '../story/figures/base.js';
import { circleFigure as circle } from '../story/figures/circle.js';
import { countFigure as count } from '../story/figures/count.js';
import figuresStyle from '../story/figures/figures.css?inline';
import { sumFigure } from '../story/figures/sum.js';

const rules = [sharedStyle, clocksStyle, rowsStyle, scoresStyle, figuresStyle];
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOf(rules)];
const scores = ofTokens(scoresPanel);
const sum = ofTokens(sumFigure);
Object.assign(globalThis, { posencStory: { base, circle, count, scores, sum } });
