/** Reads the files that the command is given: model configs, fetched if asked, and tables. */

import { openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { openFile } from '../files/open.ts';
import { readConfig as parseConfig } from '../files/read-config.ts';
import { formatSizes, POSITION_NAMES, VECTOR_NAMES } from '../files/shapes.ts';
import { splitPair, withPairs } from '../files/table-pairs.ts';

/** An error that ends the command. Exit codes: 2 for usage and what can't be read, 3 for what posenc can't say. */
export class InputError extends Error {
  readonly code: number;
  constructor(message: string, code = 2) {
    super(message);
    this.code = code;
  }
}

export const nameSource = (file: string) => (file === '-' ? 'standard input' : file);

/** Runs what refuses the contents of a file, and names the file in the error. */
export async function tryReading<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { message } = error as Error;
    throw new InputError(`${name}: ${message.replace(/^posenc: /, '')}`, error instanceof RangeError ? 3 : 2);
  }
}

/** Larger files are read in parts, and are no configs. */
const LARGEST_INPUT = 2 ** 26;
const FILE_REASONS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'is a folder, not a file',
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is not in a folder',
  EACCES: 'access is denied',
};

export const refuseFile = (file: string, { code, message }: any) =>
  new InputError(`${file}: ${FILE_REASONS[code] ?? message}`);

async function readBytes(file: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)]);
  try {
    return (await stat(file)).size > LARGEST_INPUT ? await openAsBlob(file) : new Blob([await readFile(file)]);
  } catch (error) {
    throw refuseFile(file, error);
  }
}

/** The milliseconds for a model's file. */
const FETCH_PATIENCE = 20_000;

/** Fetches a model's config, as transformers does. */
async function fetchConfig(model: string) {
  const { HF_ENDPOINT = 'https://huggingface.co', HF_TOKEN } = process.env;
  const address = `${HF_ENDPOINT.replace(/\/+$/, '')}/${model}/resolve/main/config.json`;
  const fail = (what: string): never => {
    throw new InputError(`${model}: ${address} ${what}`);
  };
  const headers = HF_TOKEN ? { authorization: `Bearer ${HF_TOKEN}` } : undefined;
  const signal = AbortSignal.timeout(FETCH_PATIENCE);
  try {
    const answer = await fetch(address, { headers, signal });
    const { status } = answer;
    if (status === 401 || status === 403)
      fail(`answers ${status}: there is no such model, or it needs a token with access in HF_TOKEN`);
    if (!answer.ok)
      fail(`answers ${status}${status === 404 ? ': there is no such model, or it has no config.json' : ''}`);
    return await answer.text();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { cause, name } = error as any;
    return fail(`does not answer (${cause?.code ?? cause?.message ?? name})`);
  }
}

/** The config in a file, in standard input (-), or of a model. */
export async function readConfigFile(source: string): Promise<object> {
  const isFile = source === '-' || (await stat(source).catch(() => undefined));
  const isModel = !isFile && /^\w[\w.-]*\/[\w.-]+$/.test(source) && !source.endsWith('.json');
  if (!isFile && !isModel && /^[\w-]+$/.test(source))
    throw new InputError(`${source}: no such file; the name of a model is owner/name`);
  const file = isModel ? new Blob([await fetchConfig(source)]) : await readBytes(source);
  if (file.size > LARGEST_INPUT) throw new InputError(`${source} is no config: it is too large`);
  const text = await file.text();
  try {
    const config = parseConfig(text);
    if (typeof config === 'object' && config !== null) return config;
  } catch {
    // The error is reported below.
  }
  const [first = ''] = text.trim();
  const fault = { '': 'it is empty', '<': 'it is HTML' }[first] ?? 'it is no JSON object';
  throw new InputError(`${nameSource(source)} is no config: ${fault}`);
}

/** The table in a file: of tensors, the first two dimensional one with a likely name, or the first, or a list of frequencies or slopes. */
export async function readTableFile(file: string) {
  const bytes = await readBytes(file);
  return tryReading(nameSource(file), async () => {
    const { names, shape, read } = withPairs(await openFile(bytes));
    const fitting = names.filter(
      (name) => formatSizes(shape(name)).length === 2 && !Number.isNaN(formatSizes(shape(name))[0]),
    );
    const name =
      fitting.find((candidate) => POSITION_NAMES.test(candidate) || candidate.includes(' + ')) ??
      names.find((candidate) => VECTOR_NAMES.test(candidate)) ??
      fitting[0] ??
      names[0];
    const table = await read(name);
    return { name, values: table.both ? splitPair(table) : { data: table.data, shape: table.shape } };
  });
}
