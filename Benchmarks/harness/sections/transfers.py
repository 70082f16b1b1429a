"""Uploads and downloads of a big file, beside curl."""

import json
import subprocess
import sys

from harness.samples import median, spread
from harness.text import number, paragraph, ranged, table

TITLE = "Uploads and downloads"
PROGRAMS = []
NEEDS_NOVA = True
ROUNDS = 3

DIRECTIONS = {"Uploads": ("upload", "-T"), "Downloads": ("download", "-o")}


def measure(bench):
    """(time, client CPU, client memory, server CPU, server memory) of each round, by candidate; in s and MB."""
    size = "4G" if bench.full else "512M"
    command = [
        sys.executable, str(bench.root / "Benchmarks" / "media"), "--nova", bench.nova, "--serve", bench.serve,
        "--size", size, "--rounds", str(bench.rounds), "--directory", bench.work, "--json",
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return {"bytes": (4 << 30) if bench.full else (512 << 20), "rounds": json.loads(done.stdout)}


def page(results, charts):
    """A chart per direction, and one table."""
    total, rounds = results["bytes"], results["rounds"]
    size = f"{total >> 30} GiB" if total >> 30 else f"{total >> 20} MiB"

    def throughput(name):
        return [total / values[0] / 1e6 for values in rounds[name]]

    shown = []
    for title, marks in DIRECTIONS.items():
        rows = [(name, *spread(throughput(name))) for name in rounds if any(mark in name for mark in marks)]
        shown.append(charts.bars(title.lower(), f"{title}, {size} on loopback", "MB/s, more is better", rows))
    rows = []
    for name, values in rounds.items():
        wall, cpu, peak, server_cpu, server_peak = zip(*values)
        rows.append([
            name, ranged(wall, lambda value: f"{number(value)} s"), f"{median(throughput(name)):,.0f} MB/s",
            f"{number(median(cpu))} s", f"{median(peak):.0f} MB", f"{number(median(server_cpu))} s",
            f"{median(server_peak):.0f} MB"])
    header = ["", "time", "throughput", "client CPU", "client memory", "server CPU", "server memory"]
    return "\n\n".join([
        paragraph(f"""
            A sparse file of {size} over loopback, between `nova` and `nova serve`, in chunks of 4 MiB, after a
            warm-up round. The loops of `curl -T` send the same requests. Their time includes cutting the file into
            chunks, which `curl -T` cannot do itself; without digests they send no `Content-Digest`, and compute only the
            digest of the whole file. `nova download` checks the SHA-256 digest that the server sends as `Repr-Digest`,
            and returns when the file is on disk; `curl -o` does neither.
        """),
        *shown,
        table(header, rows),
        "Memory is the peak of the resident set. `Benchmarks/media` measures other sizes, and files of random bytes.",
    ])
