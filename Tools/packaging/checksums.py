"""SHA256SUMS of the packages, in the form that sha256sum checks."""
import hashlib

from .archive import replace

NAME = "SHA256SUMS"


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def build(release, packages):
    """Lists these files of the output folder."""
    lines = [f"{digest(path)}  {path.name}\n" for path in sorted(packages, key=lambda each: each.name)]
    return [replace(release.output / NAME, "".join(lines).encode())]
