import dialsStyle from '../../figure/clocks.css?inline';
import { sheetOf } from '../../figure/style.js';
import additionStyle from '../panels/addition.css?inline';
import { additionPanel as addition } from '../panels/addition.js';
import biasStyle from '../panels/bias.css?inline';
import { biasPanel as bias } from '../panels/bias.js';
import checkStyle from '../panels/check.css?inline';
import { checkPanel as check } from '../panels/check.js';
import clocksStyle from '../panels/clocks.css?inline';
import { clocksPanel as clocks } from '../panels/clocks.js';
import farStyle from '../panels/far.css?inline';
import frequenciesStyle from '../panels/frequencies.css?inline';
import { frequenciesPanel as frequencies } from '../panels/frequencies.js';
import modelStyle from '../panels/model.css?inline';
import { modelPanel as model } from '../panels/model.js';
import precisionStyle from '../panels/precision.css?inline';
import { precisionPanel as precision } from '../panels/precision.js';
import settingsStyle from '../panels/settings.css?inline';
import { settingsPanel as settings } from '../panels/settings.js';
import similarityStyle from '../panels/similarity.css?inline';
import { similarityPanel as similarity } from '../panels/similarity.js';
import takeStyle from '../panels/take.css?inline';
import { takePanel as take } from '../panels/take.js';

const rules = [
  farStyle,
  dialsStyle,
  clocksStyle,
  similarityStyle,
  frequenciesStyle,
  modelStyle,
  precisionStyle,
  additionStyle,
  biasStyle,
  checkStyle,
  takeStyle,
  settingsStyle,
];
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOf(rules)];
Object.assign(globalThis, {
  posencPanels: { addition, bias, check, clocks, frequencies, model, precision, settings, similarity, take },
});
