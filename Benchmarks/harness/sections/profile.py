"""Loading a profile from a server that takes 50 ms for each response."""

import re
import subprocess
import threading

from harness import client, text
from harness.samples import alternate, median, spread

TITLE = "A profile at 50 ms latency"
PROGRAMS = ["NovaProfile"]
NEEDS_NOVA = True

LATENCY = 50
USER, VIEWER = "mock-user-id", "user-0001"
WAYS = {"model": "`UserProfileViewModel`", "sequence": "the same calls, one after another"}


class Serve:
    """A context manager: nova-serve runs inside of it."""

    def __init__(self, program, *arguments):
        self._command = [program, "--port", "0", *arguments]

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        match = re.search(r"http://\S+:\d+", self._process.stdout.readline())
        if not match:
            self.__exit__()
            raise RuntimeError("nova-serve did not print its address; see its messages above")
        self.url = match[0]
        # What it prints later must not fill the pipe.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()


def measure(bench):
    """The runs by way: the first load, with new connections, and a second one."""
    program = bench.program("NovaProfile")
    with Serve(bench.serve, "--latency", f"{LATENCY}ms") as server:
        bench.log(f"{bench.rounds} rounds")
        runs = alternate(
            list(WAYS), bench.rounds, lambda way: client.run_lines([program, server.url, USER, VIEWER, way]))
    return {"runs": dict(zip(WAYS, runs))}


def _values(results, way, attempt, key):
    return [run[key] for runs in results["runs"][way] for run in runs if run["attempt"] == attempt]


def page(results, charts):
    """A chart and a table."""
    rows, bars = [], []
    for way, name in WAYS.items():
        for attempt, connections in (("first", "new connections"), ("again", "open connections")):
            shown = _values(results, way, attempt, "shown_ms")
            complete = _values(results, way, attempt, "complete_ms")
            requests = _values(results, way, attempt, "requests")[0]
            rows.append([
                f"{name}, {connections}", requests, text.ranged(shown), f"{median(shown) / LATENCY:.1f}",
                text.ranged(complete), f"{median(complete) / LATENCY:.1f}",
            ])
            if attempt == "again":
                bars.append((f"NovaSDK, {name.strip('`')}" if way == "model" else name, *spread(complete)))
    header = [
        "", "requests", "content, ms", "in round trips of 50 ms", "with the likes, ms", "in round trips of 50 ms"]
    return "\n\n".join([
        text.paragraph("""
            Profile, followers, following, posts, saved posts, and whether the viewer follows the user; then the likes of the
            posts, which need the ids of the posts. `nova serve --latency 50ms` waits before each response.
        """),
        charts.bars("profile", "A whole profile at 50 ms latency", "ms, less is better", bars),
        text.table(header, rows),
    ])
