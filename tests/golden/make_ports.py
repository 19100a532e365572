#!/usr/bin/env python3
"""Records in ports.json how the code of other libraries passes the test vectors; `make_ports.py --check` compares.

Needs PyTorch (Debian: python3-torch) and a built posenc. It installs PACKAGES beside it into an environment of its own, and each library
answers `posenc vectors --run` in float32. Groups that a library has no code for are left out.
"""

import json
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

PACKAGES = [
    *['transformers==4.45.2', 'diffusers==0.30.0', 'rotary-embedding-torch==0.9.1', 'tokenizers==0.20.3', 'huggingface_hub==0.25.2'],
    *['einops==0.8.2', 'regex', 'safetensors', 'pyyaml', 'tqdm', 'requests', 'filelock', 'packaging', 'fsspec'],
    *['typing_extensions', 'pillow', 'importlib_metadata', 'zipp'],
]
COMMAND = Path(__file__).parents[2] / 'dist' / 'command.js'


def ask_transformers(case):
    from transformers import AutoConfig
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING
    what, config, positions, x = case['what'], dict(case['config']), case['positions'], case.get('x')
    kind = config.pop('model_type', '')
    if kind not in CONFIG_MAPPING:
        return None
    config = AutoConfig.for_model(kind, **config)
    if what == 'slopes':
        from transformers.models.bloom.modeling_bloom import build_alibi_tensor
        from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
        if kind == 'bloom':
            return build_alibi_tensor(torch.ones(1, 2), config.n_head, torch.float32)[:, 0, 1]
        return -build_mpt_alibi_tensor(config.n_heads, 2)[:, 0, 0]
    if what == 'buckets':
        from transformers.models.t5.modeling_t5 import T5Attention
        both = case['part'] == 'encoder'
        return T5Attention._relative_position_bucket(torch.tensor(positions), both, 32, 128)
    if what == 'position_ids' and kind == 'roberta':
        from transformers.models.roberta.modeling_roberta import create_position_ids_from_input_ids
        return create_position_ids_from_input_ids(torch.tensor([x]), 1)[0]
    if what == 'position_ids' and kind == 'opt':
        from transformers.models.opt.modeling_opt import OPTLearnedPositionalEmbedding
        table = OPTLearnedPositionalEmbedding(20, 1)
        table.weight.data = torch.arange(22.0)[:, None]
        return table(torch.tensor([x])).flatten()
    if what == 'rows' and kind == 'm2m_100':
        from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
        return M2M100SinusoidalPositionalEmbedding.get_embedding(1024, config.d_model, 1)[positions]
    if what not in ('inv_freq', 'cos', 'sin', 'apply'):
        return None
    length = case.get('length')
    if kind == 'gptj':
        from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions
        if what == 'inv_freq':
            return None
        sin, cos = create_sinusoidal_positions(131072, config.rotary_dim)[positions].chunk(2, dim=-1)
        if what == 'apply':
            vector = torch.tensor(x, dtype=torch.float32)
            turned = apply_rotary_pos_emb(vector[None, None, None, :config.rotary_dim], sin[None], cos[None])
            return torch.cat((turned.flatten(), vector[config.rotary_dim:]))
        return (cos if what == 'cos' else sin)
    names = {'llama': 'LlamaRotaryEmbedding', 'qwen2': 'Qwen2RotaryEmbedding', 'phi': 'PhiRotaryEmbedding',
             'mistral': 'MistralRotaryEmbedding', 'phi3': 'Phi3LongRoPEScaledRotaryEmbedding'}
    if kind not in names:
        return None
    module = import_module(f'transformers.models.{kind}.modeling_{kind}')
    make = getattr(module, names[kind])
    head = getattr(config, 'head_dim', None) or config.hidden_size // config.num_attention_heads
    if kind == 'mistral':
        rotate = make(head, config.max_position_embeddings, config.rope_theta)
    elif kind == 'phi3':
        rotate = make(head, config)
    else:
        rotate = make(config=config)
    # The length of the text is that of the last position.
    ids = torch.tensor([positions + [length - 1 if length else 0]])
    cos, sin = rotate(torch.zeros(1, 1, ids.shape[1], head), ids)
    if what == 'inv_freq':
        return rotate.inv_freq
    cos, sin = cos[0, :len(positions)], sin[0, :len(positions)]
    if what == 'apply':
        vector = torch.tensor(x, dtype=torch.float32)[None, None, None]
        width = cos.shape[-1]
        turned, _ = module.apply_rotary_pos_emb(vector[..., :width], vector[..., :width], cos[None], sin[None])
        return torch.cat((turned.flatten(), vector.flatten()[width:]))
    return (cos if what == 'cos' else sin)[:, :cos.shape[-1] // 2]


def ask_diffusers(case):
    from diffusers.models.embeddings import get_timestep_embedding
    config = case['config']
    if '_class_name' not in config:
        return None
    times = torch.tensor(case['positions'])
    return get_timestep_embedding(times, 320, config['flip_sin_to_cos'], config['freq_shift'])


def plain(case):
    """The base, and the width of the rotation, of a config that isn't scaled."""
    config = case['config']
    if any(config.get(name) for name in ('rope_scaling', 'rope_local_base_freq', 'use_scaled_rope')) or 'length' in case:
        return None
    if config.get('model_type') not in ('llama', 'mistral', 'gptj', 'glm4', 'phi', 'smollm3') or case.get('layer') == 3:
        return None
    heads = config.get('n_head') or config['num_attention_heads']
    head = config.get('head_dim') or (config.get('hidden_size') or config['n_embd']) // heads
    width = config.get('rotary_dim') or int(head * config.get('partial_rotary_factor', 1))
    return config.get('rope_theta', 10000), width


def ask_rotary_embedding_torch(case):
    from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb
    known = plain(case)
    if not known or case['what'] not in ('inv_freq', 'cos', 'sin', 'apply'):
        return None
    rotate = RotaryEmbedding(known[1], theta=known[0], cache_if_possible=False)
    if case['what'] == 'inv_freq':
        return rotate.freqs
    angles = rotate(torch.tensor(case['positions'], dtype=torch.float32))
    if case['what'] == 'apply':
        return apply_rotary_emb(angles, torch.tensor([case['x']], dtype=torch.float32))[0]
    return (angles.cos() if case['what'] == 'cos' else angles.sin())[:, ::2]


def answer(library):
    torch.set_grad_enabled(False)
    ask = globals()[f'ask_{library}']
    for line in sys.stdin:
        values = ask(json.loads(line))
        print(json.dumps(None if values is None else [float(value) for value in values.flatten()]), flush=True)


def main():
    from record import record

    libraries = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages', folder], check=True)
        python = f'{folder}/bin/python'
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--no-deps', *PACKAGES], check=True)
        for package in PACKAGES[:3]:
            name = package.split('==')[0].replace('-', '_')
            port = f"'{python}' '{__file__}' --answer {name}"
            run = subprocess.run(['node', COMMAND, 'vectors', '--run', port], capture_output=True, text=True)
            lines = [line.split(maxsplit=1) for line in run.stdout.splitlines()]
            libraries[package] = {group: verdict for group, verdict in lines if verdict != 'skipped'}
    record([('ports.json', json.dumps(libraries, indent=1) + '\n')])


if sys.argv[1:2] == ['--answer']:
    import torch

    answer(sys.argv[2])
else:
    main()
