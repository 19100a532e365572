import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveFolder } from './browser.ts';

/** The page that `npm run build` makes. */
export const BUILT = fileURLToPath(new URL('../../build/page', import.meta.url));

/**
 * Serves the built page to all tests, also to sandboxed frames, which ask for its modules from an origin of their own. Playwright calls it
 * once, and calls what it returns at the end.
 */
export default async function serve() {
  if (!existsSync(`${BUILT}/index.html`)) throw new Error('build/page is missing: npm run build makes it');
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'max-age=3600' };
  const { address, close } = await serveFolder(BUILT, { headers });
  process.env.POSENC_PAGE = address;
  return close;
}
