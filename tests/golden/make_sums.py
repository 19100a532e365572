#!/usr/bin/env python3
"""Trains the page's six small transformers that add, and records what they give.

`make_sums.py train NAME…` trains those named (none, sinusoidal, learned, rotary, alibi, t5) and writes web/page/sums/NAME.bin: the vectors and the
scale of each matrix's row in float16, then the rows in int8. Without `train` it writes sums.json and web/page/sums/measured.json from those
files, or with `--check` compares them. Needs PyTorch (Debian: python3-torch 1.13). Training takes a minute or two a model on a quiet core with
OpenBLAS. The same seed gives the same weights on one machine only, so they are committed, and no test trains.

A sum is read column by column, ones first: the digit above, the digit below, the digit of the sum, each kind with ten tokens of its own. One
decoder layer learns to say the third, in sums of 1 to 10 columns.
"""

import json
import math
import sys

import numpy as np
import torch
from torch.nn import LayerNorm, Linear, Parameter

from record import HERE, record, record_near

DATA = HERE.parents[1] / 'web/page/sums'
NAMES = ['none', 'sinusoidal', 'learned', 'rotary', 'alibi', 't5']
DIM, HEADS, HEAD_DIM, INNER, COLUMNS, ROWS, BUCKETS = 32, 4, 8, 64, 10, 150, 32
STEPS, BATCH, RATE = 3000, 128, 3e-3
# With seeds 0, 1 and 2 ALiBi's sums of 40 columns are right in 75, 81 and 91 of 100. The others were trained with one seed only.
SEEDS = dict.fromkeys(NAMES, 0) | {'alibi': 2}

VECTORS = ['norm1.weight', 'norm1.bias', 'norm2.weight', 'norm2.bias', 'norm3.weight', 'norm3.bias', 'up.bias', 'down.bias']
MATRICES = ['tokens', 'qkv.weight', 'mix.weight', 'up.weight', 'down.weight', 'digits.weight', 'positions', 'biases']

# What is recorded of each model. The others don't depend on where positions begin.
STARTS = [{}, {'start': 1}, {'start': 30}, {'start': 248}, {'start': 1000}]
ROUNDED = [{'start': start, 'numerics': 'bfloat16'} for start in (248, 1000)]
OPTIONS = {
    'sinusoidal': STARTS + ROUNDED,
    'learned': STARTS[:3],
    'rotary': STARTS + ROUNDED + [{'slowed': 1.2}, {'slowed': 2}],
}


def find_buckets(n):
    """T5's bucket of each query and key, for a decoder with 32 buckets up to distance 128."""
    distance = (torch.arange(n)[:, None] - torch.arange(n)).clamp(min=0)
    near = BUCKETS // 2
    far = near + (torch.log(distance.clamp(min=1) / near) / math.log(128 / near) * near).long()
    return torch.where(distance < near, distance, far.clamp(max=BUCKETS - 1))


class Sums(torch.nn.Module):
    def __init__(self, encoding):
        super().__init__()
        self.encoding = encoding
        self.tokens = Parameter(torch.randn(30, DIM) * (0.2 if encoding == 'none' else DIM**-0.5))
        self.norm1, self.norm2, self.norm3 = (LayerNorm(DIM) for _ in range(3))
        self.qkv, self.mix = Linear(DIM, 3 * DIM, bias=False), Linear(DIM, DIM, bias=False)
        self.up, self.down = Linear(DIM, INNER), Linear(INNER, DIM)
        self.digits = Linear(DIM, 10, bias=False)
        if encoding == 'learned':
            self.positions = Parameter(torch.randn(ROWS, DIM) * 0.1)
        if encoding == 't5':
            self.biases = Parameter(torch.randn(BUCKETS, HEADS) * 0.5)

    def forward(self, tokens, start=0, numerics='exact', slowed=1, asked=slice(None)):
        """Logits [batch, asked, 10] after those tokens [batch, n] that are asked. Leaves their attention in `weights`."""
        (batch, n), kind = tokens.shape, self.tokens.dtype
        positions = torch.arange(start, start + n).to(kind)
        if numerics == 'bfloat16':
            positions = positions.bfloat16().to(kind)
        x = self.tokens[tokens]
        bias = torch.full((n, n), -1e9, dtype=kind).triu(1)
        if self.encoding == 'sinusoidal':
            angles = positions[:, None] * 10000 ** (-torch.arange(0, DIM, 2).to(kind) / DIM)
            x = x * math.sqrt(DIM) + torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)
        elif self.encoding == 'learned':
            x = x + self.positions[start : start + n]
        elif self.encoding == 'alibi':
            slopes = 2 ** (-8 / HEADS * torch.arange(1, HEADS + 1).to(kind))
            bias = bias + slopes[:, None, None] * (torch.arange(n) - torch.arange(n)[:, None])
        elif self.encoding == 't5':
            bias = bias + self.biases[find_buckets(n)].permute(2, 0, 1)
        q, k, v = self.qkv(self.norm1(x)).view(batch, n, 3, HEADS, HEAD_DIM).permute(2, 0, 3, 1, 4)
        if self.encoding == 'rotary':
            angles = positions[:, None] * 10000 ** (-torch.arange(0, HEAD_DIM, 2).to(kind) / HEAD_DIM) / slowed
            cos, sin = angles.cos(), angles.sin()
            halves = q.chunk(2, -1), k.chunk(2, -1)
            q, k = (torch.cat((a * cos - b * sin, b * cos + a * sin), -1) for a, b in halves)
        x, q, bias = x[:, asked], q[..., asked, :], bias[..., asked, :]
        self.weights = (q @ k.transpose(-1, -2) / math.sqrt(HEAD_DIM) + bias).softmax(-1)
        x = x + self.mix((self.weights @ v).transpose(1, 2).reshape(x.shape))
        x = x + self.down(self.up(self.norm2(x)).relu())
        return self.digits(self.norm3(x))


def write_sums(above, below):
    """Tokens [batch, 3 · n] of the digits of numbers, [batch, n]."""
    carry, columns = 0, []
    for a, b in zip(above.T, below.T):
        total = a + b + carry
        columns += [a, b + 10, total % 10 + 20]
        carry = total // 10
    return torch.stack(columns, 1)


def draw_sums(n, count):
    """Random numbers, 30 % of them with long chains of carries."""
    above, below = torch.randint(0, 10, (2, count, n))
    chained = (torch.rand(count, 1) < 0.3) & (torch.rand(count, n) < 0.8)
    return above, torch.where(chained, 9 - above, below)


def draw_mixed(n, count):
    """The same; besides, 15 % of the rows use two digits only, and in 10 % each number is zero from some column on."""
    numbers = torch.stack(draw_sums(n, count))
    pairs = torch.randint(0, 10, (count, 2))
    two = pairs[torch.arange(count)[:, None], torch.randint(0, 2, (2, count, n))]
    numbers = torch.where(torch.rand(count, 1) < 0.15, two, numbers)
    ended = torch.arange(n) >= torch.randint(0, n + 1, (2, count, 1))
    return torch.where((torch.rand(count, 1) < 0.1) & ended, 0, numbers)


def train(name):
    torch.manual_seed(SEEDS[name])
    model = Sums(name)
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.01, betas=(0.9, 0.98))
    for step in range(STEPS):
        optimizer.param_groups[0]['lr'] = RATE * min(1, step / 100) * 0.5 * (1 + math.cos(math.pi * step / STEPS))
        n = COLUMNS if step % 2 else 1 + step // 2 % COLUMNS
        tokens = write_sums(*draw_mixed(n, BATCH))
        said = model(tokens[:, :-1], asked=slice(1, None, 3))
        loss = torch.nn.functional.cross_entropy(said.reshape(-1, 10), tokens[:, 2::3].reshape(-1) - 20)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimizer.step()
    return model


def pack(model):
    state, scales, rows = model.state_dict(), b'', b''
    for matrix in (state[name].numpy() for name in MATRICES if name in state):
        scale = (np.abs(matrix).max(1, keepdims=True) / 127).astype('<f2')
        scales += scale.tobytes()
        rows += np.clip(np.round(matrix / scale.astype(float)), -127, 127).astype(np.int8).tobytes()
    return b''.join(state[name].numpy().astype('<f2').tobytes() for name in VECTORS) + scales + rows


def unpack(name, content):
    """The model with the rounded weights, in float64."""
    model = Sums(name).double()
    state = model.state_dict()
    vectors, matrices = ([state[part] for part in parts if part in state] for parts in (VECTORS, MATRICES))
    counts = [len(part) for part in vectors + matrices]
    halves = torch.tensor(np.frombuffer(content, '<f2', sum(counts)).astype(float)).split(counts)
    rows = torch.tensor(np.frombuffer(content, np.int8, offset=2 * sum(counts)).astype(float))
    for vector, values in zip(vectors, halves):
        vector.copy_(values)
    each = zip(matrices, halves[len(vectors) :], rows.split([matrix.numel() for matrix in matrices]))
    for matrix, scale, values in each:
        matrix.copy_(values.view_as(matrix) * scale[:, None])
    return model


def load_model(name):
    return unpack(name, (DATA / f'{name}.bin').read_bytes())


@torch.no_grad()
def add(model, above, below, **options):
    """Tokens [batch, 3 · n] of sums whose digits the model says itself, and its logits for them, [batch, n, 10]."""
    tokens, logits = write_sums(above, below), []
    for end in range(2, tokens.shape[1], 3):
        parts = [model(part, **options, asked=slice(-1, None))[:, 0] for part in tokens[:, :end].split(250)]
        logits.append(torch.cat(parts))
        tokens[:, end] = logits[-1].argmax(-1) + 20
    return tokens, torch.stack(logits, 1)


def measure(model, above, below, **options):
    """Of each sum and column: whether the digit is right, and whether all are up to there."""
    right = (add(model, above, below, **options)[0] == write_sums(above, below))[:, 2::3]
    return right, right.cumprod(1).bool()


def measure_typed(model):
    """The share that is right of the sums of 163 numbers as people type them, with a last column 0 + 0."""
    numbers = {*range(100), 1984, 2026, *(2**k for k in range(7, 17)), *(int('123456789'[:k]) for k in range(3, 10))}
    numbers |= {digit * ones for digit in range(1, 9) for ones in (111, 111111)}
    numbers |= {number for k in range(2, 9) for number in (10**k, 10**k + 1, 5 * 10**k, 10 ** (k + 1) - 1)}
    pairs, right = [(a, b) for a in numbers for b in numbers], 0
    for n in range(2, 11):
        chosen = [pair for pair in pairs if len(str(max(pair))) + 1 == n]
        digits = torch.tensor([[[int(digit) for digit in f'{number:0{n}}'[::-1]] for number in pair] for pair in chosen])
        right += measure(model, *digits.unbind(1))[1][:, -1].sum().item()
    return right / len(pairs)


def find_faults(model):
    """What a rounded model doesn't do that the page says of it."""
    name = model.encoding
    torch.manual_seed(1)
    columns = {'none': 10, 't5': 10, 'rotary': 15, 'alibi': 40}.get(name, 11)
    right, whole = (each.double().mean(0).tolist() for each in measure(model, *draw_sums(columns, 2000)))
    wanted = [('sums of 10 columns', whole[9], *((0, 0.15) if name == 'none' else (0.99, 1)))]
    if name != 'none':
        wanted.append(('sums as typed', measure_typed(model), 0.999, 1))
    if name in ('sinusoidal', 'learned'):
        wanted.append(('digits of column 11', right[10], 0, 0.35))
    if name == 'rotary':
        wanted += [('sums of 12 columns', whole[11], 0.8, 1), ('sums of 15 columns', whole[14], 0, 0.25)]
    if name == 'alibi':
        wanted += [('sums of 15 columns', whole[14], 0.95, 1), ('sums of 40 columns', whole[39], 0.8, 1)]
    for what, share, least, most in wanted:
        print(f'{name}: {what}: {share:.4f} right, from {least} to {most} wanted', flush=True)
    return [what for what, share, least, most in wanted if not least <= share <= most]


def write_digits(digits):
    return [''.join(map(str, row)) for row in digits.tolist()]


def record_model(model, above, below):
    """All digits said, and the least distance of two logits; of the first sum also logits, and the attention on the five nearest tokens."""
    for options in OPTIONS.get(model.encoding, [{}]):
        tokens, logits = add(model, above, below, **options)
        model(tokens[:1, :-1], **options)
        near = [model.weights[0, :, end - 1, max(end - 5, 0) : end].sum(-1).mean().item() for end in range(2, 120, 3)]
        first, second = logits.topk(2, -1)[0].unbind(-1)
        yield {
            'options': options,
            'said': write_digits(tokens[:, 2::3] - 20),
            'margin': (first - second).min().item(),
            'logits': {column: [round(x, 7) for x in logits[0, column].tolist()] for column in (0, 9, 10, 39)},
            'near': [round(x, 7) for x in near],
        }


def count_right(model, above, below):
    for options in OPTIONS.get(model.encoding, [{}]):
        right, whole = (each.sum(0).tolist() for each in measure(model, above, below, **options))
        yield {'options': options, 'right': right, 'whole': {'ten': whole[9], 'forty': whole[39]}}


def count_swapped(name, above, below):
    """The most sums that a model gets right with the encoding of another one: of each other one it has the positions or biases."""
    model, counts = load_model(name), []
    model.positions, model.biases = load_model('learned').positions, load_model('t5').biases
    for model.encoding in NAMES:
        if model.encoding != name:
            counts.append(measure(model, above, below)[1][:, -1].sum().item())
    return max(counts)


def main():
    torch.set_num_threads(1)
    if sys.argv[1:2] == ['train']:
        for name in sys.argv[2:]:
            content = pack(train(name))
            if faults := find_faults(unpack(name, content)):
                sys.exit(f'{name} is not written, for its {", ".join(faults)}')
            (DATA / f'{name}.bin').write_bytes(content)
        return
    models = {name: load_model(name) for name in NAMES}
    torch.manual_seed(2)
    sums = draw_sums(40, 300)
    counts = {name: list(count_right(model, *sums)) for name, model in models.items()}
    swapped = {name: count_swapped(name, *(each[:, :COLUMNS] for each in sums)) for name in NAMES[1:]}
    record([('../../web/page/sums/measured.json', json.dumps({'sums': 300, 'swapped': swapped, **counts}) + '\n')])
    above, below = sums[0][:20], sums[1][:20]
    made = {'above': write_digits(above), 'below': write_digits(below)}
    made |= {name: list(record_model(model, above, below)) for name, model in models.items()}
    record_near('sums.json', made, 1e-6, torch)


if __name__ == '__main__':
    main()
