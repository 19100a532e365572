#!/usr/bin/env python3
"""Records tables as other code makes them: `make_tables.py` writes tables.json, `make_tables.py --check` compares it.

Needs PyTorch (Debian: python3-torch). Each table is made the way its library or tutorial makes it: in its order of operations
and its precision, rounded or printed as people keep it. `spec` describes it with the fields of a SinusoidalSpec; `note` is a
word for its bug; tables without a spec are not sinusoidal encodings.
"""

import math

import numpy as np
import torch

from record import record_near

CASES = []


def case(name, table, note=None, **spec):
    table = torch.as_tensor(table).float()
    CASES.append({'name': name, 'shape': list(table.shape), 'spec': spec, 'note': note, 'values': table.flatten().tolist()})


# PyTorch's tutorial and its word language model: a buffer [length, 1, dim], or [1, length, dim] in the Annotated Transformer.


def interleaved(length, dim, base=10000.0, dtype=torch.float):
    position = torch.arange(length, dtype=dtype).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, dim, 2, dtype=dtype) * (-math.log(base) / dim))
    table = torch.zeros(length, dim, dtype=dtype)
    table[:, 0::2] = torch.sin(position * div_term)
    table[:, 1::2] = torch.cos(position * div_term)[:, : dim // 2]
    return table


def by_power(length, dim):
    position = torch.arange(length, dtype=torch.float).unsqueeze(1)
    div_term = 10000 ** (torch.arange(0, dim, 2).float() / dim)
    return torch.stack([torch.sin(position / div_term), torch.cos(position / div_term)], dim=2).flatten(1)


paper = {'preset': 'transformer'}
case('the tutorial', interleaved(7, 16).unsqueeze(1), **paper)
case('the Annotated Transformer', interleaved(2, 12).unsqueeze(0), **paper)
case('the tutorial, an odd dim', interleaved(5, 9), **paper)
case('the tutorial at 4990', interleaved(5000, 32)[4990:], start=4990, **paper)
case('by powers, at 8180', by_power(8192, 16)[8180:], start=8180, **paper)
case('the tutorial in float16', interleaved(9, 16).half(), **paper)
case('the tutorial in bfloat16', interleaved(9, 16).bfloat16(), **paper)
case('another base', interleaved(6, 16, 500.0), base=500, **paper)


def printed(table):
    return [[float(f'{value:.4f}') for value in row] for row in table.tolist()]


case('the tutorial, printed', printed(interleaved(3, 8)), **paper)
case('the smallest, printed', printed(interleaved(2, 4)), **paper)
case('positions from 1, printed', printed(interleaved(6, 16)[1:]), 'off by one', start=1, **paper)


def with_padding(length, dim):
    """The usual sinusoid table with a row of zeros for the padding."""
    table = np.array([[p / np.power(10000, 2 * (j // 2) / dim) for j in range(dim)] for p in range(length)])
    table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
    table[0] = 0
    return table


case('a padding at 0', with_padding(6, 10), zeroAt=0, **paper)


# Tensor2Tensor's get_timing_signal_1d, in float32 as TensorFlow computes it.


def timing_signal(length, dim, start=0):
    position = np.arange(length, dtype=np.float32) + np.float32(start)
    timescales = dim // 2
    increment = np.float32(math.log(10000.0) / max(timescales - 1, 1))
    inverse = np.exp(np.arange(timescales, dtype=np.float32) * -increment, dtype=np.float32)
    scaled = position[:, None] * inverse[None, :]
    return np.pad(np.concatenate([np.sin(scaled), np.cos(scaled)], axis=1), [[0, 0], [0, dim % 2]])


case('Tensor2Tensor', timing_signal(5, 16)[None], preset='tensor2tensor')
case('Tensor2Tensor, an odd dim', timing_signal(4, 11), preset='tensor2tensor')
case('Tensor2Tensor at 3000', timing_signal(8, 24, 3000), preset='tensor2tensor', start=3000)
case('CTranslate2', timing_signal(4, 12, 1), preset='ctranslate2')


# fairseq's get_embedding with padding 1: the whole buffer, and the rows that tokens get.


def fairseq(length, dim):
    half = dim // 2
    scale = math.log(10000) / (half - 1)
    frequencies = torch.exp(torch.arange(half, dtype=torch.float) * -scale)
    angles = torch.arange(length, dtype=torch.float).unsqueeze(1) * frequencies.unsqueeze(0)
    table = torch.cat([torch.sin(angles), torch.cos(angles)], dim=1)
    if dim % 2 == 1:
        table = torch.cat([table, torch.zeros(length, 1)], dim=1)
    table[1, :] = 0
    return table


case('fairseq’s buffer', fairseq(6, 12), preset='fairseq', start=0)
case('fairseq’s buffer, an odd dim', fairseq(6, 9), preset='fairseq', start=0)
case('fairseq’s first tokens', fairseq(7, 12)[2:], preset='fairseq')


# Hugging Face's RoFormer and Marian, in float64; Keras's tutorial concatenates too.


def roformer(length, dim):
    angles = np.array([[p / np.power(10000, 2 * (j // 2) / dim) for j in range(dim)] for p in range(length)])
    return np.concatenate([np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])], axis=1)


def keras(length, dim):
    depths = np.arange(dim // 2)[None, :] / (dim // 2)
    angles = np.arange(length)[:, None] * (1 / (10000**depths))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


case('RoFormer', roformer(5, 14), preset='roformer')
case('RoFormer, an odd dim', roformer(5, 9), preset='roformer')
case('Keras’s tutorial', keras(4, 16), preset='roformer')


# Diffusers' get_timestep_embedding, and guided-diffusion's, which is its flipped one with shift 0.


def diffusers(timesteps, dim, flip=False, shift=1, scale=1, max_period=10000):
    half = dim // 2
    exponent = -math.log(max_period) * torch.arange(half, dtype=torch.float32) / (half - shift)
    angles = scale * (torch.as_tensor(timesteps)[:, None].float() * torch.exp(exponent)[None, :])
    parts = [torch.sin(angles), torch.cos(angles)]
    table = torch.cat(parts[::-1] if flip else parts, dim=-1)
    return torch.nn.functional.pad(table, (0, 1)) if dim % 2 else table


flipped = {'preset': 'diffusers', 'layout': 'cos-sin'}
case('Diffusers, Stable Diffusion’s', diffusers(range(990, 1000), 16, True, 0), start=990, endpoint=False, **flipped)
case('Diffusers, flipped', diffusers(range(4), 13, True), **flipped)
case('Diffusers, shift 0, an odd dim', diffusers(range(5), 11, shift=0), preset='diffusers', endpoint=False)
scaled = diffusers([0.25, 1.25, 2.25], 16, True, 0, 1000)
case('Diffusers, scaled', scaled, start=0.25, maxFrequency=1000, endpoint=False, **flipped)


# MLX's SinusoidalPositionalEncoding.


def mlx(length, dim, full_turns=False, cos_first=False):
    steps = 1 - np.arange(dim // 2, dtype=np.float32) / np.float32(dim // 2 - 1)
    low, high = math.log(0.0001), math.log(1)
    sigmas = np.exp(steps * np.float32(high - low) + np.float32(low), dtype=np.float32)
    if full_turns:
        sigmas = sigmas * np.float32(2 * math.pi)
    angles = np.arange(length, dtype=np.float32)[:, None] * sigmas
    parts = [np.sin(angles), np.cos(angles)]
    return np.concatenate(parts[::-1] if cos_first else parts, axis=-1) * np.float32((2 / dim) ** 0.5)


case('MLX', mlx(5, 12), preset='mlx')
case('MLX, full turns', mlx(5, 12, True), preset='mlx', maxFrequency=2 * math.pi)
case('MLX, cosines first', mlx(5, 12, cos_first=True), preset='mlx', layout='cos-sin')


# tatp22's PositionalEncoding1D.


def tatp22(length, dim):
    channels = math.ceil(dim / 2) * 2
    frequencies = 1.0 / (10000 ** (torch.arange(0, channels, 2).float() / channels))
    angles = torch.einsum('i,j->ij', torch.arange(length).float(), frequencies)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2, -1)[:, :dim]


case('tatp22, an odd dim', tatp22(4, 11)[None], preset='tatp22')


# Not sinusoidal encodings.
torch.manual_seed(0)
case('learned', torch.nn.Embedding(6, 16).weight.detach())
case('uniform', torch.rand(4, 8))
case('linear', torch.linspace(0, 1, 24).reshape(4, 6))


if __name__ == '__main__':
    for table in CASES:
        table['values'] = [float(str(np.float32(value))) for value in table['values']]
    # Angles in the thousands are float32, under another libm.
    record_near('tables.json', {'tables': CASES}, 1e-3, torch)
