import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join } from 'node:path';
import { chromium } from '@playwright/test';

/** @typedef {import('@playwright/test').Page} Page */

/** An arbitrary folder: the page must work in any. */
const BASE_PATH = '/deep/er/';

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * @param {string} variable of the environment that may contain its path
 * @param {string[]} names possible ones, Debian's first
 */
export function findBrowser(variable, names) {
  if (process.env[variable]) return process.env[variable];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not installed.
      }
    }
  }
  throw new Error(`no browser: install Debian’s "${names[0]}", or name another in ${variable}`);
}

/**
 * How Debian's Chromium is started: quiet, and without a way to other machines.
 *
 * @param {string[]} [more] switches of Chromium
 */
export function launchOptions(more = []) {
  const executablePath = findBrowser('POSENC_CHROMIUM', ['chromium', 'chromium-browser', 'google-chrome']);
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'];
  // No other machine's name is resolved.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';
  // Chromium's sandbox refuses root.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return { executablePath, args: [...quiet, alone, ...root, ...more] };
}

/** @param {string[]} [more] switches of Chromium */
export const launch = (more) => chromium.launch(launchOptions(more));

/**
 * Serves plain files.
 *
 * @param {string} folder
 * @param {object} [options]
 * @param {string} [options.base] path, with a slash at both ends
 * @param {Record<string, string>} [options.headers] besides the content type
 */
export async function serveFolder(folder, { base = BASE_PATH, headers = {} } = {}) {
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = join(folder, pathname.slice(base.length - 1), pathname.endsWith('/') ? 'index.html' : '');
    const found = pathname.startsWith(base) && statSync(path, { throwIfNoEntry: false })?.isFile();
    const type = { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' };
    response.writeHead(found ? 200 : 404, { ...type, ...headers });
    if (found) createReadStream(path).pipe(response);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}${base}`,
    folder,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Everything that went wrong on a page: errors, console errors and warnings, refusals of its security policy.
 *
 * @param {Page} page
 * @returns {string[]}
 */
export function watch(page) {
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  return problems;
}
