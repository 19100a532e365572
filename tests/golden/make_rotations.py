#!/usr/bin/env python3
"""Writes web/spec/rotations.ts: the bases and the scalings of the rotary encodings in models.json and model-configs.json, most frequent
first. With --check it compares, and writes nothing. It needs no packages."""

import collections
import json
import math
import pathlib
import re
import sys

folder = pathlib.Path(__file__).parent
target = folder / "../../web/spec/rotations.ts"
USUAL = {"betaFast": 32, "betaSlow": 1, "truncate": True}
bases, scalings = collections.Counter(), collections.Counter()


def number(value):
    return int(value) if not isinstance(value, (bool, str)) and value == int(value) else value


def walk(node):
    """Counts what the recorded encodings and the files of checkpoints have."""
    if isinstance(node, list):
        for child in node:
            walk(child)
    if not isinstance(node, dict):
        return
    if node.get("kind") == "rotary":
        spec = node["spec"]
        bases[spec.get("base", 10000)] += 1
        scaling = spec.get("scaling")
        # LongRoPE's lists are as long as a model has pairs, and dynamic ones depend on a text.
        if scaling and scaling["type"] not in ("longrope", "dynamic"):
            usual = {**USUAL, "attentionFactor": 0.1 * math.log(scaling.get("factor", 1)) + 1}
            fields = {name: number(value) for name, value in scaling.items() if usual.get(name) != value}
            scalings[(spec.get("base", 10000), json.dumps(fields, sort_keys=True))] += 1
    for name, child in node.items():
        if name == "rope_theta" and isinstance(child, (int, float)):
            bases[child] += 1
        walk(child)


for name in ("models", "model-configs"):
    walk(json.loads((folder / f"{name}.json").read_text()))


def literal(base, scaling):
    fields = json.loads(scaling)
    fields = {"type": fields.pop("type"), **fields}
    words = [f"{k}: {json.dumps(v)}" if not isinstance(v, str) else f"{k}: '{v}'" for k, v in fields.items()]
    return f"  {{ base: {number(base)}, scaling: {{ {', '.join(words)} }} }},\n"


ranked = sorted(bases, key=lambda base: (-bases[base], base))
# Llama 3's usual fields come before others that give the same frequencies.
models = sorted(scalings, key=lambda key: (-scalings[key], '"highFreqFactor": 4' not in key[1], key))
text = f"""// tests/golden/make_rotations.py writes this file.

/** The bases of models' rotary encodings, the most frequent first. */
export const ROTARY_BASES = [
  {', '.join(str(number(base)) for base in ranked)},
];

/** Those that are scaled, but for LongRoPE, the most frequent first. */
export const ROTARY_SCALINGS = [
{''.join(literal(*model) for model in models)}] as const;
"""
if "--check" not in sys.argv:
    target.write_text(text)
elif re.sub(r"[\s,]", "", target.read_text()) != re.sub(r"[\s,]", "", text):  # Biome breaks its lines
    sys.exit("web/spec/rotations.ts differs: tests/golden/make_rotations.py writes it")
