/** Runs `npm start` until the page answers, says after how many seconds, and ends it. */

import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

const started = spawn('npm', ['start'], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
let said = '';
let page = '';
for await (const chunk of started.stdout.setEncoding('utf8')) {
  process.stdout.write(chunk);
  said += stripVTControlCharacters(chunk);
  const [address] = /http:\/\/localhost:\d+\/\n/.exec(said) ?? [];
  if (!address) continue;
  page = await (await fetch(address.trim())).text();
  process.kill(-started.pid);
  break;
}
if (!page.includes('<title>Positional encodings</title>')) throw new Error('npm start: the page did not answer');
console.log(`npm start: the page answered after ${Math.round(process.uptime())} s`);
