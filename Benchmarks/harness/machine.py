"""What the measurements ran on: the machine, and the versions of everything that took part."""

import functools
import json
import os
import re
import subprocess

from . import build


def _output(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    return done.stdout + done.stderr


def _match(pattern, text):
    found = re.search(pattern, text)
    return found[1] if found else None


def _read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def _packages():
    """The versions of the peers' packages that SwiftPM resolved, by name."""
    text = _read(build.ROOT / "Benchmarks" / "Package.resolved")
    pins = json.loads(text)["pins"] if text else []
    return {pin["identity"]: pin["state"].get("version", "") for pin in pins}


@functools.cache
def describe():
    """The machine and the versions, as (name, value) pairs; what is not there is left out."""
    memory = int(_match(r"MemTotal:\s+(\d+)", _read("/proc/meminfo")) or 0) / 1024 / 1024
    processor = _match(r"model name\s*: (.*)", _read("/proc/cpuinfo")) or os.uname().machine
    system = _match(r'PRETTY_NAME="(.*)"', _read("/etc/os-release"))
    curl = _output("curl", "--version")
    packages = _packages()
    found = {
        "Processor": f"{processor}, {os.cpu_count()} cores",
        "Memory": f"{memory:.0f} GiB",
        "System": f"{system}, Linux {os.uname().release.split('-')[0]}",
        "Swift": _match(r"Swift version (\S+)", _output(build.SWIFT, "--version")),
        "libcurl": _match(r"libcurl/(\S+)", curl),
        "OpenSSL": _match(r"OpenSSL/(\S+)", curl),
        "nginx": _match(r"nginx/(\S+)", _output("/usr/sbin/nginx", "-v") or _output("nginx", "-v")),
        "wrk": _match(r"wrk (?:debian/)?(\S+)", _output("wrk", "-v")),
        "AsyncHTTPClient": packages.get("async-http-client"),
        "swift-nio": packages.get("swift-nio"),
        "SwiftProtobuf": packages.get("swift-protobuf"),
    }
    return [(name, value) for name, value in found.items() if value]
