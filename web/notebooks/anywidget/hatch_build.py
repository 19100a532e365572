"""Adds files from elsewhere in the repository to the package: the front end, the facts and the vectors that npm builds, and the licenses."""

from __future__ import annotations

import pathlib
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OUTSIDE = {
    "build/anywidget.js": "posenc/anywidget.js",
    "build/_fields.py": "posenc/_fields.py",
    "build/vectors": "posenc/_vectors",
    "LICENSE": "posenc/LICENSE",
    "dist/NOTICES.txt": "posenc/NOTICES.txt",
}


class Outside(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if pathlib.Path(self.root, "PKG-INFO").exists():
            return  # a source distribution already contains them
        repository = pathlib.Path(self.root).parents[2]
        build_data["force_include"].update({str(repository / source): target for source, target in OUTSIDE.items()})
