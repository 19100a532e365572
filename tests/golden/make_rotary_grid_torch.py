#!/usr/bin/env python3
"""Records how models rotate vectors of a grid's cells in rotary-grid-torch.json, which `--check` compares.

Needs PyTorch (Debian: python3-torch); the file says which version made it. Each of `MODELS` is written as the model's own code is:
transformers 5.23 (Qwen2-VL, Pixtral, DINOv3, Llama 4, Gemma 4), timm 1.0.31 (EVA-02, Perception Encoder), diffusers 0.42 (Flux, LTX),
CroCo and VGGT. It takes vectors [rows, dim] and computes in their type. For each of `cases`:

    model, arguments      the function and its further arguments
    spec, positions       the arguments of posenc.rotaryGrid and its `apply`
    input, shape          `normals` of make_torch.py with this seed
    float32, float64      the vectors, rotated in that type
"""

import math

import torch

from make_torch import normals
from record import record_near


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)


def inverse(dim, base, kind):
    return 1.0 / (base ** (torch.arange(0, dim, 2).to(kind) / dim))


def qwen2_vl(x, height, width, merge, base=10000.0):
    ids = torch.meshgrid(torch.arange(height), torch.arange(width), indexing='ij')
    block = (height // merge, merge, width // merge, merge)
    ids = torch.stack([axis.reshape(block).transpose(1, 2).flatten() for axis in ids], dim=-1)
    freqs = ids[..., None].to(x.dtype) * inverse(x.shape[-1] // 2, base, x.dtype)
    freqs = torch.cat([freqs[:, 0], freqs[:, 1]], dim=-1)
    emb = torch.cat([freqs, freqs], dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()


def pixtral(x, height, width, base=10000.0):
    inv_freq = inverse(x.shape[-1], base, x.dtype)
    inv_freq = torch.cat([inv_freq[0::2], inv_freq[1::2]])
    ids = torch.meshgrid(torch.arange(height), torch.arange(width), indexing='ij')
    ids = torch.stack([axis.flatten() for axis in ids], dim=-1)
    freqs = ids[..., None].to(x.dtype) * inv_freq
    freqs = torch.cat([m[:, i % 2] for i, m in enumerate(freqs.chunk(2, dim=-1))], dim=-1)
    emb = torch.cat([freqs, freqs], dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()


def dinov3(x, height, width, base=100.0):
    """The tokens before the patches stay."""
    kind, dim = x.dtype, x.shape[-1]
    inv_freq = 1 / base ** torch.arange(0, 1, 4 / dim, dtype=kind)
    coords = [torch.arange(0.5, size, dtype=kind) / size for size in (height, width)]
    coords = torch.stack(torch.meshgrid(*coords, indexing='ij'), dim=-1).flatten(0, 1)
    coords = 2.0 * coords - 1.0
    angles = (2 * math.pi * coords[:, :, None] * inv_freq[None, None, :]).flatten(1, 2).tile(2)
    prefix, patches = x.split((x.shape[-2] - height * width, height * width), dim=-2)
    return torch.cat((prefix, patches * angles.cos() + rotate_half(patches) * angles.sin()), dim=-2)


def rotary_cat(x, height, width, reference, offset=0.0, indexing='ij', base=10000.0):
    """timm's RotaryEmbeddingCat; the tokens before the patches stay."""
    kind, bands_count = x.dtype, x.shape[-1] // 4
    bands = 1.0 / (base ** (torch.arange(0, bands_count, 1).to(kind) / bands_count))
    sizes, reference = [height, width], list(reference)
    if indexing == 'xy':
        sizes, reference = sizes[::-1], reference[::-1]
    t = [(torch.arange(s).to(kind) + offset) / s * r for s, r in zip(sizes, reference)]
    pos = torch.stack(torch.meshgrid(t, indexing=indexing), dim=-1).unsqueeze(-1) * bands
    pos = pos.flatten(-2).flatten(0, -2).repeat_interleave(2, -1)
    prefix, patches = x.split((x.shape[-2] - height * width, height * width), dim=-2)
    return torch.cat((prefix, patches * pos.cos() + rotate_every_two(patches) * pos.sin()), dim=-2)


def llama4(x, side, base=10000.0):
    """The class token comes after the patches."""
    img_idx = torch.arange(side**2, dtype=torch.int32).reshape(side**2, 1)
    img_idx = torch.cat([img_idx, img_idx[:1]], dim=0)
    img_idx[-1, -1] = -2
    frequencies_x, frequencies_y = img_idx % side, torch.div(img_idx, side, rounding_mode='floor')
    rope_freq = inverse(x.shape[-1] // 2, base, x.dtype)
    freqs_x = ((frequencies_x + 1)[..., None] * rope_freq[None, None, :]).repeat_interleave(2, dim=-1)
    freqs_y = ((frequencies_y + 1)[..., None] * rope_freq[None, None, :]).repeat_interleave(2, dim=-1)
    freqs = torch.cat([freqs_x, freqs_y], dim=-1).contiguous()[..., ::2]
    freqs = freqs.masked_fill(img_idx.reshape(-1, 1, 1) < 0, 0)[:, 0]
    turns = torch.view_as_complex(torch.stack([freqs.cos(), freqs.sin()], dim=-1))
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * turns).flatten(-2)


def flux(x, text, height, width, axes_dim, theta=10000):
    image = torch.zeros(height, width, 3)
    image[..., 1] = image[..., 1] + torch.arange(height)[:, None]
    image[..., 2] = image[..., 2] + torch.arange(width)[None, :]
    ids = torch.cat((torch.zeros(text, 3), image.reshape(height * width, 3)), dim=0).to(x.dtype)
    freqs = torch.cat([torch.outer(ids[:, i], inverse(dim, theta, x.dtype)) for i, dim in enumerate(axes_dim)], dim=-1)
    freqs = freqs.repeat_interleave(2, dim=1)
    return x * freqs.cos() + rotate_every_two(x) * freqs.sin()


def croco(x, height, width, special, first, base=100.0):
    """RoPE2D, and VGGT's: special tokens have position 0, and patches then count from 1."""
    kind, columns = x.dtype, x.shape[-1] // 2
    positions = torch.cartesian_prod(torch.arange(height), torch.arange(width)) + first
    positions = torch.cat([torch.zeros(special, 2, dtype=torch.int64), positions]).to(kind)
    parts = []
    for tokens, places in zip(x.chunk(2, dim=-1), positions.T):
        freqs = torch.outer(places, inverse(columns, base, kind))
        freqs = torch.cat((freqs, freqs), dim=-1)
        parts.append(tokens * freqs.cos() + rotate_half(tokens) * freqs.sin())
    return torch.cat(parts, dim=-1)


def gemma4(x, height, width, base=100.0):
    """Positions are x, then y: the rows go through the grid line by line."""
    flipped = torch.cartesian_prod(torch.arange(height), torch.arange(width)).flip(-1).to(x.dtype)
    inv_freq = inverse(x.shape[-1] // 2, base, x.dtype)
    emb = [torch.cat((freqs, freqs), dim=-1) for freqs in (flipped[:, d, None] * inv_freq for d in range(2))]
    parts = [part * own.cos() + rotate_half(part) * own.sin() for part, own in zip(x.chunk(2, dim=-1), emb)]
    return torch.cat(parts, dim=-1)


def ltx(x, frames, height, width, scale, theta=10000.0):
    """LTXVideoRotaryPosEmbed. `scale`: a cell's seconds and pixels, over base_num_frames, base_height and base_width."""
    kind, dim = x.dtype, x.shape[-1]
    grid = torch.cartesian_prod(*[torch.arange(size).to(kind) for size in (frames, height, width)])
    grid = grid * torch.tensor(scale, dtype=kind)
    freqs = theta ** torch.linspace(math.log(1.0, theta), math.log(theta, theta), dim // 6, dtype=kind)
    freqs = freqs * math.pi / 2.0 * (grid.unsqueeze(-1) * 2 - 1)
    freqs = freqs.transpose(-1, -2).flatten(1)
    cos, sin = freqs.cos().repeat_interleave(2, dim=-1), freqs.sin().repeat_interleave(2, dim=-1)
    rest = dim % 6
    cos = torch.cat([torch.ones_like(cos[:, :rest]), cos], dim=-1)
    sin = torch.cat([torch.zeros_like(sin[:, :rest]), sin], dim=-1)
    return x * cos + rotate_every_two(x) * sin


MODELS = {f.__name__: f for f in (qwen2_vl, pixtral, dinov3, rotary_cat, llama4, flux, croco, gemma4, ltx)}


def rotated(model, x, arguments):
    return MODELS[model](x, *arguments)


def spec(preset, dim, *shape, **more):
    return {'dim': dim, 'preset': preset, 'shape': list(shape), **more}


CASES = [
    ('qwen2_vl', [4, 6, 1], spec('qwen2-vl', 16, 4, 6), None),
    ('qwen2_vl', [4, 6, 2], spec('qwen2-vl', 16, 4, 6, mergeSize=2), None),
    ('pixtral', [5, 3], spec('pixtral', 16, 5, 3), None),
    ('dinov3', [4, 5], spec('dinov3', 16, 4, 5, classToken=5), None),
    ('rotary_cat', [6, 4, [3, 4]], spec('eva02', 16, 6, 4, classToken=1, referenceShape=[3, 4]), None),
    ('rotary_cat', [3, 5, [4, 4], 1.0, 'xy'], spec('llama4', 16, 3, 5, classToken=1, referenceShape=4), None),
    ('llama4', [4], spec('llama4', 16, 4, 4, classToken=True), [*range(1, 17), 0]),
    ('flux', [3, 4, 5, [4, 6, 6]], spec('flux', 16, 1, 4, 5, classToken=3, sections=[2, 3, 3]), None),
    ('croco', [4, 3, 0, 0], spec('qwen2-vl', 16, 4, 3, base=100, layout='half-per-axis'), None),
    (
        'croco',
        [3, 4, 5, 1],
        spec('qwen2-vl', 16, 3, 4, base=100, layout='half-per-axis', origin=1, classToken=5),
        None,
    ),
    ('gemma4', [3, 4], spec('llama4', 20, 3, 4, base=100, layout='half-per-axis', origin=0), None),
    ('ltx', [2, 3, 2, [0.1, 32 / 2048, 32 / 2048]], {'dim': 20, 'shape': [2, 3, 2]}, None),
]


def cases():
    for seed, (model, arguments, given, positions) in enumerate(CASES):
        rows = math.prod(given['shape']) + int(given.get('classToken', 0))
        shape = [rows, given['dim']]
        x = normals(seed, math.prod(shape)).reshape(shape)
        results = {
            f'float{size}': [
                float(f'{value:.{count}g}') for value in rotated(model, x.to(kind), arguments).flatten().tolist()
            ]
            for size, kind, count in [(32, torch.float32, 9), (64, torch.float64, 12)]
        }
        listed = {'positions': positions} if positions else {}
        yield {'model': model, 'arguments': arguments, 'spec': given, **listed, 'input': seed, 'shape': shape, **results}


if __name__ == '__main__':
    record_near('rotary-grid-torch.json', {'cases': list(cases())}, 1e-5, torch, indent='')
