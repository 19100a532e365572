/** Reads the arguments: models' files, tables, and their options. */

import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type EncodingsOfOptions, encodingOf, encodingsOf, type LayersEncoding } from 'posenc/models';
import { openFile } from '../files/open.ts';
import { withPairs } from '../files/pairs.ts';
import type { ReadTable } from '../files/parse.ts';
import { readConfig as parseConfig } from '../files/read-config.ts';
import { Failure } from './failure.ts';

/** The options and the other arguments of a subcommand. */
export function readArguments<const T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Failure((error as Error).message.replace(/\. To specify.*/s, ''));
  }
}

/** A whole number of an option. */
export function readCount(value: string | undefined, name: string, least = 0): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (value.trim() === '' || !Number.isSafeInteger(count) || count < least)
    throw new Failure(`--${name} must be an integer from ${least} on, got ${value}`);
  return count;
}

const reason = (error: unknown) => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

async function readInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part);
  return Buffer.concat(parts);
}

/** The config.json of a model by its name. Nothing else is fetched. */
async function fetchConfig(name: string): Promise<string> {
  const { HF_ENDPOINT: endpoint = 'https://huggingface.co', HF_TOKEN: token } = process.env;
  const address = `${endpoint.replace(/\/$/, '')}/${name}/resolve/main/config.json`;
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  let answer: Response;
  try {
    answer = await fetch(address, { headers });
  } catch (error) {
    throw new Failure(`${address} can’t be reached: ${reason((error as Error).cause ?? error)}`);
  }
  if (answer.status === 401 || answer.status === 403)
    throw new Failure(`${address} asks for access: set HF_TOKEN to a token that may read ${name}`);
  if (!answer.ok) throw new Failure(`${address} answers ${answer.status}`);
  return answer.text();
}

/** A model's file: a path, - for standard input, or the name of a model. */
export async function readConfig(source: string | undefined): Promise<object> {
  if (source === undefined) throw new Failure('a FILE or MODEL is missing');
  const isName = /^[\w.-]+\/[\w.-]+$/.test(source) && !source.endsWith('.json') && !existsSync(source);
  let text: string;
  try {
    if (isName) text = await fetchConfig(source);
    else text = `${source === '-' ? await readInput() : readFileSync(source)}`;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${source} can’t be read: ${reason(error)}`);
  }
  try {
    return parseConfig(text);
  } catch {
    const what = /^\s*</.test(text) ? 'it is HTML' : text.trim() === '' ? 'it is empty' : 'it is no JSON';
    throw new Failure(`${source} is no config: ${what}`);
  }
}

/** The encodings of a model's layers; those of one that doesn't say how many it has are one group. */
export function groupsOf(config: object, options: EncodingsOfOptions = {}): LayersEncoding[] {
  try {
    return encodingsOf(config, options);
  } catch (error) {
    if (!/the config has no num_hidden_layers/.test((error as Error).message)) throw error;
    return [encodingOf(config, options)];
  }
}

/** The groups, or the one of a layer. */
export function chooseLayer(groups: LayersEncoding[], layer: number | undefined): LayersEncoding[] {
  if (layer === undefined) return groups;
  const chosen = groups.filter(({ layers }) => !layers || layers.includes(layer));
  if (chosen.length > 0) return chosen;
  const last = Math.max(...groups.flatMap(({ layers = [] }) => layers));
  throw new Failure(`--layer must be from 0 to ${last}, got ${layer}`);
}

/** The layers of a group, in words. */
export function nameLayers({ layers, layerType }: LayersEncoding): string {
  if (!layers) return layerType ?? 'model';
  const ranges: string[] = [];
  for (let i = 0; i < layers.length; i++) {
    const from = layers[i];
    while (layers[i + 1] === layers[i] + 1) i++;
    ranges.push(layers[i] === from ? `${from}` : `${from}-${layers[i]}`);
  }
  const some = ranges.length > 6 ? [...ranges.slice(0, 5), '…', ranges[ranges.length - 1]] : ranges;
  return `${layers.length > 1 ? 'layers' : 'layer'} ${some.join(', ')}${layerType ? ` (${layerType})` : ''}`;
}

/** A table from a file or standard input: the first of its tensors that is one. */
export async function readTable(source: string | undefined): Promise<ReadTable> {
  if (source === undefined) throw new Failure('a TABLE is missing');
  let file: Blob;
  try {
    file = source === '-' ? new Blob([new Uint8Array(await readInput())]) : await openAsBlob(source);
    await file.slice(0, 1).arrayBuffer();
  } catch (error) {
    throw new Failure(`${source} can’t be read: ${reason(error)}`);
  }
  try {
    const { names, shape, read } = withPairs(await openFile(file));
    const name = names.find((name) => shape(name).filter((size) => size > 1).length > 1) ?? names[0];
    return await read(name);
  } catch (error) {
    throw new Failure(`${source} is no table: ${(error as Error).message}`);
  }
}
