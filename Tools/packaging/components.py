"""What the two programs consist of, and what they need from the system: the contents of a bill of materials.

The sources are those that decide: the lists of object files that the linker got, the revisions that SwiftPM resolved,
the license files of the packages, the programs themselves, and the list of libraries that they load when they first
need them.
"""

import os
import re
from dataclasses import replace

from packaging import glibc, libraries, licenses
from packaging.build_state import PROGRAMS, BuildState, dependencies, vendored_parts
from packaging.component import Component, digest, output_of, references

SUPPLIER = ("NovaSocial", "")
DEBIAN = ("Debian", "https://www.debian.org")
SWIFT = ("Swift project", "https://www.swift.org")
# Linked by their names: the system's loader looks for them before the program starts. Oldest version, Debian's package.
LINKED = {
    "libc.so.6": ("glibc", glibc.floor(), "libc6"),
    "libstdc++.so.6": ("libstdc++", "11", "libstdc++6"),
    "libgcc_s.so.1": ("libgcc", "11", "libgcc-s1"),
}
PARTS_OF_GLIBC = (
    "libm.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
)


def contents(release):
    """The release, and its components by name. The release depends on the programs, these on what they contain."""
    state = BuildState(release)
    packages = state.packages()
    swift = swift_runtime()
    shared = [*loaded_libraries(), *linked_libraries(release)]
    programs = []
    for name in PROGRAMS:
        contained = [package for package in packages if state.modules[name].keys() & set(package.modules)]
        used = [*contained, *swift, *(library for library in shared if uses(release, name, library))]
        programs.append(
            Component(
                name,
                release.version,
                "",
                SUPPLIER,
                revision=release.commit,
                is_program=True,
                sha256=digest(release.program(name)),
                depends=references(used),
            )
        )
    vendored = [part for package in packages for part in vendored_parts(package, state)]
    packages = [
        replace(
            each,
            depends=references(
                [*dependencies(each, packages, state), *(part for part in vendored if part.modules[0] in each.modules)]
            ),
        )
        for each in packages
    ]
    release_itself = Component(
        "nova-release",
        release.version,
        "",
        SUPPLIER,
        revision=release.commit,
        is_program=True,
        description="The command line and the mock backend of NovaSocial",
        depends=references(programs),
    )
    everything = [*programs, *packages, *vendored, *swift, *shared]
    return release_itself, sorted(everything, key=lambda each: each.reference)


def swift_runtime():
    """Swift's libraries, which the programs contain."""
    text = output_of(os.environ.get("SWIFT", "swift"), "--version")
    version = re.search(r"Swift version (\S+)", text)[1]
    license = f"{licenses.APACHE} WITH Swift-exception"
    return [
        Component(
            name,
            version,
            license,
            SWIFT,
            purl=f"pkg:github/swiftlang/{name}@swift-{version}-RELEASE",
            location=f"https://github.com/swiftlang/{name}",
            description=description,
        )
        for name, description in (
            ("swift", "the standard library and the runtime, linked into the programs"),
            ("swift-corelibs-libdispatch", "the queues below Swift's concurrency, linked into the programs"),
        )
    ]


def loaded_libraries():
    """What the programs load when they first need it."""
    return [
        Component(
            library.packages[0],
            library.oldest,
            licenses.SHARED[library.file],
            DEBIAN,
            is_external=True,
            is_optional=True,
            purl=f"pkg:deb/debian/{library.packages[0]}",
            file=library.file,
            alternatives=library.packages[1:],
            description=f"{library.title}, loaded when it is first needed, for {library.purpose}",
        )
        for library in libraries.LIBRARIES
    ]


def needed_files(program):
    """The names of the libraries that the system's loader looks for."""
    return re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "--wide", "--dynamic", program))


def linked_libraries(release):
    names = {name for program in PROGRAMS for name in needed_files(release.program(program))} - set(PARTS_OF_GLIBC)
    unknown = names - set(LINKED)
    if unknown:
        raise SystemExit(
            f"the programs need unknown libraries: {', '.join(sorted(unknown))}; "
            "extend LINKED in Tools/packaging/components.py, and the dependencies of the Debian package"
        )
    found = []
    for name in sorted(names):
        title, oldest, package = LINKED[name]
        found.append(
            Component(
                package,
                oldest,
                licenses.SHARED[name],
                DEBIAN,
                is_external=True,
                purl=f"pkg:deb/debian/{package}",
                file=name,
                description=f"{title}, without which the programs do not start",
            )
        )
    return found


def uses(release, program, library):
    """Whether a program has the name of a library's file in it: also those that it loads later have one."""
    return library.file.encode() in release.program(program).read_bytes()
