"""Paging a long list: time and memory by its length."""

from harness import client, followers, text
from harness.samples import alternate, median, target

TITLE = "Paging"
PROGRAMS = ["NovaPaging"]
ROUNDS = 3

LENGTHS = [250_000, 500_000, 1_000_000]


def measure(bench):
    """The runs by length, and the targets."""
    program = bench.program("NovaPaging")
    with followers.Followers() as server:
        bench.log(f"{bench.rounds} rounds of {', '.join(f'{length:,}' for length in LENGTHS)} followers")
        runs = alternate(
            LENGTHS, bench.rounds, lambda length: client.run_json([program, server.url, str(length)]))
    results = {"runs": dict(zip(map(str, LENGTHS), runs))}
    results["targets"] = _targets(results)
    return results


def _targets(results):
    """Memory, and that the time of an item does not grow with the list."""
    longest, shortest = (results["runs"][str(length)] for length in (LENGTHS[-1], LENGTHS[0]))
    peak = max(run["peak_kb"] for run in longest) * 1024 / 1e6
    growth = median(_processor_times(longest)) / median(_processor_times(shortest))
    return [
        target("peak memory of paging 1,000,000 followers", "< 40 MB", peak),
        target("CPU per follower of 1,000,000, to that of 250,000", "< 1.1 ×", growth),
    ]


def _processor_times(runs):
    """CPU time in µs per item."""
    return [run["cpu_us"] / run["items"] for run in runs]


def page(results, charts):
    """A table by length."""
    rows = []
    for length, runs in results["runs"].items():
        rows.append([
            f"{int(length):,}", text.ranged([run["seconds"] for run in runs]),
            text.ranged([run["cpu_us"] / 1e6 for run in runs]),
            text.ranged([time * 1000 for time in _processor_times(runs)]),
            text.ranged([run["peak_kb"] * 1024 / 1e6 for run in runs]),
            text.ranged([run["start_kb"] * 1024 / 1e6 for run in runs]),
        ])
    header = ["followers", "time, s", "CPU of the program, s", "CPU per follower, ns", "peak memory, MB", "before the first page, MB"]
    return text.paragraph("""
        `graph.followers(of:)` reads a list in pages of 1,000 ids (39 KB), each a call of its own, and requests one page
        ahead. The program imports NovaGraph. The server is another process, in Python, which computes each page.
    """) + "\n\n" + text.table(header, rows)
