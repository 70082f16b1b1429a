"""The software bills of materials: what the two programs contain, and what they load from the system.

The options and their values are named as in Swift's SE-0509, which Swift 6.4 brings to `swift build`. SwiftPM's
documents list products of packages; these list what the linker put into the programs, and the libraries that they load
at run time.
"""

import uuid
from pathlib import Path

from packaging import archive, cyclonedx, spdx
from packaging.components import contents

# Of SPDX 2.3, not 3.0 as SwiftPM: programs that read 3.0 are rare.
SPECS = {"cyclonedx": cyclonedx, "cyclonedx1": cyclonedx, "spdx": spdx, "spdx2": spdx}
ENDINGS = {cyclonedx: "cdx.json", spdx: "spdx.json"}
DEFAULT_SPECS = ("cyclonedx", "spdx")


def add_arguments(parser):
    """Adds the options of SE-0509 that say which documents to write."""
    parser.add_argument(
        "--sbom-spec",
        action="append",
        choices=SPECS,
        metavar="SPEC",
        help="the specification of the SBOM: cyclonedx (1.7), or spdx (2.3); repeatable; default: both",
    )


def build(release, specs=None):
    """Writes a document for each specification, and returns their paths."""
    root, components = contents(release)
    # The same programs have the same identity.
    digests = "".join(each.sha256 for each in components)
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"nova:{release.version}:{release.commit}:{digests}")
    modules = sorted({SPECS[spec] for spec in specs or DEFAULT_SPECS}, key=lambda module: ENDINGS[module])
    paths = []
    for module in modules:
        text = module.document(release, root, components, identity)
        paths.append(archive.replace(Path(release.output) / f"nova-{release.version}.{ENDINGS[module]}", text.encode()))
    return paths
