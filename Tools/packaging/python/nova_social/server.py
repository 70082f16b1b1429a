"""Starts `nova serve`, calls it, and stops it."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Mapping, Optional, Sequence, Type

from nova_social.programs import program

START_TIMEOUT = 60.0
STOP_TIMEOUT = 30.0
# Requests go to this machine: a proxy of the environment cannot reach it.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ServerError(Exception):
    """`nova serve` did not start, or ended with an error. The message contains what it printed."""


class CallError(Exception):
    """The server refused a call."""

    def __init__(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        message = body.get("message") if isinstance(body, dict) else body
        super().__init__(f"{status}: {message}")
        self.status = status
        self.body = body
        self.headers = headers


class Server:
    """A mock backend on a free port of this machine, until the end of a `with` statement.

        with Server("--seed", "2") as server:
            server.call("graph/followers", {"user_id": "mock-user-id"})

    The options are those of `nova serve`.
    """

    def __init__(self, *options: str, folder: Optional[Path] = None) -> None:
        self.options: Sequence[str] = options
        self._own_folder = folder is None
        self._folder = Path() if folder is None else folder
        self._temporary: Optional[tempfile.TemporaryDirectory[str]] = None
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._information: Mapping[str, Any] = {}
        self._log_start = 0
        self._last_request = 0

    def start(self) -> Server:
        """Start the server, and return once it listens."""
        if self._process is not None:
            raise ServerError("nova serve is running already: stop it first, or use another Server")
        if self._own_folder:
            self._temporary = tempfile.TemporaryDirectory(prefix="nova-")
            self._folder = Path(self._temporary.name)
        self._log_start = self._last_request = 0
        ready = self._folder / "nova-server.json"
        # An option of the caller wins: of two, nova serve takes the last one.
        command = [str(program("nova-serve")), "--port", "0", "--ready-file", str(ready), "--log", *self.options]
        with self.log_path.open("wb") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + START_TIMEOUT
        try:
            while not ready.exists():
                if self._process.poll() is not None:
                    raise ServerError(f"nova serve did not start: {self.log() or self._process.returncode}")
                if time.monotonic() > end:
                    raise ServerError(f"nova serve did not listen within {START_TIMEOUT:.0f} s: {self.log()}")
                time.sleep(0.005)
            self._information = json.loads(ready.read_text(encoding="utf-8"))
        except BaseException:
            self._kill()
            raise
        return self

    def stop(self) -> None:
        """Stop the server; raise `ServerError` if it ended with an error, such as with --fail-on-unmatched."""
        if self._process is None:
            return
        process = self._process
        process.terminate()
        try:
            status = process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._kill()
            raise ServerError(f"nova serve did not stop within {STOP_TIMEOUT:.0f} s, and was killed: {self.log()}")
        self._process = None
        log = self.log()
        self._remove()
        if status != 0:
            raise ServerError(f"nova serve ended with status {status}: {log}")

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]
    ) -> None:
        try:
            self.stop()
        except ServerError:
            # An exception of the block says more.
            if error is None:
                raise

    @property
    def url(self) -> str:
        """The URL of the server, for example http://127.0.0.1:41234."""
        return str(self._read("url"))

    @property
    def port(self) -> int:
        """The port of HTTP."""
        return int(self._read("port"))

    @property
    def grpc_port(self) -> Optional[int]:
        """The port of gRPC, with the option `--grpc-port 0`."""
        self._read("url")
        value = self._information.get("grpc_port")
        return None if value is None else int(value)

    @property
    def pid(self) -> int:
        """The ID of the server's process."""
        self._read("url")
        assert self._process is not None
        return self._process.pid

    @property
    def log_path(self) -> Path:
        """The file with what the server prints."""
        return self._folder / "nova-serve.log"

    def log(self) -> str:
        """Return what the server has printed: its address, each request, and its errors."""
        try:
            return self.log_path.read_bytes()[self._log_start :].decode("utf-8", "replace").strip()
        except FileNotFoundError:
            return ""

    def reset(self) -> None:
        """Recreate the data, and remove faults and stubs. Requests and the log then start again."""
        self.admin("POST", "reset")
        # Requests are not deleted: the server would forget those that --fail-on-unmatched reports at its end.
        self._last_request = self.admin("GET", "requests?limit=1")["last"] or 0
        self._log_start = self.log_path.stat().st_size

    def advance_clock(self, seconds: float) -> None:
        """Move the server's clock, for example until a token has expired."""
        self.admin("POST", "clock", {"advance_seconds": seconds})

    def inject_faults(self, *rules: str) -> None:
        """Replace the faults, for example by "social.CreateLike=503x2". Without rules, there are none."""
        self.admin("PUT", "faults", {"rules": list(rules)})

    def requests(self) -> Sequence[Mapping[str, Any]]:
        """Return the requests since the start or the last reset, oldest first: at most 10,000."""
        return list(self.admin("GET", f"requests?limit=10000&after={self._last_request}")["requests"])

    def admin(self, method: str, path: str, message: Any = None) -> Any:
        """Call the admin API, for example `admin("GET", "state")`."""
        return self._send(method, f"_nova/{path}", message, {})

    def call(
        self, path: str, message: Any, *, token: Optional[str] = None, headers: Optional[Mapping[str, str]] = None
    ) -> Any:
        """Call an RPC by its path below /api/v1, for example `call("graph/followers", {"user_id": "ann"})`."""
        authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self._send("POST", f"api/v1/{path}", message, {**authorization, **(headers or {})})

    def _send(self, method: str, path: str, message: Any, headers: Mapping[str, str]) -> Any:
        data = None if message is None else json.dumps(message).encode()
        # The admin API requires the type of every request that changes something.
        request = urllib.request.Request(
            f"{self.url}/{path}", data=data, method=method, headers={"Content-Type": "application/json", **headers}
        )
        try:
            with _opener.open(request, timeout=30) as response:
                return _decoded(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise CallError(error.code, _decoded(error.read()), dict(error.headers)) from None

    def _read(self, name: str) -> Any:
        if self._process is None:
            raise ServerError("nova serve is not running: use it in a with statement, or call start()")
        return self._information[name]

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._remove()

    def _remove(self) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError:
        return body.decode("utf-8", "replace")
