"""The descriptors that Envoy's transcoder needs, made from Proto/ and gateway.yaml."""
import re
import subprocess
import sys
from pathlib import Path

import yaml
from google.api import annotations_pb2, http_pb2
from google.protobuf import descriptor_pb2, json_format
from google.rpc import error_details_pb2, status_pb2


def compile_protos(folder, output):
    """All files of a folder as a FileDescriptorSet."""
    files = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.proto"))
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", ".", "--include_imports", "-o", str(output), *files]
    if subprocess.run(command, cwd=folder).returncode:
        sys.exit(f"cannot compile {folder}")
    return descriptor_pb2.FileDescriptorSet.FromString(output.read_bytes())


def methods(descriptors):
    """The RPCs by their full names."""
    return {f"{file.package}.{service.name}.{method.name}": method
            for file in descriptors.file for service in file.service for method in service.method}


def streaming_paths(descriptors):
    """A regular expression for the gRPC paths of the RPCs whose responses are streams."""
    paths = ["/" + "/".join(name.rsplit(".", 1)) for name, method in methods(descriptors).items() if method.server_streaming]
    return "|".join(re.escape(path) for path in sorted(paths)) or "/none"


def bind(descriptors, rules):
    """Writes the rules of gateway.yaml into the descriptors as google.api.http, except those of streams, which stay with HTTP.

    Server-sent events have fields that a gRPC stream has no place for, such as `id` and `retry`.
    """
    found = methods(descriptors)
    for rule in rules:
        selector = rule["selector"]
        if selector not in found:
            sys.exit(f"gateway.yaml: there is no RPC {selector}")
        if not found[selector].server_streaming:
            # Envoy refuses `response_body`: such a response is the whole message.
            binding = {key: value for key, value in rule.items() if key not in ("selector", "response_body")}
            json_format.ParseDict(binding, found[selector].options.Extensions[annotations_pb2.http])


def add_imports(descriptors):
    """Adds what errors contain, so that Envoy can write it as JSON, and the file of the option itself."""
    present = {file.name for file in descriptors.file}

    def add(file):
        if file.name not in present:
            present.add(file.name)
            for dependency in file.dependencies:
                add(dependency)
            file.CopyToProto(descriptors.file.add())

    for module in (http_pb2, annotations_pb2, status_pb2, error_details_pb2):
        add(module.DESCRIPTOR)


def lower_camel_case_paths(gateway):
    """A regular expression for the paths of the RPCs whose JSON has names in lowerCamelCase."""
    packages = {style["package"] for style in gateway["nova"].get("json_names", []) if style["style"] == "lowerCamelCase"}
    paths = []
    for rule in gateway["http"]["rules"]:
        if rule["selector"].rsplit(".", 2)[0] in packages:
            path = next(rule[method] for method in ("get", "put", "post", "delete", "patch") if method in rule)
            paths.append(re.sub(r"\{[^}]*\}", "[^/]+", path))
    return "|".join(sorted(set(paths))) or "/none"


def make(protos, output):
    """Writes the descriptors to a file, and returns what Envoy's configuration says about them."""
    gateway = yaml.safe_load((protos / "gateway.yaml").read_text(encoding="utf-8"))
    descriptors = compile_protos(protos, output)
    bind(descriptors, gateway["http"]["rules"])
    streams = streaming_paths(descriptors)
    services = [f"{file.package}.{service.name}" for file in descriptors.file for service in file.service]
    add_imports(descriptors)
    output.write_bytes(descriptors.SerializeToString())
    return {
        "descriptors": str(output), "services": services, "streaming_paths": streams,
        "lower_camel_case_paths": lower_camel_case_paths(gateway),
    }
