"""Runs a program that exports over OTLP, and checks what a collector receives. Argument: the program."""
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from rules import problems


class Server(ThreadingHTTPServer):
    """A server on a free port of this machine, which keeps the requests and has one response for all of them."""

    def __init__(self, status):
        super().__init__(("127.0.0.1", 0), Handler)
        self.status, self.requests = status, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, self.headers, body))
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def run(program, name, gateway):
    """Runs the program once, and returns what is wrong, and how much was received."""
    collector = Server(200)
    environment = {"PATH": os.environ["PATH"], "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, **gateway}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=60)
    collector.shutdown()
    found = [f"the program failed: {done.stderr}"] if done.returncode else []
    counts = {"/v1/traces": 0, "/v1/metrics": 0}
    for path, headers, body in collector.requests:
        if path not in counts or headers["Content-Type"] != "application/json":
            found.append(f"unexpected request: {path}, {headers['Content-Type']}")
            continue
        counts[path] += 1
        found += problems(path, json.loads(body))
    found += [f"nothing was sent to {path}" for path, count in counts.items() if not count]
    return [f"{name}: {text}" for text in found]


def main():
    program = sys.argv[1]
    failing, closed = Server(503), Server(503)
    closed.shutdown()
    closed.server_close()
    found = run(program, "on the mock", {"NOVA_MOCK": "1"})
    found += run(program, "at a failing gateway", {"NOVA_BASE_URL": failing.url, "NOVA_RETRY_DELAY": "0"})
    found += run(program, "without a gateway", {"NOVA_BASE_URL": closed.url, "NOVA_RETRY_ATTEMPTS": "1"})
    contexts = [headers["traceparent"] for _, headers, _ in failing.requests]
    if len(set(contexts)) < 3 or None in contexts:
        found.append(f"at a failing gateway: each attempt must send its own traceparent, got {contexts}")
    for text in found:
        print(f"Tools/check-otlp: {text}", file=sys.stderr)
    if found:
        sys.exit(1)
    print("Tools/check-otlp: spans and metrics are valid, with and without failures")


main()
