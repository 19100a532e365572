"""A port of rotary code and biases, right or with the mistake BUG, in the precision TYPE, that posenc vectors --run asks."""
import json, math, os, struct, sys

BUG, TYPE = os.environ.get('BUG', ''), os.environ.get('TYPE', 'float64')

# Mistakes that are those of another question: they change the case, its config c or the scaling s.
BUGS = {
    'base': lambda case, c, s: s.pop('rope_theta'),
    'scaling': lambda case, c, s: s.clear(),
    'factor': lambda case, c, s: s.update(factor=40 - s['factor']),
    'freq-factors-swapped': lambda case, c, s: s.update(low_freq_factor=4, high_freq_factor=1),
    'truncate': lambda case, c, s: s.update(truncate=not s.get('truncate', True)),
    'attention-factor-missing': lambda case, c, s: s.update(attention_factor=1),
    'attention-factor': lambda case, c, s: s.pop('attention_factor'),
    'mscale': lambda case, c, s: s.update(mscale_all_dim=0),
    'layer': lambda case, c, s: case.update(layer=5),
    'layer-rotates': lambda case, c, s: case.update(layer=2),
    'sequence-length': lambda case, c, s: case.update(length=case['length'] + 1),
    'dim': lambda case, c, s: c.pop('head_dim'),
    'positions-bfloat16': lambda case, c, s: case.update(positions=[rnd(p, 'bfloat16') for p in case['positions']]),
    'start': lambda case, c, s: case.update(positions=[p + 1 for p in case['positions']]),
    'padding-ignored': lambda case, c, s: case.update(x=[1] * len(case['x'])),
    'max-distance': lambda case, c, s: c.update(relative_attention_max_distance=64),
    'missing': lambda case, c, s: s.update(llama_4_scaling_beta=0),
}

def rnd(v, type=TYPE):
    if type == 'float64':
        return v
    bits = struct.unpack('I', struct.pack('f', v))[0]
    if type == 'bfloat16':
        bits = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    return struct.unpack('f', struct.pack('I', bits))[0]

def frequencies(case, c, s):
    """inv_freq, and the factor of cosines and sines."""
    heads = c.get('num_attention_heads') or c['n_head']
    dim = c.get('head_dim') or c.get('qk_rope_head_dim') or (c.get('hidden_size') or c['n_embd']) // heads
    turning = c.get('rotary_dim') or int(dim * c.get('partial_rotary_factor', 1))
    base, factor = c.get('rope_theta') or s.get('rope_theta', 10000), s.get('factor', 1)
    type, length, pairs = s.get('rope_type') or s.get('type'), case.get('length'), range(turning // 2)
    most = s.get('original_max_position_embeddings') or c.get('original_max_position_embeddings') or c.get('max_position_embeddings')
    if c['model_type'] == 'gemma3_text' and case['layer'] == 0:
        base, type = c['rope_local_base_freq'], None
    gain, kept, divisors = 1, [type not in ('linear', 'longrope') for _ in pairs], [factor for _ in pairs]
    if type == 'dynamic' and length > most:
        base *= (factor * length / most - (factor - 1)) ** (turning / (turning - 2))
    plain = [rnd(base ** (-2 * i / (dim if BUG == 'exponent-over-head-dim' else turning))) for i in pairs]
    if c['model_type'] == 'smollm3' and case['layer'] == 3:
        plain = [0 for _ in pairs]
    if type == 'llama3':
        low, high, turns = s['low_freq_factor'], s['high_freq_factor'], [most * f / 2 / math.pi for f in plain]
        kept = [1 if t > high else 0 if t < low else (t - low) / (high - low) for t in turns]
    if type == 'longrope':
        divisors = s['long_factor' if length > most else 'short_factor']
        gain = math.sqrt(1 + math.log(c['max_position_embeddings'] / most) / math.log(most))
    if type == 'yarn':
        low, high = [turning * math.log(most / (s[name] * 2 * math.pi)) / 2 / math.log(base) for name in ('beta_fast', 'beta_slow')]
        low, high = (math.floor(low), math.ceil(high)) if s.get('truncate', True) else (low, high)
        kept = [1 - min(1, max(0, (i - low) / (high - low))) for i in pairs]
        gain = s.get('attention_factor', 1 if 'mscale' in s else 0.1 * math.log(factor) + 1)
    # What isn't kept of a frequency is divided.
    return [f * k + f / d * (1 - k) for f, k, d in zip(plain, kept, divisors)], gain

def slopes(n):
    if n & (n - 1) == 0 or BUG == 'heads-plain':
        return [2 ** (-8 * (k + (BUG != 'slopes')) / n) for k in range(n)]
    power = 1 << n.bit_length() - 1
    return slopes(power) + slopes(2 * power)[::2][:n - power]

def bucket(distance, both, most):
    half, start, n = (8, 16 * (distance > 0), abs(distance)) if both else (16, 0, max(0, -distance))
    return start + (n if n < half else half + min(half - 1, int(math.log(n / half) / math.log(most / half) * half)))

def answer(case):
    c = case['config']
    s = c.get('rope_scaling') or c.get('rope_parameters') or {}
    BUGS.get(BUG, lambda *_: None)(case, c, s)
    what, kind, positions, x = case['what'], c.get('model_type', ''), case['positions'], case.get('x')
    if what == 'slopes':
        return slopes(c.get('n_heads') or c['n_head'])
    if what == 'buckets':
        return [(BUG == 'buckets-from-1') + bucket(d, case['part'] == 'encoder', c.get('relative_attention_max_distance', 128)) for d in positions]
    if what == 'position_ids' and kind in ('llama', 'opt'):
        pad, offset = (1, 0) if kind == 'llama' else (-1, 0 if BUG == 'offset' else 2)
        return [(sum(x[:k + 1]) - 1 if on else pad) + offset for k, on in enumerate(x)]
    if what == 'queries' and kind == 'ministral3':
        return [1 + s['llama_4_scaling_beta'] * math.log(1 + p // s['original_max_position_embeddings']) for p in positions]
    if what == 'softmax_factor':
        return [(0.1 * s['mscale_all_dim'] * math.log(s['factor']) + 1) ** 2]
    known = 'llama mistral qwen2 gpt_oss gptj phi phi3 gemma3_text deepseek_v3 glm4 smollm3'.split()
    if what not in ('inv_freq', 'cos', 'sin', 'apply') or kind not in known:
        return None
    inv_freq, gain = frequencies(case, c, s)
    turned = [rnd(f, 'bfloat16' if BUG == 'frequencies-bfloat16' else TYPE) for f in inv_freq]
    angles = [[rnd(rnd(p) * f) for f in turned] for p in positions]
    if what != 'apply':
        waves = [rnd(rnd(getattr(math, what, abs)(angle)) * gain) for row in angles for angle in row]
        return waves if angles else [f if BUG != 'slowest' or f > 2e-6 else 0 for f in inv_freq]
    out, half = list(x), len(inv_freq)
    neox = (kind not in ('gptj', 'glm4', 'deepseek_v3')) != (BUG == 'layout')
    for k, angle in enumerate(angles[0]):
        a, b = (k, k + half) if neox else (2 * k, 2 * k + 1)
        cos, sin = math.cos(angle) * gain, math.sin(angle) * gain
        out[a], out[b] = x[a] * cos - x[b] * sin, x[b] * cos + x[a] * sin
    return [rnd(v) for v in out]

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
