"""Runs client programs and collects what they print: one line of JSON for each run."""

import json
import os
import subprocess

_REQUEST = '{"user_id":"9f8b6c1e-4d2a-4b7e-8c3d-100000000000","limit":20}'

_LUA = """
wrk.method = "POST"
wrk.path = "/api/v1/graph/followers"
wrk.body = '%s'
wrk.headers["Accept"] = "application/json"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Grpc-Timeout"] = "60000m"
wrk.headers["X-Request-ID"] = "9f8b6c1e-4d2a-4b7e-8c3d-100000000000"
wrk.headers["Authorization"] = "Bearer " .. string.rep("abcdefghijklmnopqrstuvwxyz012345", 12) .. ".x.y"
done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"client": "wrk", "calls": %%d, "seconds": %%f, "p50_us": %%f, "p99_us": %%f, "failed": %%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), failed))
end
"""


class ClientFailure(RuntimeError):
    """A client program that ended with an error, or printed no result."""


def run_lines(command, timeout=300):
    """The JSON of all lines that a program prints."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        reason = (done.stderr.strip().splitlines() or ["no message"])[0]
        raise ClientFailure(f"{os.path.basename(command[0])} ended with {done.returncode}: {reason}")
    return [json.loads(line) for line in lines if line.startswith("{")]


def run_json(command, timeout=300):
    """The JSON of the last line that a program prints."""
    return run_lines(command, timeout)[-1]


class Client:
    """One candidate: a program and the arguments that only it needs."""

    def __init__(self, name, program, arguments=()):
        self.name = name
        self.program = program
        self.arguments = list(arguments)

    def command(self, url, in_flight, calls, version="1.1", ca_file=None):
        """The command line of one run."""
        command = [self.program, "--url", url, "--in-flight", str(in_flight), "--calls", str(max(calls, in_flight))]
        command += ["--http-version", version] + self.arguments
        return command + (["--ca-file", ca_file] if ca_file else [])

    def run(self, url, in_flight, calls, version="1.1", ca_file=None):
        """One run: what the program printed."""
        return run_json(self.command(url, in_flight, calls, version, ca_file))


class Wrk:
    """wrk with the same request: what the server can give. Without HTTP/2, and without a figure for its own CPU."""

    name = "wrk"

    def __init__(self, work):
        self._script = os.path.join(work, "call.lua")
        with open(self._script, "w") as file:
            file.write(_LUA % _REQUEST)

    def run(self, url, in_flight, calls, version="1.1", ca_file=None):
        """One run of a second."""
        result = run_json(["wrk", "-t1", f"-c{in_flight}", "-d1s", "-s", self._script, url])
        if result["failed"]:
            raise ClientFailure(f"wrk: {result['failed']} of {result['calls']} requests failed")
        return result
