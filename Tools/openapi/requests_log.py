"""Logs each request of a run as one line: method, path and query, digest of the headers and body. hooks.py starts it.

Runs with the same seed write the same log. Left out is what belongs to one run: the address, the access token, and the
identifier that Schemathesis gives each test case.
"""
import hashlib

import requests

OF_ONE_RUN = {"host", "authorization", "x-schemathesis-testcaseid"}


def start(path):
    """Logs all requests from now on, also those that checks send."""
    log = open(path, "w", encoding="utf-8", errors="backslashreplace")
    send = requests.adapters.HTTPAdapter.send

    def logged(adapter, request, *arguments, **options):
        log.write(line(request) + "\n")
        log.flush()
        return send(adapter, request, *arguments, **options)

    requests.adapters.HTTPAdapter.send = logged


def line(request):
    headers = sorted(f"{name}: {value}" for name, value in request.headers.items() if name.lower() not in OF_ONE_RUN)
    body = request.body or b""
    if isinstance(body, str):
        body = body.encode("utf-8", "surrogatepass")
    path = request.path_url.encode("unicode_escape").decode()
    return f"{request.method} {path} headers {digest(' '.join(headers).encode('utf-8', 'replace'))} body {digest(body)}"


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]
