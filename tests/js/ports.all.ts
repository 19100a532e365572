/** The libraries that make_ports.py installs still pass the vectors, and fail them, as recorded. */

import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('other libraries answer the vectors as recorded', () => {
  // Debian's, which has PyTorch.
  const script = fileURLToPath(new URL('../golden/make_ports.py', import.meta.url));
  execFileSync('/usr/bin/python3', [script, '--check'], { stdio: 'inherit' });
});
