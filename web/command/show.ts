/** `posenc show`: what a model's file means. */

import * as posenc from 'posenc';
import type { LayersEncoding } from 'posenc/models';
import { chooseLayer, groupsOf, nameLayers, readArguments, readConfig, readCount } from './read.ts';

export const CONFIG_OPTIONS = {
  layer: { type: 'string' },
  part: { type: 'string' },
  length: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** The encoding of a group, or none if posenc has no function for it. */
export function makeEncoding({ kind, spec }: LayersEncoding): any {
  return kind === 'none' || kind === 'learned' ? undefined : (posenc as any)[kind](spec);
}

/** Numbers in as few digits as a reader needs. */
export const formatNumber = (value: number) => String(Number(value.toPrecision(9)));

const formatField = (value: unknown): string => {
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return value.length > 8 ? `${value.length} numbers` : value.map(formatField).join(' ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, field]) => (name === 'type' ? String(field) : `${name} ${formatField(field)}`))
    .join(', ');
};

/** Lines of names and values, in columns, within 100 characters. */
function alignLines(lines: [name: string, value: string][]): string {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines
    .flatMap(([name, value]) => {
      const rows = [''];
      for (const word of value.split(' ')) {
        const last = rows[rows.length - 1];
        if (last && last.length + word.length > 95 - width) rows.push(word);
        else rows[rows.length - 1] = last ? `${last} ${word}` : word;
      }
      return rows.map((row, k) => `  ${(k ? '' : name).padEnd(width)}  ${row}`);
    })
    .join('\n');
}

/** What `--json` says of a group. */
function describe(group: LayersEncoding) {
  const { notes, note, ...rest } = group;
  const made = makeEncoding(group);
  const { attentionFactor, softmaxFactor, slopes } = made ?? {};
  return {
    ...rest,
    ...(attentionFactor !== undefined && { attention_factor: attentionFactor, softmax_factor: softmaxFactor }),
    ...(group.kind === 'rotary' && { inv_freq: [...made.frequencies] }),
    ...(slopes && { slopes: [...slopes] }),
    ...(notes && { notes }),
  };
}

function print(group: LayersEncoding): string {
  const { kind, spec, notes = [] } = group;
  const {
    inv_freq: frequencies,
    attention_factor: attention,
    softmax_factor: softmax,
    slopes,
  } = describe(group) as any;
  const lines = Object.entries(spec).map(([name, value]): [string, string] => [name, formatField(value)]);
  if (frequencies) {
    const turning = frequencies.filter((frequency: number) => frequency > 0);
    const range = `${formatNumber(turning[0])} … ${formatNumber(turning[turning.length - 1])}`;
    lines.push(['inv_freq', `${range}, ${turning.length} of ${frequencies.length} pairs turn`]);
    lines.push(['attention factor', formatNumber(attention)], ['softmax factor', formatNumber(softmax)]);
  }
  if (slopes) lines.push(['slopes', `${formatNumber(slopes[0])} … ${formatNumber(slopes[slopes.length - 1])}`]);
  for (const { text } of notes) lines.push(['note', text]);
  const what = kind === 'none' ? 'no positions' : kind;
  return `${nameLayers(group)}: ${what}${lines.length > 0 ? `\n${alignLines(lines)}` : ''}`;
}

export async function showModel(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, CONFIG_OPTIONS);
  const config = await readConfig(positionals[0]);
  const options = { sequenceLength: readCount(values.length, 'length', 1), part: values.part as any };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const groups = chooseLayer(groupsOf(config, given), readCount(values.layer, 'layer'));
  console.log(values.json ? JSON.stringify(groups.map(describe), null, 2) : groups.map(print).join('\n\n'));
  return 0;
}
