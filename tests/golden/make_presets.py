#!/usr/bin/python3
"""Writes presets.tsv: rows of the sinusoidal encodings of other libraries, from their own formulas in 60 digits.

Each formula is written as its library states it (loops over columns, its own exponent, its own order), not as a variation of
one general formula, so that a slip in the general one shows. `--check` compares with the file instead of writing it.

Columns: preset, dim, further fields of the spec as JSON, position, then the row's values to 25 digits, space-separated.
"""

import json
import sys
from pathlib import Path

from mpmath import mp, mpf, cos, exp, log, pi, sin, sqrt

mp.dps = 60
FILE = Path(__file__).with_name("presets.tsv")


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


POSITIONS = [0, 1, 2, 3, 17, 1000, 123456789]
CASES = [
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


def text():
    lines = ["preset\tdim\toptions\tposition\tvalues"]
    for preset, dim, options, p, row in CASES:
        values = " ".join(mp.nstr(value, 25, strip_zeros=True) for value in row)
        lines.append(f"{preset}\t{dim}\t{json.dumps(options)}\t{float(p)}\t{values}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if FILE.read_text() == text() else "presets.tsv is not what this script makes")
    FILE.write_text(text())
