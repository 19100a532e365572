import numberStyle from '../../figure/panels/number.css?inline';
import shuffleStyle from '../../figure/panels/shuffle.css?inline';
import { shufflePanel } from '../../figure/panels/shuffle.js';
import { sheetOf } from '../../figure/style.js';
import additionStyle from '../panels/addition.css?inline';
import { additionPanel as addition } from '../panels/addition.js';
import checkStyle from '../panels/check.css?inline';
import { checkPanel as check } from '../panels/check.js';
import clocksStyle from '../panels/clocks.css?inline';
import { clocksPanel as clocks } from '../panels/clocks.js';
import farStyle from '../panels/far.css?inline';
import precisionStyle from '../panels/precision.css?inline';
import { precisionPanel as precision } from '../panels/precision.js';
import similarityStyle from '../panels/similarity.css?inline';
import { similarityPanel as similarity } from '../panels/similarity.js';
import takeStyle from '../panels/take.css?inline';
import { takePanel as take } from '../panels/take.js';
import { ofTokens } from '../panels/tokens.js';

const rules = [
  farStyle,
  numberStyle,
  clocksStyle,
  similarityStyle,
  shuffleStyle,
  precisionStyle,
  additionStyle,
  checkStyle,
  takeStyle,
];
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOf(rules)];
const shuffle = ofTokens(shufflePanel);
Object.assign(globalThis, { posencPanels: { addition, check, clocks, precision, shuffle, similarity, take } });
