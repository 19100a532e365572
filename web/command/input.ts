/** Reads the files that the command is given: model configs, fetched if asked, and tables. */

import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { openFile } from '../files/open.ts';
import { apart, withPairs } from '../files/pairs.ts';
import { readConfig as parseConfig } from '../files/read-config.ts';
import { POSITIONS, sizesOf } from '../files/shapes.ts';

/** An error that ends the command. Exit codes: 2 for usage and what can't be read, 3 for what posenc can't say. */
export class Problem extends Error {
  readonly code: number;
  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}

/** Runs what refuses the contents of a file, and names the file in the error. */
export async function attempt<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { message } = error as Error;
    throw new Problem(`${name}: ${message.replace(/^posenc: /, '')}`, error instanceof RangeError ? 3 : 2);
  }
}

async function readBytes(file: string) {
  if (file === '-') return buffer(process.stdin);
  const reasons: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'is a folder', EACCES: 'may not be read' };
  return readFile(file).catch(({ code }) => {
    throw new Problem(`${file}: ${reasons[code] ?? code}`);
  });
}

/** The milliseconds for a model's file. */
const PATIENCE = 20_000;

/** Fetches a model's config, as transformers does. */
async function fetchConfig(model: string) {
  const { HF_ENDPOINT = 'https://huggingface.co', HF_TOKEN } = process.env;
  const address = `${HF_ENDPOINT.replace(/\/+$/, '')}/${model}/resolve/main/config.json`;
  const fail = (what: string): never => {
    throw new Problem(`${model}: ${address} ${what}`);
  };
  const headers = HF_TOKEN ? { authorization: `Bearer ${HF_TOKEN}` } : undefined;
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const answer = await fetch(address, { headers, signal });
    const { status } = answer;
    if (status === 401 || status === 403) fail(`answers ${status}: it needs a token with access in HF_TOKEN`);
    if (!answer.ok) fail(`answers ${status}`);
    return await answer.text();
  } catch (error) {
    if (error instanceof Problem) throw error;
    return fail(`does not answer (${(error as any).cause?.code ?? (error as Error).name})`);
  }
}

/** The config in a file, in standard input (-), or of a model. */
export async function readConfig(source: string): Promise<object> {
  const isFile = source === '-' || (await stat(source).catch(() => undefined));
  const isModel = !isFile && /^[\w.-]+\/[\w.-]+$/.test(source) && !source.endsWith('.json');
  const text = isModel ? await fetchConfig(source) : (await readBytes(source)).toString();
  const name = source === '-' ? 'standard input' : source;
  try {
    const config = parseConfig(text);
    if (typeof config === 'object' && config !== null) return config;
  } catch {
    // The error is reported below.
  }
  throw new Problem(`${name} is no config${/^\s*</.test(text) ? ': it is HTML' : ''}`);
}

/** The table in a file: of tensors, the first two dimensional one with a likely name, or the first. */
export async function readTable(file: string) {
  const bytes = await readBytes(file);
  return attempt(file === '-' ? 'standard input' : file, async () => {
    const { names, shape, read } = withPairs(await openFile(new Blob([bytes])));
    const fitting = names.filter((name) => sizesOf(shape(name)).length === 2 && !Number.isNaN(sizesOf(shape(name))[0]));
    const name = fitting.find((one) => POSITIONS.test(one) || one.includes(' + ')) ?? fitting[0] ?? names[0];
    const table = await read(name);
    const { data, both } = table;
    const [rows, dim] = sizesOf(table.shape);
    return { name, values: both ? apart({ data, rows, dim }) : { data, shape: table.shape } };
  });
}
