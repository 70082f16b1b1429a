"""Files of a package in memory, written so that the same files always give the same bytes: sorted, owned by root,
and with the time and modes that the release says instead of those of this machine."""
import gzip
import io
import lzma
import os
import tarfile
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """A file at a path relative to the package's root."""

    path: str
    data: bytes = b""
    is_program: bool = False
    link: str = ""  # the target of a symbolic link, which has no data

    @property
    def mode(self):
        return 0o755 if self.is_program else 0o644


def compressed(data):
    """gzip without the name and the time of a file, as `gzip -9n`."""
    return gzip.compress(data, 9, mtime=0)


def folders(files):
    """The folders that the files need, parents first."""
    paths = set()
    for file in files:
        parts = file.path.split("/")[:-1]
        paths.update("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return sorted(paths)


def member(path, epoch, mode):
    info = tarfile.TarInfo(path)
    info.mode, info.mtime, info.uname, info.gname = mode, epoch, "root", "root"
    return info


def tar(files, top, epoch):
    """The bytes of an archive whose files are all below the folder `top`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in ["", *folders(files)]:
            info = member(f"{top}/{path}", epoch, 0o755)
            info.type = tarfile.DIRTYPE
            archive.addfile(info)
        for file in sorted(files, key=lambda each: each.path):
            info = member(f"{top}/{file.path}", epoch, file.mode)
            if file.link:
                info.type, info.linkname, info.mode = tarfile.SYMTYPE, file.link, 0o777
                archive.addfile(info)
            elif not file.data:
                raise SystemExit(f"cannot pack {file.path}: it is empty, and not a link")
            else:
                info.size = len(file.data)
                archive.addfile(info, io.BytesIO(file.data))
    return buffer.getvalue()


def tar_gz(files, top, epoch):
    return compressed(tar(files, top, epoch))


def xz(data, filters):
    return lzma.compress(data, lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=filters)


def ar(members, epoch):
    """An archive of ar, as dpkg reads it."""
    parts = [b"!<arch>\n"]
    for name, data in members:
        header = f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n"
        parts += [header.encode(), data, b"\n" * (len(data) % 2)]
    return b"".join(parts)


def replace(path, data):
    """Writes a file that is either whole or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(data)
    temporary.chmod(0o644)
    os.replace(temporary, path)
    return path
