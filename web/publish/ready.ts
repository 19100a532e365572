/** Fails if the package is not ready to be published. From the repository npm resolves the links of its page, which are relative. */

import { readFileSync } from 'node:fs';

const readProjectFile = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

function refuseRelease(reason: string) {
  console.error(`posenc: ${reason}`);
  process.exit(1);
}

const { repository, version } = JSON.parse(readProjectFile('package.json'));
if (!/^(github:|(git\+)?https:\/\/github\.com\/)[\w-]+\/[\w.-]+$/.test(repository?.url ?? repository)) {
  refuseRelease('package.json needs the line "repository": "github:OWNER/NAME"');
}
const heading = new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm');
if (!heading.test(readProjectFile('CHANGELOG.md'))) refuseRelease(`CHANGELOG.md has no dated section for ${version}`);
