/** The facts that the build writes for the Python widgets. The wheel's own tests are in wheel.all.ts. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runPython } from '../python.ts';

const path = fileURLToPath(new URL('../../build/_fields.py', import.meta.url));
const script = `import json
public = {name: value for name, value in runpy.run_path(${JSON.stringify(path)}).items() if name.isupper()}
print(json.dumps(public))`;
const { FIELDS, ...facts } = JSON.parse(String(await runPython('runpy', script, '')));

const POSITION = 2 ** 53 - 1;
const [DIM, ROWS, SEED] = [4096, 2 ** 20, 2 ** 32 - 1];
const NUMBERS: Record<string, [least: number, greatest: number, initial: number | null]> = {
  base: [1.0001, 1e12, 10000],
  start: [-POSITION, POSITION, null],
  rotary_dim: [2, DIM, null],
  position: [-POSITION, POSITION, null],
  dimension: [0, DIM - 1, null],
  max_frequency: [1e-12, 1e12, null],
  scale: [-1e6, 1e6, null],
  rows: [1, ROWS, 1024],
  weights: [0, SEED, 0],
  length: [1, ROWS, 128],
  dim: [1, DIM, 64],
  left: [0, DIM - 1, 0],
  columns: [1, DIM, null],
  seed: [0, SEED, 1],
};
const PRESETS = 'transformer tensor2tensor fairseq roformer diffusers ctranslate2 mlx tatp22 learned rotary';
const WORDS: Record<string, [words: string, initial: string | null]> = {
  numerics: ['exact float32 bfloat16', 'exact'],
  rotary_layout: ['half interleaved', 'half'],
  theme: ['light dark', null],
  preset: [PRESETS, 'transformer'],
  column_layout: ['interleaved sin-cos cos-sin', null],
  odd: ['sine zero pad', null],
};

test('the fields of Python have the ranges, words and defaults of the elements', () => {
  const usual = (initial: unknown) => ({ default_value: initial, ...(initial === null && { allow_none: true }) });
  const numbers = Object.entries(NUMBERS).map(([name, [min, max, initial]]) => [name, { min, max, ...usual(initial) }]);
  const words = Object.entries(WORDS).map(([name, [list, initial]]) => [
    name,
    { values: list.split(' '), ...usual(initial) },
  ]);
  assert.deepEqual(FIELDS, {
    ...Object.fromEntries([...numbers, ...words]),
    scaling: usual(null),
    endpoint: usual(null),
    root: usual(false),
    domain: { min: -1e38, max: 1e38 },
    waves: { min: 0, max: DIM - 1 },
  });
});

test('Python knows the first positions, the looks and the most columns', () => {
  assert.deepEqual(facts, {
    DIM,
    STARTS: { fairseq: 2, ctranslate2: 1 },
    LOOKS: ['position', 'dimension', 'domain', 'left', 'columns', 'waves'],
  });
});

const widgets = readFileSync(new URL('../../web/notebooks/anywidget/posenc/_widgets.py', import.meta.url), 'utf8');

test('every field is a trait of its name', () => {
  const traits = [...widgets.matchAll(/^ {4}(\w+) = \w+\((?:\w+\()?\*\*FIELDS\["(\w+)"\]\)/gm)];
  for (const [, name, field] of traits) assert.equal(name, field);
  assert.deepEqual([...new Set(traits.map(([, name]) => name))].sort(), Object.keys(FIELDS).sort());
});

test('Python answers every request of a state that Jupyter makes, with the defaults, and a start that was chosen stays', async () => {
  // ipywidgets sends all, one, or some; widgets that are saved or embedded ask without defaults.
  const requests = ['', '"dim"', 'key=["dim", "rows"]', 'drop_defaults=True', 'drop_defaults=False', 'None, True'];
  // The methods on a base class that notes what it is asked: the widgets' own needs a notebook's packages.
  const script = `import ast, json, sys
class Widget:
    def get_state(self, key=None, drop_defaults=False): return [key, drop_defaults]
    def set_state(self, data): self.asked = [self._answering, data]
[kind] = [node for node in ast.parse(sys.stdin.read()).body if getattr(node, "name", "") == "Encoding"]
kind.body = [part for part in kind.body if getattr(part, "name", "") in ("get_state", "set_state", "_follow")]
kind.bases = [ast.Name("Widget", ast.Load())]
names = {"Widget": Widget, "Any": object, "STARTS": {"fairseq": 2}}
exec(compile(ast.fix_missing_locations(ast.Module([kind], [])), "widgets", "exec"), names)
widget = names["Encoding"]()
answers = [widget.get_state(${requests.join('), widget.get_state(')})]
widget.set_state({"dim": 4})
def follow(start):
    widget.start = start
    widget._follow(type("Change", (), {"old": "fairseq"}))
    return widget.start
print(json.dumps([answers, widget.asked, widget._answering, follow(2), follow(3)]))`;
  const answer = JSON.parse(String(await runPython('ast', script, widgets)));
  const asked = [null, 'dim', ['dim', 'rows'], null, null, null].map((key) => [key, false]);
  assert.deepEqual(answer, [asked, [true, { dim: 4 }], false, null, 3]);
});
