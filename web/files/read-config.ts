/** Reads a model's file as people paste it. */

/** What JSON has for the words of Python, and for the numbers that it lacks. */
const CONFIG_WORDS: Record<string, string> = {
  True: 'true',
  False: 'false',
  None: 'null',
  NaN: 'null',
  Infinity: 'null',
  '-Infinity': 'null',
};

/** A string, a word of Python, a bracket of a tuple, or a comma before a closing bracket. */
const TOKENS = /'((?:[^'\\]|\\.)*)'|"(?:[^"\\]|\\.)*"|-?\b(?:True|False|None|NaN|Infinity)\b|[()]|,(?=\s*[}\])])/g;

/** JSON for a literal of Python: a dict with single quotes, tuples, or a comma at the end. */
const toJson = (text: string) =>
  text.replace(TOKENS, (token, inner?: string) => {
    if (inner !== undefined) return JSON.stringify(inner.replace(/\\(.)/g, '$1'));
    if (token === ',') return '';
    return token === '(' ? '[' : token === ')' ? ']' : (CONFIG_WORDS[token] ?? token);
  });

/** A line of gguf-dump: its number, its type, its length, a name and a value. */
const DUMPED = /^\s*\d+: [\w[\], ]+\|\s*\d+ \| ([\w.-]+) = (.*)$/gm;

/** The metadata that gguf-dump prints. Lists that it cuts are left out. */
function readDump(text: string): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const [, name, value] of text.matchAll(DUMPED)) {
    try {
      metadata[name] = JSON.parse(toJson(value));
    } catch {}
  }
  return metadata;
}

/** A config from JSON, from what Python prints of a config or a dict, or from gguf-dump's text. Throws if it is none of these. */
export function readConfig(text: string): object {
  try {
    return JSON.parse(text);
  } catch (error) {
    const dump = readDump(text);
    if ('general.architecture' in dump) return dump;
    try {
      // print(config) writes the name of its class first.
      return JSON.parse(toJson(text.replace(/^\s*\w+ (?=\{)/, '')));
    } catch {
      throw new Error(`This is not JSON: ${(error as Error).message}.`);
    }
  }
}
