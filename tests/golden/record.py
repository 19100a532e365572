"""Writes the files that a script makes beside itself, or with `--check` compares them."""

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
