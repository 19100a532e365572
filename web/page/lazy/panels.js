import { additionPanel as addition } from '../panels/addition.js';
import { checkPanel as check } from '../panels/check.js';
import { clocksPanel as clocks } from '../panels/clocks.js';
import { precisionPanel as precision } from '../panels/precision.js';
import { similarityPanel as similarity } from '../panels/similarity.js';
import { takePanel as take } from '../panels/take.js';

Object.assign(globalThis, { posencPanels: { addition, check, clocks, precision, similarity, take } });
