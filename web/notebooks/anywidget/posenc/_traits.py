"""Kinds of traits. Their TraitErrors name the trait, the allowed values and the value received."""

from __future__ import annotations

import numbers
from typing import Any, NoReturn

import numpy as np
import traitlets

from ._fields import STARTS


class _Number(traitlets.TraitType[Any, Any]):
    """A Python or NumPy number from `low` to `high`. Without a default it may be None."""

    kind: type
    said: str
    plain: type

    def __init__(self, low: float, high: float, default: float | None) -> None:
        self.low, self.high = low, high
        super().__init__(default, allow_none=default is None)
        self.tag(sync=True)

    def info(self) -> str:
        return f"{self.said} from {self.low} to {self.high}" + " or None" * self.allow_none

    def validate(self, obj: Any, value: Any) -> Any:
        # In Python a bool is an int.
        if isinstance(value, self.kind) and not isinstance(value, bool) and self.low <= value <= self.high:
            return self.plain(value)  # JSON can't encode NumPy's numbers
        self.error(obj, value)


class Whole(_Number):
    kind, said, plain = numbers.Integral, "an integer", int


class Start(Whole):
    """The first position. None selects the preset's."""

    def set(self, obj: Any, value: Any) -> None:
        super().set(obj, STARTS.get(obj.preset, 0) if value is None else value)


class Real(_Number):
    kind, said, plain = numbers.Real, "a number", float


class OneOf(traitlets.Enum):
    """One of the listed strings. Without a default it may be None."""

    def __init__(self, words: list[str], default: str | None) -> None:
        super().__init__(words, default, allow_none=default is None)
        self.tag(sync=True)


class Flag(traitlets.Bool):
    """A bool. Without a default it may be None."""

    def __init__(self, default: bool | None) -> None:
        super().__init__(default, allow_none=default is None)
        self.tag(sync=True)


class Line(traitlets.Unicode):
    """A line of text. Without a default it may be None."""

    def __init__(self, default: str | None) -> None:
        super().__init__(default, allow_none=default is None)
        self.tag(sync=True)


class Several(traitlets.List):
    """A list, which may be set to any sequence."""

    _cast_types = (tuple, range, np.ndarray)

    def __init__(self, trait: Any, default: list[Any] | None, **options: Any) -> None:
        super().__init__(trait, default, **options)
        self.tag(sync=True)


class Wholes(Several):
    """At most `most` integers from `low` to `high`."""

    def __init__(self, low: int, high: int, most: int, default: list[int]) -> None:
        super().__init__(Whole(low, high, low), default, maxlen=most)


class Ends(Several):
    """Two numbers, the lower one first. Without a default the value may be None."""

    def __init__(self, low: float, high: float, default: list[float] | None) -> None:
        super().__init__(Real(low, high, 0), default, allow_none=default is None)

    def validate(self, obj: Any, value: Any) -> Any:
        ends = super().validate(obj, value)
        if ends is not None and not (len(ends) == 2 and ends[0] < ends[1]):
            raise traitlets.TraitError(
                f"The '{self.name}' trait of {type(obj).__name__} expected two numbers, the lower one first, or None, not {value}."
            )
        return ends


class Array(traitlets.TraitType["np.ndarray | None", Any]):
    """
    None, or a float32 array with one of the given numbers of axes: a rounded copy of a NumPy array, a PyTorch tensor or lists.
    The browser receives its shape and its bytes, little-endian and in C order.
    """

    def __init__(self, *axes: int, read_only: bool = False) -> None:
        self.axes = axes
        super().__init__(None, allow_none=True, read_only=read_only)
        # An echo would send all the bytes back.
        self.tag(sync=True, echo_update=False, to_json=self._to_json, from_json=self._from_json)

    def validate(self, obj: Any, value: Any) -> np.ndarray:
        if hasattr(value, "detach"):
            value = value.detach().cpu()  # NumPy accepts neither PyTorch's parameters nor tensors on a GPU
        try:
            array = np.asarray(value)
        except ValueError:
            self._refuse(obj, "rows of different lengths")
        if array.dtype.kind not in "fiu" or array.ndim not in self.axes or array.size == 0:
            self._refuse(obj, f"{array.dtype} of shape {list(array.shape)}")
        with np.errstate(over="ignore"):
            copy = np.array(array, "<f4", order="C")
        # Results of the browser may overflow.
        if not obj._answering and not np.isfinite(copy).all():
            self._refuse(obj, "values that are not finite in float32")
        return copy

    def _refuse(self, obj: Any, came: str) -> NoReturn:
        allowed = f"an array of numbers of {' or '.join(map(str, self.axes))} axes, none of them empty, or None"
        raise traitlets.TraitError(f"The '{self.name}' trait of {type(obj).__name__} expected {allowed}, not {came}.")

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
