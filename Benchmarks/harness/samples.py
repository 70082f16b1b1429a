"""Samples: rounds in which candidates alternate, medians with their spread, and targets."""

import json
import os
import statistics
import subprocess


def alternate(candidates, rounds, run):
    """Calls `run(candidate)` once per candidate and round; each round begins with another candidate.

    Returns the lists of results, in the order of `candidates`.
    """
    results = [[] for _ in candidates]
    for number in range(rounds):
        for step in range(len(candidates)):
            index = (number + step) % len(candidates)
            results[index].append(run(candidates[index]))
    return results


def spread(values):
    """The median, the least and the greatest of some values."""
    return statistics.median(values), min(values), max(values)


def median(values):
    """The median of some values."""
    return statistics.median(values)


def target(text, goal, reached):
    """A target: what is compared, the goal as text, such as "≥ 2 ×" or "< 40 MB", and the number that was reached."""
    return [text, goal, reached]


def json_lines(command, **options):
    """Runs a program that prints a line of JSON per measurement, and returns them; other lines are ignored."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{os.path.basename(command[0])} ended with {done.returncode}: see its messages above")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def on_one_core():
    """Restricts this process to one core; for `preexec_fn`."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
