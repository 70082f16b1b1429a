"""Writing fixtures: records a second, by entity, format and size."""

from harness.samples import json_lines, median, on_one_core, spread, target
from harness.text import paragraph, ranged, rounded, table

TITLE = "Fixtures"
PROGRAMS = ["FixtureBenchmark"]
ROUNDS = 3


def measure(bench):
    """The figures of each round, by part and name; a million users only with `--full`, and once."""
    results = {}
    for number in range(bench.rounds):
        parts = ["entities", "formats", "growth"] + (["million"] if bench.full and number == 0 else [])
        for part in parts:
            bench.log(f"round {number + 1} of {bench.rounds}: {part}")
            for line in json_lines([bench.program("FixtureBenchmark"), part], preexec_fn=on_one_core):
                results.setdefault(part, {}).setdefault(line.pop("name"), []).append(line)
    rate = median(rates(results["entities"]["all"]))
    return {
        "parts": results,
        "targets": [target("fixtures with feeds, on one core", "≥ 500,000 records/s", rate)],
    }


def rates(lines):
    """Records a second in each round."""
    return [line["records"] / line["seconds"] for line in lines]


def page(results, charts):
    """By entity, by format, and by size."""
    parts = results["parts"]
    entities = sorted(parts["entities"].items(), key=lambda pair: -median(rates(pair[1])))
    total = parts["entities"]["all"][0]
    formats = parts["formats"]
    rows = [(name, *spread(rates(lines))) for name, lines in entities]
    blocks = [
        paragraph(f"""
            One core, files on a local disk, fsync included. NDJSON of 20,000 users with 10 follows, 3 posts, 5 likes,
            and 2 comments each, one entity at a time: {total['records']:,} records and {total['bytes'] / 1e6:.0f} MB in all. The
            followers of each user are counted, and a feed has 19 posts with three counts each.
        """),
        charts.bars("fixtures", "Fixtures as NDJSON, by entity", "records/s, more is better", rows),
        table(["entity", "records/s"], [[name, ranged(rates(lines), rounded)] for name, lines in entities]),
        f"The same {formats['ndjson'][0]['records']:,} records of 5,000 users in each format:",
        table(["format", "records/s"], [[name, ranged(rates(lines), rounded)] for name, lines in formats.items()]),
        "With 20 follows each, as NDJSON:",
        table(["users", "records", "records/s", "memory at the most"], growth_rows(parts)),
    ]
    return "\n\n".join(blocks)


def growth_rows(parts):
    """A row per number of users."""
    found = {**parts["growth"], **parts.get("million", {})}
    return [
        [f"{int(name):,}" + (" (users and follows only)" if name in parts.get("million", {}) else ""),
         f"{lines[0]['records']:,}", ranged(rates(lines), rounded),
         f"{median([line['peak_mb'] for line in lines]):.0f} MB"]
        for name, lines in found.items()
    ]
