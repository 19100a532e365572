import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import * as hostile from './arguments.ts';
import * as elements from './elements.ts';
import * as files from './files.ts';
import { fuzz } from './fuzzers.ts';
import * as identify from './identify.ts';
import * as models from './models.ts';
import * as promise from './promise.ts';
import * as values from './values.ts';
import * as views from './views.ts';

/** Each fuzzer's cases, of one seed: npm run fuzz has other seeds, and more of them. */
const CASES = {
  hostile: 60,
  values: 40,
  identify: 12,
  files: 300,
  models: 400,
  views: 200,
  promise: 20,
  elements: 4,
};
const ROOMS = { hostile, values, identify, files, models, views, promise, elements };

for (const [room, cases] of Object.entries(CASES) as [keyof typeof ROOMS, number][]) {
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
