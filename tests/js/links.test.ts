import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { readTexts, root } from './texts.ts';

const texts = readTexts();

/** @param text without its code */
const prose = (text: string) =>
  text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');

/** The anchors of a text's headings, as GitHub makes them. */
function anchorsOf(text: string) {
  const seen = new Map<string, number>();
  return [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

/**
 * Why a link of a text leads nowhere, if it does.
 *
 * @param path of the text
 */
function faultOf(path: string, link: string) {
  const [file, anchor] = decodeURI(link).split('#');
  const target = file === '' ? path : normalize(join(dirname(path), file));
  if (target.startsWith('..') || !existsSync(join(root, target))) return 'no such file';
  if (anchor === undefined) return undefined;
  return anchorsOf(texts[target] ?? '').includes(anchor) ? undefined : 'no such heading';
}

for (const [path, text] of Object.entries(texts)) {
  const links = [...prose(text).matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)|\b(?:src|href)="([^"]+)"/g)]
    .map(([, written, attribute]) => written ?? attribute)
    .filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
  test(`every link and picture of ${path} leads somewhere`, () => {
    const faults = links.map((link) => [link, faultOf(path, link)]).filter(([, fault]) => fault !== undefined);
    assert.deepEqual(faults, []);
  });
}

test('a link to a missing file or heading is found', () => {
  assert.equal(faultOf('README.md', 'web/nothing.md'), 'no such file');
  assert.equal(faultOf('README.md', '../README.md'), 'no such file');
  assert.equal(faultOf('README.md', '#nothing'), 'no such heading');
  assert.equal(faultOf('README.md', 'LICENSE'), undefined);
  assert.deepEqual(anchorsOf('# A `b` / c!\n## X\n```\n# no\n```\n## X'), ['a-b--c', 'x', 'x-1']);
});
