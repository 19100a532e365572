/** `posenc vectors`: writes test vectors, or asks a port for their values. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rotary } from 'posenc';
import { computeGroup, GROUPS } from './cases.ts';
import { type Case, TOLERANCE } from './cells.ts';
import type { ChosenOptions } from './options.ts';
import { InputError, refuseFile } from './read-files.ts';
import { runCases } from './run.ts';
import { shorten, writeLines } from './write.ts';

function formatGroup(id: string) {
  const { group, answer, cases } = computeGroup(id);
  const short = (list: number[]) => list.map(shorten);
  const { dim, rotaryDim = dim, layout } = answer.spec as any;
  const [first] = cases;
  const file: any = {
    format: 'posenc-vectors',
    version: 1,
    id,
    about: group.about,
    config: group.config,
    layers: answer.layers,
    length: group.length,
    tolerance: TOLERANCE,
  };
  const mistakes = cases.flatMap(({ what, mistakes }) => mistakes.map(({ bug, cells }) => ({ bug, of: what, cells })));
  if (group.holds) {
    const { what, positions, x, grid, expected } = first;
    Object.assign(file, { positions: positions.length ? positions : undefined, x, grid, [what]: short(expected) });
  } else {
    const of = (what: string) => cases.find((entry) => entry.what === what);
    const [cos, sin, apply] = ['cos', 'sin', 'apply'].map((what) => of(what) as Case);
    const width = cos.expected.length / cos.positions.length;
    const row = ({ expected }: Case, k: number) => short(expected.slice(k * width, (k + 1) * width));
    Object.assign(file, {
      head_dim: dim,
      rotary_dim: rotaryDim,
      pairs: layout,
      inv_freq: short(first.expected),
      attention_factor: shorten(rotary(answer.spec as any).attentionFactor),
      softmax_factor: shorten(of('softmax_factor')?.expected[0] ?? 1),
      columns: cos.columns,
      table: cos.positions.map((position, k) => ({ position, cos: row(cos, k), sin: row(sin, k) })),
      apply: { position: apply.positions[0], x: apply.x, rotated: short(apply.expected) },
    });
  }
  return `${JSON.stringify({ ...file, mistakes })}\n`;
}

export async function writeVectors(_: string[], { group = Object.keys(GROUPS), list, output, run }: ChosenOptions) {
  const unknown = group.find((id) => !Object.hasOwn(GROUPS, id));
  if (unknown !== undefined)
    throw new InputError(`--group must be one that posenc vectors --list names, got ${unknown}`);
  if ([list, output, run].filter((option) => option !== undefined).length > 1)
    throw new InputError('vectors takes only one of --list, -o and --run');
  if (run !== undefined) return runCases(run, group);
  if (list) writeLines(...group.map((id) => `${id.padEnd(26)}${GROUPS[id].about}`));
  else if (output === undefined) process.stdout.write(group.map(formatGroup).join(''));
  else {
    try {
      await mkdir(output, { recursive: true });
      for (const id of group) await writeFile(join(output, `${id}.json`), formatGroup(id));
    } catch (error) {
      throw refuseFile(`-o ${output}`, error);
    }
  }
  return 0;
}
