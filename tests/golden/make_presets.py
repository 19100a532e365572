#!/usr/bin/python3
"""Writes presets.tsv and grids.tsv: rows of the encodings of other libraries, from their own formulas in 60 digits.

Each formula is written as its library states it (loops over columns, its own exponent, its own order), not as a variation of
one general formula, so that a slip in the general one shows. `--check` compares with the files instead of writing them.

Columns: preset, dim, further fields of the spec as JSON, position (of a grid the row), then the row's values to 25 digits,
space-separated.
"""

import json
from itertools import islice, product
from math import ceil

from mpmath import mp, mpf, cos, exp, log, pi, sin, sqrt
from record import record

mp.dps = 60


def transformer(dim, p):
    row = []
    for column in range(dim):
        angle = p / mpf(10000) ** (mpf(2 * (column // 2)) / dim)
        row.append(sin(angle) if column % 2 == 0 else cos(angle))
    return row


def timing_signal(dim, p, base=10000):
    """Tensor2Tensor: timescales in a geometric progression that ends at the largest."""
    timescales = dim // 2
    increment = log(mpf(base)) / max(timescales - 1, 1)
    scaled = [p * exp(-increment * i) for i in range(timescales)]
    return [sin(t) for t in scaled] + [cos(t) for t in scaled] + [mpf(0)] * (dim % 2)


def fairseq(dim, p, padding=1):
    return [mpf(0)] * dim if p == padding else timing_signal(dim, p)


def roformer(dim, p):
    angles = [p / mpf(10000) ** (mpf(2 * (j // 2)) / dim) for j in range(dim)]
    return [sin(a) for a in angles[0::2]] + [cos(a) for a in angles[1::2]]


def diffusers(dim, p, shift=1, flip=False, scale=1, max_period=10000):
    half = dim // 2
    angles = [scale * p * exp(-log(mpf(max_period)) * i / (half - shift)) for i in range(half)]
    sines, cosines = [sin(a) for a in angles], [cos(a) for a in angles]
    return (cosines + sines if flip else sines + cosines) + [mpf(0)] * (dim % 2)


def mlx(dim, p, full_turns=False):
    half = dim // 2
    low, high = log(mpf("0.0001")), log(mpf(1))
    sigmas = [exp((1 - mpf(i) / (half - 1)) * (high - low) + low) for i in range(half)]
    if full_turns:
        sigmas = [sigma * mpf(2 * float(pi)) for sigma in sigmas]  # 2π as a float64, which is what a spec can say
    scale = mpf(float(sqrt(mpf(2) / dim)))  # likewise
    return [scale * sin(p * s) for s in sigmas] + [scale * cos(p * s) for s in sigmas]


def tatp22(dim, p):
    channels = dim + dim % 2
    row = []
    for i in range(0, channels, 2):
        angle = p / mpf(10000) ** (mpf(i) / channels)
        row += [sin(angle), cos(angle)]
    return row[:dim]


def mae_1d(dim, p, base=10000):
    omegas = [1 / mpf(base) ** (mpf(i) / (mpf(dim) / 2)) for i in range(dim // 2)]
    return [sin(p * omega) for omega in omegas] + [cos(p * omega) for omega in omegas]


def mae(dim, cell, base=10000):
    """MAE, DiT: half of the columns for the width, then half for the height; three axes alike."""
    return [value for p in reversed(cell) for value in mae_1d(dim // len(cell), p, base)]


def v_jepa(dim, cell):
    """V-JEPA: the height (of a clip the depth) comes first. In 3-D its uniform_power, for a multiple of 6."""
    return [value for p in cell for value in mae_1d(dim // len(cell), p)]


def moco_v3(dim, index, side):
    """MoCo v3: meshgrid(w, h) indexed "ij", flattened."""
    w, h = index // side, index % side
    omegas = [1 / mpf(10000) ** (mpf(i) / (dim // 4)) for i in range(dim // 4)]
    out_w, out_h = [w * omega for omega in omegas], [h * omega for omega in omegas]
    return [f(angle) for out in (out_w, out_h) for f in (sin, cos) for angle in out]


def timing_signal_nd(dim, cell):
    """Tensor2Tensor: the signal of each axis, padded on both sides, added to the rest. Its timescales, but k = 1 guarded."""
    row = [mpf(0)] * dim
    timescales = dim // (len(cell) * 2)
    for axis, p in enumerate(cell):
        signal = timing_signal(2 * timescales, p)
        before = axis * 2 * timescales
        signal = [mpf(0)] * before + signal + [mpf(0)] * (dim - before - len(signal))
        row = [a + b for a, b in zip(row, signal)]
    return row


def big_vision(dim, cell):
    """big_vision's ViT, posemb_sincos_2d."""
    y, x = cell
    omegas = [1 / mpf(10000) ** (mpf(i) / (dim // 4 - 1)) for i in range(dim // 4)]
    return [f(p * omega) for p in (x, y) for f in (sin, cos) for omega in omegas]


def tatp22_nd(dim, cell):
    channels = ceil(dim / (2 * len(cell))) * 2
    row = []
    for p in cell:
        for i in range(0, channels, 2):
            angle = p / mpf(10000) ** (mpf(i) / channels)
            row += [sin(angle), cos(angle)]
    return row[:dim]


def cells(shape, rows=None):
    """The cells of a grid with their numbers: all, or some of them."""
    if rows is None:
        return list(enumerate(product(*map(range, shape))))
    return [(row, next(islice(product(*map(range, shape)), row, None))) for row in rows]


def grid(preset, dim, shape, formula, options={}, rows=None):
    return [(preset, dim, {"shape": shape, **options}, row, formula(dim, cell)) for row, cell in cells(shape, rows)]


def with_class_token(cases):
    preset, dim, options, _, row = cases[0]
    options = {**options, "classToken": True}
    zeros = [(preset, dim, options, 0, [mpf(0)] * len(row))]
    return zeros + [(preset, dim, options, number + 1, row) for _, _, _, number, row in cases]


POSITIONS = [0, 1, 2, 3, 17, 1000, 123456789]
PRESETS = [
    *[("transformer", dim, {}, p, transformer(dim, p)) for dim in (1, 2, 6, 7) for p in POSITIONS],
    *[("tensor2tensor", dim, {}, p, timing_signal(dim, p)) for dim in (1, 2, 3, 8, 9) for p in POSITIONS],
    *[("fairseq", dim, {}, p, fairseq(dim, p)) for dim in (6, 7) for p in POSITIONS],
    *[("roformer", dim, {}, p, roformer(dim, p)) for dim in (1, 2, 8, 9) for p in POSITIONS],
    *[("diffusers", dim, {}, p, diffusers(dim, p)) for dim in (6, 9) for p in [*POSITIONS, mpf("0.25"), mpf("999.5")]],
    *[("diffusers", 9, {"endpoint": False, "layout": "cos-sin"}, p, diffusers(9, p, 0, True)) for p in POSITIONS],
    *[("diffusers", 8, {"maxFrequency": 1000}, p, diffusers(8, p, scale=1000)) for p in POSITIONS[:-1]],
    *[("diffusers", 8, {"base": 500}, p, diffusers(8, p, max_period=500)) for p in POSITIONS],
    *[("ctranslate2", dim, {}, p, timing_signal(dim, p)) for dim in (4, 5) for p in POSITIONS],
    *[("mlx", dim, {}, p, mlx(dim, p)) for dim in (4, 10) for p in POSITIONS],
    *[("mlx", 6, {"maxFrequency": 2 * float(pi)}, p, mlx(6, p, True)) for p in POSITIONS[:-1]],
    *[("tatp22", dim, {}, p, tatp22(dim, p)) for dim in (1, 4, 5) for p in POSITIONS],
]


FAR, SOME = [400, 700], [1, 699, 700, 123456, 279999]
HEIGHT, WIDTH = {"first": "height"}, {"first": "width"}
GRIDS = [
    *[case for dim in (2, 8) for case in grid("mae", dim, [5], mae)],
    *[case for dim in (4, 16) for case in grid("mae", dim, [3, 4], mae)],
    *[case for dim in (6, 18) for case in grid("mae", dim, [2, 3, 4], mae)],
    *grid("mae", 24, FAR, mae, {}, SOME),
    *with_class_token(grid("mae", 8, [3, 2], mae)),
    *grid("mae", 8, [3, 2], lambda dim, cell: mae(dim, cell, 500), {"base": 500}),
    *grid("dit", 12, [2, 5], mae),
    *grid("mae", 8, [4, 3], v_jepa, HEIGHT),
    *grid("mae", 12, [2, 4, 3], v_jepa, HEIGHT),
    *with_class_token([("mae", 12, {"shape": [3, 3], **HEIGHT}, i, moco_v3(12, i, 3)) for i in range(9)]),
    *[case for dim in (2, 9) for case in grid("tensor2tensor", dim, [5], timing_signal_nd)],
    *[case for dim in (4, 7, 8, 19) for case in grid("tensor2tensor", dim, [3, 4], timing_signal_nd)],
    *[case for dim in (6, 20) for case in grid("tensor2tensor", dim, [2, 3, 4], timing_signal_nd)],
    *grid("tensor2tensor", 30, FAR, timing_signal_nd, {}, SOME),
    *with_class_token(grid("tensor2tensor", 9, [2, 3], timing_signal_nd)),
    *grid("tensor2tensor", 16, [3, 4], big_vision, WIDTH),
    *[case for dim in (1, 2, 5) for case in grid("tatp22", dim, [5], tatp22_nd)],
    *[case for dim in (3, 4, 5, 10) for case in grid("tatp22", dim, [3, 4], tatp22_nd)],
    *[case for dim in (5, 6, 11) for case in grid("tatp22", dim, [2, 3, 4], tatp22_nd)],
    *grid("tatp22", 22, FAR, tatp22_nd, {}, SOME),
    *with_class_token(grid("tatp22", 6, [2, 3], tatp22_nd)),
    *grid("tatp22", 6, [3, 4], lambda dim, cell: tatp22_nd(dim, cell[::-1]), WIDTH),
]


def text(cases):
    lines = ["preset\tdim\toptions\tposition\tvalues"]
    for preset, dim, options, p, row in cases:
        values = " ".join(mp.nstr(value, 25, strip_zeros=True) for value in row)
        lines.append(f"{preset}\t{dim}\t{json.dumps(options)}\t{float(p)}\t{values}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    record([("presets.tsv", text(PRESETS)), ("grids.tsv", text(GRIDS))])
