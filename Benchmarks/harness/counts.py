"""Counts what a call needs of the system: allocations, and system calls.

A program runs with K calls and with 2 K; the difference divided by K is the count of a call, without that of starting
the program, of its connections, and of its warm-up.
"""

import os
import re
import shutil
import subprocess


class Allocations:
    """Counts calls of malloc and its kin with a library that is preloaded."""

    def __init__(self, work):
        self._library = os.path.join(work, "count_allocations.so")
        self._count = os.path.join(work, "allocations")
        source = os.path.join(os.path.dirname(__file__), "count_allocations.c")
        compiler = shutil.which("clang") or "cc"
        subprocess.run(
            [compiler, "-O2", "-Wall", "-shared", "-fPIC", "-fno-builtin", "-o", self._library, source], check=True)

    def count(self, command):
        """The allocations of a whole run."""
        environment = {**os.environ, "LD_PRELOAD": self._library, "NOVA_ALLOCATION_COUNT": self._count}
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, timeout=300)
        with open(self._count) as file:
            return int(file.read())


class SystemCalls:
    """Counts system calls of all threads with perf, or, where that is not allowed, with strace, which slows them."""

    def __init__(self, work):
        self._file = os.path.join(work, "strace")
        self.tool = "perf" if self._perf(["true"]) is not None else "strace"

    def count(self, command):
        """The system calls of a whole run."""
        return self._perf(command) if self.tool == "perf" else self._strace(command)

    def _perf(self, command):
        if not shutil.which("perf"):
            return None
        event = "raw_syscalls:sys_enter"
        done = subprocess.run(
            ["perf", "stat", "-x,", "-e", event, "--"] + command, capture_output=True, text=True, timeout=300)
        match = re.search(rf"^(\d+),[^,]*,{event}", done.stderr, re.MULTILINE)
        return int(match.group(1)) if match and done.returncode == 0 else None

    def _strace(self, command):
        subprocess.run(
            ["strace", "-f", "-c", "-o", self._file] + command, check=True, stdout=subprocess.DEVNULL, timeout=300)
        with open(self._file) as file:
            total = next(line.split() for line in reversed(file.readlines()) if line.rstrip().endswith("total"))
        return int(total[3] if len(total) > 4 else total[2])


def per_call(counter, command, calls, repetitions):
    """The count of one call; `command(calls)` is the command line of a run.

    Of several runs the one with the least counts: threads that wait for a core now and then only add to it.
    """
    least = [min(counter.count(command(number)) for _ in range(repetitions)) for number in (calls, 2 * calls)]
    return (least[1] - least[0]) / calls
