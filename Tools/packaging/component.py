"""A part of the programs, or a library of the system that they use, as bills of materials describe it."""
import hashlib
import subprocess
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Component:
    """A part of the programs, or a library of the system that they use."""

    name: str
    version: str  # of a part; the oldest one of a library of the system
    license: str  # an expression of SPDX; empty if the project has not chosen one
    supplier: tuple  # name and URL
    purl: str = ""
    revision: str = ""
    location: str = ""
    description: str = ""
    is_program: bool = False
    is_external: bool = False  # a library of the system
    is_optional: bool = False  # loaded when it is first needed
    file: str = ""  # that a program loads
    alternatives: tuple = ()  # packages that have the same library in other releases
    sha256: str = ""
    modules: tuple = ()
    depends: tuple = field(default=())  # references

    @property
    def reference(self):
        return self.name if self.is_external else f"{self.name}@{self.version}"


def references(components):
    return tuple(sorted(each.reference for each in components))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def output_of(*command):
    return subprocess.run([str(part) for part in command], check=True, text=True, stdout=subprocess.PIPE).stdout
