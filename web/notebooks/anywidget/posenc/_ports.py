"""Reference values for ports, with which the tests of code in Python compare."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def vectors(group: str | None = None) -> Any:
    """
    The test vectors of a group, as `posenc vectors` of the npm package writes them: a dict with the config, inv_freq, the table of
    cosines and sines, a rotated vector, the tolerance and the values of well-known mistakes. Without a group, the names of all.

        vector = posenc.vectors("llama-3.1-8b")
        np.testing.assert_allclose(port.inv_freq, vector["inv_freq"], rtol=1e-6)
    """
    folder = files("posenc") / "_vectors"
    groups = sorted(file.name.removesuffix(".json") for file in folder.iterdir())
    if group is None:
        return groups
    if group not in groups:
        raise KeyError(f"posenc.vectors has no group {group}. It has {', '.join(groups)}.")
    return json.loads((folder / f"{group}.json").read_text("utf-8"))
