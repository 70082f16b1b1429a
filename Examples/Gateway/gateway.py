"""Starts the mock and Envoy in front of it, until Ctrl-C.

Envoy turns HTTP/JSON into gRPC calls of the mock. What has no RPC goes to the mock's HTTP port: the bytes of media files,
live events, and the inspector.
"""
import argparse
import ipaddress
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


def port_number(text):
    """A port of the command line."""
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"must be 0 to 65535, got {port}")
    return port


def ip_address(text):
    """An address of the command line, or the address of a name; Envoy takes no names."""
    try:
        found = socket.getaddrinfo(text, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise argparse.ArgumentTypeError(f"unknown host {text!r}: {error.strerror or error}")
    # `localhost` is 127.0.0.1, whatever comes first.
    return ipaddress.ip_address(min(found, key=lambda entry: entry[0] != socket.AF_INET)[4][0].partition("%")[0])


def reserve(address, port):
    """The port, or for 0 a free one. Ends if another program listens there."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((str(address), port))
        except OSError as error:
            sys.exit(f"cannot listen on port {port} of {address}: {error.strerror}; choose another with --port")
        return probe.getsockname()[1]


def is_address(text):
    """Whether a host is an address; otherwise it is a name, which Envoy looks up."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def configure(folder, **values):
    """Writes the descriptors and Envoy's configuration into a folder."""
    # Only here, so that the help needs no packages.
    import yaml

    import descriptors

    values |= descriptors.make(PROTOS, folder / "nova.pb")
    values["address_type"] = "STATIC" if is_address(values["mock"]) else "STRICT_DNS"
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
    sys.exit(f"Envoy ended with status {process.returncode} before it listened on port {port}; see its messages above")


def find(program):
    """nova-serve: as given, or of this package's builds, or on the PATH."""
    builds = [HERE.parent.parent / ".build" / folder / "nova-serve" for folder in ("bin", "release", "debug")]
    if program and not shutil.which(program):
        sys.exit(f"not found, or not a program: {program}")
    found = program or next((str(path) for path in builds if path.exists()), shutil.which("nova-serve"))
    return found or sys.exit("not found: nova-serve; run `make release` first, or pass --serve")


def mock_options(arguments):
    """The options of nova serve. The mock sees only this machine, so it would leave its admin API open to all that reach Envoy."""
    is_chosen = any(option in ("--admin", "--no-admin") for option in arguments.options)
    return arguments.options + ([] if arguments.host.is_loopback or is_chosen else ["--no-admin"])


def stop(processes):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def write(arguments):
    """Writes the configuration for a mock that runs elsewhere."""
    folder = arguments.write.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    path = configure(
        folder, host=str(arguments.host), port=arguments.port, mock=arguments.mock, http_port=arguments.http_port,
        grpc_port=arguments.grpc_port)
    print(f"wrote {path}; start Envoy with: envoy -c {path}")


def main():
    parser = argparse.ArgumentParser(
        prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Options after -- are those of nova serve: run -- --seed 2 --require-tokens")
    parser.add_argument("--port", type=port_number, default=8080, help="the port of the gateway, 0 for any; default: 8080")
    parser.add_argument(
        "--host", type=ip_address, default="127.0.0.1",
        help="the address to listen on; default: 127.0.0.1, only this machine. For others, the admin API is off")
    parser.add_argument("--serve", help="the program nova-serve; default: this package's build, or the one on the PATH")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the configuration into this folder, and keep it")
    elsewhere = parser.add_argument_group("for a mock that runs elsewhere, such as in a container")
    elsewhere.add_argument(
        "--write", type=Path, metavar="DIR", help="only write the configuration into this folder, and start nothing")
    elsewhere.add_argument("--mock", default="127.0.0.1", metavar="HOST", help="its address or name; default: 127.0.0.1")
    elsewhere.add_argument("--http-port", type=port_number, default=8080, help="its port of HTTP; default: 8080")
    elsewhere.add_argument("--grpc-port", type=port_number, default=50051, help="its port of gRPC; default: 50051")
    parser.add_argument("options", nargs="*", metavar="-- OPTIONS", help="options of nova serve")
    # `run` checks the arguments before it installs anything.
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not PROTOS.is_dir():
        sys.exit(f"not found: {PROTOS}; run this from a checkout of the whole package")
    if arguments.write:
        if not arguments.check:
            write(arguments)
        return
    program = find(arguments.serve)
    if arguments.check:
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    processes = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            port = reserve(arguments.host, arguments.port)
            mock = Mock(program, mock_options(arguments))
            processes.append(mock.process)
            path = configure(
                folder, host=str(arguments.host), port=port, mock="127.0.0.1", http_port=mock.http_port,
                grpc_port=mock.grpc_port)
            envoy = subprocess.Popen(
                [ENVOY, "-c", path, "--disable-hot-restart", "--concurrency", "1", "--log-level", "warn",
                 "--component-log-level", "main:error"])
            processes.append(envoy)
            wait_until_listening(envoy, str(arguments.host), port)
            host = f"[{arguments.host}]" if arguments.host.version == 6 else arguments.host
            print(f"gateway: http://{host}:{port}\n"
                  f"mock:    http://127.0.0.1:{mock.http_port} and grpc://127.0.0.1:{mock.grpc_port}", flush=True)
            while all(process.poll() is None for process in processes):
                time.sleep(0.2)
            sys.exit("ended: " + ("the mock" if mock.process.poll() is not None else "Envoy"))
        except KeyboardInterrupt:
            pass
        finally:
            stop(processes)


main()
