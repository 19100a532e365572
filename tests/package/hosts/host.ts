/**
 * Shared parts of the hosts in the matrix.
 *
 * A file of this folder exports `hosts`. Each is run in an empty folder within the project, build/hosts, where npm has installed
 * the packed tarball and what package.json names, so that `posenc` resolves as it does for its users.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from '@playwright/test';
import type { Page } from 'playwright-core';
import { launch, serveFolder, WHOLE, watch } from '../../browser/browser.ts';
import { promise, readRows } from '../../js/helpers.ts';

export interface Host {
  name: string;
  /** The stand-in, if it is not the host itself. */
  emulated?: string;
  /** Asked for after the run. */
  version: () => string;
  /** Rejects if something is wrong. */
  run: (context: Context) => Promise<void>;
}

interface RunOptions {
  /** The context's folder. */
  cwd?: string;
  /** Besides the machine's. */
  env?: Record<string, string | undefined>;
  /** seconds. Default: 180. */
  timeout?: number;
}

export interface Context {
  /** The folder that has node_modules, and consumer.js: it imports posenc, and computes the golden table. */
  project: string;
  /** Within it, the host's own, empty at first. */
  folder: string;
  /** What a command prints; rejects with all that it said when it fails. */
  run: (command: string, args: string[], options?: RunOptions) => Promise<string>;
  /** A server: what matched of the first that it said; rejects when it ends before that. It is ended with the host. */
  start: (command: string, args: string[], ready: RegExp, options?: RunOptions) => Promise<RegExpExecArray>;
  /** A folder's address, ending in a slash. */
  serve: (folder: string, headers?: Record<string, string>) => Promise<string>;
  /** in a Chromium of the host's own. A request that leaves the machine is refused, and fails the host. */
  openPage: (options?: BrowserContextOptions) => Promise<Page>;
  /** Errors and warnings of its pages so far. */
  problems: () => string[];
  /** Registers a function that always runs at the end of the host. */
  atEnd: (end: () => unknown) => void;
}

/** Parallel runs need separate folders: the environment may name another. */
export const PROJECT = process.env.POSENC_HOSTS ?? fileURLToPath(new URL('../../../build/hosts', import.meta.url));

/** @param name a package of the project, by its alias where it has one */
function readManifest(name: string) {
  return JSON.parse(readFileSync(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8'));
}

/** @param name a package of the project, by its alias where it has one */
export function installedVersion(name: string) {
  return String(readManifest(name).version);
}

/**
 * The script of a package's command, to be run by a Node of one's choice: links of node_modules/.bin know no aliases.
 *
 * @param name a package of the project, by its alias where it has one
 * @param command where the package has several
 */
export function findCommand(name: string, command?: string) {
  const { bin } = readManifest(name);
  return join(PROJECT, 'node_modules', name, typeof bin === 'string' ? bin : bin[command ?? Object.keys(bin)[0]]);
}

let chromium = '';

/** The Chromium that was opened last. */
export const chromiumVersion = () => chromium;

const golden = readRows('tables.tsv')
  .filter(({ dim }) => dim === '7')
  .map(({ value }) => Number(value));

/**
 * Compares the table of dim 7 and length 280, no other field given, with its 60-digit reference.
 *
 * @param values row by row
 */
export function checkNumbers(values: ArrayLike<number>) {
  assert.equal(values.length, golden.length, 'the number of values');
  for (const [i, exact] of golden.entries()) {
    const right = Math.abs(values[i] - exact) <= promise(exact);
    assert.ok(right, `row ${Math.floor(i / 7)}, column ${i % 7} is ${values[i]}, not ${exact}`);
  }
}

/** A command under way. */
function begin(command: string, args: string[], { cwd, env, timeout = 180 }: RunOptions) {
  const child = spawn(command, args, {
    cwd,
    // The output is parsed, and some commands would colour it if CI is set.
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const limit = setTimeout(() => child.kill(), 1000 * timeout);
  const output = { printed: '', all: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output.printed += chunk;
    output.all += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output.all += chunk;
  });
  /** its output */
  const ended: Promise<string> = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) resolve(output.printed);
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}\n${output.all}`));
    });
  });
  return { child, output, ended };
}

/**
 * Bundles a module with esbuild, beside a page with a `main` that runs it.
 *
 * @param define words of the module, and what they stand for
 * @returns the page's address
 */
export async function servePage({ folder, project, serve }: Context, contents: string, define = {}): Promise<string> {
  const { build } = await import(join(project, 'node_modules/esbuild/lib/main.js'));
  const options = { bundle: true, format: 'esm', logLevel: 'silent', outfile: join(folder, 'bundle.js') };
  await build({ ...options, define, stdin: { contents, resolveDir: folder } });
  const script = '<script type="module" src="bundle.js"></script>';
  await writeFile(join(folder, 'index.html'), `<!doctype html><title>posenc</title><main></main>${script}`);
  return `${await serve(project)}${relative(project, folder)}/`;
}

/** Opens a page that puts the golden table, or a promise of it, into `globalThis.values`, and checks it. */
export async function checkPage({ openPage, problems }: Context, address: string) {
  const page = await openPage();
  await page.goto(address);
  // A module script may still be on its way.
  await page.waitForFunction('globalThis.values');
  checkNumbers(await page.evaluate('values'));
  assert.deepEqual(problems(), []);
  return page;
}

/** A context, with the problems of its host and a function that cleans up. */
export async function createContext(folder: string) {
  const ends: (() => unknown)[] = [];
  const atEnd = (end: () => unknown) => void ends.unshift(end);
  const foreign: string[] = [];
  const watched: string[][] = [];
  let browser: ReturnType<typeof launch> | undefined;

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const context: Context = {
    project: PROJECT,
    folder,
    atEnd,
    problems: () => watched.flat(),

    run: (command, args, options) => begin(command, args, { cwd: folder, ...options }).ended,

    async start(command, args, ready, options) {
      const { child, output, ended } = begin(command, args, { cwd: folder, ...options });
      atEnd(async () => {
        child.kill();
        const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
        await ended.catch(() => {});
        clearTimeout(patience);
      });
      const matched: Promise<RegExpExecArray> = new Promise((resolve) => {
        const look = () => {
          const match = ready.exec(output.all);
          if (match) resolve(match);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
      });
      const over = ended.then(() => {
        throw new Error(`${command} ended before it was ready\n${output.all}`);
      });
      return Promise.race([matched, over]);
    },

    async serve(root, headers) {
      const { address, close } = await serveFolder(root, { base: '/', headers });
      atEnd(close);
      return address;
    },

    async openPage(options) {
      if (!browser) {
        browser = launch([], WHOLE);
        atEnd(async () => (await browser)?.close());
      }
      chromium = (await browser).version();
      const pages = await (await browser).newContext(options);
      await pages.routeWebSocket(isForeign, (socket) => {
        foreign.push(socket.url());
        return socket.close();
      });
      await pages.route(isForeign, (route) => {
        foreign.push(route.request().url());
        return route.abort();
      });
      const page = await pages.newPage();
      watched.push(watch(page));
      return page;
    },
  };

  return {
    context,
    /** Throws if a page requested something from another machine. */
    checkRequests: () => assert.deepEqual(foreign, [], 'requests that left the machine'),
    async end() {
      for (const end of ends) await end();
    },
  };
}

function isForeign({ protocol, hostname }: URL) {
  return /^(https?|wss?):$/.test(protocol) && !['127.0.0.1', 'localhost'].includes(hostname);
}
