#!/usr/bin/env python3
"""Records results of PyTorch on a CPU: `make_torch.py` writes batches.json, random.json and resample.json, `make_torch.py
--check` compares them.

Needs PyTorch (Debian: python3-torch) without MKL, which draws dropouts differently; the files say which version made
them. After `torch.manual_seed(seed)` each time, in batches.json:

    loaders   three epochs of a DataLoader over range(count) without workers
    long      an epoch of more than 2^18 indices, those at `places`
    shared    two loaders that take turns on one generator: the first is iterated in part, and once begun but never read
    windows   pairs of inputs and targets from a list of tokens, as a loader stacks them: its first batches

In random.json, floats of 9 digits (those of other builds are within 2e-6):

    tables    the weights of embeddings by their init
    turns     tables made one after the other: a second normal waits for the next table of fewer than 16 values
    large     tables of more than 2^18 values, at `places`
    dropouts  of ones, whole rows for mode position: 1 for each draw that keeps, 0 for each that drops; the factor; and the
              normal drawn next. Of many draws `kept` shows the last 64, and `count` says how many keep

In resample.json, floats of 9 digits:

    tables    of positions at another size, [prefix + cells, dim], as timm and DINOv2 call `interpolate`; in float64, so that
              they are the formulas without float32's rounding. The table that goes in is `normals`, its seed the case's number
"""

import math
import sys

import torch
from record import is_check, record_near
from torch.utils.data import DataLoader

TOLERANCE = 2e-6

SEEDS = [0, 1, 42, 5489, 2**31, 2**32 - 1]
# 700 draw past the 624 words of the generator's state.
SIZES = [(1, 1), (1, 4), (2, 1), (3, 5), (8, 8), (10, 3), (12, 4), (33, 8)]
LARGE = [(700, 128, 123)]

INITS = {
    'normal': torch.nn.init.normal_,
    'glorot-uniform': torch.nn.init.xavier_uniform_,
    'truncated-normal': torch.nn.init.trunc_normal_,
}
# Below, at and above runs of 16 normals.
TABLES = [[1, 1], [3, 5], [1, 16], [1, 17], [5, 7], [4, 12]]


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


def long():
    count, seed = 300000, 11
    places = [0, 1, 623, 624, 2**18 - 1, 2**18, 2**18 + 1, count - 2, count - 1]
    torch.manual_seed(seed)
    (order,) = epoch(DataLoader(range(count), batch_size=count, shuffle=True))
    return {'count': count, 'seed': seed, 'places': places, 'values': [order[place] for place in places]}


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
    starts = range(0, len(tokens) - context, stride)
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


def table(init, shape):
    if init == 'normal':
        return torch.nn.Embedding(*shape).weight.detach().flatten()
    return INITS[init](torch.empty(shape)).flatten()


def digits(values):
    return [float(f'{value:.9g}') for value in values.tolist()]


def tables():
    cases = [('normal', [1, n], 0) for n in range(1, 41)]
    cases += [(init, shape, seed) for init in INITS for shape in TABLES for seed in (1, 2**32 - 1)]
    for init, shape, seed in cases:
        torch.manual_seed(seed)
        yield {'init': init, 'shape': shape, 'seed': seed, 'values': digits(table(init, shape))}


def turns():
    orders = [
        [('normal', 3), ('normal', 3), ('normal', 2)],
        [('normal', 1), ('normal', 16), ('glorot-uniform', 5), ('normal', 1), ('normal', 21), ('normal', 15)],
        [('truncated-normal', 9), ('normal', 9), ('truncated-normal', 1), ('normal', 17), ('normal', 4), ('normal', 1)],
    ]
    for seed, order in enumerate(orders):
        torch.manual_seed(seed)
        made = [{'init': init, 'shape': [1, dim], 'values': digits(table(init, [1, dim]))} for init, dim in order]
        yield {'seed': seed, 'tables': made}


def large():
    block = 2**18
    for init in INITS:
        for shape in [[700, 613], [5, 52429], [8192, 64]]:
            size = math.prod(shape)
            places = [0, 1, 7, 8, 15, 16, 623, 624, size // 2]
            places += [place for place in (block - 1, block, block + 8, block + 17) if place < size]
            places += range(size - 20, size)
            torch.manual_seed(3)
            yield {
                'init': init,
                'shape': shape,
                'seed': 3,
                'places': places,
                'values': digits(table(init, shape)[places]),
            }


def dropouts():
    cases = [('element', [7, 31], p, seed) for p in (0.1, 0.5, 0.9) for seed in (0, 42, 2**32 - 1)]
    cases += [('element', [n], 0.3, 5) for n in (1, 2, 311, 312, 313, 625)]
    cases += [('position', [3, 50, 4], p, seed) for p in (0.1, 0.5) for seed in (0, 42)]
    cases += [('position', [40, 3], 0.25, 6), ('element', [9], 1e-20, 7), ('element', [9], 1 - 2**-53, 7)]
    cases += [('element', [2**18 + 500], 0.1, 8), ('position', [1, 2**18 + 500, 2], 0.1, 8)]
    for mode, shape, p, seed in cases:
        torch.manual_seed(seed)
        function = torch.nn.functional.dropout if mode == 'element' else torch.nn.functional.dropout1d
        made = function(torch.ones(shape), p)
        following = digits(table('normal', [1, 1]))[0]
        if mode == 'position':
            made = made[..., 0]
        made = made.flatten()
        kept = ''.join(str(int(value > 0)) for value in made.tolist())
        many = {'count': kept.count('1')} if len(kept) > 2**18 else {}
        yield {
            'mode': mode,
            'shape': shape,
            'p': p,
            'seed': seed,
            'factor': digits(made.max()[None])[0],
            'next': following,
            **many,
            'kept': kept[-64:] if many else kept,
        }


def uniform(seed):
    """Numbers in [0, 1), the same as those of randomNumbers in tests/js/helpers.ts (mulberry32)."""
    state = seed
    while True:
        state = (state + 0x6D2B79F5) % 2**32
        mixed = (state ^ state >> 15) * (state | 1) % 2**32
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) % 2**32
        yield (mixed ^ mixed >> 14) / 2**32


def normals(seed, count):
    """Nearly N(0, 1), and exact in float64 before they are rounded to float32."""
    numbers = uniform(seed)
    return torch.tensor([sum(next(numbers) for _ in range(12)) - 6 for _ in range(count)], dtype=torch.float32)


def interpolated(cells, to, mode, antialias, offset, corners=False):
    """Cells [1, dim, ...from] at another size."""
    size = {'size': to}
    if offset:
        # DINOv2's interpolate_pos_encoding.
        size = {'scale_factor': [(n + offset) / cells.shape[2 + axis] for axis, n in enumerate(to)]}
    if antialias and mode == 'linear':
        # There is no such call; one line of a picture is the same.
        return interpolated(cells[:, :, None], [1, *to], 'bilinear', True, 0)[:, :, 0]
    return torch.nn.functional.interpolate(cells, mode=mode, align_corners=corners, antialias=antialias, **size)


def resampled(table, start, to, prefix, mode, antialias, offset, corners=False):
    """A table [1, prefix + cells, dim] as timm and DINOv2 resample it."""
    dim = table.shape[2]
    kept, cells = table[:, :prefix], table[:, prefix:]
    cells = cells.reshape(1, *start, dim).movedim(-1, 1)
    cells = interpolated(cells, to, mode, antialias, offset, corners).movedim(1, -1)
    assert list(cells.shape) == [1, *to, dim]
    return torch.cat([kept, cells.reshape(1, -1, dim)], dim=1)


def resamples():
    sizes = [([4, 5], [7, 9]), ([9, 7], [4, 3]), ([6, 6], [9, 4]), ([5, 3], [5, 6]), ([1, 4], [3, 2]), ([3, 4], [1, 1])]
    cases = [
        (start, to, 0, 2, mode, antialias, 0)
        for start, to in sizes
        for mode in ('bicubic', 'bilinear')
        for antialias in (False, True)
    ]
    lines = [([4], [9]), ([9], [4]), ([7], [8]), ([1], [3]), ([12], [1])]
    cases += [(start, to, 1, 2, 'linear', antialias, 0) for start, to in lines for antialias in (False, True)]
    # timm's for a class token, and for a class token and registers; DINOv2's, whose table has 37 x 37 cells.
    cases += [([14, 14], [16, 16], 1, 3, 'bicubic', True, 0), ([7, 7], [6, 5], 5, 3, 'bicubic', True, 0)]
    cases += [([37, 37], to, 1, 1, 'bicubic', antialias, 0.1) for to in ([16, 16], [20, 12]) for antialias in (False, True)]
    cases += [
        (start, to, 1, 2, mode, antialias, 0.1)
        for start, to in [([6, 6], [6, 9]), ([6, 6], [4, 6])]
        for mode in ('bicubic', 'bilinear')
        for antialias in (False, True)
    ]
    cases += [([5], to, 0, 2, 'linear', False, 0.1) for to in ([8], [3])]
    cases += [(*size, 0, 2, mode, False, 0, True) for size in sizes for mode in ('bicubic', 'bilinear')]
    cases += [(*size, 1, 2, 'linear', False, 0, True) for size in lines]
    # Qwen3-VL's table.
    cases += [([48, 48], to, 0, 1, 'bilinear', False, 0, True) for to in ([18, 24], [64, 6])]
    for number, (start, to, prefix, dim, mode, antialias, offset, *corners) in enumerate(cases):
        rows = prefix + math.prod(start)
        table = normals(number, rows * dim).reshape(1, rows, dim)
        made = resampled(table.double(), start, to, prefix, mode, antialias, offset, *corners)
        yield {
            'from': start,
            'to': to,
            'prefix': prefix,
            'mode': mode,
            'antialias': antialias,
            'offset': offset,
            **({'alignCorners': True} if corners else {}),
            'shape': list(made.shape[1:]),
            'values': digits(made.flatten()),
        }


def main():
    batches = {
        'loaders': list(loaders()),
        'long': long(),
        'shared': shared(),
        'windows': windows(),
    }
    record_near('batches.json', batches, TOLERANCE, torch)
    numbers = {'tables': list(tables()), 'turns': list(turns()), 'large': list(large())}
    if not torch.backends.mkl.is_available():
        numbers['dropouts'] = list(dropouts())
    elif not is_check():
        sys.exit('this build of PyTorch draws dropouts with MKL')
    record_near('random.json', numbers, TOLERANCE, torch, optional=['dropouts'])
    record_near('resample.json', {'tables': list(resamples())}, TOLERANCE, torch)


if __name__ == '__main__':
    main()
