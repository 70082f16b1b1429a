"""The messages and RPCs of Proto/, from protoc's descriptors: nothing generated is committed."""
import dataclasses
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
# Imported so that the pool has them: protoc's copies of the well-known types are left out.
from google.protobuf import any_pb2, duration_pb2, empty_pb2, field_mask_pb2, struct_pb2, timestamp_pb2, wrappers_pb2  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent.parent
PROTO = ROOT / "Proto"


@dataclasses.dataclass(frozen=True)
class Method:
    """An RPC with the classes of its messages."""
    service: str
    name: str
    request: type
    response: type
    is_streaming: bool
    takes_stream: bool

    @property
    def path(self):
        return f"/{self.service}/{self.name}"

    @property
    def id(self):
        """As people and the SDK name it: graph.GetFollowers."""
        return f"{self.service.split('.')[1].removesuffix('_service')}.{self.name}"


def descriptors(folder=PROTO):
    """protoc's descriptors of every file of a folder, imports first."""
    files = sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.proto"))
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "descriptors.pb"
        command = ["protoc", "-I", str(folder), "--include_imports", "-o", str(output), *files]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"Tools/grpc-peer: protoc failed: {error}; install protobuf-compiler")
        return descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes())


def methods(folder=PROTO):
    """Every RPC of Proto/, in the order of its files."""
    pool = descriptor_pool.Default()
    found = []
    for file in descriptors(folder).file:
        if file.name.startswith("google/protobuf/"):
            continue
        pool.AddSerializedFile(file.SerializeToString())
        for service in file.service:
            name = f"{file.package}.{service.name}"
            for method in pool.FindServiceByName(name).methods:
                found.append(Method(
                    name, method.name, message_factory.GetMessageClass(method.input_type),
                    message_factory.GetMessageClass(method.output_type), method.server_streaming,
                    method.client_streaming))
    return found
