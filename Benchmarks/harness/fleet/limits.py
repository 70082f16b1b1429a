"""A limit that processes share: used, never exceeded, and what a call costs."""

import json
import signal
import subprocess
import time

from .servers import Failure, PostgreSQL, Redis


def add_options(group):
    """Its part of the command line."""
    group.add_argument("--processes", default="1,2,8,32", help="numbers of processes")
    group.add_argument("--seconds", type=int, default=10, help="the length of each run")
    group.add_argument("--rate", type=float, default=400, help="calls per second")
    group.add_argument("--burst", type=int, default=200, help="the most calls at once")
    group.add_argument("--callers", type=int, default=4, help="tasks per process that call one after the other")
    group.add_argument("--stores", default="redis,postgresql", help="redis, postgresql, or both; for refreshes, too")


def measure(options, log):
    """Runs each number of processes, and then eight of which two are stopped; returns the figures by server."""
    results = {}
    for server in (Redis(), PostgreSQL()):
        if server.name.lower() not in options.stores.split(","):
            continue
        with server:
            runs = {}
            for count in map(int, options.processes.split(",")):
                runs[str(count)] = _run(server, options, count)
                log(f"{server.name}, {count} processes: {runs[str(count)]['used']:.1%} used")
            runs["stopped"] = _run(server, options, 8, stopped=2)
            server.prepare(options.program)
            done = subprocess.run(
                [options.program, "limit-cost", server.url, "10000", "10"], check=True, stdout=subprocess.PIPE)
            results[server.name] = {"runs": runs, "cost": json.loads(done.stdout)}
    return results


def problems(results):
    """What the figures lack of the promise. Other work on the machine can make the share and the cost worse."""
    found = []
    for name, result in results.items():
        for count, run in result["runs"].items():
            if run["left"] < 0:
                found.append(f"{name}, {count} processes: {-run['left']:.0f} calls more than the promise")
            if run["used"] < 0.95 and count != "stopped":
                found.append(f"{name}, {count} processes: only {run['used']:.1%} used")
        if result["cost"]["cpu_us"] >= 2:
            found.append(f"{name}: a call costs {result['cost']['cpu_us']:.2f} µs")
    return found


def _run(server, options, count, stopped=0):
    """The share of the budget that processes use, and how many calls of the promise were left at least."""
    server.prepare(options.program)
    start = time.monotonic_ns() + 1_000_000_000 + 50_000_000 * count
    command = [
        options.program, "limit", server.url, str(options.rate), str(options.burst), str(start), str(options.seconds),
        str(options.callers)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(count)]
    if stopped:
        # Those that hang in the middle of the run keep tokens that they must not use afterwards.
        time.sleep((start - time.monotonic_ns()) / 1e9 + options.seconds / 3)
        for process in processes[:stopped]:
            process.send_signal(signal.SIGSTOP)
        time.sleep(options.seconds / 3)
        for process in processes[:stopped]:
            process.send_signal(signal.SIGCONT)
    times = sorted(int(line) for process in processes for line in process.communicate()[0].split())
    if any(process.returncode for process in processes):
        raise Failure("a process failed")
    # Calls i to j are j - i + 1: at most burst more than the rate allows between them.
    left, least = options.burst, float("inf")
    for index, moment in enumerate(times):
        least = min(least, index - options.rate * (moment - start) / 1e9)
        left = min(left, options.burst - (index + 1 - options.rate * (moment - start) / 1e9 - least))
    later = sum(moment >= start + 1_000_000_000 for moment in times)
    return {"used": later / (options.rate * (options.seconds - 1)), "left": left}
