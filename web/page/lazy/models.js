import { MODELS, readModel } from '../model.js';

Object.assign(globalThis, { posencModels: { MODELS, readModel } });
