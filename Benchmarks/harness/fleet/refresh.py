"""A session that processes share: one of them refreshes it, and the others wait for the result."""

import http.server
import json
import subprocess
import threading
import time

from .servers import Failure, PostgreSQL, Redis


def add_options(group):
    """Its part of the command line."""
    group.add_argument("--machines", type=int, default=200, help="the number of processes")
    group.add_argument("--gateway-ms", type=int, default=500, help="how long the gateway takes, in ms")
    group.add_argument("--rounds", type=int, default=3, help="how often to measure")


class Gateway:
    """A gateway on a port whose refresh tokens rotate: an answer is repeated for a known key."""

    def __init__(self, seconds):
        gateway = self
        self.answers, self.number, self.presented, self.reused = {}, 0, 0, 0

        class Handler(http.server.BaseHTTPRequestHandler):
            """The requests of one connection."""

            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):  # noqa: N802
                """Signs in, or refreshes."""
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.endswith("/auth/login"):
                    # The token has expired when the processes have started.
                    lifetime = 3600 if request["email"].startswith("warm") else 1
                    return self.answer(200, {**gateway.tokens(), "user_id": "ada", "expires_in": lifetime})
                if not self.path.endswith("/auth/refresh"):
                    return self.answer(404, {"code": 5, "message": "not found"})
                time.sleep(seconds)
                body = gateway.refresh(request["refresh_token"], self.headers["Idempotency-Key"])
                return self.answer(200, body) if body else self.answer(401, {"code": 16, "message": "used"})

            def answer(self, status, body):
                """Sends a response, in one piece."""
                content = json.dumps(body).encode()
                head = (f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\n"
                        f"Content-Length: {len(content)}\r\n\r\n").encode()
                self.wfile.write(head + content)

            def log_message(self, *_):
                """Prints nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tokens(self):
        """The newest tokens."""
        return {"token": f"access-{self.number}", "refresh_token": f"refresh-{self.number}"}

    def refresh(self, token, key):
        """New tokens; nothing for a token that was used under another key."""
        self.presented += 1
        if key not in self.answers:
            if token != f"refresh-{self.number}":
                self.reused += 1
                return None
            self.number += 1
            self.answers[key] = {**self.tokens(), "expires_in": 3600}
        return self.answers[key]


def measure(options, log):
    """Runs processes that wait for the first time, and such that listen already; returns the figures of each round."""
    results = {}
    for server in (Redis(), PostgreSQL()):
        if server.name.lower() not in options.stores.split(","):
            continue
        with server:
            results[server.name] = [
                _round(server, options, is_listening) for is_listening in (False, True) for _ in range(options.rounds)]
        for run in results[server.name]:
            log(f"{server.name}: {run}")
    return results


def problems(results):
    """What the figures lack of the promise."""
    found = []
    for name, runs in results.items():
        for run in runs:
            if run["presented"] != 1 or run["reused"]:
                found.append(f"{name}: a refresh token was sent {run['presented']} times")
            if run["p99_ms"] >= 2 * run["gateway_ms"]:
                found.append(f"{name}: p99 is {run['p99_ms']:.0f} ms at a gateway of {run['gateway_ms']:.0f} ms")
    return found


def _round(server, options, is_listening):
    server.prepare(options.program)
    gateway = Gateway(options.gateway_ms / 1000)
    command = [options.program, "sign-in", server.url, gateway.url, "ada"]
    if subprocess.run(command, check=False).returncode:
        raise Failure("the sign-in failed")
    command[1] = "refresh"
    command += ["listening"] if is_listening else []
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(options.machines)]
    for process in processes:
        if process.stdout.readline().strip() != "ready":
            raise Failure("a process failed")
    time.sleep(2)
    spent = server.cpu()
    start = time.monotonic_ns() + 500_000_000
    for process in processes:
        process.stdin.write(f"{start}\n")
        process.stdin.flush()
    waits = []
    for process in processes:
        line = process.stdout.readline().split()
        if not line:
            raise Failure("a process has no token")
        waits.append([int(field) for field in line])
    spent = server.cpu() - spent
    for process in processes:
        process.communicate()
    gateway.server.shutdown()
    times = sorted(wait[0] / 1000 for wait in waits)
    return {
        "gateway_ms": options.gateway_ms, "machines": len(times), "listening": is_listening,
        "p50_ms": times[len(times) // 2], "p99_ms": times[len(times) * 99 // 100], "max_ms": times[-1],
        "late_ms": max(wait[1] for wait in waits) / 1000, "presented": gateway.presented, "reused": gateway.reused,
        "operations": sum(wait[2] for wait in waits) / len(waits), "store_cpu_ms": spent * 1000,
        "cpu_ms": sum(wait[3] for wait in waits) / len(waits) / 1000,
    }
