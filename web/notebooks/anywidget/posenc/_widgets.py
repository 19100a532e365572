"""The widgets: posenc's elements, with their attributes as traits and their results as arrays."""

from __future__ import annotations

import inspect
import pathlib
from typing import Any

import anywidget
import numpy as np
import traitlets
from traitlets import Bool, Enum, Float, Int, List, Unicode

from ._fields import FIELDS, LOOKS, STARTS
from ._traits import Array, Result, Start


class Encoding(anywidget.AnyWidget):
    """
    The traits that all widgets have. With None the preset or the element decides the value.

    base: from 1.0001 to 1e12. Default: 10000.
    numerics: "exact", or "float32" or "bfloat16" for a table computed in that arithmetic. Default: "exact".
    rotary_dim: how many of the first columns a rotary encoding rotates. Default: all.
    rotary_layout: "half" or "interleaved". Default: "half".
    scaling: of rotary frequencies, a type and its fields as in "linear factor=4". Default: none.
    position, dimension: the selected cell
    theme: "light" or "dark". Default: the notebook's.

    The browser computes the results. They are None until it has answered: the widget must be shown, and the cell that set a
    trait must have ended.

    value: the selected cell as {"position": int, "dimension": int, "value": float}
    error: the element's reason why there is no result, or ""
    """

    _esm = pathlib.Path(__file__).parent / "anywidget.js"

    element = Unicode(read_only=True).tag(sync=True)

    base = Float(**FIELDS["base"]).tag(sync=True)
    start = Start(**FIELDS["start"]).tag(sync=True)
    numerics = Enum(**FIELDS["numerics"]).tag(sync=True)
    rotary_dim = Int(**FIELDS["rotary_dim"]).tag(sync=True)
    rotary_layout = Enum(**FIELDS["rotary_layout"]).tag(sync=True)
    scaling = Unicode(**FIELDS["scaling"]).tag(sync=True)
    position = Int(**FIELDS["position"]).tag(sync=True)
    dimension = Int(**FIELDS["dimension"]).tag(sync=True)
    theme = Enum(**FIELDS["theme"]).tag(sync=True)

    value = traitlets.Any(read_only=True).tag(sync=True)
    error = Unicode(read_only=True).tag(sync=True)

    #: A trait, or the only preset that a widget shows.
    preset: Any
    #: The traits that hold the results.
    _results = ["table"]
    #: The array that was given in place of the result.
    _given: np.ndarray | None = None
    _answering = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__ is None:
            # anywidget creates a class for each widget.
            cls.__doc__ = cls.__base__.__doc__
            return
        # Notebooks show the whole docstring on Shift-Tab.
        cls.__doc__ = f"{cls.__doc__}{cls.__base__.__doc__}"
        cls.__signature__ = inspect.Signature(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=trait.default())
            for name, trait in cls._settable().items()
        )

    @classmethod
    def _settable(cls) -> dict[str, traitlets.TraitType[Any, Any]]:
        """The traits that posenc defines, those of the class before those of its bases."""
        kinds = [kind for kind in cls.__mro__ if issubclass(kind, Encoding)]
        members = {name: member for kind in kinds for name, member in vars(kind).items()}
        return {
            name: member
            for name, member in members.items()
            if isinstance(member, traitlets.TraitType) and not member.read_only and not name.startswith("_")
        }

    def __init__(self, **traits: Any) -> None:
        for name in traits:
            if not self.has_trait(name):
                raise TypeError(f"{type(self).__name__} has no {name}. It has {', '.join(self._settable())}.")
        start = traits.pop("start", None)
        # The start is set last, since None selects the preset's.
        super().__init__(**traits, start=start)
        self.observe(self._follow, "preset")
        self.observe(self._forget, [name for name in self._settable() if name != "theme"])

    def _follow(self, change: Any) -> None:
        """Replaces the default start of the old preset by that of the new one."""
        if self.start == STARTS.get(change.old, 0):
            self.start = None

    def _forget(self, change: Any) -> None:
        """Drops the results when a trait changes on which they depend."""
        if self._answering:
            return
        looked = change.name in LOOKS
        if self._given is not None and not looked and change.name not in self._results:
            return  # a given table does not depend on them
        self.set_trait("value", None)
        if not looked:
            self.set_trait("error", "")
            if self._given is None:
                for name in self._results:
                    self.set_trait(name, None)

    def notify_change(self, change: Any) -> None:
        """Sends the change and the dropped results in one message, so that the new results differ for both sides."""
        with self.hold_sync():
            super().notify_change(change)

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Keeps the defaults that `embed_minimal_html` would drop, since the browser does not know them."""
        return super().get_state(key)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Accepts the browser's answer: results with the traits that the user changed there."""
        self._answering = True
        try:
            super().set_state(sync_data)
        finally:
            self._answering = False


class _AnyPreset(Encoding):
    """
    The traits of the widgets that show any preset.

    preset: the name of a dialect, "learned", or except in Add "rotary". Default: "transformer".
    start: the first position, within ±(2^53 - 1). Default: that of the preset, which is 2 for fairseq, 1 for ctranslate2, 0 for the others.
        The default follows a change of preset.
    column_layout: "interleaved", "sin-cos" or "cos-sin". Default: the preset's.
    endpoint: whether the last frequency is 1/base. Default: the preset's.
    odd: the last column if dim is odd, "sine", "zero" or "pad". Default: the preset's.
    max_frequency: a factor of every frequency, from 1e-12 to 1e12. Default: the preset's.
    scale: a factor of every value, within ±1e6. Default: the preset's.
    rows, weights: the number of rows of a learned table and their seed. Default: 1024 and 0.
    """

    preset = Enum(**FIELDS["preset"]).tag(sync=True)
    column_layout = Enum(**FIELDS["column_layout"]).tag(sync=True)
    endpoint = Bool(**FIELDS["endpoint"]).tag(sync=True)
    odd = Enum(**FIELDS["odd"]).tag(sync=True)
    max_frequency = Float(**FIELDS["max_frequency"]).tag(sync=True)
    scale = Float(**FIELDS["scale"]).tag(sync=True)
    rows = Int(**FIELDS["rows"]).tag(sync=True)
    weights = Int(**FIELDS["weights"]).tag(sync=True)


class _Table(_AnyPreset):
    length = Int(**FIELDS["length"]).tag(sync=True)
    dim = Int(**FIELDS["dim"]).tag(sync=True)
    domain = List(Float(**FIELDS["domain"]), None, allow_none=True).tag(sync=True)

    table = Result()

    @traitlets.observe("table")
    def _give(self, _change: Any) -> None:
        if not self._answering:
            self._given = self.table

    def set_state(self, sync_data: dict[str, Any]) -> None:
        if self._given is not None:
            # The table was computed before the browser received the given one.
            sync_data = {name: value for name, value in sync_data.items() if name != "table"}
        super().set_state(sync_data)


class Heatmap(_Table):
    """
    A table of positional encodings as a heatmap.

        heatmap = posenc.Heatmap(length=128, dim=64)

    length: positions, from 1 to 2^20. Default: 128.
    dim: dimensions, from 1 to 4096. Default: 64.
    domain: the two values that the colours span. Default: the range of the table.
    left, columns: the first visible column and the number of visible columns. Default: 0 and all.

    table: the computed table, float32 of shape (length, dim), or None if it has more than 2^21 numbers. Set it to an array of
        numbers of shape (rows, columns) to show that array, rounded to float32, instead of the table that the traits describe.
        Set it to None to show the latter again.
    """

    element = Unicode("posenc-heatmap", read_only=True).tag(sync=True)

    left = Int(**FIELDS["left"]).tag(sync=True)
    columns = Int(**FIELDS["columns"]).tag(sync=True)


class Rotary(Encoding):
    """
    The rotary encoding of a head as a heatmap: the cosine and the sine of each pair's angle, in the pair's two columns.

        rotary = posenc.Rotary(dim=128, base=500000, scaling="linear factor=4")

    length: positions, from 1 to 2^20. Default: 128.
    start: the first position, within ±(2^53 - 1). Default: 0.
    dim: dimensions of a head, an even number. Default: 64.
    domain: the two values that the colours span. Default: the range of the cosines and sines.
    left, columns: the first visible column and the number of visible columns. Default: 0 and all.

    cos, sin: the computed tables, both float32 of shape (length, rotary_dim / 2), or None if they have more than 2^21 numbers
    """

    element = Unicode("posenc-rotary", read_only=True).tag(sync=True)

    length = Int(**FIELDS["length"]).tag(sync=True)
    dim = Int(**FIELDS["dim"]).tag(sync=True)
    domain = List(Float(**FIELDS["domain"]), None, allow_none=True).tag(sync=True)
    left = Int(**FIELDS["left"]).tag(sync=True)
    columns = Int(**FIELDS["columns"]).tag(sync=True)

    cos = Result(read_only=True)
    sin = Result(read_only=True)

    preset = "rotary"

    _results = ["cos", "sin"]


class Waves(_Table):
    """
    Columns of a table of positional encodings as lines over the position.

        waves = posenc.Waves(waves=[8, 9, 24, 25])

    waves: the dimensions to draw, up to 8. An empty list draws up to 6 with wavelengths far apart that are visible at this
        length. Default: [].
    length: positions, from 1 to 2^20. Default: 128.
    dim: dimensions, from 1 to 4096. Default: 64.
    domain: the two values that the axis spans. Default: the range of the table.

    table: the computed table, float32 of shape (length, dim), or None if it has more than 2^21 numbers. Set it to an array of
        numbers of shape (rows, columns) to show that array, rounded to float32, instead of the table that the traits describe.
        Set it to None to show the latter again.
    """

    element = Unicode("posenc-waves", read_only=True).tag(sync=True)

    waves = List(Int(**FIELDS["waves"])).tag(sync=True)


class Add(_AnyPreset):
    """
    Embeddings, the encoding added to them, and the sum.

        add = posenc.Add(embeddings=array, labels=["the", "dog", "bit", "the", "man"])

    embeddings: numbers of shape (length, dim), copied and rounded to float32. Default: None, samples from N(0, 1) for the tokens
        of a sentence.
    labels: a string for each row.
    root: whether the embeddings are multiplied by √dim. Default: False.
    seed: the seed of the samples. Default: 1.

    sum: the computed sum, float32 of the embeddings' shape, or None if it has more than 2^21 numbers
    """

    element = Unicode("posenc-add", read_only=True).tag(sync=True)

    embeddings = Array()
    labels = List(Unicode()).tag(sync=True)
    root = Bool(**FIELDS["root"]).tag(sync=True)
    seed = Int(**FIELDS["seed"]).tag(sync=True)

    sum = Result(read_only=True)

    _results = ["sum"]
