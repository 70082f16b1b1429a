"""Writes of an outbox in PostgreSQL, delivered by several processes."""

import collections
import subprocess
import time

from .servers import Failure, PostgreSQL, Nginx, cpu, memory, poll

#: Queues writes of subjects in turn. The key has the subject, the number of the write, and when it was queued.
_QUEUE = """
INSERT INTO nova.outbox_entries (subject, rpc, request, key)
SELECT 'user:u' || i % {subjects} || ' at {gateway}', 'social.CreateLike',
  jsonb_build_object('userId', 'u' || i % {subjects}, 'postId', 'p' || i),
  'u' || i % {subjects} || '-' || i || '-' || (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM generate_series({first}::bigint, {last}::bigint) AS i
"""


def add_options(group):
    """Its part of the command line."""
    group.add_argument("--writes", type=int, default=100_000, help="the number of writes")
    group.add_argument("--subjects", type=int, default=2000, help="the number of users whose writes they are")
    group.add_argument("--replicas", type=int, default=4, help="the number of processes that deliver")
    group.add_argument("--at-once", type=int, default=64, help="how many users each of them delivers at once")
    group.add_argument("--write-rate", type=int, help="queue so many writes/s during the delivery, not all before it")
    group.add_argument("--setting", action="append", default=[], help="a setting of PostgreSQL: name=value")


def problems(results):
    """What the figures lack of the promise."""
    wrong = ("missing", "repeated", "unordered", "foreign")
    found = [f"outbox: {results[name]} writes {name}" for name in wrong if results[name]]
    if results["rate"] < 5000:
        found.append(f"outbox: only {results['rate']:.0f} writes/s")
    return found


class Replicas:
    """Processes that deliver, as a context."""

    def __init__(self, program, database, gateway, count, subjects):
        self.processes = [
            subprocess.Popen(
                [program, "outbox", database.url, gateway.url, f"replica-{index}", str(subjects)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for index in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()

    def cpu(self):
        """The CPU time of all in seconds."""
        return sum(cpu(process.pid) for process in self.processes)

    def memory(self):
        """The resident memory of each in MB."""
        return [memory(process.pid) for process in self.processes]

    def stop(self):
        """Ends them, after the calls in progress."""
        for process in self.processes:
            process.stdin.close()
        for process in self.processes:
            process.stdout.read()
            process.wait()
        if any(process.returncode for process in self.processes):
            raise Failure("a replica failed")


def left(database):
    """How many writes are not delivered."""
    return int(database.ask("SELECT count(*) FROM nova.outbox_entries"))


def measure(options, log=print):
    """Delivers a backlog, or writes at a rate; returns the figures."""
    with PostgreSQL(**dict(setting.split("=", 1) for setting in options.setting)) as database, Nginx() as gateway:
        database.prepare(options.program)
        with Replicas(options.program, database, gateway, options.replicas, options.at_once) as replicas:
            if options.write_rate:
                result = _steady(options, database, gateway, replicas)
            else:
                result = _backlog(options, database, gateway, replicas, log)
        gateway.stop()
        writes = gateway.writes()
        result["seconds"] = max(moment for moment, _, _ in writes) - result.pop("start")
        return {"rate": result["writes"] / result["seconds"], **result, **check(writes, options.writes)}


def _queue(database, gateway, options, first, last):
    database.ask(_QUEUE.format(subjects=options.subjects, gateway=gateway.url, first=first, last=last))


def _backlog(options, database, gateway, replicas, log):
    # The replicas start with a few writes, so that the measurement begins with connections and full caches.
    warm = min(options.subjects, options.writes // 10)
    _queue(database, gateway, options, 1, warm)
    poll(lambda: left(database) == 0, "delivering the first writes", 120)
    queued = database.cpu()
    _queue(database, gateway, options, warm + 1, options.writes)
    parts = (database, gateway, replicas)
    start, before = time.time(), [part.cpu() for part in parts]
    queued = before[0] - queued
    memories, count = [(0, replicas.memory())], options.writes - warm
    while (rest := left(database)) > 0:
        if time.time() - start > 600:
            raise Failure(f"{rest} writes were not delivered within 10 minutes")
        memories.append(((count - rest) / count, replicas.memory()))
        log(f"{count - rest} of {count} delivered after {time.time() - start:.1f} s")
        time.sleep(0.5)
    memories.append((1, replicas.memory()))
    spent = [after - first for after, first in zip((part.cpu() for part in parts), before)]
    idle = database.cpu()
    time.sleep(5)
    idle = (database.cpu() - idle) / 5 / options.replicas
    replicas.stop()
    return {
        "writes": count, "start": start, "memory": _thirds(memories),
        # What the database spends while each replica looks for writes, in ms a second.
        "queue_us": queued / count * 1e6, "idle_ms": idle * 1e3,
        "cpu_us": {name: used / count * 1e6 for name, used in zip(("database", "gateway", "replicas"), spent)},
    }


def _thirds(memories):
    """The largest memory of a replica at the start, in the middle, and at the end."""
    return [max(min(memories, key=lambda item: abs(item[0] - part))[1]) for part in (0, 0.5, 1)]


def _steady(options, database, gateway, replicas):
    """Queues a bundle of writes every 50 ms."""
    writer = subprocess.Popen(
        ["psql", "-X", "-q", "-d", database.url, "-v", "ON_ERROR_STOP=1"], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, text=True)
    time.sleep(1)
    parts = (database, gateway, replicas)
    start, before = time.time(), [part.cpu() for part in parts]
    memories, queued, step = [(0, replicas.memory())], 0, 0
    while queued < options.writes:
        step += 1
        last = min(options.writes, int(options.write_rate * 0.05 * step))
        statement = _QUEUE.format(subjects=options.subjects, gateway=gateway.url, first=queued + 1, last=last)
        writer.stdin.write(statement + ";\n")
        writer.stdin.flush()
        queued = last
        if step % 20 == 0:
            memories.append((queued / options.writes, replicas.memory()))
        time.sleep(max(0, start + step * 0.05 - time.time()))
    writer.stdin.close()
    writer.wait()
    poll(lambda: left(database) == 0, "delivering the last writes", 300)
    memories.append((1, replicas.memory()))
    spent = [after - first for after, first in zip((part.cpu() for part in parts), before)]
    replicas.stop()
    return {
        "writes": options.writes, "start": start, "memory": _thirds(memories),
        "cpu_us": {
            name: used / options.writes * 1e6 for name, used in zip(("database", "gateway", "replicas"), spent)},
    }


def check(writes, expected):
    """What the gateway got: how many writes are missing, repeated, or unordered, and how long they took."""
    seen, last = collections.Counter(), {}
    unordered = foreign = 0
    lags = []
    for moment, key, token in writes:
        subject, number, queued = key.split("-")
        seen[number] += 1
        foreign += token != f"token-of-{subject}"
        if seen[number] == 1:
            unordered += int(number) <= last.get(subject, 0)
            last[subject] = int(number)
            lags.append(moment - int(queued) / 1000)
    lags.sort()
    return {
        "missing": expected - len(seen), "repeated": sum(seen.values()) - len(seen), "unordered": unordered,
        "foreign": foreign, "lag_p50": lags[len(lags) // 2], "lag_p99": lags[len(lags) * 99 // 100],
    }
