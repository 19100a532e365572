import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Call, listRules, makeCalls, prepareCall } from '../calls.ts';
import { importAnew } from './helpers.ts';

const NOT_LOADED = {
  name: 'Error',
  message: 'posenc: await load() first; another copy of posenc may have been loaded',
};

/** The calls that need kernels. */
const COMPUTING =
  /^(sinusoidal|encode|column|add|grid|rotary|the (scaling|cos|sin)|tables|apply|learned|segments|dropout|similarity|colorize|batches)|\bembed\b/;

function answer(its: Call) {
  const { run, args } = prepareCall(its);
  return run(...args);
}

/** What computes or draws when its numbers are read. */
const makeLate = (posenc: Awaited<ReturnType<typeof importAnew>>): Record<string, unknown> => ({
  frequencies: posenc.sinusoidal({ dim: 6 }),
  'scaled frequencies': posenc.rotary({ dim: 8, scaling: { type: 'ntk', factor: 2 } }),
  'drawn rows': posenc.learned({ rows: 3, dim: 4, seed: 7 }).table,
});

test('what needs kernels says that load is missing, all else answers, and what was made before load answers after it', async () => {
  const [early, late] = [await importAnew(), await importAnew()];
  const [calls, made] = [makeCalls(early), makeLate(early)];
  for (const [name, its] of Object.entries(calls)) {
    if (COMPUTING.test(name)) assert.throws(() => answer(its), NOT_LOADED, name);
    else made[name] = answer(its);
  }
  // Its numbers go to its callers in the order of their calls.
  assert.throws(() => early.embedding({ rows: 2, dim: 2, seed: early.generator(1) }), NOT_LOADED);
  await assert.rejects(early.memory(64), NOT_LOADED);
  const own = early.sinusoidal({ dim: 5, frequencies: [0.1, 1e-9], odd: 'zero' });
  assert.deepEqual([...own.frequencies, own.column(3).frequency], [0.1, 1e-9, 1e-9]);
  assert.deepEqual([...early.rotary({ dim: 4, frequencies: [0.1, 0] }).frequencies], [0.1, 0]);

  await Promise.all([early.load(), late.load()]);
  const [others, right] = [makeCalls(late), makeLate(late)];
  for (const [name, its] of Object.entries(calls)) {
    made[name] ??= answer(its);
    right[name] = answer(others[name]);
  }
  const show = (value: unknown) => inspect(value, { depth: null, maxArrayLength: null, getters: true });
  for (const name in right) assert.equal(show(made[name]), show(right[name]), name);
});

test('arguments are checked before load too', async () => {
  for (const [what, its] of Object.entries(makeCalls(await importAnew())))
    for (const [field, rule] of Object.entries(listRules(its)))
      for (const value of rule(field).refused.flatMap(([, ...values]) => values)) {
        const { run, args } = prepareCall(its, { [field]: value });
        assert.throws(() => run(...args), /^(Type|Range)Error: posenc: /, `${what}, ${field}`);
      }
});
