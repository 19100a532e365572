/** What `--help` prints: a screen for each subcommand, with an example. */

export const HELP = `posenc: positional encodings of transformers, exact

  posenc show FILE|MODEL       what a model's config.json means, layer by layer
  posenc table FILE|MODEL|…    the numbers: inv_freq, cos, sin, rows, slopes, bias, buckets
  posenc check TABLE           which encoding made a table, and what is wrong with it
  posenc diff A B              how the encodings of two models differ
  posenc vectors               reference values for the tests of a port

  posenc COMMAND --help        its options, with an example

FILE is a config.json, a params.json, an mlc-chat-config.json, the metadata of a GGUF file as JSON,
or - for standard input. MODEL is owner/name, fetched from HF_ENDPOINT with HF_TOKEN, if it is set.
Exit codes: 0 right or the same, 1 it differs, 2 usage or unreadable, 3 can't say.`;

const LAYERS = `  --layer N      the encoding of this layer, counted from 0
  --part P       text, decoder, encoder or vision
  --length N     length of the text, for scalings that depend on it
`;

export const HELPS: Record<string, string> = {
  show: `posenc show FILE|MODEL [--layer N] [--part P] [--length N] [--json]

Says which encoding each layer of a model has, with the numbers that a port needs.

${LAYERS}  --json         an array with an object for each kind of layer: layers, layerType, kind, spec,
                 attention_factor, softmax_factor, inv_freq, notes

  posenc show config.json
  posenc show meta-llama/Llama-3.1-8B --json`,
  table: `posenc table FILE|MODEL|--KIND FIELDS --what WHAT [OPTIONS]

Prints the numbers of an encoding: of a model's layer, or of fields such as dim=128,base=5e5.

  --rotary, --sinusoidal, --grid, --rotary-grid, --alibi, --relative-buckets FIELDS
                 name=value, separated by commas; scaling.type=llama3; shape=14x14
  --what WHAT    inv_freq, cos, sin (rotary), rows (sinusoidal, grid), slopes, bias, buckets
  --positions L  a list: 0,57,8191; or
  --length N     the first N positions (default 16)
  --columns C    dim (two for each pair, in halves), pairs, interleaved
  --numerics M   exact (default), float32, bfloat16
  --as FORM      text (default), csv, json, npy, c
  -o FILE        writes to a file
${LAYERS.replace(/ {2}--length.*\n/, '')}
  posenc table config.json --what cos --positions 1,8191
  posenc table --rotary dim=128,base=5e5 --what inv_freq --as c -o inv_freq.h`,
  check: `posenc check TABLE [--config FILE|MODEL] [--layer N] [--start N] [--json]

Says which encoding made a table (.npy, .safetensors, CSV, JSON, what Python prints, or -), or how
it differs from that of a model.

  --config FILE  the model that it should be of
  --layer N      its layer, counted from 0
  --start N      position of the table's first row (default 0)
  --json         the matches of identify, or what compare returns

  posenc check cos.npy
  posenc check cos.npy --config config.json`,
  diff: `posenc diff A B [--length N] [--json]

Says how the encodings of two models differ, layer by layer. A and B are FILE or MODEL.

  --length N     length of the text, for scalings that depend on it
  --json         an array of layers with the fields that differ

  posenc diff config.json converted/config.json`,
  vectors: `posenc vectors [--group ID]… [--list] [-o DIR] [--run 'COMMAND']

Reference values for the tests of a port, in groups: a kind of layer of a real model each.

  --list         the ids of the groups, and what each catches
  --group ID     only this group; may be given again
  -o DIR         a JSON file for each group, in place of lines on standard output
  --run COMMAND  asks a port: it gets a case a line on its standard input, as JSON
                 { id, what, config, layer, positions, x? }, and answers each with a line,
                 an array of numbers: what is inv_freq, cos (a value for each position and pair),
                 or apply (x rotated at the position)

  posenc vectors --group llama-3.1-8b > llama.json
  posenc vectors --run 'python3 port.py'`,
};
