/** Writes the facts of web/spec that the Python package needs as its module `_fields`. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ELEMENTS, LOOKS, THEMES } from '../../spec/elements.ts';
import { FAMILIES, PRESET_NAMES, startOf } from '../../spec/families.ts';
import { FIELDS, type Field, MAX_DIM } from '../../spec/fields.ts';
import { traitOf } from './traits.ts';

const FILE = fileURLToPath(new URL('../../../build/_fields.py', import.meta.url));

/** The fields that the widgets have. */
const KEYS = [...new Set(Object.values(ELEMENTS).flat())] as (keyof typeof FIELDS)[];
/** Python leaves these defaults to the preset and the element. */
const LEFT = ['start', 'position', 'dimension'];

/** @returns a literal of Python */
function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, its]) => `${literal(key)}: ${literal(its)}`)
    .join(', ')}}`;
}

/** The presets that show a table. */
const presets = Object.values(FAMILIES)
  .filter(({ panels }) => panels.some((panel) => panel === 'table'))
  .flatMap(({ presets }) => presets as readonly string[]);

/** The arguments of traitlets' trait of the kind. */
function argumentsOf(key: keyof typeof FIELDS) {
  const field: Field = FIELDS[key];
  const initial = LEFT.includes(key) ? null : field.initial;
  // A number of Python is a float only with a point.
  const text = (value: unknown) =>
    field.kind === 'number' && value !== null ? String(value).replace(/^-?\d+$/, '$&.0') : literal(value);
  const words = key === 'preset' ? presets : 'words' in field && field.words;
  const range = 'range' in field ? [`"min": ${text(field.range[0])}, "max": ${text(field.range[1])}`] : [];
  // Of a list, those of its numbers.
  if ('most' in field) return range.join();
  return [
    ...range,
    ...(words ? [`"values": ${literal(words)}`] : []),
    `"default_value": ${text(initial)}`,
    ...(initial === null ? ['"allow_none": True'] : []),
  ].join(', ');
}

const starts = Object.fromEntries(PRESET_NAMES.filter(startOf).map((preset) => [preset, startOf(preset)]));

const source = () => `"""The fields of the elements. The build of the front end writes this file from web/spec."""

from typing import Any

#: The most columns of a table.
DIM = ${MAX_DIM}
#: The first positions of presets that don't start at 0.
STARTS: dict[str, int] = ${literal(starts)}
#: The traits that decide what is seen of a table or a sum, but none of its numbers.
LOOKS = ${literal(LOOKS.map(traitOf))}

#: The arguments of each trait. With None the preset or the element decides the value.
FIELDS: dict[str, dict[str, Any]] = {
${KEYS.map((key) => `    "${traitOf(key)}": {${argumentsOf(key)}},`).join('\n')}
    "theme": {"values": ${literal(THEMES)}, "default_value": None, "allow_none": True},
}
`;

/** A plugin of the front end's build. */
export const pythonFields = {
  name: 'posenc:python-fields',
  closeBundle() {
    writeFileSync(FILE, source());
  },
};
