"""What one operation of a fleet costs the store, so that the load of many machines can be computed."""

import json
import subprocess

from .servers import Failure, PostgreSQL, Redis

#: Operations by store, with the number of them.
KINDS = {
    "Redis": {"lease": 100_000, "cached read": 100_000, "refresh": 20_000},
    "PostgreSQL": {"lease": 20_000, "refresh": 5_000},
}


def add_options(group):
    """Its part of the command line."""
    group.add_argument("--tasks", type=int, default=16, help="how many operations run at once")


def problems(_):
    """Nothing is promised."""
    return []


def measure(options, log):
    """The figures of each operation on each server."""
    results = {}
    for server in (Redis(), PostgreSQL()):
        with server:
            server.prepare(options.program)
            results[server.name] = {}
            for kind, count in KINDS[server.name].items():
                results[server.name][kind] = _run(server, options, kind, count)
                log(f"{server.name}, {kind}: {results[server.name][kind]}")
    return results


def _run(server, options, kind, count):
    process = subprocess.Popen(
        [options.program, "load", kind, server.url, str(count), str(options.tasks)], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    if process.stdout.readline().strip() != "ready":
        raise Failure(f"the load of {kind} failed")
    spent = server.cpu()
    process.stdin.write("\n")
    process.stdin.flush()
    client = json.loads(process.stdout.readline())
    spent = server.cpu() - spent
    process.communicate("\n")
    return {
        "per_second": count / client["seconds"], "operations": client["operations"] / count,
        "store_us": spent / count * 1e6, "client_us": client["cpu"] / count * 1e6,
    }
