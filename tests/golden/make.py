#!/usr/bin/env python3
"""Makes the reference values: `make.py` writes them, `make.py --check` compares them with the files on disk.

Needs mpmath (Debian: python3-mpmath). Every value is the paper's formula as real numbers,

    angle(p, i)  = p * base^(-2i / dim)
    PE(p, 2i)    = sin(angle(p, i))
    PE(p, 2i+1)  = cos(angle(p, i))

where `base` and `p` are the exact doubles that the text reads back as, in 60-digit arithmetic. 60 digits suffice: a
position is below 10^16 and a frequency at most 1, so that the angle and its reduction by a multiple of pi are wrong by
less than 10^-43, and no value here is small enough for that to reach its 25th digit. This is
checked: each value is computed again with 90 digits, and a difference in the written digits is an error.

Tab-separated files, one line of column names first, numbers that strtod and JavaScript's Number read as they stand:

    sinusoidal.tsv   dim base position column value float32   samples from all over the range
    tables.tsv       dim base position column value float32   whole tables, row by row
    frequencies.tsv  dim base index value                     radians per position, base^(-2 index / dim)

`value` has 25 significant digits; `float32` is the hexadecimal pattern of the 60-digit value rounded once to the
nearest float32 (ties to even). The 25 digits decide it the same way, which is checked too.
"""

import random
import struct

from mpmath import cos, mp, mpf, nstr, power, sin, workdps, workprec
from record import record

LAST = 2.0**53 - 1

DIMS = [
    *(1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 31, 64, 97, 128, 255, 256, 257, 512, 768, 1000, 1024),
    *(4093, 8192, 65521, 65535, 65536),
]
BASES = [1.0001, 1.5, 2.0, 100.0, 10000.0, 500000.0, 1e12]
POSITIONS = [
    *(0.0, 1.0, 2.0, 3.0, 9.0, -1.0, -2.0, -100.0, 511.0, 4095.0, 8191.0, 99999.0),
    *(255.0, 256.0, 257.0, -255.0, -256.0, -257.0),
    *(2.0**40 + 255, 2.0**40 + 256, 2.0**40 + 257, -(2.0**40) - 255, -(2.0**40) - 1),
    *(2.0**24 + 1, 2.0**31, 2.0**32 + 1, 2.0**52 + 1, LAST - 1),
    *(0.5, 0.1, -3.75, 1e-9, 12345678.875, 1 / 3, -0.001, 255.5, 2.0**40 + 0.25),
]


def checked(function, write):
    """What `write` makes of a value, having seen that 60 digits were enough for it."""
    written = []
    for digits in (60, 90):
        with workdps(digits):
            written.append(write(function()))
    if written[0] != written[1]:
        raise ArithmeticError(f'60 digits give {written[0]}, 90 give {written[1]}')
    return written[0]


def digits25(value):
    return nstr(value, 25)


def float32(value):
    with workprec(24):
        nearest = +value
    if 0 < abs(nearest) < mpf(2) ** -126:
        raise ArithmeticError(f'{nearest} is subnormal in float32, where 24 bits are too many')
    return struct.pack('>f', float(nearest)).hex()


def frequency(dim, base, index):
    return power(mpf(base), mpf(-2 * index) / dim)


def encoding(dim, base, position, column):
    return (cos if column % 2 else sin)(mpf(position) * frequency(dim, base, column // 2))


def both(value):
    text, pattern = digits25(value), float32(value)
    if float32(mpf(text)) != pattern:
        raise ArithmeticError(f'{text} is too near a tie between two float32')
    return f'{text} {pattern}'


def value_lines(places):
    yield 'dim base position column value float32'
    for dim, base, position, column in places:
        value = checked(lambda: encoding(dim, base, position, column), both)
        yield f'{dim} {base!r} {position!r} {column} {value}'


def samples(rng):
    positions = iter(())
    for number, dim in enumerate(DIMS):
        bases = [10000.0, BASES[number % len(BASES)], 10 ** rng.uniform(0.001, 12)]
        for base in dict.fromkeys(bases):
            chosen = [0.0 if number % 9 == 0 else LAST, -LAST]
            chosen += [float(round(rng.choice([-1, 1]) * 2 ** rng.uniform(0, 53))) for _ in range(2)]
            chosen += [rng.uniform(-1e6, 1e6)]
            while len(chosen) < 9:
                position = next(positions, None)
                if position is None:
                    positions = iter(rng.sample(POSITIONS, len(POSITIONS)))
                else:
                    chosen.append(position)
            for position in dict.fromkeys(chosen):
                columns = {0, 1, dim // 2, dim - 2, dim - 1, rng.randrange(dim)}
                for column in sorted(column for column in columns if 0 <= column < dim):
                    yield dim, base, position, column


def tables():
    for rows, dim, base, start in [(16, 10, 10000.0, 0), (280, 7, 10000.0, 0), (6, 5, 1.0001, 2**40 + 253)]:
        for position in range(start, start + rows):
            for column in range(dim):
                yield dim, base, float(position), column


def frequency_lines(rng):
    yield 'dim base index value'
    for number, dim in enumerate(DIMS):
        count = (dim + 1) // 2
        for base in dict.fromkeys([10000.0, BASES[number % len(BASES)], 10 ** rng.uniform(0.001, 12)]):
            for index in sorted({0, min(1, count - 1), count // 2, count - 1, rng.randrange(count)}):
                yield f'{dim} {base!r} {index} {checked(lambda: frequency(dim, base, index), digits25)}'


def files():
    rng = random.Random(20170612)  # the paper's day
    yield 'sinusoidal.tsv', value_lines(samples(rng))
    yield 'tables.tsv', value_lines(tables())
    yield 'frequencies.tsv', frequency_lines(rng)


if __name__ == '__main__':
    record((name, ''.join(line.replace(' ', '\t') + '\n' for line in lines)) for name, lines in files())
