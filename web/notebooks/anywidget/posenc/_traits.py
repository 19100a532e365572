"""Kinds of traits. Their TraitErrors name the trait, what is allowed and what came."""

from __future__ import annotations

import numbers
from typing import Any, NoReturn

import numpy as np
import traitlets


class _Number(traitlets.TraitType[Any, Any]):
    """A number from `low` to `high`, Python's or NumPy's. Without a default it may be None."""

    kind: type
    said: str
    plain: type

    def __init__(self, low: float, high: float, default: float | None = None) -> None:
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


class Real(_Number):
    kind, said, plain = numbers.Real, "a number", float


class OneOf(traitlets.Enum):
    """One of the listed strings. Without a default it may be None."""

    def __init__(self, *listed: str, default: str | None = None) -> None:
        super().__init__(listed, default, allow_none=default is None)
        self.tag(sync=True)


class Several(traitlets.List):
    """A list, made of any sequence."""

    _cast_types = (tuple, range, np.ndarray)

    def __init__(self, trait: Any, default: list[Any] | None = None, **options: Any) -> None:
        super().__init__(trait, default or [], **options)
        self.tag(sync=True)


class Array(traitlets.TraitType["np.ndarray | None", Any]):
    """
    None, or a float32 array of 2 or 3 axes: a rounded copy of what is set. It crosses to the browser as its shape and its
    bytes, little-endian and in C order.
    """

    def __init__(self, *, read_only: bool = False) -> None:
        super().__init__(None, allow_none=True, read_only=read_only)
        # An echo would send all the bytes back.
        self.tag(sync=True, echo_update=False, to_json=self._to_json, from_json=self._from_json)

    def validate(self, obj: Any, value: Any) -> np.ndarray:
        try:
            array = np.asarray(value)
        except ValueError:
            self._refuse(obj, "rows of different lengths")
        if array.dtype.kind not in "fiu" or array.ndim not in (2, 3) or array.size == 0:
            self._refuse(obj, f"{array.dtype} of shape {list(array.shape)}")
        with np.errstate(over="ignore"):
            copy = np.array(array, "<f4", order="C")
        # What the browser computed may overflow.
        if not self.read_only and not np.isfinite(copy).all():
            self._refuse(obj, "values that float32 does not hold")
        return copy

    def _refuse(self, obj: Any, came: str) -> NoReturn:
        allowed = "an array of numbers of 2 or 3 axes, none of them empty, or None"
        raise traitlets.TraitError(f"The '{self.name}' trait of {type(obj).__name__} expected {allowed}, not {came}.")

    @staticmethod
    def _to_json(value: np.ndarray | None, _widget: Any) -> dict[str, Any] | None:
        return None if value is None else {"shape": list(value.shape), "data": value.tobytes()}

    @staticmethod
    def _from_json(value: dict[str, Any] | None, _widget: Any) -> np.ndarray | None:
        return None if value is None else np.frombuffer(value["data"], "<f4").reshape(value["shape"])
