"""Start-up of nova, beside the least that other programs need."""

import os
import re
import subprocess
import time

from harness.samples import alternate, median, spread, target
from harness.text import duration, paragraph, ranged, table

TITLE = "`nova`"
PROGRAMS = ["HelloWorld", "HelloEssentials"]
NEEDS_NOVA = True

#: The runs of each program in a round.
RUNS = 30
SILENT = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]


def measure(bench):
    """Times of each round: the median of its runs, in µs; and the peak of the resident set, in MB."""
    commands = candidates(bench)
    environment = {"PATH": os.environ["PATH"], "HOME": bench.work, "LANG": "C.UTF-8"}
    results = {name: {"wall": [], "cpu": [], "peak": []} for name in commands}
    for number in range(bench.rounds):
        bench.log(f"round {number + 1} of {bench.rounds}")
        runs = alternate(list(commands), RUNS, lambda name: run_once(commands[name], environment))
        for name, samples in zip(commands, runs):
            results[name]["wall"].append(median([wall for wall, _ in samples]))
            results[name]["cpu"].append(median([cpu for _, cpu in samples]))
            results[name]["peak"].append(peak(commands[name], environment))
    return {"programs": results, "targets": targets(results)}


def candidates(bench):
    """The command lines, by what the page calls them."""
    followers = [bench.nova, "followers", "mock-user-id", "--mock"]
    return {
        "Swift, print": [bench.program("HelloWorld")],
        "Swift, FoundationEssentials": [bench.program("HelloEssentials")],
        "`curl --version`": ["/usr/bin/curl", "--version"],
        "`nova --help`": [bench.nova, "--help"],
        "`nova followers mock-user-id --mock`": followers,
        "`nova followers mock-user-id --mock --ids`": followers + ["--ids"],
        "`nova post show post-1 --mock`": [bench.nova, "post", "show", "post-1", "--mock"],
    }


def run_once(command, environment):
    """Wall and CPU time of one run, in µs."""
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment, file_actions=SILENT)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    if status:
        raise RuntimeError(f"{' '.join(command)} failed with {os.waitstatus_to_exitcode(status)}")
    return wall * 1e6, (usage.ru_utime + usage.ru_stime) * 1e6


def peak(command, environment):
    """The peak of the resident set, in MB."""
    # Not from wait4: a child's peak counts from its fork, in which it is as big as this program.
    done = subprocess.run(
        ["/usr/bin/time", "-f", "peak: %M", *command], env=environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, check=True)
    return int(re.search(r"peak: (\d+)", done.stderr)[1]) / 1024


def targets(results):
    """The targets, in CPU time, which is at least the wall time here."""
    cpu = {name: median(values["cpu"]) for name, values in results.items()}
    help_time = cpu["`nova --help`"]
    limit = 2 * help_time / 1000 + 5
    return [
        target(
            "CPU time of `nova --help`, against a FoundationEssentials hello-world", "≤ 1.5 ×",
            help_time / cpu["Swift, FoundationEssentials"]),
        target(
            "CPU time of `nova followers … --mock`, against 2 × `nova --help` + 5 ms", f"< {limit:.1f} ms",
            cpu["`nova followers mock-user-id --mock`"] / 1000),
    ]


def page(results, charts):
    """A chart of CPU times, and a table."""
    programs = results["programs"]
    rows = [(name, *(value / 1000 for value in spread(values["cpu"]))) for name, values in programs.items()]
    chart = charts.bars("startup", "One run of a program", "ms of CPU, less is better", rows)
    cells = [
        [name, ranged(values["cpu"], duration), ranged(values["wall"], duration), f"{median(values['peak']):.1f} MB"]
        for name, values in programs.items()
    ]
    return "\n\n".join([
        paragraph(f"""
            A whole run, from the start of the process to its end, with output to /dev/null: medians of {RUNS} runs in each
            round, one program after the other. The first two show the minimum cost of a Swift program: one prints a
            line, and one formats a date with FoundationEssentials.
        """),
        chart,
        table(["", "CPU time", "wall time", "peak memory"], cells),
        paragraph("""
            The commands with `--mock` first create the mock's data, which takes most of their time beyond that of
            `nova --help`. The data is not freed at the end of the program. `nova followers` makes a second call for
            the users' names, unless you pass `--ids`.

            `make release` links Swift's libraries statically into `nova`. Of the CPU time of `nova --help`, two
            fifths are the start of the process: the kernel maps the program, and the loader writes the addresses of
            its data, which
            can stand anywhere in memory; at fixed addresses `nova --help` would take 0.5 ms less. A quarter is
            Swift's runtime, which creates the types of 60 commands and searches the program for their conformances.
            The rest builds the help page.
        """),
    ])
