#!/usr/bin/env python3
"""Records rotations that PyTorch makes in rotary-torch.json, which `make_rotary_torch.py --check` compares.

Needs PyTorch (Debian: python3-torch); the file says which version made it. The rotation is what models do: frequencies, angles,
cosines and sines in one type, then either the halves of a head (as Hugging Face's Llama) or its neighbours (as GPT-J) turn. For
each of `cases`:

    input       [batch, heads, length, dim], `normals` of make_torch.py with this seed
    positions   one per row of the length, or [batch, length]
    float32     the result when everything is float32
    float64     and when everything is float64
"""

import torch

from make_torch import normals
from record import record_near

SHAPE = [2, 3, 5, 16]


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)


def rotated(x, positions, rotary_dim, base, layout):
    """x [batch, heads, length, dim], rotated in its own type at positions [length] or [batch, length]."""
    kind = x.dtype
    frequencies = 1.0 / (base ** (torch.arange(0, rotary_dim, 2, dtype=torch.int64).to(kind) / rotary_dim))
    angles = torch.tensor(positions, dtype=torch.int64).to(kind)[..., None] * frequencies
    if angles.dim() == 3:
        angles = angles[:, None]  # for all heads
    turning, still = x[..., :rotary_dim], x[..., rotary_dim:]
    if layout == 'half':
        angles, turned = torch.cat((angles, angles), dim=-1), rotate_half(turning)
    else:
        angles, turned = angles.repeat_interleave(2, dim=-1), rotate_every_two(turning)
    return torch.cat((turning * angles.cos() + turned * angles.sin(), still), dim=-1)


def cases():
    first = [0, 1, 2, 3, 4]
    specs = [(layout, d, 10000, first) for layout in ('half', 'interleaved') for d in (16, 8)]
    specs += [(layout, 16, 10000, [1000, 1001, 1002, 1003, 1004]) for layout in ('half', 'interleaved')]
    specs += [('half', 6, 500000, [[7, 8, 9, 10, 11], [3, 0, 4096, 0, 100]])]
    for seed, (layout, rotary_dim, base, positions) in enumerate(specs):
        x = normals(seed, 2 * 3 * 5 * 16).reshape(SHAPE)
        results = {
            f'float{size}': [
                float(f'{value:.{count}g}')
                for value in rotated(x.to(kind), positions, rotary_dim, base, layout).flatten().tolist()
            ]
            for size, kind, count in [(32, torch.float32, 9), (64, torch.float64, 12)]
        }
        spec = {'dim': 16, 'rotaryDim': rotary_dim, 'base': base, 'layout': layout}
        yield {'input': seed, 'shape': SHAPE, 'spec': spec, 'positions': positions, **results}


if __name__ == '__main__':
    # Other builds may round frequencies in float32 otherwise, which a position multiplies.
    record_near('rotary-torch.json', {'cases': list(cases())}, 1e-3, torch, indent='')
