"""What every package is made from: the programs, their version, and the commit that they were built from."""
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VERSION_SOURCE = ROOT / "Sources/Base/NovaSupport/NovaSDKVersion.swift"


@dataclass(frozen=True)
class Release:
    """One version of nova and nova-serve, built for one architecture."""

    version: str
    commit: str  # 40 hexadecimal digits
    epoch: int  # of the commit, in seconds; every file in every package has this time
    architecture: str  # as `uname -m` names it: x86_64, aarch64
    programs: Path  # the folder with nova, nova-serve, and, with symbols, nova.debug and nova-serve.debug
    output: Path  # the folder that gets the packages

    @property
    def debian_architecture(self):
        return {"x86_64": "amd64", "aarch64": "arm64"}.get(self.architecture, self.architecture)

    @property
    def name(self):
        """The beginning of the names of files: nova-1.2.3-linux-x86_64."""
        return f"nova-{self.version}-linux-{self.architecture}"

    def program(self, name):
        return self.programs / name


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def current(programs, output):
    """The release of this checkout, whose programs are in a folder."""
    version = re.search(r'current = "([^"]+)"', VERSION_SOURCE.read_text())[1]
    machine = subprocess.run(["uname", "-m"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
    return Release(version, git("rev-parse", "HEAD"), int(git("show", "-s", "--format=%ct")), machine, programs, output)
