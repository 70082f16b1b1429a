"""The mock backend: calls a second, loading data sets, and requests against long lists."""

from harness.samples import json_lines, median, on_one_core, spread, target
from harness.text import duration, paragraph, ranged, rounded, table

TITLE = "The mock"
PROGRAMS = ["MockBenchmark"]
ROUNDS = 3

PARTS = ["calls", "guide", "follows", "posts", "million"]
SETS = {
    "guide": "`.guide`",
    "follows": "100,000 users, 5,000,000 follows",
    "posts": "the same, 500,000 posts, 5,000,000 likes, 1,000,000 comments",
}
COLUMNS = {"guide": "`.guide`", "posts": "100,000 users", "million": "1,000,000 followers"}


def measure(bench):
    """The figures of each round, by part and name."""
    results = {}
    for number in range(bench.rounds):
        for part in PARTS:
            bench.log(f"round {number + 1} of {bench.rounds}: {part}")
            for line in json_lines([bench.program("MockBenchmark"), part], preexec_fn=on_one_core):
                names = results.setdefault(part, {}).setdefault(line.pop("kind"), {})
                names.setdefault(line.pop("name"), []).append(line)
    rate = median(values(results, "calls", "rate", "GetFollowers, 20 ids", "calls_per_second"))
    return {
        "parts": results,
        "targets": [target("typed calls of GetFollowers with 20 ids to the mock, on one core", "≥ 150,000 calls/s", rate)],
    }


def values(parts, part, kind, name, figure):
    """One figure in each round."""
    return [line[figure] for line in parts[part][kind][name]]


def page(results, charts):
    """Calls a second, then data sets, then requests."""
    parts = results["parts"]
    rates = {name: values(parts, "calls", "rate", name, "calls_per_second") for name in parts["calls"]["rate"]}
    return "\n\n".join([
        paragraph("""
            Measured on one core, in CPU time. Calls in mock mode go through a whole client, one after the other: the
            client encodes the request, the mock checks its fields and the token, finds the result, logs the request,
            and encodes the response, which the client decodes.
        """),
        charts.bars(
            "mock-calls", "Calls of the mock on one core", "calls/s, more is better",
            [(name, *spread(samples)) for name, samples in rates.items()]),
        table(["", "calls/s"], [[name, ranged(samples, rounded)] for name, samples in rates.items()]),
        "Loading, and the memory that a data set adds to the process:",
        table(["data set", "loads in", "memory", "peak memory"], load_rows(parts)),
        paragraph("""
            Requests, JSON in to JSON out, without a client, including the checks of fields and tokens, the request log, and
            the faults (none set): medians of 200.
        """),
        table(["request", *COLUMNS.values()], request_rows(parts)),
        paragraph("""
            A list is stored in chunks of 4,096 entries, so pages skip chunks, and adding or removing an entry moves at most
            one chunk. The cost of these operations grows with the size of the data: looking up a pair searches the
            shorter of its two lists; a feed reads every post of the followed users; suggestions read everyone those
            users follow; a status filter reads every newer post of the author; deleting a post visits each of its
            likes, comments, shares, and bookmarks.
        """),
    ])


def load_rows(parts):
    """A row per data set, and one for a million users who come by requests."""
    rows = []
    for part, name in SETS.items():
        load = {figure: values(parts, part, "load", "", figure) for figure in ("milliseconds", "resident_mb", "peak_mb")}
        rows.append([
            name, ranged([value * 1000 for value in load["milliseconds"]], duration),
            f"{median(load['resident_mb']):.0f} MB", f"{median(load['peak_mb']):.0f} MB",
        ])
    request = ranged(values(parts, "million", "load", "", "request_us"), duration)
    memory = median(values(parts, "million", "load", "", "resident_mb"))
    rows.append([
        "1,000,000 users who follow one and like one post, request by request", f"{request} a request",
        f"{memory:.0f} MB", ""])
    return rows


def request_rows(parts):
    """A row per request, in the order in which they are made."""
    names = list(parts["posts"]["request"])

    def cell(part, name):
        # The users of that part follow nobody.
        if part == "million" and name in ("20 posts of a feed", "20 suggestions"):
            return ""
        return ranged(values(parts, part, "request", name, "us"), duration) if name in parts[part]["request"] else ""

    return [[name] + [cell(part, name) for part in COLUMNS] for name in names]
