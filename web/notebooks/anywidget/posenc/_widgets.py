"""The widgets: posenc's elements, with their attributes as traits and what they compute as arrays."""

from __future__ import annotations

import inspect
import pathlib
from typing import Any

import anywidget
import traitlets

from ._traits import Array, OneOf, Real, Several, Whole

# What the elements allow.
_POSITION = 2**53 - 1
_LENGTH = 2**20
_DIM = 4096
_SEED = 2**32 - 1
_WEIGHTS = 2**24
_PRESETS = ["transformer", "tensor2tensor", "fairseq", "roformer", "diffusers", "ctranslate2", "mlx", "tatp22", "learned"]


class Encoding(anywidget.AnyWidget):
    """
    The traits that all widgets have. None leaves one to the preset, or to the element.

    preset: whose dialect, or "learned"; "transformer"
    base: from 1.0001 to 1e12; 10000
    start: the first position, within ±(2^53 - 1); 0
    column_layout: "interleaved", "sin-cos" or "cos-sin"
    endpoint: whether the last frequency is 1/base
    odd: the last column of an odd dim, "sine", "zero" or "pad"
    max_frequency: multiplies every frequency, from 1e-12 to 1e12
    scale: multiplies every value, within ±1e6
    numerics: "exact", or "float32" or "bfloat16" to see what tables computed so hold
    rows, weights: of a learned table, how many (1024) and their seed (0)
    position, dimension: the selected cell
    theme: "light" or "dark"; that of the notebook

    The browser computes. What it hands back is None until it has answered, which takes a widget that is shown, and a cell
    that has ended since a trait was set.

    value: the selected cell as {"position": int, "dimension": int, "value": float}
    error: why there is no result, as the element says it; ""
    """

    _esm = pathlib.Path(__file__).parent / "anywidget.js"

    element = traitlets.Unicode(read_only=True).tag(sync=True)

    preset = OneOf(*_PRESETS, default="transformer")
    base = Real(1.0001, 1e12, 10000.0)
    start = Whole(-_POSITION, _POSITION, 0)
    column_layout = OneOf("interleaved", "sin-cos", "cos-sin")
    endpoint = traitlets.Bool(None, allow_none=True).tag(sync=True)
    odd = OneOf("sine", "zero", "pad")
    max_frequency = Real(1e-12, 1e12)
    scale = Real(-1e6, 1e6)
    numerics = OneOf("exact", "float32", "bfloat16", default="exact")
    rows = Whole(1, _LENGTH, 1024)
    weights = Whole(0, _SEED, 0)
    position = Whole(-_POSITION, _POSITION)
    dimension = Whole(0, _DIM - 1)
    theme = OneOf("light", "dark")

    value = traitlets.Any(read_only=True).tag(sync=True)
    error = traitlets.Unicode(read_only=True).tag(sync=True)

    #: The trait that holds what is computed.
    _result = "table"
    #: Traits on which it does not depend.
    _look = ["position", "dimension"]
    _answering = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__ is None:
            # anywidget makes a class for each widget.
            cls.__doc__ = cls.__base__.__doc__
            return
        # Notebooks show both on Shift-Tab.
        cls.__doc__ = f"{cls.__doc__}{Encoding.__doc__}"
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
        super().__init__(**traits)
        self.observe(self._forget, [name for name in self._settable() if name != "theme"])

    def _forget(self, change: Any) -> None:
        """A result belongs to the traits as they are."""
        if self._answering:
            return
        self.set_trait("value", None)
        if change.name not in self._look:
            self.set_trait(self._result, None)
            self.set_trait("error", "")

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
        """The traits of these names as they would be."""
        return [proposal.value if name == proposal.trait.name else getattr(self, name) for name in names]

    @staticmethod
    def _check(preset: str, start: int, rows: int, length: int, dim: int) -> None:
        last = start + length - 1
        if last > _POSITION:
            raise traitlets.TraitError(f"The last position, start + length - 1, must be below 2^53, not {last}.")
        if preset == "mlx" and dim % 2:
            raise traitlets.TraitError(f"With the preset 'mlx' dim must be even, not {dim}.")
        if preset == "learned" and rows * dim > _WEIGHTS:
            raise traitlets.TraitError(f"With a dim of {dim} rows must be at most {_WEIGHTS // dim}, not {rows}.")
        if preset == "learned" and not 0 <= start <= last < rows:
            raise traitlets.TraitError(
                f"The positions of {rows} learned rows must be from 0 to {rows - 1}, not {start} to {last}."
            )


class _Table(Encoding):
    length = Whole(1, _LENGTH, 128)
    dim = Whole(1, _DIM, 64)

    table = Array(read_only=True)

    @traitlets.validate("preset", "start", "rows", "length", "dim")
    def _fits(self, proposal: Any) -> Any:
        self._check(*self._with(proposal, "preset", "start", "rows", "length", "dim"))
        return proposal.value


class Heatmap(_Table):
    """
    A table of positional encodings as a heatmap.

        heatmap = posenc.Heatmap(length=128, dim=64)

    length: positions, 1 to 2^20; 128
    dim: dimensions, 1 to 4096; 64
    left, columns: the first column in sight (0), and how many (all)

    table: what the browser computed, float32 of shape (length, dim); None, too, where it has more than 2^21 numbers
    """

    element = traitlets.Unicode("posenc-heatmap", read_only=True).tag(sync=True)

    left = Whole(0, _DIM - 1, 0)
    columns = Whole(1, _DIM)

    _look = ["position", "dimension", "left", "columns"]


class Waves(_Table):
    """
    Columns of a table of positional encodings as lines along the position.

        waves = posenc.Waves(waves=[8, 9, 24, 25])

    waves: the dimensions that are drawn, up to 8
    length: positions, 1 to 2^20; 128
    dim: dimensions, 1 to 4096; 64

    table: what the browser computed, float32 of shape (length, dim); None, too, where it has more than 2^21 numbers
    """

    element = traitlets.Unicode("posenc-waves", read_only=True).tag(sync=True)

    waves = Several(Whole(0, _DIM - 1, 0), [8, 9, 16, 17, 24, 25], maxlen=8)


class Add(Encoding):
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

    sum: what the browser computed, float32 of the embeddings' shape; None, too, where it has more than 2^21 numbers
    """

    element = traitlets.Unicode("posenc-add", read_only=True).tag(sync=True)

    embeddings = Array()
    labels = Several(traitlets.Unicode())
    order = OneOf("batch-first", "sequence-first", default="batch-first")
    root = traitlets.Bool(False).tag(sync=True)
    dropout = Real(0, 1, 0.0)
    dropout_seed = Whole(0, _SEED, 0)
    seed = Whole(0, _SEED, 1)
    word = Whole(0, 50256)

    sum = Array(read_only=True)

    _result = "sum"
    _look = ["position", "dimension", "word"]

    @traitlets.validate("preset", "start", "rows", "embeddings", "order")
    def _fits(self, proposal: Any) -> Any:
        preset, start, rows, embeddings, order = self._with(proposal, "preset", "start", "rows", "embeddings", "order")
        if embeddings is not None:
            *_, length, dim = embeddings.shape
            if embeddings.ndim == 3 and order == "sequence-first":
                length = embeddings.shape[0]
            self._check(preset, start, rows, length, dim)
        return proposal.value
