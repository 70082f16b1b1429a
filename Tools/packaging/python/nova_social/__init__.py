"""NovaSocial's mock backend for Python tests: start `nova serve`, call it, and control it.

The package contains the programs `nova` and `nova-serve`. Its pytest plugin, nova_social.pytest_plugin, has the
fixtures `nova_server` and `nova_shared_server`.
"""

from __future__ import annotations

import subprocess
from typing import Tuple

from nova_social.programs import program
from nova_social.server import CallError, Server, ServerError

__all__ = ["CallError", "Server", "ServerError", "__version__", "program", "version"]


def version() -> str:
    """Return the version of the installed program `nova`."""
    command: Tuple[str, ...] = (str(program("nova")), "--version")
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()


def __getattr__(name: str) -> str:
    # Only when asked for: reading the metadata of all installed packages takes time.
    if name == "__version__":
        from importlib import metadata

        return metadata.version("nova-social")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
