"""The offline store: filling it, looking things up, opening it, and making it smaller."""

from harness.samples import json_lines, median
from harness.text import duration, paragraph, ranged, rounded, table

TITLE = "The offline store"
PROGRAMS = ["OfflineBenchmark"]
ROUNDS = 3


def measure(bench):
    """All lines of each round."""
    rounds = []
    for number in range(bench.rounds):
        bench.log(f"round {number + 1} of {bench.rounds}")
        rounds.append(json_lines([bench.program("OfflineBenchmark")]))
    return {"rounds": rounds}


def page(results, charts):
    """One table."""

    def figure(name, kind, posts=None):
        return [
            line[name] for lines in results["rounds"] for line in lines
            if line["kind"] == kind and name in line and (posts is None or line["posts"] == posts)]

    def time(kind, name="us", posts=None):
        return ranged(figure(name, kind, posts), duration)

    rows = [
        ["storing pages of 100", f"{ranged(figure('posts_per_second', 'fill'), rounded)} posts/s"],
        ["reading the same pages without a store", ranged([s * 1e6 for s in figure("without_s", "fill")], duration)],
        ["reading and storing them", ranged([s * 1e6 for s in figure("with_s", "fill")], duration)],
        ["a post", f"{time('post')}, 99 of 100 within {time('post', 'p99_us')}"],
        ["a page of 20 posts", f"{time('page')}, 99 of 100 within {time('page', 'p99_us')}"],
        ["opening the store, and reading a post, with 1,000 posts", time("open", posts=1_000)],
        ["the same with 100,000 posts", time("open", posts=100_000)],
        ["the file with a limit of 8 MiB",
         f"{median(figure('before_mb', 'limit')):.0f} MB before, {median(figure('after_mb', 'limit')):.0f} MB after"],
    ]
    return "\n\n".join([
        paragraph("""
            100,000 posts of 250 bytes, read in pages of 100 from an in-memory transport, with unordered IDs, like
            those of gateways.
        """),
        table(["", ""], rows),
        paragraph("""
            Each post changes scattered places in three indexes, so the number of posts per transaction determines the
            speed: one transaction per page stores a third as many posts as one transaction for up to 48 pages.
        """),
    ])
