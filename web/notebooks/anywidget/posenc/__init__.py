"""Exact positional encodings of transformers in notebooks: the browser computes and shows them, and returns NumPy arrays."""

from importlib.metadata import version as _version

from ._ports import vectors
from ._widgets import Add, Heatmap, Rotary, Waves

__all__ = ["Add", "Heatmap", "Rotary", "Waves", "vectors"]
__version__ = _version("posenc")
