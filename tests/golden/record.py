"""Writes the files that a script makes beside itself, or with `--check` compares them."""

import json
import math
import sys
from pathlib import Path

HERE = Path(__file__).parent


def is_check():
    check = sys.argv[1:] == ['--check']
    if sys.argv[1:] and not check:
        sys.exit(f'usage: {Path(sys.argv[0]).name} [--check]')
    return check


def record(files):
    """Names and contents, as bytes or text."""
    check, differ = is_check(), []
    for name, content in files:
        path, content = HERE / name, content.encode() if isinstance(content, str) else content
        if not check:
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            differ.append(name)
        print(f'{name}: {len(content)} bytes')
    if differ:
        sys.exit(f'not what {Path(sys.argv[0]).name} makes: {", ".join(differ)}')


def alike(made, recorded, tolerance):
    """Whether values are equal up to differences of float arithmetic."""
    if isinstance(made, dict) and isinstance(recorded, dict):
        return made.keys() == recorded.keys() and all(alike(made[key], recorded[key], tolerance) for key in made)
    if isinstance(made, list) and isinstance(recorded, list):
        return len(made) == len(recorded) and all(alike(*pair, tolerance) for pair in zip(made, recorded))
    if isinstance(made, float) and isinstance(recorded, (int, float)):
        return math.isclose(made, recorded, rel_tol=0, abs_tol=tolerance)
    return made == recorded


def record_near(name, made, tolerance, *libraries, indent='  ', spread=False, optional=()):
    """
    What other libraries make, beside their versions, with a line for each case, and for each part of an object if they are to be
    `spread`. Other builds and processors may make `optional` not at all, and floats that differ by the tolerance.
    """
    versions = {library.__name__: library.__version__ for library in libraries}
    made = json.loads(json.dumps(made))  # with lists in place of tuples
    if is_check():
        recorded = json.loads((HERE / name).read_text())
        for library, version in versions.items():
            print(f'{library} {version} here, {recorded.pop(library)} in {name}')
        different = [part for part in made if not alike(made[part], recorded.get(part), tolerance)]
        if different or {*recorded} - {*made, *optional}:
            sys.exit(f'{name} is not what {Path(sys.argv[0]).name} makes: {different or [*recorded]}')
        return

    def dump(value):
        return json.dumps(value, ensure_ascii=False)

    parts = []
    for key, value in {**versions, **made}.items():
        text = dump(value)
        if isinstance(value, list) and isinstance(value[0], dict):
            lines = ',\n'.join(2 * indent + dump(case) for case in value)
            text = f'[\n{lines}\n{indent}]'
        elif isinstance(value, dict) and spread:
            lines = ',\n'.join(f'{2 * indent}{dump(part)}: {dump(its)}' for part, its in value.items())
            text = f'{{\n{lines}\n{indent}}}'
        parts.append(f'{indent}{dump(key)}: {text}')
    (HERE / name).write_text('{\n' + ',\n'.join(parts) + '\n}\n')
