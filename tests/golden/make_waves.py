#!/usr/bin/env python3
"""Makes waves.tsv: sine and cosine of position · frequency for frequencies of one's own. `--check` compares instead.

Columns: frequency (radians per position) and position, the exact doubles that the text reads back as, then sine and cosine to 25
digits. They are computed in 60 digits and once more in 90, as in make.py: a product is below 10^28, so that 60 are enough.
"""

from math import pi

from mpmath import cos, mpf, sin

from make import LAST, checked, digits25
from record import record

# A day and half a day in hours, NeRF's first and tenth, a fast and a slow one, one that turns backwards, one that stands still.
FREQUENCIES = [2 * pi / 24, 2 * pi / 12, pi, 2.0**9 * pi, 0.1, 3.7, 1e-9, -2.5, 0.0]
POSITIONS = [0.0, 1.0, 1000.0, 2.0**31, LAST, -1.0, -1000.0, -LAST, 0.5, -12345.678]
CASES = [(f, p) for f in FREQUENCIES for p in POSITIONS]
CASES += [(f, p) for f in (1e12, -1e12) for p in (0.0, 0.5, 1.0, 1000.0, -1000.0)]


def lines():
    yield 'frequency position sine cosine'
    for frequency, position in CASES:
        sine, cosine = (checked(lambda: f(mpf(position) * mpf(frequency)), digits25) for f in (sin, cos))
        yield f'{frequency!r} {position!r} {sine} {cosine}'


if __name__ == '__main__':
    record([('waves.tsv', ''.join(line.replace(' ', '\t') + '\n' for line in lines()))])
