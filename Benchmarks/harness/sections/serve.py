"""nova serve under wrk, beside nginx with a fixed response; and 10,000 connections."""

import os
import re
import resource
import socket
import subprocess
import threading
import time

from harness.samples import alternate, median, spread
from harness.text import paragraph, ranged, rounded, table

TITLE = "`nova serve`"
PROGRAMS = []
NEEDS_NOVA = True
ROUNDS = 3

PATH = "/api/v1/graph/is-following"
BODY = '{"follower_id":"mock-user-id","followee_id":"user-0001"}'
RESPONSE = '{"is_following":false}'
SCRIPT = f"""
wrk.method = "POST"
wrk.path = "{PATH}"
wrk.body = '{BODY}'
wrk.headers["Content-Type"] = "application/json"
"""
CONNECTIONS = (1, 64)
CROWD = 10_000


class NovaServe:
    """A context manager: nova-serve runs inside of it."""

    def __init__(self, program, work):
        self._process = subprocess.Popen(
            [program, "--port", "0"], stdout=subprocess.PIPE, text=True, env={**os.environ, "HOME": work})
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        if not found:
            raise RuntimeError("nova-serve did not start: see its messages above")
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"
        # What it prints must not fill the pipe.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def peak(self):
        """The peak of its resident set, in MB."""
        with open(f"/proc/{self._process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()


def measure(bench):
    """Requests a second of each round, by server and connections; memory; and the crowd."""
    # Here, so that other sections need no nginx.
    from harness.server import Server as Nginx

    script = os.path.join(bench.work, "request.lua")
    with open(script, "w") as file:
        file.write(SCRIPT)
    duration = 5 if bench.full else 2
    rates, memory = {}, []
    for number in range(bench.rounds):
        bench.log(f"round {number + 1} of {bench.rounds}")
        with NovaServe(bench.serve, bench.work) as nova, Nginx(bench.work, RESPONSE) as nginx:
            urls = {"nova serve": nova.url, "nginx": nginx.url("plain")}
            for count in CONNECTIONS:
                found = alternate(list(urls), 1, lambda name: wrk(urls[name], script, count, duration))
                for name, samples in zip(urls, found):
                    rates.setdefault(name, {}).setdefault(str(count), []).extend(samples)
            memory.append(nova.peak())
    bench.log(f"{CROWD:,} connections")
    with NovaServe(bench.serve, bench.work) as nova:
        result = crowd(nova, wait=40 if bench.full else 5)
    return {"rates": rates, "memory": memory, "crowd": result}


def wrk(url, script, connections, duration):
    """Requests a second; fails if one fails."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{duration}s", "-s", script, url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        raise RuntimeError(f"wrk: requests failed\n{output}")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


def crowd(nova, wait):
    """Opens many connections, with a request on each, and makes a second request on each after a while."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    request = (
        f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(BODY)}\r\n\r\n{BODY}").encode()
    sockets = []
    try:
        start = time.monotonic()
        for _ in range(CROWD):
            connection = socket.create_connection(("127.0.0.1", nova.port))
            sockets.append(connection)
            ask(connection, request)
        opened = time.monotonic() - start
        time.sleep(wait)
        start = time.monotonic()
        for connection in sockets:
            connection.sendall(request)
        for connection in sockets:
            receive(connection)
        return {"opened_s": opened, "wait_s": wait, "answered_s": time.monotonic() - start, "peak_mb": nova.peak()}
    finally:
        for connection in sockets:
            connection.close()


def ask(connection, request):
    """Sends a request and receives its response."""
    connection.sendall(request)
    receive(connection)


def receive(connection):
    """Receives a response, which must be a good one."""
    response = b""
    while b"is_following" not in response:
        part = connection.recv(65536)
        if not part:
            raise RuntimeError("nova-serve closed a connection")
        response += part
    if not response.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"nova-serve responded with {response[:100]}")


def page(results, charts):
    """A chart, a table, and the crowd."""
    rates, found = results["rates"], results["crowd"]
    rows = []
    for count in map(str, CONNECTIONS):
        rows.append((f"{count} connections" if count != "1" else "1 connection", None, None, None))
        rows += [(NAMES[name], *spread(rates[name][count])) for name in rates]
    cells = [[NAMES[name]] + [f"{ranged(rates[name][str(count)], rounded)}" for count in CONNECTIONS] for name in rates]
    return "\n\n".join([
        paragraph("""
            `wrk` with one thread, `graph.IsFollowing` with two ids in and a Boolean out, the guide's data, the admin API on.
            wrk shares the cores. nginx, with one worker, sends the same response to every request: this is the
            maximum that wrk can measure.
        """),
        charts.bars("serve", "Requests to a server", "requests/s, more is better", rows),
        table(["", "1 connection", "64 connections"], cells),
        paragraph(f"""
            The server's peak memory (`VmHWM`) is {median(results['memory']):.0f} MB.
            {CROWD:,} connections, opened one after the other with one request each: {found['opened_s']:.1f} s,
            {found['peak_mb']:.0f} MB. All of them were open {found['wait_s']} s later and responded within
            {found['answered_s']:.1f} s. The server raises its own limit of open files to what the system allows.
        """),
    ])


NAMES = {"nova serve": "`nova serve`", "nginx": "nginx, a fixed response"}
