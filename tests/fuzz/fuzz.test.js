import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as hostile from './arguments.js';
import * as elements from './elements.js';
import * as files from './files.js';
import { fuzz } from './fuzzers.js';
import * as identify from './identify.js';
import * as models from './models.js';
import * as promise from './promise.js';
import * as tables from './tables.js';
import * as training from './training.js';
import * as values from './values.js';
import * as views from './views.js';

/** Each fuzzer's cases, of one seed: npm run fuzz has other seeds, and more of them. */
const CASES = {
  hostile: 60,
  values: 40,
  tables: 60,
  training: 80,
  identify: 12,
  files: 300,
  models: 400,
  views: 200,
  promise: 20,
  elements: 4,
};
const ROOMS = { hostile, values, tables, training, identify, files, models, views, promise, elements };

for (const [room, cases] of /** @type {[keyof typeof ROOMS, number][]} */ (Object.entries(CASES))) {
  describe(`fuzzing: ${room}`, () => {
    if (room === 'elements') after(elements.close);
    for (const fuzzer of ROOMS[room].fuzzers) {
      test(fuzzer.name, async () => {
        const { finding } = await fuzz(fuzzer, { seed: 1, cases });
        assert.equal(finding, undefined, finding);
      });
    }
  });
}
