"""Which classes of a modeling file belong to a configuration, and what in them speaks of positions.

Files are read as syntax trees: nothing is imported or executed.
"""

import ast
import re
from functools import lru_cache
from pathlib import Path

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

ROOT = Path(transformers.__file__).parent

ROTATES = re.compile('_?apply_.*(rotary|rope)')

EVIDENCE = {
    'rotation': re.compile('[rR]otary|rope_(init|parameters|theta)|Rope|RoPE'),
    'convolution': re.compile('PositionalConv|pos_conv_embed'),
    'bias': re.compile(
        '(?i)rel(ative)?_?(pos|attn|attention|embed|shift|key|states|k_|dist)|relpos|pos(ition)?_bias|attention_bias_idxs'
        '|distance_embedding|emb_rel_|^rpb$'
    ),
    'table': re.compile(
        '(?i)^(?!.*(rotary|max_pos|conv|interpolate|rel(ative)?_?pos))'
        '.*(pos(ition)?(al)?_?(emb|enc)|embed_positions?|sinusoid|(row|column)_embedder)'
    ),
}
"""Names of classes, functions, attributes and variables, by what they mean."""

BY_HAND = {
    # models/moshi/modeling_moshi.py: MoshiDepthDecoder makes its layers with use_rope=False.
    'moshi_depth': ['none'],
    # models/idefics/perceiver.py and models/sapiens2/modeling_sapiens2.py: the classes take more than this configuration.
    **dict.fromkeys(['idefics_perciever', 'sapiens2_head'], ['none']),
    # models/sam/modeling_sam.py: SamPromptEncoder takes the configuration of the whole, for its shared_embedding.
    **dict.fromkeys(['sam_prompt_encoder', 'sam_hq_prompt_encoder'], ['table']),
    # models/vibevoice/modeling_vibevoice.py: VibeVoiceDiffusionHead is made from the configuration of the whole.
    'vibevoice_diffusion': ['table'],
    # Their models are those of LayoutLMv2 and GOT-OCR2, whose configurations are other classes.
    **dict.fromkeys(['layoutxlm', 'pp_chart2table_vision'], ['bias', 'table']),
    # Another package, or another model type, has the model.
    **dict.fromkeys(['gemma3n_vision', 'nougat', 'rag', 'timm_backbone', 'timm_wrapper'], ['parts']),
}
"""Types of which `evidence` sees the wrong classes, or none."""


@lru_cache
def trees(folder, name):
    """The modeling file, or whatever else holds classes of modules in the folder."""
    path = ROOT / folder / name
    files = [path] if path.exists() else []
    files += [ROOT / folder / other for other in ('vision.py', 'perceiver.py') if (ROOT / folder / other).exists()]
    return [ast.parse(file.read_text()) for file in files]


def place_of(config_class):
    """The folder and the name of the modeling file beside a configuration's."""
    *folders, name = config_class.__module__.split('.')[1:]
    return '/'.join(folders), name.replace('configuration_', 'modeling_') + '.py'


@lru_cache
def class_names():
    """MODEL_MAPPING_NAMES, whose module needs PyTorch of today: the name of the base model's class by model type."""
    tree = ast.parse((ROOT / 'models/auto/modeling_auto.py').read_text())
    (given,) = [
        node.value.args[0]
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == 'MODEL_MAPPING_NAMES'
    ]
    pairs = dict(ast.literal_eval(given)).items()
    return {key: name if isinstance(name, str) else name[0] for key, name in pairs}


def home(config_class):
    """The configuration whose model a type has: its own, or that of the type that has the same class."""
    if trees(*place_of(config_class)):
        return config_class
    name = class_names().get(config_class.model_type)
    others = [CONFIG_MAPPING[key] for key, other in class_names().items() if other == name]
    return next((other for other in others if trees(*place_of(other))), config_class)


def names(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def taken(node):
    """The configurations that a class says it takes: annotations of __init__, and the attribute of a PreTrainedModel."""
    found = set()
    for part in node.body:
        if getattr(part, 'name', '') == '__init__':
            found |= {name for arg in part.args.args if arg.annotation for name in names(arg.annotation)}
        elif isinstance(part, ast.AnnAssign) and part.target.id == 'config':
            found |= names(part.annotation)
    return {name for name in found if name.endswith('Config') and name != 'PreTrainedConfig'}


def given_config(node):
    """The names that are called with the configuration itself as an argument."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            values = [*call.args, *[keyword.value for keyword in call.keywords]]
            if any('config' in (getattr(value, 'id', ''), getattr(value, 'attr', '')) for value in values):
                yield call.func.id


def defined(node):
    """The name of a class, a function or a constant, such as a dictionary of classes."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def parts_of(node):
    """A class without what fills the weights of all classes of its file."""
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *[part for part in node.body if getattr(part, 'name', '') != '_init_weights']]
    return [node]


@lru_cache
def classes_of(config_class):
    """The classes that take the configuration, and what of the file they are made of, by name."""
    config_class = home(config_class)
    nodes = {name: node for tree in trees(*place_of(config_class)) for node in tree.body for name in defined(node)}
    takes = {name: taken(node) if isinstance(node, ast.ClassDef) else set() for name, node in nodes.items()}
    found, todo = {}, [name for name in nodes if config_class.__name__ in takes[name]]
    while todo:
        name = todo.pop()
        if name not in nodes or name in found:
            continue
        found[name] = nodes[name]
        for part in parts_of(nodes[name]):
            own = {other for other in names(part) & nodes.keys() if not takes[other]}
            todo += own | {*given_config(part)}
        todo += [base.id for base in getattr(nodes[name], 'bases', []) if isinstance(base, ast.Name)]
    return {name: node for name, node in nodes.items() if name in found}


def words(node):
    """The names in a syntax tree. As a variable, position_embeddings is often a pair of cosines and sines."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id != 'position_embeddings':
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, (ast.ClassDef, ast.FunctionDef)):
            yield part.name


def evidence(config_class):
    """
    What the classes of a configuration say of positions: some of EVIDENCE, `parts` for a whole whose parts have
    configurations of their own, or `none`.
    """
    if config_class.model_type in BY_HAND:
        return BY_HAND[config_class.model_type]
    said = {name for name, node in classes_of(config_class).items() if isinstance(node, ast.ClassDef)}
    said |= {word for node in classes_of(config_class).values() for part in parts_of(node) for word in words(part)}
    found = [kind for kind, pattern in EVIDENCE.items() if any(pattern.search(name) for name in said)]
    return found + (['parts'] if config_class.sub_configs else []) or ['none']
