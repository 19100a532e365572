"""A port of rotary encodings, ALiBi and T5's buckets, which answers the questions of `posenc vectors --run`; with a bug, if asked to."""
import json, math, struct, sys

BUG = sys.argv[1] if len(sys.argv) > 1 else ''
BITS = lambda v: struct.unpack('>I', struct.pack('>f', v))[0]
HALF = lambda v: struct.unpack('>f', struct.pack('>I', (BITS(v) + 0x7FFF + (BITS(v) >> 16 & 1)) & 0xFFFF0000))[0]
SINGLE = lambda v: struct.unpack('f', struct.pack('f', v))[0]

def rotation(c):
    r = dict(c.get('rope_scaling') or c.get('rope_parameters') or {})
    base = 10000 if BUG == 'base' else c.get('rope_theta') or r.get('rope_theta') or c.get('rotary_emb_base', 10000)
    heads = c.get('num_attention_heads') or c['n_head']
    head = c.get('head_dim') or (c.get('hidden_size') or c['n_embd']) // heads
    if BUG == 'head-dim': head = (c.get('hidden_size') or c['n_embd']) // heads
    dim = c.get('rotary_dim') or int(head * c.get('partial_rotary_factor', c.get('rotary_pct', 1)))
    inv, factor, kind = [base ** (-2 * i / (head if BUG == 'exponent-over-head-dim' else dim)) for i in range(dim // 2)], 1, r.get('rope_type')
    if BUG == 'scaling': kind = None
    by = 8 if BUG == 'factor' else r.get('factor', 1)
    old = r.get('original_max_position_embeddings', 0) * (4 if BUG == 'original-max-position-embeddings' else 1)
    if kind == 'linear': inv = [f / by for f in inv]
    if kind == 'llama3':
        low, high = r['low_freq_factor'], r['high_freq_factor']
        if BUG == 'freq-factors-swapped': low = high
        smooth = lambda f: min(max((old * f / (2 * math.pi) - low) / (high - low or 1e-30), 0), 1)
        inv = [(1 - smooth(f)) * f / by + smooth(f) * f for f in inv]
    if kind == 'yarn':
        at = lambda turns: dim * math.log(old / (turns * 2 * math.pi)) / (2 * math.log(base))
        low, high = at(r.get('beta_fast', 32)), at(r.get('beta_slow', 1))
        if r.get('truncate', True) != (BUG == 'truncate'): low, high = math.floor(low), math.ceil(high)
        ramp = lambda i: min(max((i - max(low, 0)) / (min(high, dim - 1) - max(low, 0)), 0), 1)
        inv = [f / by * ramp(i) + f * (1 - ramp(i)) for i, f in enumerate(inv)]
        factor = {'attention-factor-missing': 1, 'attention-factor-squared': (0.1 * math.log(by) + 1) ** 2}.get(BUG, 0.1 * math.log(by) + 1)
    if BUG == 'frequencies-bfloat16': inv = [HALF(f) for f in inv]
    return head, dim, [SINGLE(f) for f in inv] if BUG == 'float32' else inv, factor

def angle(p, f):
    if BUG == 'start': p += 1
    if BUG == 'positions-bfloat16': p = HALF(p)
    if BUG == 'angles-bfloat16': return HALF(HALF(p) * HALF(f))
    return SINGLE(SINGLE(p) * SINGLE(f)) if BUG == 'float32' else p * f

def answer(q):
    c, what = q['config'], q['what']
    if what == 'slopes':
        n = c.get('n_heads') or c['n_head']
        power = 2 ** math.floor(math.log2(n))
        each = lambda count, total: [2 ** (-8 * (i + (BUG != 'slopes')) / total) for i in range(count)]
        return each(n, n) if BUG == 'slopes-interpolated' else each(power, power) + each(2 * power, 2 * power)[::2][: n - power]
    head, dim, inv, factor = rotation(c)
    if what == 'inv_freq': return inv
    if what == 'cos': return [factor * math.cos(angle(p, f)) for p in q['positions'] for f in inv]
    x, [p], out = q['x'], q['positions'], list(q['x'])
    apart = (c['model_type'] in ('gptj', 'glm4')) != (BUG == 'layout')
    for i, f in enumerate(inv):
        a, b = (2 * i, 2 * i + 1) if apart else (i, i + dim // 2)
        out[a] = factor * (x[a] * math.cos(p * f) - x[b] * math.sin(p * f))
        out[b] = factor * (x[b] * math.cos(p * f) + x[a] * math.sin(p * f))
    return out

for line in sys.stdin:
    print('no json' if BUG == 'nonsense' else json.dumps(answer(json.loads(line))), flush=True)
    if BUG == 'dies': sys.exit()
