/**
 * Checks the built package, an element and the built page in a browser that has a WebDriver, such as Safari.
 *
 *   node --import tsx tests/browser/webdriver.ts safaridriver            or chromedriver, geckodriver, or a path to one
 *   node --import tsx tests/browser/webdriver.ts chromedriver '{"goog:chromeOptions":{"args":["--headless"]}}'    with capabilities
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkNumbers } from '../package/hosts/host.ts';
import { serveFolder } from './browser.ts';

const PORT = 4444;
const [driver = 'safaridriver', capabilities = '{}'] = process.argv.slice(2);

/** A command of the WebDriver protocol. */
async function command(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}, ${value.message}`);
  return value;
}

/** Waits until the driver answers. */
async function ready() {
  for (let attempt = 0; attempt < 50; attempt++) {
    if ((await command('GET', '/status').catch(() => undefined))?.ready) return;
    await wait(200);
  }
  throw new Error(`${driver} does not answer at port ${PORT}`);
}

/** What runs in the browser. Each is a function's body that returns a value or a promise. */
const TABLE = `
  return import('/dist/posenc.js')
    .then(({ load, sinusoidal }) => load().then(() => [...sinusoidal({ dim: 7 }).encode(280).data]));`;
const ELEMENT = `
  return import('/dist/element.js').then(async () => {
    const element = document.createElement('posenc-heatmap');
    Object.assign(element, { dim: 7, length: 280 });
    document.body.append(element);
    await element.ready;
    return { error: element.shadowRoot.querySelector('[part=error]').textContent, values: [...element.table.data] };
  });`;
const PAGE = `
  return new Promise((resolve) => {
    const look = () => {
      const drawn = performance.getEntriesByName('posenc:drawn').length > 0;
      const failed = !document.querySelector('#failure').hidden;
      if (drawn || failed) resolve({ drawn, failure: failed ? document.querySelector('#failure').innerText : '' });
      else setTimeout(look, 100);
    };
    look();
  });`;

const root = fileURLToPath(new URL('../..', import.meta.url));
for (const built of ['dist/element.js', 'build/page/index.html']) {
  if (!existsSync(`${root}/${built}`)) throw new Error(`${built} is missing: npm run build makes it`);
}
const site = await serveFolder(root, { base: '/' });
const server = spawn(driver, driver.includes('safaridriver') ? ['-p', `${PORT}`] : [`--port=${PORT}`], {
  stdio: 'inherit',
});
let session: string | undefined;
try {
  await ready();
  const started = await command('POST', '/session', { capabilities: { alwaysMatch: JSON.parse(capabilities) } });
  session = `/session/${started.sessionId}`;
  await command('POST', `${session}/timeouts`, { script: 120_000, pageLoad: 120_000 });
  const run = (script: string) => command('POST', `${session}/execute/sync`, { script, args: [] });

  await command('POST', `${session}/url`, { url: `${site.address}build/page/index.html` });
  assert.deepEqual(await run(PAGE), { drawn: true, failure: '' });
  checkNumbers(await run(TABLE));
  const element = await run(ELEMENT);
  assert.equal(element.error, '');
  checkNumbers(element.values);

  const { browserName, browserVersion } = started.capabilities;
  console.log(`${browserName} ${browserVersion}: the table, the element and the page are right`);
} finally {
  if (session) await command('DELETE', session).catch(() => {});
  server.kill();
  site.close();
}
