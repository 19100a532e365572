/**
 * The addresses that follow from the `repository` line of package.json.
 *
 * @module
 */

import { posix } from 'node:path';

/** @typedef {{ version: string, repository?: string | { url?: string } }} Manifest */

/**
 * @param {Manifest} manifest
 * @returns {string | undefined} owner and name on GitHub
 */
export function repositoryOf({ repository }) {
  const line = typeof repository === 'string' ? repository : repository?.url;
  if (!line) return undefined;
  const found = /^(?:github:|(?:git\+)?https:\/\/github\.com\/)([\w-]+\/[\w.-]+?)(?:\.git)?$/.exec(line);
  if (!found) throw new Error(`repository must be "github:OWNER/NAME", got "${line}"`);
  return found[1];
}

/** Markdown in which nothing is a link: fenced blocks and code in a line. */
const CODE = /^(`{3,}|~{3,}).*?^\1|(`+)(?!`).*?(?<!`)\2(?!`)/;
/** A link or a picture, whose text may hold a picture. */
const INLINE = /(?<bang>!?)\[(?<text>(?:[^[\]]|!?\[[^[\]]*\](?:\([^()]*\))?)*)\]\((?<link>[^\s()]+)/;
const DEFINITION = /^(?<label>\[[^\]]+\]: *)(?<defined>\S+)/;
const TAG = /(?<tag><(?:img|a)\b[^>]*?\b(?<name>src|href)=")(?<quoted>[^"]+)/;
const LINKS = new RegExp([CODE, INLINE, DEFINITION, TAG].map(({ source }) => source).join('|'), 'gms');

/**
 * Makes the relative links and pictures of a page absolute, at the tag of the version. Code stays as it is.
 *
 * @param {string} page Markdown
 * @param {string} name the page's path in the repository
 * @param {Manifest} manifest
 * @param {(path: string) => 'file' | 'folder' | undefined} kindOf what a path in the repository is
 * @returns {string}
 * @throws {Error} where a link leads to nothing
 */
export function absolute(page, name, manifest, kindOf) {
  const repository = repositoryOf(manifest);
  const tag = `v${manifest.version}`;
  const addressOf = (/** @type {string} */ link, /** @type {boolean} */ isPicture) => {
    if (/^([a-z][a-z\d+.-]*:|#|\/\/)/i.test(link)) return link;
    const path = posix.join(posix.dirname(name), link);
    const kind = kindOf(path.replace(/[?#].*/, ''));
    if (!kind) throw new Error(`${name} links to ${link}, which does not exist`);
    if (isPicture) return `https://raw.githubusercontent.com/${repository}/${tag}/${path}`;
    return `https://github.com/${repository}/${kind === 'folder' ? 'tree' : 'blob'}/${tag}/${path}`;
  };
  /** @type {(text: string) => string} */
  const rewritten = (text) =>
    text.replace(LINKS, (/** @type {string} */ whole, ...rest) => {
      const { bang, text, link, label, defined, tag, name, quoted } = rest.at(-1);
      if (link) return `${bang}[${bang ? text : rewritten(text)}](${addressOf(link, bang === '!')}`;
      if (defined) return label + addressOf(defined, false);
      if (quoted) return tag + addressOf(quoted, name === 'src');
      return whole;
    });
  return rewritten(page);
}
