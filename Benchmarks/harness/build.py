"""Builds programs with SwiftPM, for release."""

import functools
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
JOBS = os.environ.get("JOBS", "2")
SWIFT = os.environ.get("SWIFT", "swift")


class BuildFailure(RuntimeError):
    """A build that failed; its output is on the terminal."""


def _command(package, *options):
    return [SWIFT, "build", "-j", JOBS, "-c", "release", "--package-path", str(package), *options]


@functools.cache
def folder(package):
    """Where the release products of a package are."""
    done = subprocess.run(_command(package, "--show-bin-path"), capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def product(package, name):
    """Builds a product of a package."""
    _run(_command(package, "--product", name), name)


@functools.cache
def nova():
    """Builds nova and nova-serve, as people install them."""
    _run(
        ["make", "--no-print-directory", "-C", str(ROOT), "release", f"JOBS={JOBS}"],
        "nova and nova-serve")


def _run(command, what):
    if subprocess.run(command).returncode:
        raise BuildFailure(f"cannot build {what}: see the compiler's messages above")


def path(package, name):
    """The path of a product; fails if it was not built."""
    return _existing(folder(package) / name)


def installed(name):
    """The path of nova or nova-serve, as people install them; fails if it was not built."""
    return _existing(ROOT / ".build/bin" / name)


def _existing(program):
    if not program.exists():
        raise BuildFailure(f"not found: {program}; run Benchmarks/run without --no-build")
    return str(program)
