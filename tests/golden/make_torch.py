#!/usr/bin/env python3
"""Records what PyTorch draws on a CPU: `make_torch.py` writes batches.json, `make_torch.py --check` compares it.

Needs PyTorch (Debian: python3-torch); the file says which version made it. After `torch.manual_seed(seed)` each time:

    draws     32-bit outputs of the generator, those at `places`
    loaders   three epochs of a DataLoader over range(count) without workers
    shared    two loaders that take turns on one generator: the first is iterated in part, and once begun but never read
    windows   pairs of inputs and targets from a list of tokens, as a loader stacks them: its first batches
"""

import json
import sys
from pathlib import Path

import torch
from torch.utils.data import DataLoader

FILE = Path(__file__).parent / 'batches.json'

SEEDS = [0, 1, 42, 5489, 2**31, 2**32 - 1]
PLACES = [0, 1, 2, 3, 622, 623, 624, 625, 1247, 1248, 9999]
# 700 draw past the 624 words of the generator's state.
SIZES = [(1, 1), (1, 4), (2, 1), (3, 5), (8, 8), (10, 3), (12, 4), (33, 8)]
LARGE = [(700, 128, 123)]


def draws():
    """Pairs of outputs, the first of each in the high half of a 64-bit number."""
    for seed in SEEDS:
        torch.manual_seed(seed)
        numbers = torch.empty((max(PLACES) + 2) // 2, dtype=torch.int64).random_(-(2**63), None).tolist()
        halves = [half for number in numbers for half in ((number >> 32) & 0xFFFFFFFF, number & 0xFFFFFFFF)]
        yield {'seed': seed, 'values': [halves[place] for place in PLACES]}


def epoch(loader):
    return [batch.tolist() for batch in loader]


def loaders():
    cases = [(count, size, seed, True) for count, size in SIZES for seed in SEEDS]
    cases += [(count, size, seed, True) for count, size, seed in LARGE]
    cases += [(10, 3, 42, False)]
    for count, size, seed, shuffle in cases:
        for drop in (False, True):
            torch.manual_seed(seed)
            loader = DataLoader(range(count), batch_size=size, shuffle=shuffle, drop_last=drop)
            epochs = [epoch(loader) for _ in range(3)]
            yield {
                'count': count,
                'batchSize': size,
                'shuffle': shuffle,
                'dropLast': drop,
                'seed': seed,
                'epochs': epochs,
            }


def shared():
    torch.manual_seed(7)
    first = DataLoader(range(10), batch_size=4, shuffle=True)
    second = DataLoader(range(6), batch_size=4)
    third = DataLoader(range(9), batch_size=2, shuffle=True)
    turns = [epoch(first), epoch(second), [next(iter(first)).tolist()]]
    iter(third)
    begun = [iter(first), iter(third)]
    turns.append([next(begun[1]).tolist()])
    turns.append([next(begun[0]).tolist()])
    turns.append(epoch(third))
    return {'seed': 7, 'turns': turns}


def windows():
    tokens = [(31 * i * i + 7 * i + 11) % 50257 for i in range(83)]
    context, stride = 4, 2
    starts = range(0, len(tokens) - context - 1, stride)
    pairs = [(torch.tensor(tokens[i:][:context]), torch.tensor(tokens[i + 1 :][:context])) for i in starts]
    torch.manual_seed(123)
    loader = DataLoader(pairs, batch_size=8, shuffle=True, drop_last=True)
    batches = [{'inputs': inputs.tolist(), 'targets': targets.tolist()} for inputs, targets in loader]
    return {
        'tokens': tokens,
        'contextSize': context,
        'stride': stride,
        'count': len(pairs),
        'seed': 123,
        'batchSize': 8,
        'batches': batches,
    }


def main():
    check = sys.argv[1:] == ['--check']
    if sys.argv[1:] and not check:
        sys.exit('usage: make_torch.py [--check]')
    made = {
        'places': PLACES,
        'draws': list(draws()),
        'loaders': list(loaders()),
        'shared': shared(),
        'windows': windows(),
    }
    if check:
        recorded = json.loads(FILE.read_text())
        version = recorded.pop('torch')
        print(f'torch {torch.__version__} here, {version} in {FILE.name}')
        if made != recorded:
            sys.exit(f'not what make_torch.py makes: {[name for name in made if made[name] != recorded.get(name)]}')
        return
    # A line for each case.
    lines = [f'  "torch": {json.dumps(torch.__version__)}']
    for name, value in made.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            cases = ',\n'.join(f'    {json.dumps(case)}' for case in value)
            lines.append(f'  {json.dumps(name)}: [\n{cases}\n  ]')
        else:
            lines.append(f'  {json.dumps(name)}: {json.dumps(value)}')
    FILE.write_text('{\n' + ',\n'.join(lines) + '\n}\n')


if __name__ == '__main__':
    main()
