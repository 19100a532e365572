/** Writes the facts of web/spec that the Python package needs as its module `_fields`. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ELEMENTS, LOOKS, THEMES } from '../../spec/elements.ts';
import { FAMILIES, findStartDefault, PRESET_NAMES } from '../../spec/families.ts';
import { FIELDS, type FieldSpec, MAX_DIM } from '../../spec/fields.ts';
import { formatTrait } from './traits.ts';

const FIELDS_FILE = fileURLToPath(new URL('../../../build/_fields.py', import.meta.url));

const TRAIT_KEYS = [...new Set(Object.values(ELEMENTS).flat())] as (keyof typeof FIELDS)[];
/** Python leaves these defaults to the preset and the element. */
const LEFT = ['start', 'position', 'dimension'];

/** @returns a literal of Python */
function writePython(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(writePython).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${writePython(key)}: ${writePython(item)}`)
    .join(', ')}}`;
}

const presets = Object.values(FAMILIES)
  .filter(({ panels }) => panels.some((panel) => panel === 'table'))
  .flatMap(({ presets }) => presets as readonly string[]);

/** The arguments of traitlets' trait of the kind. */
function formatArguments(key: keyof typeof FIELDS) {
  const field: FieldSpec = FIELDS[key];
  const initial = LEFT.includes(key) ? null : field.initial;
  // A number of Python is a float only with a point.
  const text = (value: unknown) =>
    field.kind === 'number' && value !== null ? String(value).replace(/^-?\d+$/, '$&.0') : writePython(value);
  const words = key === 'preset' ? presets : 'words' in field && field.words;
  const range = 'range' in field ? [`"min": ${text(field.range[0])}, "max": ${text(field.range[1])}`] : [];
  // Of a list, those of its numbers.
  if ('max' in field) return range.join();
  return [
    ...range,
    ...(words ? [`"values": ${writePython(words)}`] : []),
    `"default_value": ${text(initial)}`,
    ...(initial === null ? ['"allow_none": True'] : []),
  ].join(', ');
}

const starts = Object.fromEntries(
  PRESET_NAMES.filter(findStartDefault).map((preset) => [preset, findStartDefault(preset)]),
);

const source = () => `"""The fields of the elements. The build of the front end writes this file from web/spec."""

from typing import Any

#: The most columns of a table.
DIM = ${MAX_DIM}
#: The first positions of presets that don't start at 0.
STARTS: dict[str, int] = ${writePython(starts)}
#: The traits that decide what is seen of a table or a sum, but none of its numbers.
LOOKS = ${writePython(LOOKS.map(formatTrait))}

#: The arguments of each trait. With None the preset or the element decides the value.
FIELDS: dict[str, dict[str, Any]] = {
${TRAIT_KEYS.map((key) => `    "${formatTrait(key)}": {${formatArguments(key)}},`).join('\n')}
    "theme": {"values": ${writePython(THEMES)}, "default_value": None, "allow_none": True},
}
`;

/** A plugin of the front end's build. */
export const pythonFields = {
  name: 'posenc:python-fields',
  closeBundle() {
    writeFileSync(FIELDS_FILE, source());
  },
};
