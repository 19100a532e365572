/**
 * Shared parts of the hosts in the matrix.
 *
 * A file of this folder exports `hosts`. Each is run in an empty folder within the project, build/hosts, where npm has installed
 * the packed tarball and what package.json names, so that `posenc` resolves as it does for its users.
 *
 * @module
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, serveFolder, watch } from '../../browser/browser.js';
import { promise, readRows } from '../../js/helpers.js';

/**
 * @typedef {object} Host
 * @property {string} name
 * @property {string} [emulated] the stand-in, if it is not the host itself
 * @property {() => string} version asked for after the run
 * @property {(context: Context) => Promise<void>} run rejects if something is wrong
 *
 * @typedef {object} RunOptions
 * @property {string} [cwd] the context's folder
 * @property {Record<string, string | undefined>} [env] besides the machine's
 * @property {number} [timeout] seconds. Default: 180.
 *
 * @typedef {object} Context
 * @property {string} project the folder that has node_modules, and consumer.js: it imports posenc, and computes the golden table
 * @property {string} folder within it, the host's own, empty at first
 * @property {(command: string, args: string[], options?: RunOptions) => Promise<string>} run what a command prints; rejects
 *   with all that it said when it fails
 * @property {(command: string, args: string[], ready: RegExp, options?: RunOptions) => Promise<RegExpExecArray>} start a server:
 *   what matched of the first that it said; rejects when it ends before that. It is ended with the host
 * @property {(folder: string, headers?: Record<string, string>) => Promise<string>} serve a folder's address, ending in a slash
 * @property {(options?: import('@playwright/test').BrowserContextOptions) => Promise<import('playwright-core').Page>} openPage in
 *   a Chromium of the host's own. A request that leaves the machine is refused, and fails the host
 * @property {() => string[]} problems errors and warnings of its pages so far
 * @property {(end: () => unknown) => void} atEnd registers a function that always runs at the end of the host
 */

/** Parallel runs need separate folders: the environment may name another. */
export const PROJECT = process.env.POSENC_HOSTS ?? fileURLToPath(new URL('../../../build/hosts', import.meta.url));

/** @param {string} name a package of the project, by its alias where it has one */
function manifestOf(name) {
  return JSON.parse(readFileSync(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8'));
}

/** @param {string} name a package of the project, by its alias where it has one */
export function installedVersion(name) {
  return String(manifestOf(name).version);
}

/**
 * The script of a package's command, to be run by a Node of one's choice: links of node_modules/.bin know no aliases.
 *
 * @param {string} name a package of the project, by its alias where it has one
 * @param {string} [command] where the package has several
 */
export function commandOf(name, command) {
  const { bin } = manifestOf(name);
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
 * @param {ArrayLike<number>} values row by row
 */
export function checkNumbers(values) {
  assert.equal(values.length, golden.length, 'the number of values');
  for (const [i, exact] of golden.entries()) {
    const right = Math.abs(values[i] - exact) <= promise(exact);
    assert.ok(right, `row ${Math.floor(i / 7)}, column ${i % 7} is ${values[i]}, not ${exact}`);
  }
}

/**
 * A command under way.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 */
function begin(command, args, { cwd, env, timeout = 180 }) {
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
  /** @type {Promise<string>} its output */
  const ended = new Promise((resolve, reject) => {
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
 * Opens a page that puts the golden table, or a promise of it, into `globalThis.values`, and checks it.
 *
 * @param {Context} context
 * @param {string} address
 */
export async function checkPage({ openPage, problems }, address) {
  const page = await openPage();
  await page.goto(address);
  // A module script may still be on its way.
  await page.waitForFunction('globalThis.values');
  checkNumbers(await page.evaluate('values'));
  assert.deepEqual(problems(), []);
  return page;
}

/**
 * A context, with the problems of its host and a function that cleans up.
 *
 * @param {string} folder
 */
export async function createContext(folder) {
  /** @type {(() => unknown)[]} */
  const ends = [];
  const atEnd = (/** @type {() => unknown} */ end) => void ends.unshift(end);
  /** @type {string[]} */
  const foreign = [];
  /** @type {string[][]} */
  const watched = [];
  /** @type {ReturnType<typeof launch> | undefined} */
  let browser;

  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  /** @type {Context} */
  const context = {
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
      /** @type {Promise<RegExpExecArray>} */
      const matched = new Promise((resolve) => {
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
        browser = launch();
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

/** @param {URL} address */
function isForeign({ protocol, hostname }) {
  return /^(https?|wss?):$/.test(protocol) && !['127.0.0.1', 'localhost'].includes(hostname);
}
