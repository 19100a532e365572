"""The widgets: posenc's elements, with their attributes as traits and what they compute as arrays."""

from __future__ import annotations

import inspect
import pathlib
from typing import Any

import anywidget
import numpy as np
import traitlets

from ._fields import ADD, ANY_PRESET, DIM, ENCODING, HEATMAP, POSITION, STARTS, TABLE, WAVES, WEIGHTS
from ._traits import Array, Ends, Flag, Line, OneOf, Real, Result, Several, Start, Whole, Wholes


class Encoding(anywidget.AnyWidget):
    """
    The traits that all widgets have. None leaves one to the preset, or to the element.

    base: from 1.0001 to 1e12; 10000
    numerics: "exact", or "float32" or "bfloat16" to see what tables computed so hold
    rotary_dim: the first columns, which turn in a rotary encoding; all
    rotary_layout: "half" or "interleaved"
    scaling: of rotary frequencies, a type and its fields as in "linear factor=4"; none
    position, dimension: the selected cell
    theme: "light" or "dark"; that of the notebook

    The browser computes. What it hands back is None until it has answered, which takes a widget that is shown, and a cell
    that has ended since a trait was set.

    value: the selected cell as {"position": int, "dimension": int, "value": float}
    error: why there is no result, as the element says it; ""
    """

    _esm = pathlib.Path(__file__).parent / "anywidget.js"

    element = traitlets.Unicode(read_only=True).tag(sync=True)

    base = Real(**ENCODING["base"])
    start = Start(**ENCODING["start"])
    numerics = OneOf(**ENCODING["numerics"])
    rotary_dim = Whole(**ENCODING["rotary_dim"])
    rotary_layout = OneOf(**ENCODING["rotary_layout"])
    scaling = Line(**ENCODING["scaling"])
    position = Whole(**ENCODING["position"])
    dimension = Whole(**ENCODING["dimension"])
    theme = OneOf(**ENCODING["theme"])

    value = traitlets.Any(read_only=True).tag(sync=True)
    error = traitlets.Unicode(read_only=True).tag(sync=True)

    #: A trait, or the one preset that a widget shows.
    preset: Any
    #: The traits that hold what is computed.
    _results = ["table"]
    #: Traits on which it does not depend.
    _look = ["position", "dimension"]
    #: The array that somebody gave in place of the result.
    _given: np.ndarray | None = None
    _answering = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__ is None:
            # anywidget makes a class for each widget.
            cls.__doc__ = cls.__base__.__doc__
            return
        # Notebooks show all of it on Shift-Tab.
        cls.__doc__ = f"{cls.__doc__}{cls.__base__.__doc__}"
        cls.__signature__ = inspect.Signature(
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=trait.default())
            for name, trait in cls._settable().items()
        )

    @classmethod
    def _settable(cls) -> dict[str, traitlets.TraitType[Any, Any]]:
        """The traits that posenc defines, a class's own first."""
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
                raise TypeError(f"{type(self).__name__} has no {name}, but {', '.join(self._settable())}")
        if isinstance(traits.get("layout"), str):
            raise TypeError("layout is how the widget is laid out; of sines and cosines that is column_layout")
        start = traits.pop("start", None)
        # Last: None is the preset's own.
        super().__init__(**traits, start=start)
        self.observe(self._follow, "preset")
        self.observe(self._forget, [name for name in self._settable() if name != "theme"])

    def _follow(self, change: Any) -> None:
        """A start that is the preset's own becomes the next one's."""
        if self.start == STARTS.get(change.old, 0):
            self.start = None

    def _forget(self, change: Any) -> None:
        """A result belongs to the traits as they are."""
        if self._answering:
            return
        looked = change.name in self._look
        if self._given is not None and not looked and change.name not in self._results:
            return  # the given table does not depend on them
        self.set_trait("value", None)
        if not looked:
            self.set_trait("error", "")
            if self._given is None:
                for name in self._results:
                    self.set_trait(name, None)

    def notify_change(self, change: Any) -> None:
        """Tells the browser in one message what has changed and what is forgotten: what it then computes is new to both."""
        with self.hold_sync():
            super().notify_change(change)

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """All of it even for `embed_minimal_html`, which drops what it takes the browser to know."""
        return super().get_state(key)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Takes what the browser says: a result comes with the traits that somebody changed there."""
        self._answering = True
        try:
            super().set_state(sync_data)
        finally:
            self._answering = False

    def _with(self, proposal: Any, *names: str) -> list[Any]:
        """The preset and the start as they would be, and the traits of these names."""
        would = {name: getattr(self, name) for name in ("preset", "start", *names)}
        follows = would["start"] == STARTS.get(would["preset"], 0)
        would[proposal.trait.name] = proposal.value
        if follows and proposal.trait.name == "preset":
            would["start"] = STARTS.get(proposal.value, 0)
        return list(would.values())

    @staticmethod
    def _check(preset: str, start: int, length: int, dim: int, rows: int = 0) -> None:
        last = start + length - 1
        if last > POSITION:
            raise traitlets.TraitError(f"The last position, start + length - 1, must be below 2^53, not {last}.")
        if preset in ("mlx", "rotary") and dim % 2:
            raise traitlets.TraitError(f"For {preset} dim must be even, not {dim}.")
        if preset == "learned" and rows * dim > WEIGHTS:
            raise traitlets.TraitError(f"With a dim of {dim} rows must be at most {WEIGHTS // dim}, not {rows}.")
        if preset == "learned" and not 0 <= start <= last < rows:
            raise traitlets.TraitError(
                f"The positions of {rows} learned rows must be from 0 to {rows - 1}, not {start} to {last}."
            )


class _AnyPreset(Encoding):
    """
    The traits of the widgets that show any preset.

    preset: whose dialect, "learned", or in all but Add "rotary"; "transformer"
    start: the first position, within ±(2^53 - 1); the preset's own, 2 of fairseq, 1 of ctranslate2 and 0 of the others, which
        follows a change of preset
    column_layout: "interleaved", "sin-cos" or "cos-sin"
    endpoint: whether the last frequency is 1/base
    odd: the last column of an odd dim, "sine", "zero" or "pad"
    max_frequency: multiplies every frequency, from 1e-12 to 1e12
    scale: multiplies every value, within ±1e6
    rows, weights: of a learned table, how many (1024) and their seed (0)
    """

    preset = OneOf(**ANY_PRESET["preset"])
    column_layout = OneOf(**ANY_PRESET["column_layout"])
    endpoint = Flag(**ANY_PRESET["endpoint"])
    odd = OneOf(**ANY_PRESET["odd"])
    max_frequency = Real(**ANY_PRESET["max_frequency"])
    scale = Real(**ANY_PRESET["scale"])
    rows = Whole(**ANY_PRESET["rows"])
    weights = Whole(**ANY_PRESET["weights"])


class _Table(_AnyPreset):
    length = Whole(**TABLE["length"])
    dim = Whole(**TABLE["dim"])
    domain = Ends(**TABLE["domain"])

    table = Result(2)

    @traitlets.validate("preset", "start", "rows", "length", "dim")
    def _fits(self, proposal: Any) -> Any:
        self._check(*self._with(proposal, "length", "dim", "rows"))
        return proposal.value

    @traitlets.validate("table")
    def _holds(self, proposal: Any) -> Any:
        if proposal.value is not None:
            rows, dim = proposal.value.shape
            if dim > DIM:
                raise traitlets.TraitError(f"A table must have at most {DIM} columns, not {dim}.")
            if rows * dim > WEIGHTS:
                raise traitlets.TraitError(
                    f"With {dim} columns a table must have at most {WEIGHTS // dim} rows, not {rows}."
                )
        return proposal.value

    @traitlets.observe("table")
    def _give(self, _change: Any) -> None:
        if not self._answering:
            self._given = self.table

    def set_state(self, sync_data: dict[str, Any]) -> None:
        if self._given is not None:
            # It was computed before the browser heard of the given one.
            sync_data = {name: value for name, value in sync_data.items() if name != "table"}
        super().set_state(sync_data)


class Heatmap(_Table):
    """
    A table of positional encodings as a heatmap.

        heatmap = posenc.Heatmap(length=128, dim=64)

    length: positions, 1 to 2^20; 128
    dim: dimensions, 1 to 4096; 64
    domain: the two values that the colours span; those that the table lies within
    left, columns: the first column in sight (0), and how many (all)

    table: what the browser computed, float32 of shape (length, dim); None, too, where it has more than 2^21 numbers. Set to an
        array of numbers of shape (rows, columns), it is that array, rounded to float32, in place of what the traits say; None
        shows again what they say
    """

    element = traitlets.Unicode("posenc-heatmap", read_only=True).tag(sync=True)

    left = Whole(**HEATMAP["left"])
    columns = Whole(**HEATMAP["columns"])

    _look = ["position", "dimension", "domain", "left", "columns"]


class Rotary(Encoding):
    """
    The rotary encoding of a head as a heatmap: the cosine and the sine of each pair's angle, in the pair's two columns.

        rotary = posenc.Rotary(dim=128, base=500000, scaling="linear factor=4")

    length: positions, 1 to 2^20; 128
    start: the first position, within ±(2^53 - 1); 0
    dim: dimensions of a head, an even number from 2 to 4096; 64
    domain: the two values that the colours span; those that the cosines and sines lie within
    left, columns: the first column in sight (0), and how many (all)

    cos, sin: what the browser computed, both float32 of shape (length, rotary_dim / 2); None, too, where they have more than 2^21
        numbers
    """

    element = traitlets.Unicode("posenc-rotary", read_only=True).tag(sync=True)

    length = Whole(**TABLE["length"])
    dim = Whole(**TABLE["dim"])
    domain = Ends(**TABLE["domain"])
    left = Whole(**HEATMAP["left"])
    columns = Whole(**HEATMAP["columns"])

    cos = Result(2, read_only=True)
    sin = Result(2, read_only=True)

    preset = "rotary"

    _results = ["cos", "sin"]
    _look = Heatmap._look

    @traitlets.validate("start", "length", "dim")
    def _fits(self, proposal: Any) -> Any:
        self._check(*self._with(proposal, "length", "dim"))
        return proposal.value


class Waves(_Table):
    """
    Columns of a table of positional encodings as lines along the position.

        waves = posenc.Waves(waves=[8, 9, 24, 25])

    waves: the dimensions that are drawn, up to 8; an empty list draws up to 6 that the length shows well, of wavelengths far apart
    length: positions, 1 to 2^20; 128
    dim: dimensions, 1 to 4096; 64
    domain: the two values that the axis spans; those that the table lies within

    table: what the browser computed, float32 of shape (length, dim); None, too, where it has more than 2^21 numbers. Set to an
        array of numbers of shape (rows, columns), it is that array, rounded to float32, in place of what the traits say; None
        shows again what they say
    """

    element = traitlets.Unicode("posenc-waves", read_only=True).tag(sync=True)

    waves = Wholes(**WAVES["waves"])

    _look = ["position", "dimension", "domain", "waves"]


class Add(_AnyPreset):
    """
    Embeddings, the encoding added to them, and what that does.

        add = posenc.Add(embeddings=array, labels=["the", "dog", "bit", "the", "man"])

    embeddings: numbers of shape (length, dim) or (batch, length, dim); a copy, rounded to float32. None is a sentence's, with
        samples from N(0, 1)
    labels: a string for each row of a sequence, or for each of all rows; equal ones are taken as the same token
    order: "batch-first", or "sequence-first" where embeddings have the shape (length, batch, dim)
    root: multiply the embeddings by √dim; False
    dropout, dropout_seed: the probability p, from 0 to 1, and its seed; 0
    seed: of the samples; 1
    word: which repeated token is compared; the first
    sequence: which of a batch's sequences the selected cell is in; 0

    sum: what the browser computed, float32 of the embeddings' shape; None, too, where it has more than 2^21 numbers
    """

    element = traitlets.Unicode("posenc-add", read_only=True).tag(sync=True)

    embeddings = Array(2, 3)
    labels = Several(traitlets.Unicode(), [])
    order = OneOf(**ADD["order"])
    root = Flag(**ADD["root"])
    dropout = Real(**ADD["dropout"])
    dropout_seed = Whole(**ADD["dropout_seed"])
    seed = Whole(**ADD["seed"])
    word = Whole(**ADD["word"])
    sequence = Whole(**ADD["sequence"])

    sum = Result(2, 3, read_only=True)

    _results = ["sum"]
    _look = ["position", "dimension", "word", "sequence"]

    @traitlets.validate("preset", "start", "rows", "embeddings", "order")
    def _fits(self, proposal: Any) -> Any:
        preset, start, rows, embeddings, order = self._with(proposal, "rows", "embeddings", "order")
        if embeddings is not None:
            *_, length, dim = embeddings.shape
            if embeddings.ndim == 3 and order == "sequence-first":
                length = embeddings.shape[0]
            self._check(preset, start, length, dim, rows)
        return proposal.value
