"""What a section gets to measure with, and the loop over the sections."""

import datetime
import json
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from . import build, machine

ROOT = build.ROOT
PACKAGE = ROOT / "Benchmarks"
RESULTS = PACKAGE / ".build" / "results"
ROUNDS = 5


class Bench:
    """One section's run: its programs, its rounds, and a folder for its files."""

    def __init__(self, work, rounds, full):
        #: The folder of the SDK.
        self.root = ROOT
        #: A temporary folder, empty at first and removed after the section.
        self.work = work
        #: How many rounds to measure.
        self.rounds = rounds
        #: Whether to use bigger files and longer runs.
        self.full = full

    def program(self, name):
        """The path of a release product of the package Benchmarks."""
        return build.path(PACKAGE, name)

    @property
    def nova(self):
        """The path of the release build of nova."""
        return build.installed("nova")

    @property
    def serve(self):
        """The path of the release build of nova-serve."""
        return build.installed("nova-serve")

    def log(self, text):
        """Prints a line about the progress."""
        print(f"  {text}", file=sys.stderr, flush=True)


def measure(available, names, options):
    """Builds and measures sections, saves their results, and returns the names of those that failed."""
    failed = []
    for name in names:
        section = available[name]
        print(f"== {name}: {section.TITLE}", file=sys.stderr, flush=True)
        try:
            if not options.no_build:
                _build(section)
            _save(name, _measure(section, options))
        except KeyboardInterrupt:
            raise
        # One section that fails, for want of a program or of memory, must not cost the results of the others.
        except Exception:
            traceback.print_exc()
            failed.append(name)
    return failed


def _build(section):
    for program in section.PROGRAMS:
        build.product(PACKAGE, program)
    if getattr(section, "NEEDS_NOVA", False):
        build.nova()
    if hasattr(section, "prepare"):
        section.prepare()


def _measure(section, options):
    rounds = options.rounds or getattr(section, "ROUNDS", ROUNDS)
    work = tempfile.mkdtemp(prefix="nova-bench-")
    start = time.monotonic()
    try:
        results = section.measure(Bench(work, rounds, options.full))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return {
        "date": datetime.date.today().isoformat(), "rounds": rounds, "full": options.full,
        "seconds": round(time.monotonic() - start), "machine": machine.describe(), "results": results,
    }


def _save(name, record):
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=1))


def saved(name):
    """The last results of a section, or None."""
    file = RESULTS / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None
