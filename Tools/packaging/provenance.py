"""The statement of provenance: which sources, dependencies, and compiler a release was made from.

An in-toto statement with SLSA's predicate, version 1. It has no time of the build, so that everyone who builds the
release again gets the same bytes, and no URL of the repository, because the sources do not contain the address at which
they are published: set NOVA_REPOSITORY_URL to add it.
"""

import json
import os
import re
import tempfile
from dataclasses import replace
from pathlib import Path

from packaging import archive
from packaging.build_state import BuildState
from packaging.component import digest, output_of
from packaging.release import Release
from packaging.wheel import python_version

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"
# Names, not addresses (RFC 4151).
BUILD_TYPE = "tag:nova.social,2026:tools-package/v1"
# SLSA's level 1: the statement is complete, and whoever made it could have written anything into it. Its builder is the
# machine of the person who releases.
DEFAULT_BUILDER = "tag:nova.social,2026:local-builder"


class ProvenanceError(Exception):
    """What is wrong with a statement."""


def build(release):
    """Writes the statement about all packages of this version in the release's folder; returns its path in a list."""
    path = Path(release.output) / f"nova-{release.version}.provenance.json"
    text = json.dumps(statement(release, artifacts(release)), indent=2) + "\n"
    return [archive.replace(path, text.encode())]


def artifacts(release):
    """The files of this version, without what describes all of them."""
    version, python = re.escape(release.version), re.escape(python_version(release.version))
    debian = version.replace("-", "[-~]")
    kinds = [
        rf"nova-{version}-linux-.+",
        rf"nova-{version}\.(cdx|spdx)\.json",
        rf"nova(-dbgsym)?_{debian}(-[0-9]+)?_.+\.deb",
        rf"nova_social-{python}-py3-.+",
    ]
    pattern = re.compile("|".join(kinds))
    return sorted(path for path in Path(release.output).iterdir() if path.is_file() and pattern.fullmatch(path.name))


def statement(release, paths):
    repository = os.environ.get("NOVA_REPOSITORY_URL", "")
    source = {"name": "NovaSDK", "digest": {"gitCommit": release.commit}}
    if repository:
        source = {"uri": f"git+{repository}@{release.commit}"} | source
    return {
        "_type": STATEMENT,
        "subject": [{"name": path.name, "digest": {"sha256": digest(path)}} for path in paths],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {"version": release.version, "architecture": release.architecture},
                "internalParameters": {"command": "Tools/package", "sourceDateEpoch": release.epoch},
                "resolvedDependencies": [source, *dependencies(release)],
            },
            "runDetails": {
                "builder": {
                    "id": os.environ.get("NOVA_BUILDER_ID", DEFAULT_BUILDER),
                    "version": {"swift": swift_version()},
                },
                "metadata": {"invocationId": release.commit},
            },
        },
    }


def dependencies(release):
    """The packages that the programs contain, at the revisions that were compiled."""
    return [
        {
            "uri": f"git+{package.location}@{package.revision}",
            "name": package.name,
            "digest": {"gitCommit": package.revision},
            "annotations": {"version": package.version},
        }
        for package in sorted(BuildState(release).packages(), key=lambda each: each.name)
    ]


def swift_version():
    return re.search(r"Swift version (\S+)", output_of(os.environ.get("SWIFT", "swift"), "--version"))[1]


def check(path, folder):
    """Checks the form of a statement, and its digests against the files in a folder."""
    value = json.loads(path.read_text(encoding="utf-8"))
    definition = value.get("predicate", {}).get("buildDefinition", {})
    details = value.get("predicate", {}).get("runDetails", {})
    rules = {
        "type": value.get("_type") == STATEMENT and value.get("predicateType") == PREDICATE,
        "build type": is_uri(definition.get("buildType")),
        "builder": is_uri(details.get("builder", {}).get("id")),
        "parameters": isinstance(definition.get("externalParameters"), dict),
        "dependencies": all(
            "digest" in each and ("uri" in each or "name" in each)
            for each in definition.get("resolvedDependencies", [{}])
        ),
        "subjects": bool(value.get("subject"))
        and len({each["name"] for each in value["subject"]}) == len(value["subject"]),
    }
    for name, is_met in rules.items():
        if not is_met:
            raise ProvenanceError(f"{path.name}: invalid {name}")
    for subject in value["subject"]:
        file = Path(folder) / subject["name"]
        if not file.exists():
            raise ProvenanceError(f"{path.name} lists {subject['name']}, which is not in {folder}")
        if subject["digest"] != {"sha256": digest(file)}:
            raise ProvenanceError(f"{file} has another digest than {path.name} lists; it was changed, or made again")


def is_uri(text):
    return bool(re.fullmatch(r"[a-z][a-z0-9+.-]*:\S+", text or ""))


def self_test():
    """A statement about a file is refused once the file has changed, is missing, or has no builder."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        release = Release("1.2.3", "0" * 40, 0, "x86_64", folder, folder)
        for name in ("nova-1.2.3-linux-x86_64.tar.gz", "nova_1.2.3_amd64.deb", "nova_social-1.2.3-py3-none-any.whl"):
            (folder / name).write_text(name)
        (folder / "nova-1.2.30-linux-x86_64.tar.gz").write_text("another version")
        paths = artifacts(release)
        if len(paths) != 3 or artifacts(replace(release, version="1.2")):
            raise ProvenanceError(f"the files of a version are {paths}")
        path = folder / "nova-1.2.3.provenance.json"
        value = {
            "_type": STATEMENT,
            "predicateType": PREDICATE,
            "subject": [{"name": each.name, "digest": {"sha256": digest(each)}} for each in paths],
            "predicate": {
                "buildDefinition": {"buildType": BUILD_TYPE, "externalParameters": {}, "resolvedDependencies": []},
                "runDetails": {"builder": {"id": DEFAULT_BUILDER}},
            },
        }
        path.write_text(json.dumps(value))
        check(path, folder)
        changes = [
            lambda: paths[0].write_text("changed"),
            paths[0].unlink,
            lambda: path.write_text(json.dumps(value | {"_type": ""})),
        ]
        for change in changes:
            change()
            try:
                check(path, folder)
            except ProvenanceError:
                continue
            raise ProvenanceError("a statement is accepted that does not fit its files")
