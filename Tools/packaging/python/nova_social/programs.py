"""Finds the programs that this package installs."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path
from typing import Iterator


def program(name: str = "nova") -> Path:
    """Return the path of `nova` or `nova-serve`.

    Programs of this environment come first, then those of the user (`pip install --user`) and of the folder that
    `pip install --target` got, and last the PATH.
    """
    for folder in _folders():
        path = folder / name
        if path.is_file() and os.access(path, os.X_OK):
            return path
    found = shutil.which(name)
    if found:
        return Path(found)
    raise FileNotFoundError(
        f"not found: {name}, neither beside this Python nor on the PATH; install the package again: "
        "pip install --force-reinstall <its wheel>"
    )


def _folders() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", scheme=f"{os.name}_user"))
    yield Path(__file__).resolve().parent.parent / "bin"
