"""Reads from caches, beside the same reads over loopback."""

import os

from harness import client, server, text
from harness.samples import alternate, median, spread

TITLE = "Caches"
PROGRAMS = ["NovaCacheReads"]

#: Name, what is read, and how many reads take about half a second.
KINDS = {
    "store": ("`OfflineStore`, SQLite on disk", "a call", 20_000),
    "call": ("nginx on loopback", "a call", 4_000),
    "memory": ("`MediaCache`, in memory", "an image", 100_000),
    "disk": ("`MediaCache`, on disk", "an image", 10_000),
    "image": ("nginx on loopback", "an image", 4_000),
}

_IMAGES = """
    location /cached/ { default_type image/png; add_header Cache-Control max-age=86400; return 200 '%(body)s'; }
    location /uncached/ { default_type image/png; add_header Cache-Control no-store; return 200 '%(body)s'; }"""


def measure(bench):
    """The runs by kind of read."""
    program = bench.program("NovaCacheReads")
    with server.Server(bench.work, locations=_IMAGES) as nginx:

        def run(kind):
            directory = os.path.join(bench.work, kind)
            os.makedirs(directory, mode=0o700, exist_ok=True)
            return client.run_json([program, nginx.url("plain"), directory, kind, str(KINDS[kind][2])])

        bench.log(f"{bench.rounds} rounds")
        runs = alternate(list(KINDS), bench.rounds, run)
    return {"runs": dict(zip(KINDS, runs))}


def _times(runs):
    """µs per read."""
    return [run["seconds"] * 1e6 / run["reads"] for run in runs]


def page(results, charts):
    """A chart and a table."""
    runs = results["runs"]
    bars = [(f"{what}: {name.replace('`', '')}", *spread(_times(runs[kind]))) for kind, (name, what, _) in KINDS.items()]
    rows = []
    for kind, (name, what, _) in KINDS.items():
        network = median(_times(runs["call" if what == "a call" else "image"]))
        rows.append([
            f"{what}: {name}", text.ranged([1e6 / time for time in _times(runs[kind])], text.rounded),
            text.ranged(_times(runs[kind])), f"{network / median(_times(runs[kind])):.1f} ×",
        ])
    return "\n\n".join([
        text.paragraph("""
            Each read gets one of 1,000 entries of 829 bytes, in a different order than they were stored. A call is
            GetFollowers with 20 IDs; even from the store, it passes through the whole client and is decoded, like a
            call to the server. Images are loaded by `MediaCache`, but not decoded.
        """),
        charts.bars("cache", "Time of a read", "µs, less is better", bars),
        text.table(["read", "reads/s", "µs", "to loopback"], rows),
    ])
