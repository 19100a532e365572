import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault, listAnchors, listLinks } from './links.ts';
import { readTexts, root } from './texts.ts';

const texts = readTexts();
const fault = (path: string, link: string) => findFault(root, texts, path, link);

for (const [path, text] of Object.entries(texts)) {
  test(`every link and picture of ${path} leads somewhere`, () => {
    const faults = listLinks(text).map(({ link }) => [link, fault(path, link)]);
    assert.deepEqual(
      faults.filter(([, fault]) => fault !== undefined),
      [],
    );
  });
}

test('a link to a missing file or heading is found', () => {
  assert.equal(fault('README.md', 'web/nothing.md'), 'no such file');
  assert.equal(fault('README.md', '../README.md'), 'no such file');
  assert.equal(fault('README.md', '#nothing'), 'no such heading');
  assert.equal(fault('README.md', 'LICENSE'), undefined);
  assert.deepEqual(listAnchors('# A `b` / c!\n## X\n```\n# no\n```\n## X'), ['a-b--c', 'x', 'x-1']);
});
