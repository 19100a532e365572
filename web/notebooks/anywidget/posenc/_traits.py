"""The traits that traitlets has no kind of."""

from __future__ import annotations

from typing import Any

import numpy as np
import traitlets

from ._fields import DIM, STARTS


class Start(traitlets.Int):
    """The first position. None selects the preset's."""

    def set(self, obj: Any, value: Any) -> None:
        super().set(obj, STARTS.get(obj.preset, 0) if value is None else value)


class Array(traitlets.TraitType["np.ndarray | None", Any]):
    """
    None, or a float32 array of two axes: a rounded copy of a NumPy array, a PyTorch tensor or lists.
    The browser receives its shape and its bytes, little-endian and in C order.
    """

    info_text = f"finite numbers of 2 axes and from 1 to {DIM} columns, or None"

    def __init__(self, read_only: bool = False) -> None:
        super().__init__(None, allow_none=True, read_only=read_only)
        # An echo would send all the bytes back.
        self.tag(sync=True, echo_update=False, to_json=self._to_json, from_json=self._from_json)

    def validate(self, obj: Any, value: Any) -> np.ndarray:
        if hasattr(value, "detach"):
            value = value.detach().cpu()  # NumPy accepts neither PyTorch's parameters nor tensors on a GPU
        copy = np.array(value, "<f4", order="C")
        shown = copy.ndim == 2 and copy.size > 0 and copy.shape[-1] <= DIM
        # Results of the browser may overflow.
        if not shown or not (obj._answering or np.isfinite(copy).all()):
            self.error(obj, value)
        return copy

    def _to_json(self, value: np.ndarray | None, _widget: Any) -> dict[str, Any] | None:
        return None if value is None else {"shape": list(value.shape), "data": value.tobytes()}

    @staticmethod
    def _from_json(value: dict[str, Any] | None, _widget: Any) -> np.ndarray | None:
        return None if value is None else np.frombuffer(value["data"], "<f4").reshape(value["shape"])


class Result(Array):
    """An array that the browser computed, marked as such when it is sent back, or a given one that replaces it."""

    def _to_json(self, value: np.ndarray | None, widget: Any) -> dict[str, Any] | None:
        wire = super()._to_json(value, widget)
        return wire if wire is None or value is widget._given else {**wire, "computed": True}
