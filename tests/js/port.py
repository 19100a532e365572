"""A port of rotary code and biases, right or with the mistake BUG, in the precision TYPE, that posenc vectors --run asks."""
import json, math, os, struct, sys

BUG, TYPE = os.environ.get('BUG', ''), os.environ.get('TYPE', 'float64')

def rnd(v, type=TYPE):
    if type == 'float32':
        return struct.unpack('f', struct.pack('f', v))[0]
    if type == 'bfloat16':
        bits = struct.unpack('I', struct.pack('f', v))[0]
        return struct.unpack('f', struct.pack('I', bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000))[0]
    return v

def frequencies(config, layer, length):
    """inv_freq, and the factor of cosines and sines."""
    c = config
    heads = c.get('num_attention_heads') or c['n_head']
    dim = c.get('head_dim') or c.get('qk_rope_head_dim') or (c.get('hidden_size') or c['n_embd']) // heads
    if BUG == 'dim':
        dim = c['hidden_size'] // heads
    turning = c.get('rotary_dim') or int(dim * c.get('partial_rotary_factor', 1))
    over = dim if BUG == 'exponent-over-head-dim' else turning
    scaling = c.get('rope_scaling') or c.get('rope_parameters') or {}
    base = c.get('rope_theta') or ({} if BUG == 'base' else scaling).get('rope_theta', 10000)
    if c['model_type'].startswith('gemma3') and layer == 0 and BUG != 'layer':
        base, scaling = c['rope_local_base_freq'], {}
    type, factor = scaling.get('rope_type') or scaling.get('type'), scaling.get('factor', 1)
    if BUG == 'factor' and type == 'llama3':
        factor = 40 - factor
    if BUG == 'scaling':
        type = None
    most = c.get('original_max_position_embeddings') or scaling.get('original_max_position_embeddings') or c.get('max_position_embeddings')
    if type == 'dynamic' and length > most:
        base *= (factor * length / most - (factor - 1)) ** (turning / (turning - 2))
    plain = [rnd(base ** (-2 * i / over)) for i in range(turning // 2)]
    if type == 'linear':
        return [f / factor for f in plain], 1
    if type == 'llama3':
        low, high = scaling['low_freq_factor'], scaling['high_freq_factor']
        turns = [most * f / 2 / math.pi for f in plain]
        if BUG == 'freq-factors-swapped':
            return [f if t > low else f / factor for f, t in zip(plain, turns)], 1
        kept = [min(1, max(0, (t - low) / (high - low))) for t in turns]
        return [f * k + f / factor * (1 - k) for f, k in zip(plain, kept)], 1
    if type == 'longrope':
        after = length >= most if BUG == 'sequence-length' else length > most
        ratios = scaling['long_factor' if after else 'short_factor']
        grown = c['max_position_embeddings'] / most
        return [f / r for f, r in zip(plain, ratios)], math.sqrt(1 + math.log(grown) / math.log(most))
    if type == 'yarn':
        def at(turns):
            return turning * math.log(most / (turns * 2 * math.pi)) / 2 / math.log(base)
        low, high = at(scaling['beta_fast']), at(scaling['beta_slow'])
        if scaling.get('truncate', True) != (BUG == 'truncate'):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, turning - 1)
        kept = [1 - min(1, max(0, (i - low) / (high - low))) for i in range(turning // 2)]
        gain = 0.1 * math.log(factor) + 1
        attention = 1 if 'mscale' in scaling else scaling.get('attention_factor', gain)
        if BUG in ('attention-factor', 'attention-factor-missing'):
            attention = gain if 'attention_factor' in scaling else 1
        return [f * k + f / factor * (1 - k) for f, k in zip(plain, kept)], attention
    return plain, 1

def slopes(n):
    if n & (n - 1) == 0 or BUG == 'heads-plain':
        return [2 ** (-8 * (k + (BUG != 'slopes')) / n) for k in range(n)]
    power = 1 << n.bit_length() - 1
    return slopes(power) + slopes(2 * power)[::2][:n - power]

def bucket(distance, both):
    size, start = (16, 16 * (distance > 0)) if both else (32, 0)
    n = abs(distance) if both else max(0, -distance)
    if n < size // 2:
        return start + n
    most = 64 if BUG == 'max-distance' else 128
    return start + min(size - 1, size // 2 + int(math.log(n / (size // 2)) / math.log(most / (size // 2)) * (size - size // 2)))

def answer(case):
    what, c, layer, positions, x = case['what'], case['config'], case.get('layer', 1), case['positions'], case.get('x')
    kind = c.get('model_type', '')
    if what == 'slopes':
        return slopes(c.get('n_heads') or c['n_head'])
    if what == 'buckets':
        return [bucket(d, case['part'] == 'encoder') for d in positions]
    if what == 'position_ids' and kind == 'llama':
        ids = [sum(x[:k + 1]) - 1 if on else 1 for k, on in enumerate(x)]
        return list(range(len(x))) if BUG == 'padding-ignored' else ids
    if what == 'position_ids' and kind == 'opt':
        return [(sum(x[:k + 1]) - 1 if on else -1) + (0 if BUG == 'offset' else 2) for k, on in enumerate(x)]
    if what == 'queries' and kind == 'ministral3':
        most = c['rope_parameters']['original_max_position_embeddings']
        return [1 if BUG == 'missing' else 1 + 0.1 * math.log(1 + p // most) for p in positions]
    if what == 'softmax_factor':
        return [1 if BUG == 'mscale' else (0.1 * math.log(c['rope_scaling']['factor']) + 1) ** 2]
    known = 'llama mistral qwen2 gpt_oss gptj phi phi3 gemma3_text deepseek_v3 glm4 smollm3'.split()
    if what not in ('inv_freq', 'cos', 'sin', 'apply') or kind not in known:
        return None
    inv_freq, gain = frequencies(c, layer, case.get('length'))
    if kind == 'smollm3' and layer == 3 and BUG != 'layer-rotates':
        inv_freq = [0] * len(inv_freq)
    if what == 'inv_freq':
        return inv_freq
    def turn(p):
        p = rnd(p, 'bfloat16') if BUG == 'positions-bfloat16' else p + (BUG == 'start')
        return [rnd(rnd(p) * rnd(f, 'bfloat16' if BUG == 'frequencies-bfloat16' else TYPE)) for f in inv_freq]
    if what != 'apply':
        wave = math.cos if what == 'cos' else math.sin
        keep = case.get('columns') or range(len(inv_freq))
        return [rnd(rnd(wave(turn(p)[k])) * gain) for p in positions for k in keep]
    out, half = list(x), len(inv_freq)
    neox = (kind not in ('gptj', 'glm4', 'deepseek_v3')) != (BUG == 'layout')
    for k, angle in enumerate(turn(positions[0])):
        a, b = (k, k + half) if neox else (2 * k, 2 * k + 1)
        cos, sin = math.cos(angle) * gain, math.sin(angle) * gain
        out[a], out[b] = x[a] * cos - x[b] * sin, x[b] * cos + x[a] * sin
    return [rnd(v) for v in out]

for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
