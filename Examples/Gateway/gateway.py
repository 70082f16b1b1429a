"""Starts the mock and Envoy in front of it, until Ctrl-C.

Envoy turns HTTP/JSON into gRPC calls of the mock. What has no RPC goes to the mock's HTTP port: the bytes of media files,
live events, and the inspector.
"""
import argparse
import json
import re
import shutil
import signal
import socket
import string
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTOS = HERE.parent.parent / "Proto"
ENVOY = Path(sys.executable).parent / "envoy"
# Server-sent events have fields that a gRPC stream has no place for, such as `id` and `retry`.
OVER_HTTP = {"nova.event_service.v1.EventService.StreamEvents"}


def free_port(host):
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def configure(folder, **values):
    """Writes the descriptors and Envoy's configuration into a folder."""
    # Only here, so that the help needs no packages.
    import yaml

    import descriptors

    values |= descriptors.make(PROTOS, folder / "nova.pb", OVER_HTTP)
    template = string.Template((HERE / "envoy.yaml").read_text(encoding="utf-8"))
    text = template.substitute({name: json.dumps(value) for name, value in values.items()})
    path = folder / "envoy.yaml"
    # Envoy reads YAML without merged keys.
    path.write_text(yaml.safe_dump(yaml.safe_load(text), sort_keys=False), encoding="utf-8")
    return path


class Mock:
    """nova-serve with a free port for HTTP and one for gRPC."""

    def __init__(self, program, options):
        self.process = subprocess.Popen(
            [program, "--port", "0", "--grpc-port", "0", *options], stdout=subprocess.PIPE, text=True)
        ports = {}
        while len(ports) < 2:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the mock did not start")
            ports.update((scheme, int(port)) for scheme, port in re.findall(r"\b(http|grpc)://\S+?:(\d+)", line))
        self.http_port, self.grpc_port = ports["http"], ports["grpc"]
        # Nobody else reads what it prints.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()


def wait_until_listening(process, host, port):
    while process.poll() is None:
        try:
            socket.create_connection((host, port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    sys.exit(f"Envoy ended with status {process.returncode}; is port {port} in use?")


def find(program):
    """nova-serve: as given, or of this package's builds, or on the PATH."""
    builds = [HERE.parent.parent / ".build" / folder / "nova-serve" for folder in ("bin", "release", "debug")]
    found = program or next((str(path) for path in builds if path.exists()), shutil.which("nova-serve"))
    return found or sys.exit("not found: nova-serve; run `make release` first, or pass --serve")


def stop(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def main():
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Options after -- are those of nova serve: run -- --seed 2 --require-tokens")
    parser.add_argument("--port", type=int, default=8080, help="the port of the gateway, 0 for any; default: 8080")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; default: 127.0.0.1, only this machine")
    parser.add_argument("--serve", help="the program nova-serve; default: this package's build, or the one on the PATH")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the configuration into this folder, and keep it")
    parser.add_argument("options", nargs="*", metavar="-- OPTIONS", help="options of nova serve")
    arguments = parser.parse_args()
    if not PROTOS.is_dir():
        sys.exit(f"not found: {PROTOS}; run this from a checkout of the whole package")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    processes = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            mock = Mock(find(arguments.serve), arguments.options)
            processes.append(mock.process)
            port = arguments.port or free_port(arguments.host)
            path = configure(
                folder, host=arguments.host, port=port, http_port=mock.http_port, grpc_port=mock.grpc_port)
            envoy = subprocess.Popen(
                [ENVOY, "-c", path, "--disable-hot-restart", "--concurrency", "1", "--log-level", "warn",
                 "--component-log-level", "main:error"])
            processes.append(envoy)
            wait_until_listening(envoy, arguments.host, port)
            print(f"gateway: http://{arguments.host}:{port}\n"
                  f"mock:    http://127.0.0.1:{mock.http_port} and grpc://127.0.0.1:{mock.grpc_port}", flush=True)
            while all(process.poll() is None for process in processes):
                time.sleep(0.2)
            sys.exit("ended: " + ("the mock" if mock.process.poll() is not None else "Envoy"))
        except KeyboardInterrupt:
            pass
        finally:
            stop(processes)


main()
