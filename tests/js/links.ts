/** The links of the Markdown files, and where they lead. */

import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** @param text without its code */
const prose = (text: string) =>
  text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');

/** The anchors of a text's headings, as GitHub makes them. */
export function listAnchors(text: string) {
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
 * @param texts by their paths from a folder
 * @param path of the text
 */
export function findFault(root: string, texts: Record<string, string>, path: string, link: string) {
  const [file, anchor] = decodeURI(link).split('#');
  const target = file === '' ? path : normalize(join(dirname(path), file));
  if (target.startsWith('..') || !existsSync(join(root, target))) return 'no such file';
  if (anchor === undefined) return undefined;
  return listAnchors(texts[target] ?? '').includes(anchor) ? undefined : 'no such heading';
}

/** The relative links of a text, and its pictures. */
export const listLinks = (text: string) =>
  [...prose(text).matchAll(/(!\[[^\]]*)?\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)|\b(?:src|href)="([^"]+)"/g)]
    .map(([, picture, written, attribute]) => ({ picture, link: written ?? attribute }))
    .filter(({ link }) => !/^[a-z][a-z+.-]*:/i.test(link));
