/** Fails if the package is not ready to be published. From the repository npm resolves the links of its page, which are relative. */

import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function refuse(reason: string) {
  console.error(`posenc: ${reason}`);
  process.exit(1);
}

const { repository, version } = JSON.parse(read('package.json'));
if (!/^(github:|(git\+)?https:\/\/github\.com\/)[\w-]+\/[\w.-]+$/.test(repository?.url ?? repository)) {
  refuse('package.json needs the line "repository": "github:OWNER/NAME"');
}
const heading = new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm');
if (!heading.test(read('CHANGELOG.md'))) refuse(`CHANGELOG.md has no dated section for ${version}`);
