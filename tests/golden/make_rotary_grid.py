#!/usr/bin/env python3
"""Writes rotary-grid.json: cosines and sines of rotary encodings of grids. `--check` compares with the file instead.

Needs mpmath (Debian: python3-mpmath). Each formula is that of a model's own code in 60 digits: the angle of every pair of a cell,
from its coordinates. Those of `MODELS` take what the model's own pipeline knows of an image. Every number is the nearest double, and
is computed a second time with 90 digits, as in make_rotary.py. For each of `cases`:

    name, spec        the argument of posenc.rotaryGrid
    frequencies       radians per coordinate, one per pair
    rows, pairs       the rows and columns of the following
    cos, sin          one row per row in `rows`
"""

import random

import make_rotary
from make import checked
from make_rotary import line, plain
from mpmath import cos, mpf, pi, sin
from record import record


def double(value):
    # If DINOv3's coordinates are simple fractions, cosines and sines are 0 except for π's last digits.
    return make_rotary.double(value) if abs(value) > 1e-50 else 0.0


def axes_after_each_other(cell, frequencies):
    """Frequencies and angles, from a list of frequencies for each axis."""
    angles = [c * w for c, own in zip(cell, frequencies) for w in own]
    return [w for own in frequencies for w in own], angles


def equal(cell, dim, sections, base):
    sections = sections or [dim // 2 // len(cell)] * len(cell)
    return axes_after_each_other(cell, [plain(2 * pairs, base) for pairs in sections])


def qwen2_vl(cell, shape, dim, base=10000, sections=None, referenceShape=None):
    if referenceShape:
        cell = [mpf(c) * ref / size for c, ref, size in zip(cell, referenceShape, shape)]
    return equal(cell, dim, sections, mpf(base))


def pixtral(cell, shape, dim, base=10000):
    frequencies = plain(dim, mpf(base))
    return axes_after_each_other(cell, [frequencies[axis :: len(cell)] for axis in range(len(cell))])


def dinov3(cell, shape, dim, base=100):
    centres = [(c + mpf(1) / 2) / size * 2 - 1 for c, size in zip(cell, shape)]
    own = [2 * pi * w for w in plain(dim // len(cell), mpf(base))]
    return axes_after_each_other(centres, [own] * len(cell))


def llama4(cell, shape, dim, base=10000, referenceShape=None):
    cell = [mpf(c + 1) for c in cell]
    if referenceShape:
        cell = [c * ref / size for c, ref, size in zip(cell, referenceShape, shape)]
    return equal(cell[::-1], dim, None, mpf(base))


def flux(cell, shape, dim, base=10000, sections=(8, 28, 28)):
    return equal(cell, dim, sections, mpf(base))


def wan(cell, shape, dim):
    height = 2 * (dim // 6)
    return equal(cell, dim, [(dim - 2 * height) // 2, height // 2, height // 2], mpf(10000))


def hunyuan_video(cell, shape, dim, rope_dim=(16, 56, 56), theta=256):
    return equal(cell, dim, [columns // 2 for columns in rope_dim], mpf(theta))


def cogvideox(cell, shape, dim):
    return equal(cell, dim, [dim // 8, dim // 8 * 3 // 2, dim // 8 * 3 // 2], mpf(10000))


def qwen_image(cell, shape, dim, frame=0):
    """Negative indices before the positive ones, on both sides of the middle."""
    places = [frame + cell[0]]
    for index, size in zip(cell[1:], shape[1:]):
        places.append([*range(-(size - size // 2), 0), *range(size // 2)][index])
    return equal(places, dim, [8, 28, 28], mpf(10000))


def z_image(cell, shape, dim, caption=None):
    """`caption`: how many tokens of text an image follows; the text itself has none."""
    start = [1, 0, 0] if caption is None else [caption + 1, 0, 0]
    return equal([c + s for c, s in zip(cell, start)], dim, [16, 24, 24], mpf(256))


def flux2(cell, shape, dim, image=None):
    """`image`: which of the images that are given this one is; the new image has none."""
    time = 0 if image is None else 10 + 10 * image
    return equal([time + cell[0], *cell[1:]], dim, [16] * 4, mpf(2000))


def croco(cell, shape, dim, first=0):
    """RoPE2D: y has the first half of the columns. VGGT's patches count from 1."""
    return equal([c + first for c in cell], dim, None, mpf(100))


def shifted(cell, shape, dim, by):
    return equal([c + b for c, b in zip(cell, by)], dim, None, mpf(10000))


def gemma4(cell, shape, dim):
    """x has the first half of the columns."""
    return equal(cell[::-1], dim, None, mpf(100))


FORMULAS = {
    'qwen2-vl': qwen2_vl,
    'pixtral': pixtral,
    'dinov3': dinov3,
    'eva02': qwen2_vl,
    'llama4': llama4,
    'flux': flux,
}


def cells_of(shape, block=1):
    """All cells in the order of the rows: blocks in row-major order, and so the cells in each."""
    count = 1
    for size in shape:
        count *= size

    def digits(number, radices):
        found = []
        for radix in reversed(radices):
            number, digit = divmod(number, radix)
            found.insert(0, digit)
        return found

    inner = block ** len(shape)
    for number in range(count):
        outside = digits(number // inner, [size // block for size in shape])
        inside = digits(number % inner, [block] * len(shape))
        yield [block * o + i for o, i in zip(outside, inside)]


def reference(name, spec, formula=None, **given):
    if not formula:
        formula = FORMULAS[spec['preset']]
        given = {key: value for key, value in spec.items() if key not in ('preset', 'classToken', 'mergeSize', 'layout')}
    given.update(shape=spec['shape'], dim=spec['dim'])
    tokens = int(spec.get('classToken', 0))
    cells = list(cells_of(spec['shape'], spec.get('mergeSize', 1)))
    rows = len(cells)
    chosen = set(random.Random(name).sample(range(rows), min(rows, 6)))
    chosen = sorted({tokens + row for row in chosen | {0, rows // 2, rows - 1}} | set(range(tokens)))
    frequencies, _ = formula(cells[0], **given)
    half = len(frequencies)
    pairs = sorted({0, 1, 2, half // 4, half // 2 - 1, half // 2, half // 2 + 1, half - 1} & set(range(half)))
    angles = []
    for row in chosen:
        turned = formula(cells[row - tokens], **given)[1] if row >= tokens else [mpf(0)] * half
        angles.append([turned[i] for i in pairs])
    return {
        'name': name,
        'spec': spec,
        'frequencies': [double(w) for w in frequencies],
        'rows': chosen,
        'pairs': pairs,
        'cos': [[double(cos(angle)) for angle in row] for row in angles],
        'sin': [[double(sin(angle)) for angle in row] for row in angles],
    }


def grid(preset, dim, *shape, **more):
    return {'dim': dim, 'preset': preset, 'shape': list(shape), **more}


CASES = {
    'Qwen2-VL': grid('qwen2-vl', 80, 36, 24),
    'Qwen2-VL, as its processor orders the cells': grid('qwen2-vl', 80, 36, 24, mergeSize=2),
    'Qwen2-VL, blocks of 3': grid('qwen2-vl', 8, 6, 9, mergeSize=3, classToken=1),
    'Qwen2-VL, a long strip': grid('qwen2-vl', 64, 4096, 16),
    'Qwen2-VL, a wide strip': grid('qwen2-vl', 64, 16, 4096),
    'Qwen2-VL, another base': grid('qwen2-vl', 16, 5, 3, base=500.5, layout='interleaved'),
    'one cell': grid('qwen2-vl', 4, 1, 1),
    'a line': grid('qwen2-vl', 6, 100),
    'three axes': grid('qwen2-vl', 12, 3, 4, 5),
    'Wan': grid('qwen2-vl', 128, 21, 30, 52, sections=[22, 21, 21], layout='interleaved'),
    'three axes in blocks': grid('qwen2-vl', 12, 4, 2, 6, mergeSize=2),
    'Pixtral': grid('pixtral', 64, 64, 64),
    'Pixtral, a strip': grid('pixtral', 64, 4096, 16, layout='interleaved'),
    'Pixtral, three axes': grid('pixtral', 12, 2, 3, 4),
    'DINOv3': grid('dinov3', 64, 14, 14, classToken=5),
    'DINOv3, a strip': grid('dinov3', 64, 16, 4096, classToken=1),
    'DINOv3, one cell': grid('dinov3', 64, 1, 1),
    'DINOv3, another base': grid('dinov3', 16, 3, 7, base=1000),
    'EVA-02': grid('eva02', 64, 16, 16, classToken=1),
    'EVA-02 at 448': grid('eva02', 64, 32, 32, classToken=1, referenceShape=[16, 16]),
    'EVA-02, other proportions': grid('eva02', 64, 37, 4096, referenceShape=[16, 32768]),
    'Llama 4': grid('llama4', 88, 24, 24),
    'Perception Encoder': grid('llama4', 64, 32, 20, classToken=1, referenceShape=[24, 24]),
    'Flux': grid('flux', 128, 1, 64, 48, classToken=4),
    'Flux, other sections': grid('flux', 64, 2, 5, 3, sections=[4, 14, 14], base=2000),
}

# The spec, the formula, and its own arguments.
MODELS = {
    'Wan 2.1': (grid('flux', 128, 21, 30, 52, sections=[22, 21, 21]), wan, {}),
    'HunyuanVideo': (grid('flux', 128, 33, 45, 80, base=256), hunyuan_video, {}),
    'CogVideoX': (grid('flux', 64, 13, 30, 45, sections=[8, 12, 12]), cogvideox, {}),
    'Qwen-Image': (grid('flux', 128, 1, 58, 104, origin=[0, -29, -52]), qwen_image, {}),
    'Qwen-Image, an odd image after another': (
        grid('flux', 128, 1, 59, 33, origin=[1, -30, -17]),
        qwen_image,
        {'frame': 1},
    ),
    'Z-Image': (
        grid('flux', 128, 1, 64, 48, sections=[16, 24, 24], base=256, origin=[97, 0, 0]),
        z_image,
        {'caption': 96},
    ),
    'Z-Image, its text': (
        grid('flux', 128, 96, 1, 1, sections=[16, 24, 24], base=256, origin=[1, 0, 0]),
        z_image,
        {},
    ),
    'Flux.2': (grid('flux', 128, 1, 64, 48, 1, sections=[16] * 4, base=2000), flux2, {}),
    'Flux.2, an image to edit': (
        grid('flux', 128, 1, 9, 7, 1, sections=[16] * 4, base=2000, origin=[20, 0, 0, 0]),
        flux2,
        {'image': 1},
    ),
    'Flux.2, its text': (grid('flux', 128, 1, 1, 1, 512, sections=[16] * 4, base=2000), flux2, {}),
    'CroCo and DUSt3R': (grid('qwen2-vl', 64, 24, 32, base=100, layout='half-per-axis'), croco, {}),
    'VGGT': (
        grid('qwen2-vl', 64, 37, 37, base=100, layout='half-per-axis', origin=1, classToken=5),
        croco,
        {'first': 1},
    ),
    'Gemma 4': (grid('llama4', 72, 42, 60, base=100, layout='half-per-axis', origin=0), gemma4, {}),
    'far from 0': (grid('qwen2-vl', 16, 5, 3, origin=[-(2**52), 2**52]), shifted, {'by': [-(2**52), 2**52]}),
    'between indices': (grid('qwen2-vl', 16, 5, 3, origin=[-0.625, 1234.25]), shifted, {'by': [-0.625, 1234.25]}),
}


def text():
    cases = [(name, spec, None, {}) for name, spec in CASES.items()]
    cases += [(name, *model) for name, model in MODELS.items()]
    lines = ',\n'.join(checked(lambda: reference(*case[:3], **case[3]), line) for case in cases)
    return f'{{\n"cases": [\n{lines}\n]\n}}\n'


if __name__ == '__main__':
    record([('rotary-grid.json', text())])
