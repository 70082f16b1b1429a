"""The server of Benchmarks/grpc-server: gRPC's own C++ library on loopback, over plain HTTP/2."""

import subprocess

from . import build

PROGRAM = build.ROOT / "Benchmarks/.build/grpc-server"


def make():
    """Builds the server."""
    script = build.ROOT / "Benchmarks/grpc-server/build"
    if subprocess.run([str(script), str(PROGRAM)]).returncode:
        raise build.BuildFailure("cannot build grpc-server: see the messages above, or install libgrpc++-dev")


class GRPCServer:
    """A context manager: the server runs inside of it, at `url`."""

    def __enter__(self):
        self._process = subprocess.Popen([str(PROGRAM)], stdout=subprocess.PIPE, text=True)
        port = self._process.stdout.readline().strip()
        if not port:
            raise RuntimeError("grpc-server did not start; see the messages above")
        self.url = f"grpc://127.0.0.1:{port}"
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait()
