/** Writes numbers: for people, and in the formats of programs. */

import { writeFile } from 'node:fs/promises';
import { writeNpy } from 'posenc/files';
import type { ModelNote } from 'posenc/models';
import { refuseFile } from './read-files.ts';

export interface WrittenNumbers {
  name: string;
  data: ArrayLike<number>;
  shape: number[];
  /** The positions of the rows. */
  positions?: number[];
}

/** 9 significant digits, which name a float32. */
export const shorten = (value: number) => Number(value.toPrecision(9)) + 0;

/** Rows of numbers under each other, or a list with a line for each, in lines of at most 100 characters. */
function formatText({ data, shape, positions }: WrittenNumbers) {
  const columns = shape.length > 1 ? shape[shape.length - 1] : 1;
  const lines: string[] = [];
  for (let row = 0; row * columns < data.length; row++) {
    const label = `${positions?.[row] ?? row}:`;
    for (let from = 0; from < columns; from += 6) {
      const cells = Array.from({ length: Math.min(6, columns - from) }, (_, k) =>
        String(shorten(data[row * columns + from + k])).padStart(15),
      );
      lines.push(`${(from === 0 ? label : '').padEnd(8)}${cells.join('')}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function nest(data: unknown[], [size, ...sizes]: number[]): unknown {
  if (sizes.length === 0) return data;
  const each = data.length / size;
  return Array.from({ length: size }, (_, k) => nest(data.slice(k * each, (k + 1) * each), sizes));
}

export const OUTPUT_FORMATS: Record<string, (numbers: WrittenNumbers) => string | Uint8Array> = {
  text: formatText,
  csv({ data, shape }) {
    const columns = shape[shape.length - 1];
    const rows = Array.from({ length: data.length / columns }, (_, row) =>
      Array.from({ length: columns }, (_, k) => shorten(data[row * columns + k])).join(','),
    );
    return `${rows.join('\n')}\n`;
  },
  json: ({ data, shape }) => `${JSON.stringify(nest(Array.from(data, shorten), shape))}\n`,
  npy: ({ data, shape }) => writeNpy({ data: Float32Array.from(data), shape }),
  // cos alone is a function of C.
  c({ name, data, shape }) {
    const isWhole = name === 'buckets';
    const cells = JSON.stringify(nest(Array.from(data, isWhole ? String : formatFloat), shape));
    const signs: Record<string, string> = { '[': '{', ']': '}', '"': '' };
    const braces = cells.replace(/[[\]"]/g, (sign) => signs[sign]).replace(/((?:[^,{}]+,){6}|\},)/g, '$1\n  ');
    const sizes = shape.map((size) => `[${size}]`).join('');
    return `static const ${isWhole ? 'int' : 'float'} posenc_${name}${sizes} =\n  ${braces};\n`;
  },
};

function formatFloat(value: number) {
  const text = String(shorten(value));
  return `${/[.e]/.test(text) ? text : `${text}.0`}f`;
}

export async function writeNumbers(numbers: WrittenNumbers, format: string, file?: string) {
  const contents = OUTPUT_FORMATS[format](numbers);
  if (!file) process.stdout.write(contents);
  else
    await writeFile(file, contents).catch((error) => {
      throw refuseFile(`-o ${file}`, error);
    });
}

export const writeLines = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`);
export const writeJson = (value: unknown) => writeLines(JSON.stringify(value));
export const writeNote = (text: string) => process.stderr.write(`note: ${text}\n`);

/** Writes the notes on a model's config, without its class's defaults. */
export function writeModelNotes({ notes = [] }: { notes?: ModelNote[] }) {
  for (const { kind, text } of notes) if (kind !== 'default') writeNote(text);
}

/** Breaks text between words into lines of at most 100 characters. All but the first are indented. */
export function wrap(text: string, indent = '  ') {
  const lines: string[] = [];
  for (let rest = text; rest; ) {
    const cut = rest.length > 100 ? rest.lastIndexOf(' ', 100) : rest.length;
    const end = cut > indent.length + 2 ? cut : rest.length;
    lines.push(rest.slice(0, end));
    rest = end < rest.length ? `${indent}${rest.slice(end + 1)}` : '';
  }
  return lines.join('\n');
}
