#!/usr/bin/env python3
"""Records the positions of text, images and videos in Qwen's vision models in spans.json, or checks them.

    make_spans.py WHEEL4 WHEEL5 [--check]

Needs PyTorch, of any version (Debian: python3-torch), and the wheels of transformers 4.57 and 5.23 (pip download --no-deps),
whose get_rope_index is read and executed without the models. Each case has

    source      the file of transformers, and its version
    spans       what spanPositions is given
    positions   of time, height and width
    next        the position where decoding goes on: the sequence's length + rope_deltas

and a batch those of its sequences after padding on the left, where paddings have position 1.

In transformers 5 a text that follows a video goes on after its rows and columns alone, so that the time of a long video
overlaps it. transformers 4, with which the models were released, goes on at the largest position + 1, as posenc does; it
rounds the seconds of Qwen2.5-VL's frames down. So videos between texts are those of transformers 4, and fractions of a second
those of transformers 5, at the end.
"""

import ast
import itertools
import json
import sys
import types
import typing
import zipfile
from pathlib import Path

import torch

FILE = Path(__file__).with_name('spans.json')
FUNCTIONS = ('get_rope_index', 'get_vision_position_ids')
TEXT, START, IMAGE, VIDEO = 1, 2, 3, 4
MERGE = 2

_, wheel4, wheel5, *options = sys.argv


class Wheel:
    def __init__(self, path):
        self.files = zipfile.ZipFile(path)
        self.version = Path(path).name.split('-')[1]

    def model(self, name, **config):
        """An object with get_rope_index of a model, and no weights."""
        path = f'{name}/modeling_{name}.py'
        tree = ast.parse(self.files.read(f'transformers/models/{path}'))
        found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in FUNCTIONS]
        future = ast.parse('from __future__ import annotations').body
        space = {'torch': torch, 'itertools': itertools, 'Optional': typing.Optional}
        exec(compile(ast.Module(future + found, []), path, 'exec'), space)
        vision = types.SimpleNamespace(spatial_merge_size=MERGE, **config)
        tokens = dict(image_token_id=IMAGE, video_token_id=VIDEO, vision_start_token_id=START)
        its = types.SimpleNamespace(config=types.SimpleNamespace(vision_config=vision, **tokens))
        for node in found:
            setattr(its, node.name, types.MethodType(space[node.name], its))
        its.source = f'{path} of {self.version}'
        its.typed = self.version[0] == '5'
        return its


def index(model, sequences, seconds=None, apart=False):
    """Positions of a batch that is padded on the left. A grid of several frames is a video."""
    ids, images, videos = [], [], []
    for spans in sequences:
        row = []
        for span in spans:
            if 'text' in span:
                row += [TEXT] * span['text']
                continue
            frames, rows, columns = span['grid']
            isVideo = frames > 1 or apart
            (videos if isVideo else images).append([frames, MERGE * rows, MERGE * columns])
            row[-1] = START
            row += [VIDEO if isVideo else IMAGE] * (frames * rows * columns)
        ids.append(row)
    length = max(map(len, ids))
    mask = torch.tensor([[0] * (length - len(row)) + [1] * len(row) for row in ids])
    ids = torch.tensor([[0] * (length - len(row)) + row for row in ids])
    if apart:
        # Qwen3-VL splits a video into its frames itself.
        videos = [[len(videos), *videos[0][1:]]]
    grids = dict(image_grid_thw=torch.tensor(images), video_grid_thw=torch.tensor(videos))
    grids = {name: grid if len(grid) else None for name, grid in grids.items()}
    if seconds is not None:
        grids['second_per_grid_ts'] = torch.tensor(seconds)
    if model.typed:
        grids['mm_token_type_ids'] = (ids == IMAGE) + 2 * (ids == VIDEO)
    positions, deltas = model.get_rope_index(ids, attention_mask=mask, **grids)
    return positions, [int(delta) for delta in deltas.flatten()], mask


def case(model, spans, **options):
    positions, (delta,), mask = index(model, [spans], **options)
    its = positions[:, 0].tolist()
    return dict(source=model.source, spans=spans, positions=its, next=delta + mask.shape[1])


def text(count):
    return {'text': count}


def grid(*sizes, **step):
    return {'grid': list(sizes), **step}


def recorded():
    four, five = Wheel(wheel4), Wheel(wheel5)
    qwen2, qwen3 = four.model('qwen2_vl'), four.model('qwen3_vl')
    timed = four.model('qwen2_5_vl', tokens_per_second=2)
    fractions = five.model('qwen2_5_vl', tokens_per_second=2)
    cases = [
        case(qwen2, [text(4), grid(1, 2, 3), text(5)]),
        case(qwen2, [text(2), grid(1, 5, 2), text(1), grid(1, 1, 7), text(3)]),
        case(qwen2, [text(3), grid(9, 2, 3), text(4)]),
        case(qwen2, [text(1), grid(3, 4, 4), text(1), grid(1, 2, 2), text(1), grid(2, 1, 1)]),
        case(timed, [text(3), grid(4, 2, 2, step=2), text(2)], seconds=[1.0]),
        case(timed, [text(1), grid(3, 2, 9, step=6), text(2), grid(2, 3, 3, step=4), text(2)], seconds=[3.0, 2.0]),
        case(fractions, [text(3), grid(7, 2, 2, step=0.75)], seconds=[0.375]),
        case(fractions, [text(2), grid(1, 2, 2), text(1), grid(5, 1, 2, step=2.5)], seconds=[1.25]),
        case(fractions, [text(2), grid(1, 3, 2), text(1), grid(1, 2, 2), text(6)]),
        case(qwen3, [text(5), grid(1, 2, 3), text(4), grid(1, 2, 3), text(4), grid(1, 2, 3), text(3)], apart=True),
    ]
    sequences = [[text(3), grid(1, 2, 3), text(4)], [text(2), grid(1, 2, 2), text(1)]]
    positions, deltas, mask = index(qwen2, sequences)
    batch = dict(
        source=qwen2.source,
        sequences=sequences,
        positions=positions.tolist(),
        next=[delta + mask.shape[1] for delta in deltas],
    )
    return dict(cases=cases, batch=batch)


made = json.dumps(recorded()) + '\n'
if '--check' in options:
    if json.loads(FILE.read_text()) != json.loads(made):
        sys.exit('spans.json differs')
else:
    FILE.write_text(made)
