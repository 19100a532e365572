#!/usr/bin/env python3
"""Records the positional encodings of transformers' models in models.json, model-configs.json and model-layers.json, or checks them.

    make_models.py PYTHON4 [--check]

Needs transformers 5 and PyTorch, of any version (Debian: python3-torch): the package's configurations are imported, its
modeling files are executed against stand-ins for the modules that hold weights, so that no model is made. PYTHON4 is a
Python that has transformers 4. models.json names the versions that it was recorded with, and all `types` that transformers
knows. Its `positions` are the types that are not among its `models`, by what their classes say of positions: some of
`rotation`, `convolution`, `bias`, `table` and `parts`, or `none` (model_classes.py): web/posenc/models/refused-names.ts has them.
For each of its `models`:

    type, source    the model_type, and the file of the package that holds the model
    given           arguments of the configuration class besides its defaults; none if missing
    config          the keys of the class's config.json that KEEP names; `layer_types` only beside `layers`
    config4         the same of transformers 4, if it differs
    expected        the encoding of the modeling file for `config`: its kind, and the spec for posenc
    layers, parts   instead of `expected`: the same by the type of a layer, by the part of a model
    expected4, …    the same of `config4` as transformers 5 reads it, if it differs
    note            properties that a spec can't express

Further fields of `expected`:

    tensor          the weights' name in the base model's checkpoint
    frequencies     of a rotary encoding: that of the first, second, middle and last pair, as float32
    attentionFactor, softmaxFactor  of a rotary encoding, if they are not 1
    slopes          of ALiBi: those of the first and the last head
    count           rows of a table of relative biases
    note            properties that a spec can't express

A rotary spec is measured, not read: it must turn a random head at position 3 into the result of the modeling file, in one
of the two layouts. Sections are measured by turning one axis at a time, and the preset of sinusoids by comparing rows. That
of a rotary grid must turn every cell of a small grid, in the order in which the tower's forward passes them. The first
position of a table is the row that the model requests from the embedding.

model-layers.json holds what configurations say of their layers: see `layers`. model-queries.json holds what queries are
multiplied by at some positions: see `queries`.

model-configs.json holds configurations of checkpoints as `transformers` wrote them and the file `path` of a public
`repository` has them, again the keys that positions depend on. `altered` marks those whose sizes that repository
changed for its tests. `readAs` is the model_type of transformers 5 for one that the package does not know. This script
computes their expected encodings.
"""

import ast
import builtins
import inspect
import itertools
import json
import math
import re
import subprocess
import sys
import types
from contextlib import suppress
from pathlib import Path
from unittest.mock import MagicMock

import transformers
from model_classes import ROTATES, class_names, classes_of, evidence, home, place_of
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

FILE = Path(__file__).with_name('models.json')
CHECKPOINTS = Path(__file__).with_name('model-configs.json')
LAYERS = Path(__file__).with_name('model-layers.json')
QUERIES = Path(__file__).with_name('model-queries.json')

KEEP = re.compile(
    r'model_type|is_encoder_decoder|(encoder_|decoder_)?(hidden_size|(num_)?attention_heads)|d_model|d_kv|n_embd|dim|emb_dim'
    r'|embedding_size|embed_dim|num_(attention_)?heads|n_heads?|(qk_rope_|qk_nope_|attention_)?head_dim|kv_channels'
    r'|.*position.*|max_seq_len|n_ctx|.*rope.*|.*rotary.*|alibi.*|relative_.*|sinusoidal.*|pos_att_type|num_buckets'
    r'|max_bucket_distance|window_size|pad_token_id|image_size|patch_size|spatial_merge_size|num_register_tokens|layer_types'
    r'|(context|label|prediction|max)_length|num_(frames|mel_bins|patches)|tubelet_size|(frequency|time)_stride'
    r'|(local|global)_.*|(text_|vision_|attn_|vlm_|thinker_)config|decoder'
)
"""The keys of a config.json that positions depend on, and the sizes."""


def kept(config):
    return {
        key: kept(value) if isinstance(value, dict) and key.endswith('config') else value
        for key, value in config.items()
        if KEEP.fullmatch(key) and (key, value) != ('pad_token_id', None)
    }


def written(model_type, given):
    """What config.json holds of a class. Some classes of transformers 4 cannot write their defaults."""
    config = CONFIG_MAPPING[model_type](**given)
    try:
        return json.loads(config.to_json_string(use_diff=True))
    except AttributeError:
        return None


if '--configs' in sys.argv:
    known = [
        None if given is None or name not in CONFIG_MAPPING else (name, given) for name, given in json.load(sys.stdin)
    ]
    configs = [asked and written(*asked) for asked in known]
    root = str(Path(transformers.__file__).parent)
    print(json.dumps({'version': transformers.__version__, 'root': root, 'configs': configs}))
    sys.exit()

import torch
from transformers import modeling_rope_utils

ROOT = Path(transformers.__file__).parent


class Module:
    """Stands in for torch.nn.Module and for every layer that has no positions: it knows only what it is given."""

    def __init__(self, *_, **__):
        pass

    def __getattr__(self, name):
        if name.startswith('__') or name == 'weights':
            raise AttributeError(name)
        return MagicMock(name=name)

    def __call__(self, *_, **__):
        return MagicMock()

    def __setitem__(self, *_):
        pass

    def register_buffer(self, name, value, persistent=True):
        setattr(self, name, value)


class Parameter:
    """Weights of a shape. A slice of them is the numbers of its rows."""

    dtype, device = torch.float32, torch.device('cpu')

    def __init__(self, data=None, requires_grad=True):
        self.data, self.shape = data, tuple(getattr(data, 'shape', ()))

    def __getitem__(self, rows):
        return torch.arange(self.shape[0])[rows]

    def size(self, axis):
        return self.shape[axis]


class Embedding(Module):
    """Remembers the rows requested last."""

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, **_):
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        shape = (num_embeddings, embedding_dim)
        self.weight = Parameter(types.SimpleNamespace(shape=shape, clone=lambda: types.SimpleNamespace(shape=shape)))

    def forward(self, ids):
        return ids


class ModuleList(Module):
    def __init__(self, items=()):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def append(self, item):
        self.items.append(item)


class StandIns(types.ModuleType):
    """Stands in for torch.nn and torch: other names give a plain layer, or PyTorch's object."""

    def __init__(self, name, own, fallback):
        super().__init__(name)
        self.__dict__.update(own)
        self.fallback = fallback

    def __getattr__(self, name):
        return self.fallback(name)


def plain_layer(name):
    return Module if name[0].isupper() else MagicMock(name=name)


NN = StandIns(
    'nn',
    {
        **dict(
            Module=Module, Parameter=Parameter, Embedding=Embedding, ModuleList=ModuleList, ParameterList=ModuleList
        ),
        **dict(Sequential=lambda *items: ModuleList(items), Buffer=lambda tensor, persistent=True: tensor),
    },
    plain_layer,
)
TORCH = StandIns('torch', {'nn': NN}, lambda name: getattr(torch, name, None) or MagicMock(name=name))
modeling_rope_utils.torch = TORCH
KEPT_IMPORTS = set('abc collections copy dataclasses enum functools itertools logging math numpy typing'.split())
KEPT_DECORATORS = {'property', 'staticmethod', 'classmethod'}


class File:
    """A modeling file, executed with stand-ins for what it imports."""

    loaded = {}

    def __init__(self, root, path):
        self.path = path
        self.tree = ast.parse((root / path).read_text())
        self.classes = {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}
        bases = {b.id for node in self.classes.values() for b in node.bases if isinstance(b, ast.Name)} - {
            *self.classes
        }
        self.takes = {
            name: getattr(part.args.args[1].annotation, 'id', None)
            for name, node in self.classes.items()
            for part in node.body
            if getattr(part, 'name', '') == '__init__' and len(part.args.args) > 1
        }
        names = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)} - {*dir(builtins)}
        self.names = {name: self.stand_in(name, bases) for name in names}
        own = {'ROPE_INIT_FUNCTIONS': modeling_rope_utils.ROPE_INIT_FUNCTIONS, 'meshgrid': torch.meshgrid}
        self.names.update({'torch': TORCH, 'nn': NN, '__name__': path, **own})
        for node in self.tree.body:
            if not self.foreign(node):
                self.run(node)
        self.names.update({'torch': TORCH, 'nn': NN})

    @staticmethod
    def stand_in(name, bases):
        if name in bases:
            return Module
        return (lambda *_, **__: False) if re.match('_?is_', name) else MagicMock(name=name)

    @staticmethod
    def foreign(node):
        if isinstance(node, ast.ImportFrom):
            return node.level > 0 or node.module.split('.')[0] not in KEPT_IMPORTS
        return isinstance(node, ast.Import) and node.names[0].name.split('.')[0] not in KEPT_IMPORTS

    def run(self, node):
        """Annotations and decorators use missing names. Classes that Python can't derive are models with a head."""
        for part in ast.walk(node):
            if isinstance(part, (ast.ClassDef, ast.FunctionDef)):
                part.decorator_list = [
                    d
                    for d in part.decorator_list
                    if getattr(d, 'id', None) in KEPT_DECORATORS or getattr(d, 'attr', None) == 'setter'
                ]
            if isinstance(part, ast.FunctionDef):
                part.returns = None
            if isinstance(part, ast.arg):
                part.annotation = None
        try:
            exec(compile(ast.Module([node], []), self.path, 'exec'), self.names)
        except TypeError as error:
            if not re.search('consistent method resolution|duplicate base class', str(error)):
                raise

    def __getitem__(self, name):
        return self.names[name]

    @classmethod
    def of(cls, config, root=ROOT):
        """The file beside the configuration's, or that of another version."""
        path = '/'.join(place_of(home(type(config))))
        if (root, path) not in cls.loaded:
            cls.loaded[root, path] = cls(root, path)
        return cls.loaded[root, path]


VISION = File(ROOT, 'vision_utils.py')
"""Where vision towers have the positions of their patches from."""


def rounded(value):
    return float(f'{value:.8g}')


def camel(key):
    return re.sub('_(.)', lambda match: match[1].upper(), key)


# Rotary encodings

EMBEDDING = re.compile('RotaryEmbedding$')
NOT_LAYERS = re.compile('Cross|Linear|Indexer|Compressor')
SCALING_KEYS = {
    'linear': ['factor'],
    'dynamic': ['factor'],
    'yarn': [
        *('factor', 'original_max_position_embeddings', 'beta_fast', 'beta_slow', 'attention_factor', 'mscale'),
        *('mscale_all_dim', 'truncate'),
    ],
    'longrope': ['factor', 'short_factor', 'long_factor', 'original_max_position_embeddings', 'attention_factor'],
    'llama3': ['factor', 'low_freq_factor', 'high_freq_factor', 'original_max_position_embeddings'],
    'proportional': ['factor', 'partial_rotary_factor'],
}
"""What the functions of modeling_rope_utils.py read, beside the base and the width."""

MOONSHINE = dict(is_causal=True, num_attention_heads=8, num_key_value_heads=8)
BY_HAND = {
    # The layers of these classes name the arguments of their self-attention.
    'MoonshineAttention': lambda config: MOONSHINE,
    'MoonshineStreamingAttention': lambda config: MOONSHINE,
    'IdeficsAttention': lambda config: dict(hidden_size=config.hidden_size, num_heads=config.num_attention_heads),
    'LagunaAttention': lambda config: dict(num_heads=config.num_attention_heads),
}
INTERLEAVES = {
    # models/deepseek_v3/modeling_deepseek_v3.py: DeepseekV3Attention.forward asks config.rope_interleave.
    'apply_rotary_pos_emb_interleave': lambda config: config.rope_interleave,
}
TURNS = {
    # models/cohere2/modeling_cohere2.py: Cohere2Attention.forward
    'Cohere2Attention': lambda attention: attention.sliding_window is not None,
    # models/exaone4/modeling_exaone4.py: Exaone4Attention.forward
    'Exaone4Attention': lambda attention: attention.sliding_window is None or attention.is_sliding,
    # models/llama4/modeling_llama4.py: Llama4TextAttention.forward
    'Llama4TextAttention': lambda attention: attention.use_rope,
    # models/smollm3/modeling_smollm3.py: SmolLM3Attention.forward
    'SmolLM3Attention': lambda attention: attention.use_rope,
    'MistralLarge4TextAttention': lambda attention: attention.use_rope,
    **dict.fromkeys(
        # The condition stands in the forward of each, as in Cohere 2 or EXAONE 4.
        ['Cohere2MoeAttention', 'FlintAttention'], lambda attention: attention.sliding_window is not None
    ),
    **dict.fromkeys(
        ['ExaoneMoeAttention', 'Kolibri1Attention'],
        lambda attention: attention.sliding_window is None or attention.is_sliding,
    ),
    'AfmoeAttention': lambda attention: attention.is_local_attention,
}
"""Whether a layer turns its queries and keys, where not all do."""


def applied(node):
    """The functions that a class calls to rotate."""
    if not isinstance(node, ast.ClassDef):
        return []
    called = [getattr(c.func, 'id', getattr(c.func, 'attr', '')) for c in ast.walk(node) if isinstance(c, ast.Call)]
    return list(dict.fromkeys(name for name in called if ROTATES.match(name)))


def turned(x, frequencies, factor, layout, position):
    y, half = list(x), len(frequencies)
    for i, w in enumerate(frequencies):
        a, b = (i, i + half) if layout == 'half' else (2 * i, 2 * i + 1)
        c, s = math.cos(position * w) * factor, math.sin(position * w) * factor
        y[a], y[b] = x[a] * c - x[b] * s, x[b] * c + x[a] * s
    return y


def near(a, b):
    return len(a) == len(b) and max(abs(p - q) for p, q in zip(a, b)) < 1e-5


def rotate(function, x, angles, columns):
    """The result of the file's function for one head. Some attentions slice the rotated columns beforehand."""
    head, rest = x[:columns], x[columns:]
    names = list(inspect.signature(function).parameters)

    def call(part):
        part = part.view(1, 1, 1, -1)
        if not isinstance(angles, tuple):
            return function(part, part, angles)[0].flatten()
        if names[0] in ('x', 'tensor'):
            return function(part, **dict(zip(('cos', 'sin'), angles))).flatten()
        return function(part, part, *angles)[0].flatten()

    try:
        return call(x)
    except RuntimeError:
        return torch.cat([call(head), rest])


class Rotary:
    """A rotary encoding as an attention layer of a modeling file has it."""

    def __init__(self, config, layer=0, layer_type=None):
        self.config, self.file = config, File.of(config)
        classes = classes_of(type(config))
        # T5Gemma's is made by the class of the whole.
        rotaries = [name for name in classes if EMBEDDING.search(name)] or [c for c in self.file.classes if EMBEDDING.search(c)]
        attentions = [name for name, node in classes.items() if applied(node) and not NOT_LAYERS.search(name)]
        name = attentions[0]
        takes = inspect.signature(self.file[name].__init__).parameters
        given = {'layer_idx': layer} if 'layer_idx' in takes else {}
        self.attention = self.file[name](config=config, **given, **BY_HAND.get(name, lambda _: {})(config))
        self.turns = TURNS.get(name, lambda _: True)(self.attention)
        functions = applied(self.file.classes[name])
        if len(functions) > 1:
            functions = [f for f in functions if INTERLEAVES.get(f, lambda c: not c.rope_interleave)(config)]
        (self.function,) = [self.file[f] for f in functions]
        has = vars(self.attention)
        self.dim = next(
            has[k] for k in ('qk_rope_head_dim', 'head_dim', 'attention_head_size', 'head_size') if k in has
        )
        self.softmax, self.axes = 1.0, None
        if 'qk_rope_head_dim' in has:
            self.softmax = rounded(self.attention.scaling * math.sqrt(self.attention.qk_head_dim))
        if rotaries and 'create_sinusoidal_positions' not in self.file.names:
            bases = {base.id for name in rotaries for base in self.file.classes[name].bases if isinstance(base, ast.Name)}
            (rotary,) = [name for name in rotaries if name not in bases]
            self.rotary = self.file[rotary](config)
            made = vars(self.rotary)
            prefix = f'{layer_type}_' if f'{layer_type}_inv_freq' in made else ''
            self.layer = {'layer_type': layer_type} if prefix else {}
            self.frequencies = made[f'{prefix}inv_freq'].tolist()
            self.factor = made.get(f'{prefix}attention_scaling', 1.0)
            self.axes = made.get('mrope_section')
            parameters = getattr(config, 'rope_parameters', None)
            self.parameters = parameters[layer_type] if prefix else parameters or {'rope_theta': config.rope_theta}
        else:
            self.from_table(config)

    def from_table(self, config):
        """GPT-J: create_sinusoidal_positions makes a table of sines, then cosines, of rotary_dim or all columns."""
        dim = config.rotary_dim or config.n_embd // config.n_head
        table = self.file['create_sinusoidal_positions'](4, dim)
        sines, cosines = table.chunk(2, dim=-1)
        self.frequencies = torch.atan2(sines[1], cosines[1]).tolist()
        self.factor, self.parameters = 1.0, {}
        self.rotary = types.SimpleNamespace(forward=lambda x, at: (cosines[at], sines[at]))
        self.layer = {}

    def at(self, *positions):
        if self.axes is None:
            positions = positions[:1]
            return self.rotary.forward(torch.zeros(1, 1, self.dim), torch.tensor([positions]), **self.layer)
        return self.rotary.forward(torch.zeros(1, 1, self.dim), torch.tensor(positions).view(3, 1, 1), **self.layer)

    def expected(self):
        torch.manual_seed(8)
        x, columns = torch.randn(self.dim), 2 * len(self.frequencies)
        y = rotate(self.function, x, self.at(3, 3, 3), columns).tolist()
        x, note = x.tolist(), None
        layouts = [
            kind for kind in ('half', 'interleaved') if near(y, turned(x, self.frequencies, self.factor, kind, 3))
        ]
        if not layouts:
            pairs = turned(x, self.frequencies, self.factor, 'interleaved', 3)
            if near(y, pairs[0::2] + pairs[1::2]):
                layouts, note = ['interleaved'], 'The turned pairs are written as halves, of queries and keys alike.'
            elif near(y, turned(x, self.frequencies, self.factor, 'half', -3)):
                layouts, note = ['half'], 'It turns backwards: the position is negated.'
        (layout,) = layouts
        spec = {'dim': self.dim, 'rotaryDim': columns, 'base': self.base(), 'layout': layout, **self.scaling()}
        if self.axes is not None:
            spec |= self.sections(layout)
        found = {
            **{'kind': 'rotary', 'spec': spec, 'frequencies': self.some()},
            **{'attentionFactor': rounded(self.factor), 'softmaxFactor': self.softmax, 'note': note},
        }
        return {key: value for key, value in found.items() if value not in (None, 1.0)}

    def base(self):
        """If the configuration has none, it follows from the second frequency: base^(-2/columns)."""
        if 'rope_theta' in self.parameters:
            return self.parameters['rope_theta']
        return rounded(float(f'{self.frequencies[1] ** -len(self.frequencies):.4g}'))

    def scaling(self):
        kind = self.parameters.get('rope_type', 'default')
        if kind == 'default':
            return {}
        keys = {key: self.parameters[key] for key in SCALING_KEYS[kind] if self.parameters.get(key) is not None}
        if keys.get('mscale_all_dim') and self.softmax == 1.0:
            # Ministral 3: these make a factor of the cosines and sines, and none of the softmax.
            keys = {key: value for key, value in keys.items() if 'mscale' not in key} | {
                'attention_factor': self.factor
            }
        longest = self.config.max_position_embeddings
        if kind in ('yarn', 'longrope'):
            keys.setdefault('factor', longest / keys['original_max_position_embeddings'])
        if 'alpha' in self.parameters:
            # models/hunyuan_v1_dense/modeling_hunyuan_v1_dense.py: compute_ntk_alpha_rope_parameters
            return {'scaling': {'type': 'ntk', 'factor': self.parameters['alpha']}}
        if kind == 'dynamic':
            keys |= {'max_position_embeddings': longest, 'sequence_length': longest}
        return {'scaling': {'type': kind, **{camel(key): value for key, value in keys.items()}}}

    def sections(self, layout):
        pairs, order = len(self.frequencies), []
        moved = []
        for axis in range(3):
            # Far enough for the lowest frequencies to show in float32.
            angles = self.at(*[100 if axis == other else 0 for other in range(3)])
            moved.append((rotate(self.function, torch.ones(self.dim), angles, 2 * pairs) - 1).abs() > 1e-12)
        for i in range(pairs):
            a, b = (i, i + pairs) if layout == 'half' else (2 * i, 2 * i + 1)
            (axis,) = [axis for axis in range(3) if moved[axis][a] or moved[axis][b]]
            order.append(axis)
        sections = [order.count(axis) for axis in range(3)]
        blocks = [axis for axis in range(3) for _ in range(sections[axis])]
        mixed = [axis if i < 3 * sections[axis] else 0 for i in range(pairs) for axis in [i % 3]]
        (named,) = [name for name, like in (('blocks', blocks), ('interleaved', mixed)) if order == like]
        return {'sections': sections, 'sectionOrder': named}

    def some(self):
        w = self.frequencies
        return [rounded(w[i]) for i in (0, 1, len(w) // 2, len(w) - 1)]


def rotary(config):
    """Of all layers, or by their types: those that have parameters of their own, and those that turn or do not."""
    text = config.get_text_config(decoder=True)
    types_of_layers = getattr(text, 'layer_types', None) or []
    parameters = getattr(text, 'rope_parameters', None) or {}
    nested = text.nested_rope_parameter_keys(parameters)
    if nested:
        # A type of layers without parameters does not turn.
        still = {kind: {'kind': 'none'} for kind in types_of_layers if kind in parameters and not parameters[kind]}
        layers = {kind: Rotary(text, types_of_layers.index(kind), kind) for kind in nested if kind not in still}
        return {'layers': {kind: layer.expected() for kind, layer in layers.items()} | still}
    first = Rotary(text)
    if type(first.attention).__name__ not in TURNS:
        return {'expected': first.expected()}
    every = [(kind, Rotary(text, i)) for i, kind in enumerate(types_of_layers)]
    turning = {
        kind: {layer.turns for other, layer in every if other == kind} for kind in dict.fromkeys(types_of_layers)
    }
    moving = next(layer for _, layer in every if layer.turns)
    if {len(turns) for turns in turning.values()} == {1}:
        layers = {kind: moving.expected() if True in turns else {'kind': 'none'} for kind, turns in turning.items()}
        return {'layers': layers} if len(layers) > 1 else {'expected': moving.expected()}
    still = [i for i, (_, layer) in enumerate(every) if not layer.turns]
    return {'expected': moving.expected(), 'note': f'Layers without positions: {still}.'}


def roformer(config):
    """The sines and cosines of its table turn queries and keys, by a static method of its attention."""
    file = File.of(config)
    attention = file['RoFormerSelfAttention'](config)
    dim = attention.attention_head_size
    table = file['RoFormerSinusoidalPositionalEmbedding'](4, dim).create_weight()
    torch.manual_seed(8)
    x = torch.randn(dim)
    y = attention.apply_rotary_position_embeddings(table[3].view(1, 1, 1, -1), *[x.view(1, 1, 1, -1)] * 2)[0].flatten()
    frequencies = torch.atan2(table[1, : dim // 2], table[1, dim // 2 :]).tolist()
    (layout,) = [k for k in ('half', 'interleaved') if near(y.tolist(), turned(x.tolist(), frequencies, 1.0, k, 3))]
    base = rounded(float(f'{frequencies[1] ** -len(frequencies):.4g}'))
    spec = {'dim': dim, 'rotaryDim': dim, 'base': base, 'layout': layout}
    return {'expected': {'kind': 'rotary', 'spec': spec}}


# Rotations of grids

CELLS = (4, 6)
"""The grid that is measured. Its order shows blocks of 2 by 2 cells."""


def indexed(first):
    return lambda size, dim, base: [
        [(first + i) / base ** (4 * k / dim) for k in range(dim // 4)] for i in range(size)
    ]


def centered(size, dim, base):
    return [[math.tau * ((2 * i + 1) / size - 1) / base ** (4 * k / dim) for k in range(dim // 4)] for i in range(size)]


GRIDS = [('qwen2-vl', indexed(0), 'hw'), ('llama4', indexed(1), 'wh'), ('dinov3', centered, 'hw')]
"""The presets of posenc that these towers have: the angles along an axis, and the order of the axes."""


def cell_order(merge):
    """Rows of CELLS, in blocks of merge by merge."""
    height, width = CELLS
    return [
        (down + y, across + x)
        for down in range(0, height, merge)
        for across in range(0, width, merge)
        for y in range(merge)
        for x in range(merge)
    ]


def cell_positions(config, file, classes):
    """What a tower's forward passes to its rotation: its own statements, with patches in the order of their processor."""
    for name, node in classes.items():
        for part in node.body if isinstance(node, ast.ClassDef) else []:
            assigned = [
                statement
                for statement in ast.walk(part)
                if isinstance(statement, ast.Assign) and getattr(statement.targets[0], 'id', '') == 'position_ids'
            ]
            if any(getattr(c, 'id', '') == 'get_vision_position_ids' for a in assigned for c in ast.walk(a.value)):
                break
        else:
            continue
        grid, count = torch.tensor([[1, *CELLS]]), math.prod(CELLS)
        scope = {
            **file.names,
            'get_vision_position_ids': VISION['get_vision_position_ids'],
            **{'self': file[name](config), 'grid_thw': grid, 'patch_grid_thw': grid, 'kwargs': {}},
            **{'merge_sizes': torch.tensor([1]), 'merge': getattr(config, 'spatial_merge_size', 1)},
            # Windows reorder patches and positions alike. A class token comes before the patches.
            **{'window_index': slice(None), 'patch_index': torch.arange(count) + 1, 'device': 'cpu'},
            'hidden_states': torch.zeros(count + 1, 1),
        }
        for statement in sorted(assigned, key=lambda a: a.lineno):
            exec(compile(ast.Module([statement], []), file.path, 'exec'), scope)
        return scope['position_ids']
    raise ValueError('no grid')


def cell_angles(config, file, classes):
    """The cosines and sines that a tower's class makes for CELLS."""
    (name,) = [name for name in classes if EMBEDDING.search(name) or name.endswith('RopePositionEmbedding')]
    rotary = file[name](config)
    rotary.training = False
    if 'pixel_values' in inspect.signature(rotary.forward).parameters:
        return rotary.forward(torch.zeros(1, 3, *[cells * config.patch_size for cells in CELLS]))
    return rotary.forward(torch.zeros(1), cell_positions(config, file, classes))


def adds_table(classes):
    """Whether a class has weights that are named after positions."""
    made = [part for node in classes.values() for part in ast.walk(node) if isinstance(part, ast.Assign)]
    return any(
        'pos' in getattr(part.targets[0], 'attr', '') and getattr(part.value.func, 'attr', '') in ('Embedding', 'Parameter')
        for part in made
        if isinstance(part.value, ast.Call)
    )


def rotary_grid(config):
    """A vision tower that turns all heads of CELLS, after rows that it does not turn."""
    file, classes = File.of(config), classes_of(type(config))
    cosines, sines = cell_angles(config, file, classes)
    rows, dim = cosines.shape
    tokens, base = rows - math.prod(CELLS), getattr(config, 'rope_theta', None) or config.rope_parameters['rope_theta']
    torch.manual_seed(8)
    x = torch.randn(rows, dim)
    # ERNIE's file has a second function, for the text.
    apply = max(name for name in classes if ROTATES.match(name))
    shape = (1, 1, rows, dim) if apply == 'apply_rotary_pos_emb' else (rows, 1, dim)
    y = file[apply](x.view(shape), x.view(shape), cosines, sines)[0].view(rows, dim).tolist()
    found = []
    for (preset, angles, axes), layout, merge in itertools.product(GRIDS, ('half', 'interleaved'), (1, 2)):
        along = dict(zip('hw', [angles(size, dim, base) for size in CELLS]))
        places = [dict(zip('hw', place)) for place in cell_order(merge)]
        turns = [[a for axis in axes for a in along[axis][place[axis]]] for place in places]
        turns = [[0.0] * (dim // 2)] * tokens + turns
        if all(near(mine, turned(its, turn, 1.0, layout, 1)) for mine, its, turn in zip(y, x.tolist(), turns)):
            found.append({'dim': dim, 'preset': preset, 'base': base, 'layout': layout, 'mergeSize': merge})
    (spec,) = found
    if apply == 'apply_rotary_pos_emb':
        # Its tokens are left out of the cosines.
        tokens = 1 + config.num_register_tokens
    spec['classToken'] = tokens
    if hasattr(config, 'image_size'):
        spec['shape'] = [config.image_size // config.patch_size] * 2
    note = {'note': 'A learned table is added as well.'} if adds_table(classes) else {}
    return {'expected': {'kind': 'rotaryGrid', 'spec': spec, **note}}


# Tables

PLACES = re.compile(r'(.*\.)?(position_embeddings?|embed_positions|wpe|positions_embed|pos_embed)(\.weight)?')


def weights(module, path=''):
    """The parameters of a model made of stand-ins: name, shape, the embedding and the module that holds it."""
    items = list(enumerate(module.items))[:1] if isinstance(module, ModuleList) else []
    for name, value in [*items, *vars(module).items()]:
        here = f'{path}{name}'
        if isinstance(value, Parameter):
            yield here, value.shape, None, module
        elif isinstance(value, Embedding):
            yield f'{here}.weight', (value.num_embeddings, value.embedding_dim), value, module
        elif isinstance(value, Module):
            yield from weights(value, f'{here}.')


TOKENS = torch.tensor([[7, 8, 9]])
"""No padding."""


def first_row(file, embedding, owner):
    """The row for the first of TOKENS."""
    if embedding is None:
        return 0
    if type(embedding) is not Embedding:
        takes = list(inspect.signature(type(embedding).forward).parameters)[1]
        asked = {'attention_mask': torch.ones_like(TOKENS), 'input_ids_shape': TOKENS.shape}.get(takes, TOKENS)
        return int(torch.as_tensor(embedding.forward(asked)).flatten()[0])
    if hasattr(type(owner), 'create_position_ids_from_input_ids'):
        return int(owner.create_position_ids_from_input_ids(TOKENS, owner.padding_idx)[0, 0])
    if embedding.padding_idx is not None and 'create_position_ids_from_input_ids' in file.names:
        return int(file['create_position_ids_from_input_ids'](TOKENS, embedding.padding_idx)[0, 0])
    # models/gpt2/modeling_gpt2.py, GPT2Model.forward, and its like: arange from past_seen_tokens
    return int(vars(owner).get('position_ids', torch.zeros(1))[..., 0].flatten()[0])


def learned(config, name=None, part='', file=None):
    """The table of positions of a model, or of a part of it whose names begin with that."""
    file = file or File.of(config)
    model = file[name or class_names()[config.model_type]](config)
    places = [place for place in weights(model) if PLACES.fullmatch(place[0]) and place[0].startswith(part)]
    ((tensor, shape, embedding, owner),) = places
    rows, dim = shape[-2:]
    start = first_row(file, embedding, owner)
    spec = {'rows': rows, 'dim': dim} | ({'start': start} if start else {})
    return {'kind': 'learned', 'spec': spec, 'tensor': tensor}


def learned_of(config):
    """The only table of the models that take this configuration, by the annotation of their argument."""
    found = []
    for name, node in File.of(config).classes.items():
        if re.search('(Model|Encoder|Decoder|Transformer)$', name) and type(config).__name__ == File.of(config).takes.get(name):
            found.append(name)
    for name in found:
        with suppress(Exception):
            return {'expected': learned(config, name)}
    raise ValueError('no table')


def embedded(name, file=''):
    """The table of a model whose class stand-ins can't make: that of its embeddings."""

    def read(config):
        found = learned(config, name, file=File(ROOT, f'models/{file}.py') if file else None)
        return {**found, 'tensor': f'embeddings.{found["tensor"]}'}

    return one(read)


def interleaved(dim, p):
    return [f(p / 10000 ** (2 * (i // 2) / dim)) for i in range(dim) for f in [math.cos if i % 2 else math.sin]]


def two_halves(dim, p, last, order=(math.sin, math.cos)):
    angles = [p / 10000 ** (i / last) for i in range(dim // 2)]
    return [f(angle) for f in order for angle in angles]


SINUSOIDS = [
    ({'preset': 'transformer'}, interleaved),
    ({'preset': 'roformer'}, lambda dim, p: two_halves(dim, p, dim / 2)),
    ({'preset': 'tensor2tensor'}, lambda dim, p: two_halves(dim, p, dim // 2 - 1)),
    (
        {'preset': 'tensor2tensor', 'layout': 'cos-sin'},
        lambda dim, p: two_halves(dim, p, dim // 2 - 1, (math.cos, math.sin)),
    ),
]


def sinusoidal(rows, padding=None, zero=None):
    """The spec whose rows these are. `zero` is a row of zeros, and `padding` its number."""
    rows = [row.tolist() for row in rows]
    dim = len(rows[0])
    found = [
        (spec, start)
        for spec, formula in SINUSOIDS
        for start in range(4)
        if all(max(abs(a - b) for a, b in zip(row, formula(dim, start + i))) < 1e-5 for i, row in enumerate(rows))
    ]
    ((spec, start),) = found
    spec = {'dim': dim, **spec} | ({'start': start} if start else {})
    if zero is not None and not zero.any():
        spec['zeroAt'] = padding
    return {'kind': 'sinusoidal', 'spec': spec}


def made_table(config, name, dim, rows=8):
    """For embeddings that contain their table and compute positions from tokens."""
    padding = config.pad_token_id
    embedding = File.of(config)[name](rows, dim, padding)
    table = embedding.weights
    takes = list(inspect.signature(embedding.forward).parameters)[0]
    tokens = torch.arange(3)[None] if takes == 'position_ids' else TOKENS
    return sinusoidal(embedding.forward(tokens)[0], padding, table[padding])


def filled_table(config, name, dim):
    """For embeddings that fill their weights later and are indexed by row."""
    embedding = File.of(config)[name](8, dim)
    return sinusoidal(embedding.create_weight()[embedding.forward(TOKENS.shape)])


def fsmt(config):
    file, padding = File.of(config), config.pad_token_id
    embedding = file['SinusoidalPositionalEmbedding'](8, config.d_model, padding)
    table = embedding.get_embedding(8, config.d_model, padding)
    return sinusoidal(table[embedding.forward(TOKENS)][0], padding, table[padding])


def musicgen(config, name='Musicgen'):
    dim = config.decoder.hidden_size
    embedding = File.of(config.decoder)[f'{name}SinusoidalPositionalEmbedding'](8, dim)
    takes = list(inspect.signature(embedding.forward).parameters)[0]
    return sinusoidal(embedding.forward(torch.zeros(1, 3, dim) if takes == 'inputs_embeds' else TOKENS[None]))


def series(name, prefix):
    """Positions of a decoder go on after those of the context: the argument of its embed_positions."""

    def encoder(config):
        return filled_table(config, f'{prefix}SinusoidalPositionalEmbedding', config.d_model)

    def decoder(config):
        calls = [c for c in ast.walk(File.of(config).classes[f'{name}Decoder']) if isinstance(c, ast.Call)]
        (past,) = [k.value for c in calls for k in c.keywords if getattr(c.func, 'attr', '') == 'embed_positions']
        start = eval(ast.unparse(past), {'self': types.SimpleNamespace(config=config)})
        return {'kind': 'sinusoidal', 'spec': {**encoder(config)['spec'], 'start': start}}

    return parts(encoder=encoder, decoder=decoder)


def pegasus_x(config):
    embedding = File.of(config)['PegasusXSinusoidalPositionalEmbedding'](config.d_model)
    return sinusoidal(embedding.forward(torch.zeros(1, 3, config.d_model))[0])


def grid(config, dim, tensor):
    """MAE's: each half of the columns is the sinusoid of one axis; before the cells a row of zeros."""
    side = config.image_size // config.patch_size
    table = torch.tensor(File.of(config, ROOT4)['get_2d_sincos_pos_embed'](dim, side, add_cls_token=True))
    across, down = (two_halves(dim // 2, p, dim / 4) for p in (1, 2))
    row = table[1 + 1 + 2 * side].tolist()
    (first,) = [k for k, like in (('width', across + down), ('height', down + across)) if near(row, like)]
    spec = {'dim': dim, 'shape': [side, side], 'preset': 'mae', 'first': first, 'classToken': not table[0].any()}
    return {'kind': 'grid', 'spec': spec, 'tensor': tensor}


# Relative positions


def alibi(heads, bias):
    """Slopes are the differences of neighbouring keys."""
    slopes = (bias.view(heads, -1)[:, -1] - bias.view(heads, -1)[:, -2]).tolist()
    return {'kind': 'alibi', 'spec': {'heads': heads}, 'slopes': [rounded(slopes[0]), rounded(slopes[-1])]}


def falcon_alibi(config):
    bias = File.of(config)['build_alibi_tensor'](torch.ones(1, 3), config.num_attention_heads, torch.float32)
    return alibi(config.num_attention_heads, bias)


def bloom(config):
    file = File.of(config)
    slopes = file['_get_alibi_slopes'](config.n_head, None)
    return alibi(config.n_head, torch.stack([slopes * 0, slopes], dim=-1))


def mpt(config):
    given = {'alibi_bias_max': config.attn_config.alibi_bias_max}
    found = alibi(config.n_heads, File.of(config)['build_mpt_alibi_tensor'](config.n_heads, 3, **given))
    found['spec']['maxBias'] = config.attn_config.alibi_bias_max
    return found


def biases(model, part=''):
    """The first table of trained biases of a model: name, rows and the module that holds it."""
    tables = [w for w in weights(model) if 'rel' in w[0] and w[0].startswith(part) and len(w[1]) == 2]
    name, (rows, _), _, owner = tables[0]
    return name, rows, owner


def relative_buckets(spec, tensor, count):
    return {'kind': 'relativeBuckets', 'spec': spec, 'tensor': tensor, 'count': count}


def t5_buckets(tensor, count, bucket, longest):
    """`bucket` finds the buckets of distances, of which those before and after are the same if it has one direction."""
    later, earlier = bucket(torch.tensor([5, -5]))
    spec = {'type': 't5', 'buckets': count, 'maxDistance': longest, 'bidirectional': bool(later != earlier)}
    return relative_buckets(spec, tensor, count)


def t5(name=None):
    """The first layer of encoder and decoder has the biases of all."""

    def of(part):
        def read(config):
            model = File.of(config)[name or class_names()[config.model_type]](config)
            tensor, count, attention = biases(model, part)
            spec = {
                'type': 't5',
                'buckets': attention.relative_attention_num_buckets,
                'maxDistance': attention.relative_attention_max_distance,
                'bidirectional': not attention.is_decoder,
            }
            return relative_buckets(spec, tensor, count)

        return read

    return parts(encoder=of('encoder'), decoder=of('decoder'))


def mpnet(config):
    """models/mpnet/modeling_mpnet.py: compute_position_bias leaves max_distance to the default of the bucket."""
    model = File.of(config)['MPNetModel'](config)
    tensor, count, encoder = biases(model, 'encoder')
    bucket = encoder.relative_position_bucket
    longest = inspect.signature(bucket).parameters['max_distance'].default
    return t5_buckets(tensor, count, lambda distances: bucket(distances, num_buckets=count), longest)


def wavlm(config):
    model = File.of(config)['WavLMModel'](config)
    tensor, count, attention = biases(model)
    return t5_buckets(tensor, count, attention._relative_positions_bucket, attention.max_distance)


def deberta_v2(config):
    """models/deberta_v2/modeling_deberta_v2.py: encoder asks relative_attention."""
    if not config.relative_attention:
        return learned(config)
    model = File.of(config)['DebertaV2Model'](config)
    encoder = model.encoder
    spec = {'type': 'deberta', 'buckets': encoder.position_buckets, 'maxPositions': encoder.max_relative_positions}
    tensor, count, _ = biases(model)
    return relative_buckets(spec, tensor, count)


def wav2vec2_bert(config):
    """models/wav2vec2_bert/modeling_wav2vec2_bert.py: its attention looks distances up, or turns hidden states."""
    file = File.of(config)
    attention = file['Wav2Vec2BertSelfAttention'](config)
    if config.position_embeddings_type == 'rotary':
        torch.manual_seed(8)
        x, rotary, dim = torch.randn(1, 4, config.hidden_size), file['Wav2Vec2BertRotaryPositionalEmbedding'](config), attention.head_size
        y = attention._apply_rotary_embedding(x, rotary.forward(x))[0, 3, :dim].tolist()
        its, frequencies = x[0, 3, :dim].tolist(), rotary.inv_freq.tolist()
        (layout,) = [kind for kind in ('half', 'interleaved') if near(y, turned(its, frequencies, 1.0, kind, 3))]
        return {'kind': 'rotary', 'spec': {'dim': dim, 'base': config.rotary_embedding_base, 'layout': layout}}
    left, right = attention.left_max_position_embeddings, attention.right_max_position_embeddings
    stand_in = {**vars(attention), 'distance_embedding': lambda ids: ids[..., None].float(), 'scaling': 1}
    query, at = torch.ones(1, 1, 100, 1), torch.arange(100)
    _, index = file['_apply_relative_key_position_encoding'](types.SimpleNamespace(**stand_in), query, query)
    if not torch.equal(index[0, 0], ((at - at[:, None]).clamp(-left, right) + left).float()):
        raise ValueError('its indices are others')
    model = file['Wav2Vec2BertModel'](config)
    (tensor,) = [name for name, *_ in weights(model) if 'distance' in name]
    spec = {'type': 'clip', 'left': left, 'right': right}
    return relative_buckets(spec, tensor, attention.distance_embedding.num_embeddings)


def window(name):
    """Checkpoints have the tensor's name of transformers 4. Three more rows than a window needs are a class token's."""

    def read(config):
        model = File.of(config)[name](config)
        _, count, bias = biases(model)
        tensor = biases(File.of(config, ROOT4)[name](config))[0]
        shape = list(vars(bias).get('window_size') or [config.window_size] * 2)
        more = count - math.prod(2 * side - 1 for side in shape)
        spec = {'shape': shape} | ({'classToken': True} if more == 3 else {})
        return {'kind': 'windowIndex', 'spec': spec, 'tensor': tensor, 'count': count}

    return read


NO_POSITIONS = re.compile(r'^(rotary.*|alibi|position_embeddings?|embed_positions|relative_.*|wpe)$')


def none(config):
    """No class of the modeling file rotates, and none has an attribute named after positions."""
    for name, node in File.of(config).classes.items():
        has = [
            part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute) and NO_POSITIONS.search(part.attr)
        ]
        if applied(node) or has:
            raise ValueError(f'{name} has positions: {applied(node)} {has}')
    return {'kind': 'none'}


def one(function, *arguments):
    return lambda config: {'expected': function(config, *arguments)}


def parts(**functions):
    return lambda config: {'parts': {part: function(config) for part, function in functions.items()}}


# The models

GIVEN_YARN = {'rope_type': 'yarn', 'factor': 4.0, 'original_max_position_embeddings': 32768}
GIVEN_LLAMA3 = {
    **{'rope_type': 'llama3', 'factor': 8.0, 'low_freq_factor': 1.0, 'high_freq_factor': 4.0},
    'original_max_position_embeddings': 8192,
}
LONGROPE = {'short_factor': [1.0 + i / 4 for i in range(8)], 'long_factor': [1.0 + i for i in range(8)]}
SMALL = {'max_position_embeddings': 131072, 'hidden_size': 512}
GIVEN_DEEPSEEK = {
    **{'rope_type': 'yarn', 'factor': 40.0, 'original_max_position_embeddings': 4096, 'beta_fast': 32, 'beta_slow': 1},
    **{'mscale': 1.0, 'mscale_all_dim': 1.0},
}
SECTIONS = {'rope_type': 'default', 'mrope_section': [8, 12, 12]}


def scaled(theta, parameters, **rest):
    """The arguments for transformers 5 and for transformers 4."""
    return {'rope_parameters': {'rope_theta': theta, **parameters}, **rest}, scaled4(theta, parameters, **rest)


def scaled4(theta, parameters, **rest):
    return {'rope_theta': theta, 'rope_scaling': parameters, **rest}


def rotary_if(asked, otherwise=None):
    return lambda config: (
        rotary(config) if asked(config) else {'expected': otherwise(config) if otherwise else {'kind': 'none'}}
    )


def text_and_vision(name):
    """models/clip/modeling_clip.py and its like: CLIPModel has text_model and vision_model."""

    def part(config, key, kind):
        found = learned(getattr(config, f'{key}_config'), f'{name}{kind}Model')
        return {**found, 'tensor': f'{key}_model.{found["tensor"]}'}

    return parts(text=lambda c: part(c, 'text', 'Text'), vision=lambda c: part(c, 'vision', 'Vision'))


both = parts(encoder=lambda c: learned(c, part='encoder'), decoder=lambda c: learned(c, part='decoder'))


def dpr(config):
    """models/dpr/modeling_dpr.py: DPREncoder makes a BertModel."""
    return learned(CONFIG_MAPPING['bert'].from_dict({**config.to_dict(), 'model_type': 'bert'}))


def same(function, *arguments):
    """Of encoder and decoder."""
    return parts(
        encoder=lambda c: function(c, *arguments, c.d_model), decoder=lambda c: function(c, *arguments, c.d_model)
    )


def filled(config, dim):
    return sinusoidal(File.of(config)['create_sinusoidal_embeddings'](3, dim, torch.zeros(3, dim)))


HEAD = {'head_dim': 128}
COMPASS = {
    'sliding_attention': {'rope_type': 'default', 'rope_theta': 50000.0, 'mrope_section': [24, 20, 20]},
    'full_attention': None,
}
INDEXER = {
    **{'indexer_n_heads': 2, 'indexer_kv_heads': 1, 'indexer_head_dim': 256, 'indexer_budget': 4},
    'indexer_compress_ratio': 4,
    'rope_parameters': {'rope_theta': 10000000.0, 'partial_rotary_factor': 0.25},
}
FEW = {'num_hidden_layers': 6}
SERIES = {'prediction_length': 24, 'context_length': 48}
RELATIVE = {'relative_attention': True, 'position_buckets': 256, 'pos_att_type': ['p2c', 'c2p']}
ROTARY = """
    llama mistral mixtral ministral3 qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next qwen2_vl qwen2_5_vl qwen3_vl
    qwen3_vl_moe qwen3_5 qwen3_5_moe qwen3_5_text gemma gemma2 phi phi3 phi4_multimodal phimoe gpt_neox
    gpt_neox_japanese gptj codegen gpt_oss starcoder2 cohere glm glm4 deepseek_v2 deepseek_v3 olmo olmo2 olmoe
    granite granitemoe persimmon jetmoe mllama smollm3 ernie4_5 ernie4_5_moe helium moonshine bitnet minimax
    minimax_m2 arcee seed_oss dots1 apertus lfm2 bamba diffllama chameleon mistral3 nomic_bert internvl llava
    voxtral stablelm nanochat kimi_k25 idefics3 paligemma fuyu falcon_h1 eurobert olmo_hybrid recurrent_gemma
    falcon
"""
LEARNED = """
    bert roberta xlm-roberta xlm-roberta-xl camembert distilbert electra albert gpt2 gpt_neo gpt_bigcode opt biogpt
    big_bird layoutlm vit deit dinov2 dinov2_with_registers openai-gpt longformer data2vec-text xlm flaubert deberta
"""
MODELS = [
    *[(name, rotary) for name in ROTARY.split()],
    *[
        (name, rotary, FEW)
        for name in (
            *('gemma3_text', 'gemma4_text', 'llama4_text', 'cohere2', 'exaone4', 'modernbert'),
            *('afmoe', 'cohere2_moe', 'exaone_moe', 'flint', 'kolibri1'),
        )
    ],
    *[(name, rotary, {'text_config': FEW}) for name in ('gemma3', 'gemma4', 'llama4')],
    ('gemma3n', rotary, {'text_config': {'num_hidden_layers': 10, 'num_kv_shared_layers': 0}}),
    ('olmo3', rotary, FEW, {'rope_theta': 500000.0, **FEW}),
    ('ministral', rotary, HEAD),
    ('hunyuan_v1_dense', rotary, HEAD),
    ('hunyuan_v1_dense', rotary, *scaled(10000.0, {'rope_type': 'dynamic', 'factor': 1.0, 'alpha': 1000.0}, **HEAD)),
    ('nemotron', rotary, {'num_key_value_heads': 8}),
    ('glm4_moe', rotary, HEAD),
    (
        'glm4v',
        rotary,
        {'text_config': {'rope_parameters': {'rope_theta': 10000.0, 'partial_rotary_factor': 0.5, **SECTIONS}}},
        {'text_config': scaled4(10000.0, SECTIONS, partial_rotary_factor=0.5)},
    ),
    ('minimax_m2', rotary, {'rotary_dim': 64}),
    *[(name, rotary, HEAD, None) for name in ('hunyuan_v1_moe', 'qwen3_omni_moe_text', 'qwen3_omni_moe_talker_text')],
    *[
        (name, rotary, {'rope_parameters': {'partial_rotary_factor': 0.5, 'rope_theta': 10000.0, **SECTIONS}, **HEAD}, None)
        for name in ('glm4v_text', 'glm4v_moe_text', 'glm_image_text')
    ],
    ('qwen3_omni_moe_thinker', rotary, {'text_config': HEAD}, None),
    ('qwen4_exp_text', rotary, INDEXER, None),
    ('minimax_m3_vl_text', rotary, {'rope_parameters': {'rope_theta': 5000000.0, 'partial_rotary_factor': 0.5}}, None),
    ('laguna', rotary, FEW, None),
    ('cohere_compass_text', rotary, {'num_hidden_layers': 2, 'layer_types': [*COMPASS], 'rope_parameters': COMPASS}, None),
    ('llama', rotary, *scaled(500000.0, GIVEN_LLAMA3, max_position_embeddings=131072)),
    ('llama', rotary, *scaled(10000.0, {'rope_type': 'linear', 'factor': 2.0})),
    ('llama', rotary, *scaled(10000.0, {'rope_type': 'dynamic', 'factor': 2.0})),
    ('qwen2', rotary, *scaled(1000000.0, GIVEN_YARN, max_position_embeddings=32768)),
    (
        'phi3',
        rotary,
        scaled(10000.0, {'rope_type': 'longrope', **LONGROPE}, **SMALL)[0],
        scaled4(10000.0, {'type': 'longrope', **LONGROPE}, **SMALL),
    ),
    ('deepseek_v3', rotary, *scaled(10000.0, GIVEN_DEEPSEEK, max_position_embeddings=163840)),
    ('falcon', one(falcon_alibi), {'alibi': True}),
    (
        'dbrx',
        rotary,
        {'attn_config': {'rope_theta': 500000.0}, 'rope_parameters': {'rope_type': 'default', 'rope_theta': 500000.0}},
        None,
    ),
    # models/esm/modeling_esm.py: EsmEmbeddings and EsmModel
    ('esm', rotary_if(lambda c: c.position_embedding_type == 'rotary', learned), {'vocab_size': 33, 'pad_token_id': 1}),
    ('esm', rotary, {'vocab_size': 33, 'pad_token_id': 1, 'position_embedding_type': 'rotary'}),
    # models/zamba2/modeling_zamba2.py: Zamba2Model
    ('zamba2', rotary_if(lambda c: c.use_mem_rope)),
    ('zamba2', rotary, {'use_mem_rope': True}),
    # models/granitemoehybrid/modeling_granitemoehybrid.py: GraniteMoeHybridModel
    ('granitemoehybrid', rotary_if(lambda c: c.position_embedding_type == 'rope')),
    ('granitemoehybrid', rotary, {'position_embedding_type': 'rope'}),
    ('roformer', roformer),
    *[(name, one(learned)) for name in LEARNED.split()],
    *[(name, both) for name in ('bart', 'mbart', 'blenderbot', 'blenderbot-small', 'led')],
    ('dpr', one(dpr)),
    ('luke', one(lambda c: learned(c, part='embeddings'))),
    (
        'git',
        parts(
            text=lambda c: learned(c, part='embeddings'), vision=lambda c: learned(c.vision_config, 'GitVisionTransformer')
        ),
    ),
    ('blip_text_model', embedded('BlipTextEmbeddings', 'blip/modeling_blip_text')),
    ('blip_2_vision_model', embedded('Blip2VisionEmbeddings')),
    ('instructblip_vision_model', embedded('InstructBlipVisionEmbeddings')),
    ('instructblipvideo_vision_model', embedded('InstructBlipVideoVisionEmbeddings')),
    ('idefics_vision', embedded('IdeficsVisionEmbeddings', 'idefics/vision')),
    ('clip', text_and_vision('CLIP')),
    ('siglip', text_and_vision('Siglip')),
    (
        'whisper',
        parts(
            encoder=lambda c: sinusoidal(File.of(c)['sinusoids'](3, c.d_model)),
            decoder=lambda c: learned(c, part='decoder'),
        ),
    ),
    ('marian', same(filled_table, 'MarianSinusoidalPositionalEmbedding')),
    ('pegasus', same(filled_table, 'PegasusSinusoidalPositionalEmbedding')),
    ('m2m_100', same(made_table, 'M2M100SinusoidalPositionalEmbedding')),
    ('nllb-moe', same(made_table, 'NllbMoeSinusoidalPositionalEmbedding')),
    ('speech_to_text', same(made_table, 'Speech2TextSinusoidalPositionalEmbedding')),
    ('xglm', one(lambda c: made_table(c, 'XGLMSinusoidalPositionalEmbedding', c.d_model))),
    ('fsmt', parts(encoder=fsmt, decoder=fsmt)),
    ('musicgen', parts(decoder=musicgen), {}, None),
    ('musicgen_melody', parts(decoder=lambda c: musicgen(c, 'MusicgenMelody')), {}, None),
    ('pegasus_x', parts(encoder=pegasus_x, decoder=pegasus_x)),
    ('autoformer', series('Autoformer', 'Autoformer'), SERIES),
    ('informer', series('Informer', 'Informer'), SERIES),
    ('time_series_transformer', series('TimeSeriesTransformer', 'TimeSeries'), SERIES),
    ('kosmos_2_text_model', one(lambda c: made_table(c, 'Kosmos2TextSinusoidalPositionalEmbedding', c.embed_dim))),
    ('kosmos_2_5_text_model', one(lambda c: made_table(c, 'Kosmos2_5TextSinusoidalPositionalEmbedding', c.embed_dim))),
    ('trocr', one(lambda c: made_table(c, 'TrOCRSinusoidalPositionalEmbedding', c.d_model)), {'use_learned_position_embeddings': False}),
    ('trocr', learned_of),
    ('videomae', one(lambda c: sinusoidal(File.of(c)['get_sinusoid_encoding_table'](3, c.hidden_size)[0]))),
    ('tipsv2_text_model', one(lambda c: sinusoidal(File.of(c)['Tipsv2SinusoidalPositionalEmbedding'](c).weights[:3]))),
    ('xlm', one(lambda c: filled(c, c.emb_dim)), {'sinusoidal_embeddings': True}),
    ('flaubert', one(lambda c: filled(c, c.emb_dim)), {'sinusoidal_embeddings': True}),
    (
        'distilbert',
        one(lambda c: sinusoidal(File.of(c)['_create_sinusoidal_embeddings'](3, c.dim, torch.zeros(3, c.dim)))),
        {'sinusoidal_pos_embds': True},
    ),
    ('ctrl', one(lambda c: sinusoidal(File.of(c)['positional_encoding'](3, c.n_embd, torch.float)))),
    (
        'vit_mae',
        parts(
            encoder=lambda c: grid(c, c.hidden_size, 'embeddings.position_embeddings'),
            decoder=lambda c: grid(c, c.decoder_hidden_size, 'decoder.decoder_pos_embed'),
        ),
    ),
    ('bloom', one(bloom)),
    ('mpt', one(mpt)),
    *[(name, t5()) for name in ('t5', 'mt5', 'umt5', 'longt5', 'udop', 'switch_transformers')],
    ('pop2piano', t5('Pop2PianoForConditionalGeneration')),
    ('mpnet', one(mpnet)),
    ('wavlm', one(wavlm)),
    ('wav2vec2-bert', one(wav2vec2_bert)),
    ('wav2vec2-bert', one(wav2vec2_bert), {'position_embeddings_type': 'rotary'}),
    ('deberta-v2', one(deberta_v2)),
    ('deberta-v2', one(deberta_v2), RELATIVE),
    ('swin', one(window('SwinModel'))),
    ('maskformer-swin', one(window('MaskFormerSwinModel'))),
    ('donut-swin', one(window('DonutSwinModel'))),
    ('beit', one(window('BeitModel')), {'use_relative_position_bias': True}),
    ('data2vec-vision', one(window('Data2VecVisionModel')), {'use_relative_position_bias': True}),
    *[
        (name, one(none))
        for name in ('jamba', 'mamba', 'mamba2', 'falcon_mamba', 'nemotron_h', 'kimi_linear', 'rwkv', 'zamba')
    ],
]
"""Model type, what reads it, what the class is given, and what that of transformers 4 is if it differs. None: skip it."""


OTHER_NAMES = {'clip_text_model', 'clip_vision_model', 'siglip_vision_model', 'siglip_text_model', 'dia'}
"""Their checkpoints have the names of transformers 4; Dia's parts are types of their own."""

PARTLY = """
    cosmos3_edge_vision deepseek_ocr2_sam_vision_model deepseek_ocr2_vision
    eomt_dinov3 got_ocr2_vision hiera hunyuan_vl_vision kimi_k25_vision kosmos-2 minimax_m3_vl minimax_m3_vl_text pixio
    pp_formulanet_vision pvt radio sam sam2_hiera_det_model sam3_lite_text sam3_vit_model sam_hq sam_hq_vision_model
    sam_vision_model seggpt slanext_vision step3p5_vision unlimited_ocr_sam_vision_model
    yolos
"""
"""
The table that is found is resized for each image, or only one of what encodes positions; MiniMax M3 ignores its rotary_dim. The last
layers of EoMT put queries before the tokens of DINOv3.
"""


def measured():
    """Every type that MODELS leaves out and that can be measured as it is: rotation, or else its tables of positions."""
    listed = {name for name, *_ in MODELS} | OTHER_NAMES | {*PARTLY.split()}
    for name in sorted(CONFIG_MAPPING_NAMES):
        for read in (rotary, rotary_grid, one(learned), learned_of, both):
            if name in listed:
                continue
            # A class that does not run on the stand-ins, in whatever way, has no such encoding or isn't measured.
            with suppress(Exception):
                found = entry(read, name, {}, None)
                json.dumps(found)
                listed.add(name)
                yield found



def read_by(read, config):
    """A model that has no attention implementation takes none of its classes."""
    config._attn_implementation = 'eager'
    return read(config)


def without_types(config):
    return {
        key: without_types(value) if isinstance(value, dict) else value
        for key, value in config.items()
        if key != 'layer_types'
    }


def entry(read, model_type, given, before):
    config_class = CONFIG_MAPPING[model_type]
    found = read_by(read, config_class(**given))
    trimmed = kept if 'layers' in found else lambda config: without_types(kept(config))
    config, source = trimmed(written(model_type, given)), File.of(config_class().get_text_config(decoder=True)).path
    made = {'type': model_type, 'source': source, 'given': given, 'config': config, **found}
    if before is not None and trimmed(before) != config:
        again = read_by(read, config_class.from_dict(before))
        made |= {'config4': trimmed(before)} | {
            f'{key}4': value for key, value in again.items() if value != found.get(key)
        }
    return {key: value for key, value in made.items() if value}


def positions(recorded):
    """What the classes of every type that was not measured say of positions, and the types that say the same."""
    unmeasured = {*CONFIG_MAPPING_NAMES} - {model['type'] for model in recorded}
    said = {}
    for name in sorted(unmeasured):
        said.setdefault(' '.join(evidence(CONFIG_MAPPING[name])), []).append(name)
    return said


def layers():
    """
    What the configuration of each type says of its layers: their number, the runs of their types, and the numbers of those
    whose entry in no_rope_layers or layer_rope_theta is 0.
    """
    for name in sorted(CONFIG_MAPPING_NAMES):
        try:
            config = CONFIG_MAPPING[name]()
        except Exception:  # It needs arguments.
            continue
        count, named = (getattr(config, field, None) for field in ('num_hidden_layers', 'layer_types'))
        if isinstance(count, int) and isinstance(named, list) and len(named) == count:
            turns = getattr(config, 'no_rope_layers', None) or getattr(config, 'layer_rope_theta', None) or []
            runs = [[value, len(list(group))] for value, group in itertools.groupby(named)]
            still = [i for i, value in enumerate(turns) if not value]
            yield {'type': name, 'count': count, 'layers': runs} | ({'still': still} if still else {})


POSITIONS = [0, 1, 2046, 8190, 8191, 16384, 100000, 1000000]


def queries():
    """What classes multiply queries by at POSITIONS, by their own functions; Llama 4's is a line of its attention. Trained numbers are 0.25 and 0.5."""
    at = torch.tensor(POSITIONS, dtype=torch.float32)
    for name, *given in (('llama4_text', FEW), ('ministral3',), ('mistral4',), ('beam',), ('mistral_large4_text', FEW)):
        arguments = given[0] if given else {}
        config = CONFIG_MAPPING[name](**arguments)
        file = File.of(config)
        if name == 'beam':
            factors = file['compute_attention_scaling'](at[None])
        elif name == 'mistral_large4_text':
            trained = types.SimpleNamespace(scale=torch.tensor([0.25]), bias=torch.tensor([0.5]))
            scaling = file['MistralLarge4TextSoftmaxScaling'].forward
            factors = scaling(trained, torch.ones(1, 1, len(at), 1), at[None], head_dim_first=True)
        elif name == 'llama4_text':
            forward = ast.walk(file.classes['Llama4TextAttention'])
            line = next(node for node in forward if isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', '') == 'attn_scales')
            code = compile(ast.Expression(line.value), file.path, 'eval')
            factors = eval(code, {'torch': torch, 'self': config, 'positions': at})
        else:
            rope = config.rope_parameters
            its = rope['llama_4_scaling_beta'], rope['original_max_position_embeddings']
            factors = file['get_llama_4_attn_scale'](at[None], *its)
        config = kept(written(name, arguments))
        yield {'type': name, 'config': config, 'positions': POSITIONS, 'factors': [*map(rounded, factors.flatten().tolist())]}


def checkpoint(entry):
    given = {key: value for key, value in entry.items() if key not in ('expected', 'layers', 'parts', 'note')}
    model_type = entry.get('readAs', entry['config']['model_type'])
    read = next(read for name, read, *_ in MODELS if name == model_type)
    return given | read_by(read, CONFIG_MAPPING[model_type].from_dict({**entry['config'], 'model_type': model_type}))


def text(models, head):
    lines = ',\n'.join(json.dumps(model) for model in models)
    return f'{json.dumps({**head, "models": []})[:-2]}\n{lines}\n]}}\n'


if __name__ == '__main__':
    ASKED = [(read, name, *(given or [{}])) for name, read, *given in MODELS]
    OLD = [(name, given[-1]) for _, name, *given in ASKED]
    command = [sys.argv[1], __file__, '--configs']
    answer = json.loads(
        subprocess.run(command, input=json.dumps(OLD), stdout=subprocess.PIPE, text=True, check=True).stdout
    )
    ROOT4 = Path(answer['root'])
    recorded = [entry(*asked[:3], before) for asked, before in zip(ASKED, answer['configs'])]
    recorded += measured()
    checkpoints = [checkpoint(model) for model in json.loads(CHECKPOINTS.read_text())['models']]
    versions = {
        'transformers': transformers.__version__,
        'transformers4': answer['version'],
        'torch': torch.__version__,
        'types': sorted(CONFIG_MAPPING_NAMES),
        'positions': positions(recorded),
    }
    files = (
        *((FILE, recorded, versions), (CHECKPOINTS, checkpoints, {})),
        *((LAYERS, [*layers()], {}), (QUERIES, [*queries()], {})),
    )
    for file, models, head in files:
        if '--check' not in sys.argv:
            file.write_text(text(models, head))
        elif json.loads(file.read_text()) != json.loads(json.dumps({**head, 'models': models})):
            sys.exit(f'{file.name} is not what this script makes')
    if '--check' not in sys.argv:
        root = Path(__file__).parents[2]
        subprocess.run(['node', '--import', 'tsx', 'tests/js/models-page.ts'], cwd=root, check=True)
