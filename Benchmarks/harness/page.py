"""Writes docs/benchmarks.md and its charts from the saved results."""

import re
import sys

from . import bench, text
from .chart import Charts
from .kept import KeptPage

PAGE = bench.ROOT / "docs" / "benchmarks.md"
IMAGES = bench.ROOT / "docs" / "images"

INTRODUCTION = """
    `make bench` runs all benchmarks and writes this page. It compares NovaSDK with the alternatives, on one machine,
    over loopback, and takes about 25 minutes. The candidates of a table alternate, and each round starts with another
    one. Figures are medians of the rounds; the ranges in parentheses, and the whiskers of the charts, show the lowest
    and the highest round. All programs are release builds.

    Compare only figures within one table. On another machine, they depend on its cores, which programs and servers
    share, on the versions below, and on the time it takes to wake a core: this machine is a virtual machine with two
    cores, on a shared host. Two complete runs in a row differ by a tenth; on other days, everything took up to three
    times as long.

    `Benchmarks/run --list` names the sections. `Benchmarks/run codec --rounds 15` measures one of them, and writes
    the page with the earlier results of the others, or what it says about them; `--full` adds larger files and longer
    runs. Each section says when it was measured; the machine and the versions are those of the newest.

    `make bench-check`, also a part of CI, does not need an idle machine: it counts the instructions and allocations
    of fixed work, and fails if they exceed those in `Benchmarks/figures.json` by 5 %. `UPDATE=1 make bench-check`
    accepts the new counts.

    `make fleet-bench` measures what the machines of a fleet share: an [outbox](fleet-outbox.md#measured), a
    [refresh](fleet-sessions.md#measured), and a [limit](fleet-limits.md#measured). It writes no page.
"""
SIGN = {"≥": lambda a, b: a >= b, "≤": lambda a, b: a <= b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}


def write(available):
    """Writes the page; returns its path. Sections without saved results stay as the page has them."""
    records = {name: record for name in available if (record := bench.saved(name))}
    kept = KeptPage(PAGE.read_text() if PAGE.exists() else "")
    IMAGES.mkdir(exist_ok=True)
    charts = Charts(IMAGES, "images")
    bodies, targets = [], []
    for name, module in available.items():
        body, rows = None, []
        if name in records:
            try:
                body = section(module, records[name], charts)
                rows = [target_row(*target) for target in records[name]["results"].get("targets", [])]
            except (KeyError, IndexError, TypeError, ValueError) as error:
                print(f"not shown: {name}, whose saved results lack {error}; run Benchmarks/run {name}", file=sys.stderr)
                del records[name]
        if body is None and (body := kept.section(module.TITLE)):
            rows = kept.targets(module.TITLE)
            charts.written.update(kept.images(body))
        if body:
            bodies.append(body)
            targets += [[module.TITLE, *row] for row in rows]
    parts = ["# Benchmarks", text.paragraph(INTRODUCTION)]
    if targets:
        parts += ["## Targets", text.table(["section", "what", "target", "measured", "reached"], targets, words=2)]
    if bodies:
        parts += ["## The machine", machine_table(records, kept.machine())]
    parts += bodies
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


def machine_table(records, kept):
    """The machine and versions of the newest results, whatever section they are from, and others that the page has."""
    newest = max(records.values(), key=lambda record: record["date"], default={"machine": kept})
    found = dict(tuple(pair) for pair in newest["machine"])
    for machine in [*(record["machine"] for record in records.values()), kept]:
        for name, value in machine:
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


def target_row(what, goal, reached):
    """A target, with a check mark if it is reached."""
    sign, limit, unit = parsed(goal)
    wanted = goal if isinstance(goal, str) else f"{sign} {limit:,g} {unit}"
    return [what, wanted, f"{text.number(reached)} {unit}".strip(), "✓" if is_reached(goal, reached) else "no"]
