"""The ranges and defaults of the elements' fields. The tests compare them with those in JavaScript."""

#: The largest position.
POSITION = 2**53 - 1
#: Rows of a table.
LENGTH = 2**20
#: Columns of a table.
DIM = 4096
#: Numbers in a learned or a given table.
WEIGHTS = 2**24
#: The largest value of a domain of colours.
COLOUR = 1e38
_SEED = 2**32 - 1

PRESETS = (
    *("transformer", "tensor2tensor", "fairseq", "roformer", "diffusers", "ctranslate2", "mlx", "tatp22"),
    *("learned", "rotary"),
)
#: The first positions of presets that don't start at 0.
STARTS = {"fairseq": 2, "ctranslate2": 1}

# With None the preset or the element decides the value.
ENCODING = {
    "base": {"low": 1.0001, "high": 1e12, "default": 10000.0},
    "start": {"low": -POSITION, "high": POSITION, "default": None},
    "numerics": {"words": ("exact", "float32", "bfloat16"), "default": "exact"},
    "rotary_dim": {"low": 2, "high": DIM, "default": None},
    "rotary_layout": {"words": ("half", "interleaved"), "default": "half"},
    "scaling": {"default": None},
    "position": {"low": -POSITION, "high": POSITION, "default": None},
    "dimension": {"low": 0, "high": DIM - 1, "default": None},
    "theme": {"words": ("light", "dark"), "default": None},
}
ANY_PRESET = {
    "preset": {"words": PRESETS, "default": "transformer"},
    "column_layout": {"words": ("interleaved", "sin-cos", "cos-sin"), "default": None},
    "endpoint": {"default": None},
    "odd": {"words": ("sine", "zero", "pad"), "default": None},
    "max_frequency": {"low": 1e-12, "high": 1e12, "default": None},
    "scale": {"low": -1e6, "high": 1e6, "default": None},
    "rows": {"low": 1, "high": LENGTH, "default": 1024},
    "weights": {"low": 0, "high": _SEED, "default": 0},
}
TABLE = {
    "length": {"low": 1, "high": LENGTH, "default": 128},
    "dim": {"low": 1, "high": DIM, "default": 64},
    "domain": {"default": None},
}
HEATMAP = {
    "left": {"low": 0, "high": DIM - 1, "default": 0},
    "columns": {"low": 1, "high": DIM, "default": None},
}
WAVES = {
    "waves": {"low": 0, "high": DIM - 1, "most": 8, "default": []},
}
ADD = {
    "order": {"words": ("batch-first", "sequence-first"), "default": "batch-first"},
    "root": {"default": False},
    "dropout": {"low": 0, "high": 1, "default": 0.0},
    "dropout_seed": {"low": 0, "high": _SEED, "default": 0},
    "seed": {"low": 0, "high": _SEED, "default": 1},
    "word": {"low": 0, "high": 50256, "default": None},
    "sequence": {"low": 0, "high": POSITION, "default": 0},
}
