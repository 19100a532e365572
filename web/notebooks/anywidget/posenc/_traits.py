"""Kinds of traits. Their TraitErrors name the trait, what is allowed and what came."""

from __future__ import annotations

import numbers
from typing import Any, NoReturn

import numpy as np
import traitlets

from ._fields import COLOUR, STARTS


class _Number(traitlets.TraitType[Any, Any]):
    """A number from `low` to `high`, Python's or NumPy's. Without a default it may be None."""

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
        # To Python a bool is an int.
        if isinstance(value, self.kind) and not isinstance(value, bool) and self.low <= value <= self.high:
            return self.plain(value)  # JSON knows no numbers of NumPy's
        self.error(obj, value)


class Whole(_Number):
    kind, said, plain = numbers.Integral, "an integer", int


class Start(Whole):
    """A position. None is the preset's own first one."""

    def set(self, obj: Any, value: Any) -> None:
        super().set(obj, STARTS.get(obj.preset, 0) if value is None else value)


class Real(_Number):
    kind, said, plain = numbers.Real, "a number", float


class OneOf(traitlets.Enum):
    """One of the listed strings. Without a default it may be None."""

    def __init__(self, words: tuple[str, ...], default: str | None) -> None:
        super().__init__(words, default, allow_none=default is None)
        self.tag(sync=True)


class Flag(traitlets.Bool):
    """Without a default it may be None."""

    def __init__(self, default: bool | None) -> None:
        super().__init__(default, allow_none=default is None)
        self.tag(sync=True)


class Line(traitlets.Unicode):
    """A line of text. Without a default it may be None."""

    def __init__(self, default: str | None) -> None:
        super().__init__(default, allow_none=default is None)
        self.tag(sync=True)


class Several(traitlets.List):
    """A list, made of any sequence."""

    _cast_types = (tuple, range, np.ndarray)

    def __init__(self, trait: Any, default: list[Any] | None, **options: Any) -> None:
        super().__init__(trait, default, **options)
        self.tag(sync=True)


class Wholes(Several):
    """Integers from `low` to `high`, no more than so many."""

    def __init__(self, low: int, high: int, most: int, default: list[int]) -> None:
        super().__init__(Whole(low, high, low), default, maxlen=most)


class Ends(Several):
    """Two numbers, the lower one first. Without a default they may be None."""

    def __init__(self, default: list[float] | None) -> None:
        super().__init__(Real(-COLOUR, COLOUR, 0), default, allow_none=default is None)

    def validate(self, obj: Any, value: Any) -> Any:
        ends = super().validate(obj, value)
        if ends is not None and not (len(ends) == 2 and ends[0] < ends[1]):
            raise traitlets.TraitError(
                f"The '{self.name}' trait of {type(obj).__name__} expected two numbers, the lower one first, or None, not {value}."
            )
        return ends


class Array(traitlets.TraitType["np.ndarray | None", Any]):
    """
    None, or a float32 array of so many axes: a rounded copy of what is set, NumPy's, PyTorch's or lists. It crosses to the
    browser as its shape and its bytes, little-endian and in C order.
    """

    def __init__(self, *axes: int, read_only: bool = False) -> None:
        self.axes = axes
        super().__init__(None, allow_none=True, read_only=read_only)
        # An echo would send all the bytes back.
        self.tag(sync=True, echo_update=False, to_json=self._to_json, from_json=self._from_json)

    def validate(self, obj: Any, value: Any) -> np.ndarray:
        if hasattr(value, "detach"):
            value = value.detach().cpu()  # NumPy does not take PyTorch's parameters, nor what is on a GPU
        try:
            array = np.asarray(value)
        except ValueError:
            self._refuse(obj, "rows of different lengths")
        if array.dtype.kind not in "fiu" or array.ndim not in self.axes or array.size == 0:
            self._refuse(obj, f"{array.dtype} of shape {list(array.shape)}")
        with np.errstate(over="ignore"):
            copy = np.array(array, "<f4", order="C")
        # What the browser computed may overflow.
        if not obj._answering and not np.isfinite(copy).all():
            self._refuse(obj, "values that float32 does not hold")
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
    """An array that the browser computed, and that says so where it crosses; or one that somebody gave in its place."""

    def _to_json(self, value: np.ndarray | None, widget: Any) -> dict[str, Any] | None:
        wire = super()._to_json(value, widget)
        return wire if wire is None or value is widget._given else {**wire, "computed": True}
