import { accessSync, constants, createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';

/** An arbitrary folder: the page must work in any. */
const BASE_PATH = '/deep/er/';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.ts': 'text/javascript',
  '.wasm': 'application/wasm',
};

/**
 * @param variable of the environment that may contain its path
 * @param names possible ones, Debian's first
 */
export function findBrowser(variable: string, names: string[]) {
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

/** Chromium as users run it. */
export const WHOLE = ['chromium', 'chromium-browser', 'google-chrome'];
/** The same engine without the services and the windows of a browser: tests take half the time. */
const SHELL = ['chromium-headless-shell', ...WHOLE];

/**
 * How Debian's Chromium is started: quiet, without a way to other machines, and with the same fonts on each.
 *
 * @param more switches of Chromium
 * @param names of the program, the one preferred first
 * @param fonts the only ones: the name of a file in the folder `fonts`
 */
export function launchOptions(more: string[] = [], names = SHELL, fonts = 'liberation') {
  const executablePath = findBrowser('POSENC_CHROMIUM', names);
  const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-component-update', '--disable-sync'];
  // No other machine's name is resolved.
  const alone = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';
  // Chromium's sandbox refuses root.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const FONTCONFIG_FILE = fileURLToPath(new URL(`fonts/${fonts}.conf`, import.meta.url));
  return { executablePath, args: [...quiet, alone, ...root, ...more], env: { ...process.env, FONTCONFIG_FILE } };
}

/** The parameters are those of `launchOptions`. */
export async function launch(...options: Parameters<typeof launchOptions>) {
  const browser = await chromium.launch(launchOptions(...options));
  // A function that tsx has compiled calls __name, also when it runs in a page.
  return browser.on('context', (context) => context.addInitScript('globalThis.__name = (made) => made'));
}

/** Firefox supports WebDriver BiDi directly. */
export const launchFirefox = async () =>
  (await import('puppeteer-core')).launch({
    browser: 'firefox',
    executablePath: findBrowser('POSENC_FIREFOX', ['firefox-esr', 'firefox']),
  });

/** Serves plain files, and those of TypeScript without their types. */
export async function serveFolder(
  folder: string,
  {
    base = BASE_PATH,
    headers = {},
  }: {
    /** Path, with a slash at both ends. */
    base?: string;
    /** Besides the content type. */
    headers?: Record<string, string>;
  } = {},
) {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = join(folder, pathname.slice(base.length - 1), pathname.endsWith('/') ? 'index.html' : '');
    const found = pathname.startsWith(base) && statSync(path, { throwIfNoEntry: false })?.isFile();
    const type = { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' };
    response.writeHead(found ? 200 : 404, { ...type, ...headers });
    if (found && path.endsWith('.ts')) {
      const { transformWithOxc } = await import('vite');
      response.end((await transformWithOxc(readFileSync(path, 'utf8'), path)).code);
    } else if (found) createReadStream(path).pipe(response);
    else response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${base}`,
    folder,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Everything that went wrong on a page: errors, console errors and warnings, refusals of its security policy. */
export function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  return problems;
}
