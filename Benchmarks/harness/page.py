"""Writes docs/benchmarks.md and its charts from the saved results."""

import re
import sys

from . import bench, text
from .chart import Charts

PAGE = bench.ROOT / "docs" / "benchmarks.md"
IMAGES = bench.ROOT / "docs" / "images"

INTRODUCTION = """
    `make bench` runs all benchmarks and writes this page. It compares NovaSDK with the alternatives, on one machine,
    over loopback, and takes about 25 minutes. The candidates of a table alternate, and each round starts with another
    one. Figures are medians of the rounds; the ranges in parentheses, and the whiskers of the charts, show the lowest
    and the highest round. All programs are release builds.

    Compare only figures within one table. On another machine, they depend on its cores, which programs and servers
    share, on the versions below, and on the time it takes to wake a core: this machine is a virtual machine with two
    cores, on a shared host. Two complete runs differ by a tenth.

    `Benchmarks/run --list` names the sections. `Benchmarks/run codec --rounds 15` measures one of them, and writes
    the page with the earlier results of the others; `--full` adds larger files and longer runs.

    `make bench-check`, also a part of CI, does not need an idle machine: it counts the instructions and allocations
    of fixed work, and fails if they exceed those in `Benchmarks/figures.json` by 5 %. `UPDATE=1 make bench-check`
    accepts the new counts.
"""
SIGN = {"≥": lambda a, b: a >= b, "≤": lambda a, b: a <= b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}


def write(available):
    """Writes the page; returns its path."""
    records = {name: record for name in available if (record := bench.saved(name))}
    IMAGES.mkdir(exist_ok=True)
    charts = Charts(IMAGES, "images")
    bodies = {}
    for name in list(records):
        try:
            bodies[name] = section(available[name], records[name], charts)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            print(f"not shown: {name}, whose saved results lack {error}; run Benchmarks/run {name}", file=sys.stderr)
            del records[name]
    parts = ["# Benchmarks", text.paragraph(INTRODUCTION)]
    targets = [target for record in records.values() for target in record["results"].get("targets", [])]
    if targets:
        parts += ["## Targets", target_table(targets)]
    if records:
        parts += ["## The machine", machine_table(records)]
    parts += bodies.values()
    for file in IMAGES.glob("benchmarks-*.svg"):
        if file.name not in charts.written:
            file.unlink()
    PAGE.write_text("\n\n".join(part.strip() for part in parts) + "\n")
    return PAGE


def section(module, record, charts):
    """A section with its heading, and when it was measured."""
    body = module.page(record["results"], charts).strip()
    if not body.startswith("## "):
        body = f"## {module.TITLE}\n\n{body}"
    rounds = f"{record['rounds']} rounds" if record["rounds"] > 1 else "1 round"
    return f"{body}\n\nMeasured on {record['date']}, {rounds}, {text.seconds(record['seconds'])} in all."


def machine_table(records):
    """The machine and versions of the newest results, whatever section they are from."""
    newest = max(records.values(), key=lambda record: record["date"])
    found = dict(tuple(pair) for pair in newest["machine"])
    for record in records.values():
        for name, value in record["machine"]:
            found.setdefault(name, value)
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in found.items())


def is_reached(goal, reached):
    """Whether a target was reached: `goal` is a sign, a number and a unit, or a number that is the least allowed."""
    sign, limit, _ = parsed(goal)
    return SIGN[sign](reached, limit)


def parsed(goal):
    """The sign, the number and the unit of a goal such as "< 40 MB"."""
    if isinstance(goal, (int, float)):
        return "≥", goal, "×"
    match = re.fullmatch(r"([≥≤<>])\s*([\d.,]+)\s*(.*)", goal)
    if not match:
        raise ValueError(f'invalid goal {goal!r}: expected a sign, a number and a unit, such as "< 40 MB"')
    return match[1], float(match[2].replace(",", "")), match[3]


def target_table(targets):
    """All targets, with a check mark where they are reached."""
    rows = []
    for what, goal, reached in targets:
        sign, limit, unit = parsed(goal)
        wanted = goal if isinstance(goal, str) else f"{sign} {limit:,g} {unit}"
        shown = f"{text.number(reached)} {unit}".strip()
        rows.append([what, wanted, shown, "✓" if is_reached(goal, reached) else "no"])
    return text.table(["what", "target", "measured", "reached"], rows)
