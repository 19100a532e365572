"""
Checks the package as it is installed, with no browser: what is in the wheel, what the traits allow, and what they keep.

python check.py WHEEL WHEEL_OF_THE_SDIST REPOSITORY VERSION TRAITS

TRAITS are the names of the traits that each widget must have, as JSON.
"""

import contextlib
import inspect
import json
import pathlib
import re
import sys
import zipfile

import numpy as np
import posenc
import traitlets
from posenc import Add, Heatmap, Rotary, Waves
from posenc._fields import FIELDS


def contents(wheel):
    with zipfile.ZipFile(wheel) as archive:
        # RECORD lists them in any order.
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}


wheel, of_sdist = map(contents, sys.argv[1:3])
assert wheel == of_sdist, "the source distribution makes another wheel"
repository = pathlib.Path(sys.argv[3])
front_end = (repository / "build/anywidget.js").read_bytes()
assert wheel["posenc/anywidget.js"] == front_end, "the front end is not the built one"
assert wheel["posenc/_fields.py"] == (repository / "build/_fields.py").read_bytes(), "the fields are not the built ones"
assert Heatmap()._esm.encode() == front_end, "the widget has another front end than the package"
assert {"posenc/py.typed", "posenc/LICENSE"} <= wheel.keys()
assert wheel["posenc/NOTICES.txt"] == (repository / "dist/NOTICES.txt").read_bytes()
assert posenc.__version__ == sys.argv[4]
assert [name for name in dir(posenc) if not name.startswith("_")] == posenc.__all__ == ["Add", "Heatmap", "Rotary", "Waves", "vectors"]


@contextlib.contextmanager
def refused(kind, *said):
    """A context that must raise an error whose message contains all of these words."""
    try:
        yield
    except kind as error:
        for text in said:
            assert text in str(error), f"{error!r} does not say {text}"
    else:
        raise AssertionError(f"there was no {kind} that says {said}")


vectors = {path.stem: json.loads(path.read_text("utf-8")) for path in (repository / "build/vectors").iterdir()}
assert {name: posenc.vectors(name) for name in posenc.vectors()} == vectors and "llama-3.1-8b" in vectors
with refused(KeyError, "no group llama", "alibi-12, alibi-8"):
    posenc.vectors("llama")
example = {"posenc": posenc, "np": np}
exec(re.search(r"```python\n(vector = .*?)```", (repository / "web/notebooks/README.md").read_text("utf-8"), re.DOTALL)[1], example)
assert example["wrong"].argmax() == 29

# The limits of each number's range, and values beyond.
RANGES = {name: (field["min"], field["max"]) for name, field in FIELDS.items() if "min" in field and "default_value" in field}
assert len(RANGES) > 10
for name, (low, high) in RANGES.items():
    kind = Heatmap if Heatmap.class_traits().get(name) else Add
    for value in (low, high):
        assert getattr(kind(**{name: value}), name) == value
    beyond = (np.nextafter(low, -np.inf), np.nextafter(high, np.inf)) if isinstance(low, float) else (low - 1, high + 1)
    for value, limit in zip(beyond, (low, high), strict=True):
        with refused(traitlets.TraitError, f"'{name}'", str(limit)):
            kind(**{name: value})
    for value in ("3", [1]):
        with refused(traitlets.TraitError, f"'{name}'"):
            kind(**{name: value})
    widget = kind()
    before = getattr(widget, name)
    with refused(traitlets.TraitError, name):
        setattr(widget, name, "3")
    assert getattr(widget, name) == before
for name in ("max_frequency", "scale", "position", "dimension", "columns", "column_layout", "endpoint", "odd", "theme"):
    assert getattr(Heatmap(**{name: None}), name) is None
for name in ("length", "dim", "base", "preset", "numerics", "rows", "weights", "left"):
    with refused(traitlets.TraitError, f"'{name}'", "None"):
        Heatmap(**{name: None})
for name, word in {"preset": "learned", "column_layout": "cos-sin", "odd": "pad", "numerics": "bfloat16"}.items():
    assert getattr(Heatmap(**{name: word}), name) == word
    with refused(traitlets.TraitError, f"'{name}'", f"'{word}'", "'other'"):
        Heatmap(**{name: "other"})
assert Waves(domain=(0, 2)).domain == [0, 2] and Heatmap().domain is None
assert Waves(domain=(-1e38, 1e38)).domain == [-1e38, 1e38]
for ends in [-1e38, np.nextafter(1e38, np.inf)], [np.nextafter(-1e38, -np.inf), 1e38]:
    with refused(traitlets.TraitError, "1e+38"):
        Heatmap(domain=ends)

# Presets have the same first positions as in JavaScript, unless a start is given.
for preset, start in {"transformer": 0, "fairseq": 2, "ctranslate2": 1, "learned": 0}.items():
    for widget in (Heatmap(preset=preset), Waves(start=None, preset=preset), Add(preset=preset)):
        assert widget.start == widget.get_state()["start"] == start
    for other in (0, 3):
        assert Heatmap(preset=preset, start=other).start == other
heatmap = Heatmap(preset="fairseq", start=3)
heatmap.preset = "tensor2tensor"
assert heatmap.start == 3
heatmap.start = None
assert heatmap.start == 0
heatmap.preset = "ctranslate2"
assert heatmap.start == 1
heatmap.rows = heatmap.length
heatmap.preset = "learned"
assert heatmap.start == 0

# Signatures and docstrings, which notebooks show.
signature = str(inspect.signature(Heatmap))
assert signature.startswith("(*, left=0, columns=None, length=128, dim=64, domain=None, table=None, preset='transformer'"), signature
GIVEN = {Heatmap: {"table"}, Rotary: set(), Waves: {"table"}, Add: {"embeddings", "labels"}}
for kind, given in GIVEN.items():
    assert inspect.signature(kind).parameters.keys() == {*json.loads(sys.argv[5])[kind.__name__], *given}
    described = set(re.findall(r"^    (\w+(?:, \w+)*):", kind.__doc__, re.MULTILINE))
    names = {name for names in described for name in names.split(", ")}
    assert names == set(inspect.signature(kind).parameters) | {"value", "error", *kind._results}
    assert inspect.getdoc(kind()) == inspect.getdoc(kind)

# Unknown names, and a name with another meaning.
with refused(TypeError, "lenght", "length"):
    Heatmap(lenght=3)
with refused(traitlets.TraitError, "layout"):
    Heatmap(layout="sin-cos")
with refused(TypeError, "Rotary has no preset", "scaling"):
    Rotary(preset="rotary")
for widget, name in ((Add(), "sum"), (Rotary(), "cos"), (Rotary(), "sin")):
    with refused(traitlets.TraitError, name):
        setattr(widget, name, np.zeros((2, 2)))

# Lists and arrays.
assert Waves(waves=[0, 1, 2]).waves == Waves(waves=(0, 1, 2)).waves == [0, 1, 2]
for waves in ([4096], [1.5], 3):
    with refused(traitlets.TraitError, "waves"):
        Waves(waves=waves)
given = np.arange(6, dtype=">f8").reshape(2, 3)[:, ::-1]
add = Add(embeddings=given, labels=["a", "b"])
assert add.embeddings.dtype == np.float32 and (add.embeddings == given).all() and add.labels == ["a", "b"]
assert add.get_state()["embeddings"] == {"shape": [2, 3], "data": given.astype("<f4").tobytes()}
assert Add(embeddings=[[1, 2], [3, 4]]).embeddings.shape == (2, 2)
for strange in ([1, 2], np.zeros((0, 4)), np.zeros((1, 1, 1)), [[np.nan]], [[np.inf]]):
    with refused(traitlets.TraitError, "embeddings"):
        Add(embeddings=strange)

# Results are kept until a trait changes.
table = np.arange(6, dtype="<f4").reshape(2, 3)
answer = {
    "start": 4,
    "position": 5,
    "value": {"position": 5, "dimension": 1, "value": 4.0},
    "table": {"shape": [2, 3], "data": memoryview(table.tobytes()), "computed": True},
}
heatmap = Heatmap(length=2, dim=3)
seen = []
heatmap.observe(lambda change: seen.append(change.new), "table")
assert heatmap.table is None and heatmap.value is None and heatmap.error == ""
heatmap.set_state(answer)
assert (heatmap.table == table).all() and heatmap.value == answer["value"] and heatmap.start == 4
assert len(seen) == 1 and seen[0] is heatmap.table
heatmap.theme = "dark"
assert heatmap.value is not None
heatmap.position = 4
assert heatmap.value is None and heatmap.table is not None
heatmap.dim = 4
assert heatmap.table is None and seen[1] is None
heatmap.set_state({"error": "It is wrong.", "table": None})
assert heatmap.table is None and heatmap.error == "It is wrong."
heatmap.set_state(answer)
assert heatmap.get_state()["table"] == answer["table"]

rotary = Rotary(dim=4, length=2, base=500000, rotary_layout="interleaved", scaling="linear factor=4")
assert rotary.start == 0 and rotary.get_state()["scaling"] == "linear factor=4"
rotary.start = None
assert rotary.start == 0
halves = {name: answer["table"] | {"data": memoryview((table + k).tobytes())} for k, name in enumerate(("cos", "sin"))}
rotary.set_state({"start": 4, "value": answer["value"], **halves})
assert (rotary.cos == table).all() and (rotary.sin == table + 1).all() and rotary.start == 4
rotary.columns = 2
assert rotary.value is None and rotary.cos is not None and rotary.sin is not None
rotary.scaling = None
assert rotary.cos is None and rotary.sin is None

# A look at the results keeps them, but not the selected cell; any other trait drops both. The theme drops nothing.
LOOKS = {
    Heatmap: {"domain": [-1, 1], "left": 1, "columns": 2},
    Rotary: {"domain": [-1, 1], "left": 1, "columns": 2},
    Waves: {"domain": [-1, 1], "waves": [1]},
    Add: {},
}
OTHERS = {"preset": "roformer", "length": 3, "dim": 6, "base": 500, "start": 2, "column_layout": "sin-cos", "endpoint": True}
OTHERS |= {"odd": "zero", "max_frequency": 0.5, "scale": 2, "numerics": "float32", "rows": 2000, "weights": 3}
OTHERS |= {"rotary_dim": 2, "rotary_layout": "interleaved", "scaling": "linear factor=4", "embeddings": [[1, 2]], "labels": ["a"]}
OTHERS |= {"root": True, "seed": 3}
for kind, looks in LOOKS.items():
    changes = {"theme": "dark", "position": 1, "dimension": 1, **looks, **OTHERS}
    settable = set(kind().get_state()) & set(inspect.signature(kind).parameters) - {"table"}
    assert settable <= changes.keys(), settable - changes.keys()
    for name in settable:
        widget = kind()
        widget.set_state({"value": answer["value"], "error": "old", **{result: answer["table"] for result in kind._results}})
        setattr(widget, name, changes[name])
        kept = name in {"theme", "position", "dimension", *looks}
        assert (widget.value is not None) == (name == "theme"), (kind, name)
        assert (widget.error == "old") == kept, (kind, name)
        for result in {Rotary: ("cos", "sin"), Add: ("sum",)}.get(kind, ("table",)):
            assert (getattr(widget, result) is not None) == kept, (kind, name, result)


class Parameter:
    """A tensor like PyTorch's, which NumPy accepts only when detached."""

    def detach(self):
        return self

    def cpu(self):
        return np.eye(3)


# A given table replaces them.
for kind in (Heatmap, Waves):
    for own in (np.arange(6).reshape(2, 3), [[0, 1, 2], [3, 4, 5]], np.arange(6.0).reshape(3, 2).T[:, ::-1], Parameter()):
        expected = np.eye(3) if isinstance(own, Parameter) else own
        widget = kind(table=own)
        assert widget.table.dtype == np.float32 and np.array_equal(widget.table, expected)
        wire = {"shape": list(np.shape(expected)), "data": np.asarray(expected, "<f4").tobytes()}
        assert widget.get_state()["table"] == wire
    own = np.zeros((1, 2), "<f4")
    widget = kind(table=own)
    own += 1
    assert not widget.table.any()
    widget = kind(length=2, dim=3)
    widget.set_state(answer)
    widget.table = [[7, 8]]
    assert widget.value is None and widget.start == 4
    for strange in ([1, 2], [[[1]]], np.zeros((0, 4)), [[np.nan]], [[np.inf]], np.zeros((1, 4097))):
        with refused(traitlets.TraitError, "table"):
            kind(table=strange)
        with refused(traitlets.TraitError, "table"):
            widget.table = strange
        assert widget.table.tolist() == [[7, 8]]
    # NumPy says what is no array of numbers.
    for strange in ([[1, 2], [3]], "table", [["a"]], [[1j]]):
        with refused((TypeError, ValueError)):
            widget.table = strange
        assert widget.table.tolist() == [[7, 8]]
    # A pending result is dropped, and the traits have no effect until the table is None.
    widget.set_state(answer)
    widget.dim = 5
    assert widget.table.tolist() == [[7, 8]] and widget.value == answer["value"]
    widget.position = 1
    assert widget.table.tolist() == [[7, 8]] and widget.value is None
    widget.table = None
    assert widget.table is None and widget.get_state()["table"] is None and widget.dim == 5
    widget.set_state(answer)
    assert np.array_equal(widget.table, table)
    widget.dim = 3
    assert widget.table is None
