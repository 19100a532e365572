#!/usr/bin/env python3
"""Records in ports.json how the code of other libraries passes the test vectors; `make_ports.py --check` compares.

Needs PyTorch (Debian: python3-torch) and a built posenc. It installs the LIBRARIES beside it into an environment of its own, and each library
answers `posenc vectors --run` in float32. Groups that a library has no code for are left out.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

LIBRARIES = [
    *['transformers==4.45.2', 'diffusers==0.30.0', 'rotary-embedding-torch==0.9.1'],
    *['x-transformers==2.31.10', 'keras-hub==0.32.0', 'onnxruntime==1.32.0'],
]
# What they import, without what would bring a PyTorch. A later ml_dtypes needs NumPy 2, which Debian's PyTorch doesn't take.
OTHERS = [
    *['tokenizers==0.20.3', 'huggingface_hub==0.25.2', 'einops==0.8.2', 'numpy==1.26.4', 'scipy==1.13.1', 'jax==0.4.38', 'jaxlib==0.4.38'],
    *['keras==3.15.1', 'onnx==1.23.2', 'torch-einops-utils==0.2.0', 'einx==0.4.3', 'regex==2026.11.19', 'safetensors==0.8.0'],
    *['pyyaml==6.0.4', 'tqdm==4.70.1', 'requests==2.34.2', 'filelock==4.3.1', 'packaging==26.4', 'fsspec==2026.9.0'],
    *['typing_extensions==4.16.0', 'pillow==13.0.0', 'importlib_metadata==10.2.0', 'zipp==4.1.2', 'loguru==0.7.3', 'sympy==1.14.0'],
    *['frozendict==2.5.1', 'absl-py==2.5.1', 'namex==0.1.0', 'optree==0.20.0', 'rich==15.0.0', 'markdown-it-py==4.3.0', 'mdurl==0.1.2'],
    *['pygments==2.21.0', 'h5py==3.16.0', 'ml_dtypes==0.5.4', 'opt_einsum==3.4.0', 'protobuf==7.36.2', 'flatbuffers==25.12.19'],
    *['sentencepiece==0.2.3'],
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
    length = case.get('length')
    names = {'llama': 'LlamaRotaryEmbedding', 'qwen2': 'Qwen2RotaryEmbedding', 'phi': 'PhiRotaryEmbedding',
             'mistral': 'MistralRotaryEmbedding', 'phi3': 'Phi3LongRoPEScaledRotaryEmbedding'}
    if kind == 'gptj':
        from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb, create_sinusoidal_positions
        width = config.rotary_dim
        def waves(positions):
            return create_sinusoidal_positions(131072, width)[positions].chunk(2, dim=-1)[::-1]
        def turn(vector, position):
            cos, sin = waves([position])
            turned = apply_rotary_pos_emb(vector[None, None, None, :width], sin[None], cos[None])
            return torch.cat((turned.flatten(), vector[width:]))
        return answer_rotary(case, None, waves, turn)
    if kind not in names:
        return None
    module = import_module(f'transformers.models.{kind}.modeling_{kind}')
    head = getattr(config, 'head_dim', None) or config.hidden_size // config.num_attention_heads
    arguments = {'mistral': [head, config.max_position_embeddings, config.rope_theta], 'phi3': [head, config]}
    rotate = getattr(module, names[kind])(*arguments.get(kind, [None] * 6), **({} if kind in arguments else {'config': config}))
    def tables(positions):
        # The length of the text is that of the last position.
        ids = torch.tensor([positions + [length - 1 if length else 0]])
        return [wave[0, :len(positions)] for wave in rotate(torch.zeros(1, 1, ids.shape[1], head), ids)]
    def turn(vector, position):
        cos, sin = tables([position])
        width = cos.shape[-1]
        part = vector[None, None, None, :width]
        return torch.cat((module.apply_rotary_pos_emb(part, part, cos[None], sin[None])[0].flatten(), vector[width:]))
    waves = lambda positions: [wave[:, :wave.shape[-1] // 2] for wave in tables(positions)]
    tables([0])
    return answer_rotary(case, rotate.inv_freq, waves, turn)


def ask_diffusers(case):
    from diffusers.models.embeddings import get_timestep_embedding
    config = case['config']
    if '_class_name' not in config:
        return None
    times = torch.tensor(case['positions'])
    return get_timestep_embedding(times, 320, config['flip_sin_to_cos'], config['freq_shift'])


def answer_rotary(case, inv_freq, waves, turn):
    """The frequencies, the cosines or the sines of all pairs at positions, or a vector that is turned at a position."""
    what, positions = case['what'], case['positions']
    if what == 'inv_freq':
        return inv_freq
    if what in ('cos', 'sin'):
        return waves(positions)[what == 'sin'][:, case.get('columns') or slice(None)]
    return turn(torch.tensor(case['x'], dtype=torch.float32), positions[0]) if what == 'apply' else None


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
    if not known:
        return None
    rotate = RotaryEmbedding(known[1], theta=known[0], cache_if_possible=False)
    def waves(positions):
        angles = rotate(torch.tensor(positions, dtype=torch.float32))[:, ::2]
        return angles.cos(), angles.sin()
    def turn(vector, position):
        return apply_rotary_emb(rotate(torch.tensor([float(position)])), vector[None])
    return answer_rotary(case, rotate.freqs, waves, turn)


def ask_x_transformers(case):
    # The package itself needs a newer PyTorch, for what isn't asked here.
    if 'x_transformers' not in sys.modules:
        package = ModuleType('x_transformers')
        package.__path__ = find_spec('x_transformers').submodule_search_locations
        sys.modules['x_transformers'] = package
    from x_transformers.x_transformers import AlibiPositionalBias, RelativePositionBias, RotaryEmbedding, apply_rotary_pos_emb
    what, config = case['what'], case['config']
    if what == 'slopes':
        return AlibiPositionalBias._get_slopes(config.get('n_head') or config['n_heads'])
    if what == 'buckets':
        return RelativePositionBias._relative_position_bucket(torch.tensor(case['positions']), case['part'] == 'decoder')
    known = plain(case)
    if not known:
        return None
    rotate = RotaryEmbedding(known[1], base=known[0])
    def waves(positions):
        angles = rotate(torch.tensor(positions))[0][0, :, ::2]
        return angles.cos(), angles.sin()
    return answer_rotary(case, rotate.inv_freq, waves, lambda vector, position: apply_rotary_pos_emb(
        vector[None, None], rotate(torch.tensor([position]))[0]))


def ask_keras_hub(case):
    os.environ['KERAS_BACKEND'] = 'jax'
    from keras_hub.layers import AlibiBias, RotaryEmbedding
    from keras_hub.src.models.gemma4.gemma4_attention import Gemma4TextAttention
    from keras_hub.src.models.llama.llama_rotary_embedding import LlamaRotaryEmbedding
    from keras_hub.src.models.phi3.phi3_rotary_embedding import Phi3SuScaledRotaryEmbedding
    from keras_hub.src.models.t5.t5_multi_head_attention import T5MultiHeadAttention
    what, config, length = case['what'], case['config'], case.get('length')
    kind = config.get('model_type')
    if what == 'slopes' and kind == 'bloom':
        return AlibiBias()._get_slopes(config['n_head'])
    if what == 'buckets':
        return T5MultiHeadAttention._relative_position_bucket(numpy.array(case['positions'], 'int32'), case['part'] == 'encoder')
    if kind not in ('llama', 'mistral', 'qwen2', 'phi3', 'gpt_oss', 'gemma3_text', 'gemma4_text', 'smollm3') or case.get('layer') == 3:
        return None
    scaling = config.get('rope_scaling') or config.get('rope_parameters') or {}
    type, factor = scaling.get('rope_type') or scaling.get('type'), scaling.get('factor')
    base = config.get('rope_theta') or scaling.get('rope_theta', 10000)
    head = config.get('head_dim') or config['hidden_size'] // config['num_attention_heads']
    most = scaling.get('original_max_position_embeddings') or config.get('original_max_position_embeddings')
    if kind == 'gemma3_text':
        rotate = RotaryEmbedding(base, factor) if case['layer'] == 5 else RotaryEmbedding(config['rope_local_base_freq'])
    elif kind == 'gemma4_text':
        head = config['global_head_dim']
        rotate = RotaryEmbedding(1000000, denominator_dim=head)
        attention = SimpleNamespace(rope_layer=rotate, head_dim=head, rotary_dim=head // 4)
        return Gemma4TextAttention._apply_rope(attention, numpy.array(case['x'], 'float32')[None, None], 3) if what == 'apply' else None
    elif type == 'llama3':
        limits = {name: scaling[name] for name in ('low_freq_factor', 'high_freq_factor')}
        rotate = LlamaRotaryEmbedding(base, frequency_adjustment_factor=factor, pretraining_sequence_length=most, **limits)
    elif type == 'longrope':
        lists = [scaling['short_factor'], scaling['long_factor']]
        rotate = Phi3SuScaledRotaryEmbedding(*lists, config['max_position_embeddings'], most, base)
    elif type in ('yarn', 'dynamic'):
        own = {'original_max_position_embeddings': most, 'truncate': scaling.get('truncate', True)} if type == 'yarn' else {}
        rotate = RotaryEmbedding(base, factor, type, **own)
    else:
        rotate = RotaryEmbedding(base)
    def waves(positions):
        start = {'start_index': length - len(positions)} if type == 'longrope' else {}
        rows = numpy.zeros((1, len(positions), head), 'float32')
        tables = rotate._compute_cos_sin_embedding(rows, positions=numpy.array(positions), **start)
        return [numpy.array(table).reshape(len(positions), -1)[:, :head // 2] for table in tables]
    def turn(vector, position):
        if type == 'longrope':  # its list depends on the length of the text
            return rotate(numpy.tile(vector.numpy(), (1, length, 1)))[0, position]
        return rotate(vector.numpy()[None, None], start_index=position)
    return answer_rotary(case, None if type == 'longrope' else rotate._get_inverse_freq(head), waves, turn)


def ask_onnxruntime(case):
    from onnx import TensorProto, helper
    from onnxruntime import InferenceSession
    known = plain(case)
    if case['what'] != 'apply' or not known:
        return None
    (base, width), [position] = known, case['positions']
    # The operator takes its tables.
    angles = numpy.arange(position + 1)[:, None] * base ** (-numpy.arange(0, width, 2) / width)
    inputs = {'x': numpy.array(case['x'], 'float32')[None, None], 'ids': numpy.array([[position]]),
              'cos': numpy.cos(angles).astype('float32'), 'sin': numpy.sin(angles).astype('float32')}
    partial = {'rotary_embedding_dim': width, 'num_heads': 1} if width < len(case['x']) else {}
    pairs = int(case['config']['model_type'] in ('gptj', 'glm4'))
    node = helper.make_node('RotaryEmbedding', [*inputs], ['y'], domain='com.microsoft', interleaved=pairs, **partial)
    types = {name: TensorProto.INT64 if name == 'ids' else TensorProto.FLOAT for name in [*inputs, 'y']}
    values = [helper.make_tensor_value_info(name, types[name], None) for name in types]
    graph = helper.make_graph([node], 'rotary', values[:-1], values[-1:])
    opsets = [helper.make_opsetid('', 17), helper.make_opsetid('com.microsoft', 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    return InferenceSession(model.SerializeToString()).run(None, inputs)[0]


def answer(library):
    torch.set_grad_enabled(False)
    ask = globals()[f'ask_{library}']
    for line in sys.stdin:
        values = ask(json.loads(line))
        print(json.dumps(None if values is None else numpy.asarray(values, float).ravel().tolist()), flush=True)


def main():
    from record import record

    libraries = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages', folder], check=True)
        python = f'{folder}/bin/python'
        subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--no-deps', '--ignore-installed', *LIBRARIES, *OTHERS], check=True)
        for package in LIBRARIES:
            name = package.split('==')[0].replace('-', '_')
            port = f"'{python}' '{__file__}' --answer {name}"
            # A busy machine may import a library for longer than the 10 s of its first answer.
            for _ in range(5):
                run = subprocess.run(['node', COMMAND, 'vectors', '--run', port], capture_output=True, text=True)
                if not re.search('no answer|the port', run.stdout):
                    break
            else:
                sys.exit(run.stdout + run.stderr)
            lines = [line.split(maxsplit=1) for line in run.stdout.splitlines()]
            passed = ' '.join(group for group, verdict in lines if verdict == 'passed')
            failed = {group: verdict for group, verdict in lines if verdict not in ('passed', 'skipped')}
            libraries[package] = {'passed': passed, **failed}
    record([('ports.json', json.dumps(libraries, indent=1) + '\n')])


if sys.argv[1:2] == ['--answer']:
    import numpy
    import torch

    answer(sys.argv[2])
else:
    main()
