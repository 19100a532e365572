#!/usr/bin/env python3
"""Writes rotary.json: frequencies, factors, cosines and sines of rotary encodings. `--check` compares with the file instead.

Needs mpmath (Debian: python3-mpmath). The formulas are those of transformers' modeling_rope_utils.py, in 60 digits, and of
NTK-aware scaling by a fixed factor. What a spec holds is the exact double that JavaScript reads; YaRN's own constants, 0.1 in
its attention factor and 0.001 in its ramp, are decimals. One product is a double, as in every library: that of
`partialRotaryFactor` and `dim`, before it is halved and rounded down (0.35 of 40 columns are 7 pairs, not 6).

Every number is the nearest double, written in the fewest digits. It is computed a second time with 90 digits, and a difference
is an error. For each of `cases`:

    name, spec        the argument of posenc.rotary
    frequencies       radians per position, one per pair
    attentionFactor   a factor of every cosine and sine
    softmaxFactor     DeepSeek's, of the scale of the softmax
    pairs             the pairs of the following columns
    cos, sin          one row per position in `positions`, times the attention factor
"""

import json
from math import inf, nextafter

from make import checked
from mpmath import ceil, cos, floor, log, mpf, pi, power, sin, sqrt, workdps, workprec
from record import record

POSITIONS = [0, 1, 2, 4095, 131071, 1048575, 2**31 - 1, 2**40 + 1, 2**53 - 1, -7, -(2**53) + 1, 0.5]

# Phi-3-vision-128k's factors.
SHORT = [
    *(1.05, 1.05, 1.05, 1.1, 1.1, 1.1, 1.2500000000000002, 1.2500000000000002, 1.4000000000000004, 1.4500000000000004),
    *(1.5500000000000005, 1.8500000000000008, 1.9000000000000008, *[2.000000000000001] * 19, 2.1000000000000005),
    *(2.1000000000000005, 2.2, *[2.3499999999999996] * 4, 2.3999999999999995, 2.3999999999999995, 2.6499999999999986),
    *(2.6999999999999984, 2.8999999999999977, 2.9499999999999975, *[3.049999999999997] * 3),
]
LONG = [
    *(1.0299999713897705, 1.0499999523162842, 1.0499999523162842, 1.0799999237060547, 1.2299998998641968),
    *(1.2299998998641968, 1.2999999523162842, 1.4499999284744263, 1.5999999046325684, 1.6499998569488525),
    *(1.8999998569488525, 2.859999895095825, 3.68999981880188, 5.419999599456787, 5.489999771118164, 5.489999771118164),
    *(9.09000015258789, 11.579999923706055, 15.65999984741211, 15.769999504089355, 15.789999961853027),
    *(18.360000610351562, 21.989999771118164, 23.079999923706055, 30.009998321533203, 32.35000228881836),
    *(32.590003967285156, 35.56000518798828, 39.95000457763672, 53.840003967285156, 56.20000457763672),
    *(57.95000457763672, 59.29000473022461, 59.77000427246094, 59.920005798339844, 61.190006256103516),
    *(61.96000671386719, 62.50000762939453, 63.3700065612793, 63.48000717163086, 63.48000717163086, 63.66000747680664),
    *(63.850006103515625, 64.08000946044922, 64.760009765625, 64.80001068115234, 64.81001281738281, 64.81001281738281),
]


def plain(d, base):
    return [power(base, -mpf(2 * i) / d) for i in range(d // 2)]


def linear(d, base, factor):
    return [w / mpf(factor) for w in plain(d, base)]


def ntk(d, base, factor):
    return plain(d, base * mpf(factor) ** (mpf(d) / (d - 2)))


def dynamic(d, base, factor, maxPositionEmbeddings, sequenceLength):
    n = max(sequenceLength, maxPositionEmbeddings)
    stretched = mpf(factor) * n / maxPositionEmbeddings - (mpf(factor) - 1)
    return plain(d, base * stretched ** (mpf(d) / (d - 2)))


def yarn(d, base, factor, originalMaxPositionEmbeddings, betaFast=32, betaSlow=1, truncate=True, **_):
    def pair_that_turns(times):
        return d * log(originalMaxPositionEmbeddings / (2 * pi * times)) / (2 * log(base))

    low, high = pair_that_turns(mpf(betaFast)), pair_that_turns(mpf(betaSlow))
    if truncate:
        low, high = floor(low), ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(d - 1))
    if low == high:
        high += mpf('0.001')
    frequencies = []
    for i, w in enumerate(plain(d, base)):
        ramp = min(max((i - low) / (high - low), mpf(0)), mpf(1))
        frequencies.append(w / mpf(factor) * ramp + w * (1 - ramp))
    return frequencies


def mscale(factor, m):
    return mpf('0.1') * mpf(m) * log(factor) + 1 if factor > 1 else mpf(1)


def yarn_attention(factor, attentionFactor=None, mscale_=None, mscaleAllDim=None):
    if attentionFactor is not None:
        return mpf(attentionFactor)
    if mscale_ and mscaleAllDim:
        return mscale(factor, mscale_) / mscale(factor, mscaleAllDim)
    return mscale(factor, 1)


def longrope(d, base, shortFactor, longFactor, originalMaxPositionEmbeddings, sequenceLength=0, **_):
    factors = longFactor if sequenceLength > originalMaxPositionEmbeddings else shortFactor
    return [w / mpf(factor) for w, factor in zip(plain(d, base), factors)]


def longrope_attention(originalMaxPositionEmbeddings, factor=None, attentionFactor=None):
    if attentionFactor is not None:
        return mpf(attentionFactor)
    if factor is None or factor <= 1:
        return mpf(1)
    return sqrt(1 + log(factor) / log(originalMaxPositionEmbeddings))


def llama3(d, base, factor, lowFreqFactor, highFreqFactor, originalMaxPositionEmbeddings):
    low, high = mpf(lowFreqFactor), mpf(highFreqFactor)
    frequencies = []
    for w in plain(d, base):
        wavelength = 2 * pi / w
        if wavelength > originalMaxPositionEmbeddings / low:
            frequencies.append(w / mpf(factor))
        elif low == high or wavelength < originalMaxPositionEmbeddings / high:
            frequencies.append(w)
        else:
            smooth = (originalMaxPositionEmbeddings / wavelength - low) / (high - low)
            frequencies.append((1 - smooth) * w / mpf(factor) + smooth * w)
    return frequencies


def proportional(dim, base, partialRotaryFactor, factor=1):
    turning = int(partialRotaryFactor * dim // 2)
    return [w / mpf(factor) if i < turning else mpf(0) for i, w in enumerate(plain(dim, base))]


FORMULAS = {
    'linear': linear,
    'ntk': ntk,
    'dynamic': dynamic,
    'yarn': yarn,
    'longrope': longrope,
    'llama3': llama3,
    'proportional': proportional,
}


def encoding(dim, rotaryDim=None, base=10000, frequencies=None, scaling=None, layout=None):
    """Frequencies, attention factor and softmax factor."""
    if frequencies is not None:
        return [mpf(w) for w in frequencies], mpf(1), mpf(1)
    d, base = rotaryDim or dim, mpf(base)
    if scaling is None:
        return plain(d, base), mpf(1), mpf(1)
    given = dict(scaling)
    kind = given.pop('type')
    made = FORMULAS[kind](d, base, **given)
    if kind == 'longrope':
        names = ('originalMaxPositionEmbeddings', 'factor', 'attentionFactor')
        return made, longrope_attention(**{name: given[name] for name in names if name in given}), mpf(1)
    if kind != 'yarn':
        return made, mpf(1), mpf(1)
    factor, all_dim = given['factor'], given.get('mscaleAllDim')
    attention = yarn_attention(factor, given.get('attentionFactor'), given.get('mscale'), all_dim)
    return made, attention, mscale(factor, all_dim) ** 2 if all_dim else mpf(1)


def some_of(pairs):
    """Up to 7 pairs: the ends, and most of the others where frequencies are partly scaled."""
    return sorted({0, 1, pairs // 3, pairs // 2 - 1, 5 * pairs // 8, pairs - 2, pairs - 1} & set(range(pairs)))


def double(value):
    with workprec(53):
        return float(+value)


def line(case):
    """With whole numbers as JavaScript writes them."""
    return json.dumps(case).replace('.0,', ',').replace('.0]', ']')


def reference(name, spec):
    frequencies, attention, softmax = encoding(**spec)
    pairs = some_of(len(frequencies))
    angles = [[mpf(p) * frequencies[i] for i in pairs] for p in POSITIONS]
    return {
        'name': name,
        'spec': spec,
        'frequencies': [double(w) for w in frequencies],
        'attentionFactor': double(attention),
        'softmaxFactor': double(softmax),
        'pairs': pairs,
        'cos': [[double(attention * cos(angle)) for angle in row] for row in angles],
        'sin': [[double(attention * sin(angle)) for angle in row] for row in angles],
    }


def scaled(dim, base, kind, factor=None, original=None, **more):
    fields = {'type': kind, 'factor': factor, 'originalMaxPositionEmbeddings': original, **more}
    return {'dim': dim, 'base': base, 'scaling': {key: value for key, value in fields.items() if value is not None}}


def internlm(base, factor, length):
    return scaled(128, base, 'dynamic', factor, maxPositionEmbeddings=32768, sequenceLength=length)


def phi3(**more):
    return scaled(96, 10000, 'longrope', 32, 4096, shortFactor=SHORT, longFactor=LONG, **more)


def beside(number):
    """The nearest double and its neighbours, between two of which the number is."""
    near = double(number)
    return nextafter(near, 0), near, nextafter(near, inf)


def cases_at_the_ends_of_ramps():
    """A pair within a rounding of an end, on either side: llama3's ends by the base, YaRN's by betaFast and betaSlow."""
    length, cases = 8192, {}
    with workdps(60):
        for low, high, factor in ((1, 4, 8), (0.0001, 1, 1e12), (1, 1, 16)):
            for turns in sorted({low, high}):
                # Pair 4 of 8 turns this many times in the length.
                for base in beside((length / (2 * pi * turns)) ** 2):
                    if base <= 1e12:
                        spec = scaled(16, base, 'llama3', factor, length, lowFreqFactor=low, highFreqFactor=high)
                        cases[f'Llama 3, {low} to {high}, an end beside a pair, base {base!r}'] = spec
        for truncate in (True, False):
            for pair in (2, 4):
                for beta in beside(length / (2 * pi * mpf(10000) ** (mpf(pair) / 8))):
                    for field, other in (('betaFast', {}), ('betaSlow', {'betaFast': 1000})):
                        if field == 'betaSlow' or beta >= 1:
                            spec = scaled(16, 10000, 'yarn', 4, length, **other, **{field: beta, 'truncate': truncate})
                            cases[f'YaRN, {field} {beta!r} beside a pair, truncate {truncate}'] = spec
    return cases


WAVES = [3.141592653589793, -2.5, 1, 0.1, 0, 1e-9, 1e-300, 1000.25]

CASES = {
    # No scaling.
    'Llama 2': {'dim': 128},
    'Llama 3': {'dim': 128, 'base': 500000},
    'GPT-J': {'dim': 256, 'rotaryDim': 64, 'layout': 'interleaved'},
    'GPT-NeoX': {'dim': 96, 'rotaryDim': 24},
    'GLM-4': {'dim': 128, 'rotaryDim': 64, 'layout': 'interleaved'},
    'Phi-2': {'dim': 80, 'rotaryDim': 32},
    'Gemma 2': {'dim': 256},
    'one pair': {'dim': 2},
    'one pair of many': {'dim': 64, 'rotaryDim': 2, 'base': 123},
    'odd number of pairs': {'dim': 10, 'rotaryDim': 6, 'base': 0.1 * 3 * 1e5},
    'smallest base': {'dim': 16, 'base': 1.0001},
    'largest base': {'dim': 128, 'base': 1e12},
    'own frequencies': {'dim': 20, 'rotaryDim': 16, 'frequencies': WAVES},
    # Interpolation, and NTK with a fixed and with a growing factor.
    'Gemma 3, global layers': scaled(256, 1000000, 'linear', 8),
    'LLaVA-NeXT-Video': scaled(128, 10000, 'linear', 2.5),
    'linear, a factor that is rounded': scaled(8, 10000, 'linear', 1.1),
    'NTK by 8': scaled(128, 10000, 'ntk', 8),
    'NTK past the largest base': scaled(64, 1e12, 'ntk', 1000.5),
    'NTK of two pairs': scaled(4, 500, 'ntk', 3),
    'InternLM 2, as trained': internlm(1000000, 2, 4096),
    'InternLM 2, a token more': internlm(1000000, 2, 32769),
    'InternLM 2, 200000 tokens': internlm(1000000, 2, 200000),
    'InternLM 3, 131072 tokens': internlm(50000000, 6, 131072),
    # YaRN.
    'Qwen 2.5': scaled(128, 1000000, 'yarn', 4, 32768),
    'Llama 2 YaRN 64k': scaled(128, 10000, 'yarn', 16, 4096),
    'gpt-oss': scaled(64, 150000, 'yarn', 32, 4096, betaFast=32, betaSlow=1, truncate=False),
    'DeepSeek-V3': scaled(64, 10000, 'yarn', 40, 4096, betaFast=32, betaSlow=1, mscale=1, mscaleAllDim=1),
    'DeepSeek-V2-Lite': scaled(64, 10000, 'yarn', 40, 4096, betaFast=32, betaSlow=1, mscale=0.707, mscaleAllDim=0.707),
    'Kimi K2': scaled(64, 50000, 'yarn', 64, 4096, betaFast=1, betaSlow=1, mscale=1, mscaleAllDim=1),
    'YaRN, two mscales': scaled(32, 10000, 'yarn', 10, 2048, mscale=0.8, mscaleAllDim=1.3),
    'YaRN, one mscale': scaled(32, 10000, 'yarn', 10, 2048, mscale=0.8),
    'YaRN, the mscale of all dims alone': scaled(32, 10000, 'yarn', 10, 2048, mscaleAllDim=1.3),
    'YaRN, an mscale of 0': scaled(32, 10000, 'yarn', 10, 2048, mscale=0, mscaleAllDim=1.3),
    'YaRN, an attention factor': scaled(32, 10000, 'yarn', 10, 2048, attentionFactor=0.3, mscale=0.8, mscaleAllDim=1.3),
    'YaRN, factor 1': scaled(32, 10000, 'yarn', 1, 2048, mscaleAllDim=1),
    'YaRN, past half of the columns': scaled(128, 10000, 'yarn', 8, 65536),
    'YaRN, clamped at the last column': scaled(16, 100, 'yarn', 8, 65536, betaFast=1000),
    'YaRN, clamped below its start': scaled(8, 2, 'yarn', 8, 4096),
    'YaRN, clamped to nothing': scaled(8, 2, 'yarn', 8, 4096, betaFast=200),
    'YaRN, ends before the first pair': scaled(32, 10000, 'yarn', 8, 2, betaFast=2, betaSlow=1),
    'YaRN, empty at the first pair': scaled(32, 10000, 'yarn', 8, 6, betaFast=32, betaSlow=1),
    'YaRN, empty between pairs': scaled(32, 10000, 'yarn', 8, 2048, betaFast=4, betaSlow=4, truncate=False),
    'YaRN, partial': {**scaled(64, 10000, 'yarn', 4, 8192), 'rotaryDim': 32},
    # LongRoPE.
    'Phi-3 vision, short': phi3(),
    'Phi-3 vision, 4096 tokens': phi3(sequenceLength=4096),
    'Phi-3 vision, 4097 tokens': phi3(sequenceLength=4097),
    'LongRoPE, no factor': scaled(8, 1e4, 'longrope', None, 100, shortFactor=[1, 1.5, 2, 3], longFactor=[1, 2, 4, 9]),
    'LongRoPE, factor 1': scaled(4, 1e4, 'longrope', 1, 100, shortFactor=[1, 0.7], longFactor=[1, 9], sequenceLength=101),
    'LongRoPE, an attention factor': scaled(
        4, 1e4, 'longrope', 5, 100, shortFactor=[1.1, 0.7], longFactor=[1.3, 9], sequenceLength=1000, attentionFactor=1.19
    ),
    # Llama 3.
    'Llama 3.1': scaled(128, 500000, 'llama3', 8, 8192, lowFreqFactor=1, highFreqFactor=4),
    'Llama 4 Scout': scaled(128, 500000, 'llama3', 16, 8192, lowFreqFactor=1, highFreqFactor=1),
    'Llama 3.2': scaled(64, 500000, 'llama3', 32, 8192, lowFreqFactor=1, highFreqFactor=4),
    'Llama 3, partial, other bands': {
        **scaled(48, 10000, 'llama3', 10, 2048, lowFreqFactor=0.5, highFreqFactor=1000.5),
        'rotaryDim': 32,
    },
    # Proportional.
    'Gemma 4, global layers': scaled(512, 1000000, 'proportional', partialRotaryFactor=0.25),
    'proportional, by 3': scaled(24, 10000, 'proportional', 3, partialRotaryFactor=0.7),
    'proportional, a product that is rounded': scaled(40, 10000, 'proportional', partialRotaryFactor=0.35),
    'proportional, all': scaled(16, 10000, 'proportional', partialRotaryFactor=1),
    **cases_at_the_ends_of_ramps(),
}


def text():
    lines = ',\n'.join(checked(lambda: reference(name, spec), line) for name, spec in CASES.items())
    return f'{{\n"positions": {json.dumps(POSITIONS)},\n"cases": [\n{lines}\n]\n}}\n'


if __name__ == '__main__':
    record([('rotary.json', text())])
