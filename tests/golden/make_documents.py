#!/usr/bin/env python3
"""Records the results of the usual modules of positional encoding: `make_documents.py` writes documents.json, `--check` compares it.

Needs PyTorch (Debian: python3-torch) and, for GPT-2's tokens, the development dependencies (`npm ci`). Each case begins
with `torch.manual_seed(seed)`; of large results the values at `places` are recorded.

    modules   x + positions of a standard normal x: batch-first by power and by exp, sequence-first with dropout
    sum       token, position and segment embeddings
    gpt       a text's tokens in windows, a shuffled batch of them, token embeddings plus learned positions; the usual loader
              and sizes, with GPT-2's vocabulary
"""

import json
import math
import subprocess
from pathlib import Path

import torch
from record import record_near
from torch import nn
from torch.utils.data import DataLoader

FOLDER = Path(__file__).parent

TEXT = (
    'A sentence is more than the words in it: the dog bit the man is one story, the man bit the dog another. '
    'A transformer sees all words at once, so each of them has to carry its own position.'
)


def by_power(length, dim):
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.pow(10000, torch.arange(0, dim, 2).float() / dim)
    return torch.sin(position / div_term), torch.cos(position / div_term)


def by_exp(length, dim):
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
    return torch.sin(position * div_term), torch.cos(position * div_term)


def by_exp_of_quotient(length, dim):
    position = torch.arange(0, length).reshape(length, 1)
    den = torch.exp(-torch.arange(0, dim, 2) * math.log(10000) / dim)
    return torch.sin(position * den), torch.cos(position * den)


def sliced(made, length, dim):
    table = torch.zeros(length, dim)
    table[:, 0::2], table[:, 1::2] = made(length, dim)
    return table


class BatchFirst(nn.Module):
    def __init__(self, made, dim, length):
        super().__init__()
        self.register_buffer('pe', sliced(made, length, dim).unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.size(1)]


class SequenceFirst(nn.Module):
    def __init__(self, dim, dropout, length=5000):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer('pe', sliced(by_exp_of_quotient, length, dim).unsqueeze(-2))

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0), :])


def numbers(tensor):
    """Float32 values in the fewest digits that tell them apart."""
    return [float(str(value)) for value in tensor.detach().numpy().ravel()]


def whole(tensor):
    return {'shape': list(tensor.shape), 'values': numbers(tensor)}


def sampled(tensor, count=64):
    places = [i * (tensor.numel() - 1) // (count - 1) for i in range(count)]
    return {'shape': list(tensor.shape), 'places': places, 'values': numbers(tensor.flatten()[places])}


def modules():
    for order, module, p, shape in [
        ('batch-first', BatchFirst(by_power, 512, 1000), 0, (2, 10, 512)),
        ('batch-first', BatchFirst(by_exp, 512, 256), 0, (2, 10, 512)),
        ('sequence-first', SequenceFirst(512, 0.1), 0.1, (10, 2, 512)),
    ]:
        torch.manual_seed(0)
        made = module(torch.randn(shape))
        yield {'order': order, 'p': p, 'seed': 0, **sampled(made)}


def token_position_segment():
    ids, segment_ids = [5, 200, 999], [0, 0, 1]
    torch.manual_seed(0)
    tokens, segments = nn.Embedding(1000, 10), nn.Embedding(2, 10)
    positions = sliced(by_exp_of_quotient, len(ids), 10)
    made = tokens(torch.tensor(ids)) + positions + segments(torch.tensor(segment_ids))
    return {'seed': 0, 'ids': ids, 'segments': segment_ids, **whole(made)}


def gpt_tokens(text):
    program = "import { encode } from 'gpt-tokenizer/encoding/gpt2'; console.log(JSON.stringify(encode(process.argv[1])))"
    command = ['node', '--input-type=module', '--eval', program, text]
    return json.loads(subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True).stdout)


def gpt():
    tokens = gpt_tokens(TEXT)
    context, stride, dim = 4, 2, 256
    starts = range(0, len(tokens) - context, stride)
    pairs = [(torch.tensor(tokens[i:][:context]), torch.tensor(tokens[i + 1 :][:context])) for i in starts]
    torch.manual_seed(123)
    inputs, targets = next(iter(DataLoader(pairs, batch_size=8, shuffle=True, drop_last=True)))
    embeddings = nn.Embedding(50257, dim)
    positions = nn.Embedding(context, dim)(torch.arange(context))
    return {
        'text': TEXT,
        'seed': 123,
        'inputs': inputs.tolist(),
        'targets': targets.tolist(),
        'sum': sampled(embeddings(inputs) + positions, 128),
    }


if __name__ == '__main__':
    made = {
        'modules': list(modules()),
        'sum': token_position_segment(),
        'gpt': gpt(),
    }
    # PyTorch takes logarithms, sines and cosines in float32, in vectors of several kinds.
    record_near('documents.json', made, 2e-6, torch, spread=True)
