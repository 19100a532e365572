import { createChart } from '../../figure/chart.js';

Object.assign(globalThis, { posencChart: { createChart } });
