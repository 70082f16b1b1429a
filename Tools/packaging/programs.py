"""The programs as packages contain them: one file under two names.

nova-serve contains all of nova, and is nova when it is started under that name. Two files would take nearly twice
the space, because most of each is in both: Swift's library, the commands, and the mock backend.
"""
import os
import shutil

from .archive import File

NAMES = ("nova", "nova-serve")


def stage(source, folder):
    """Copies the programs of a build into a folder, with nova as a link to nova-serve, and returns the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("nova-serve", "nova-serve.debug"):
        if (source / name).exists():
            shutil.copy2(source / name, folder / name)
    (folder / "nova-serve").chmod(0o755)
    os.symlink("nova-serve", folder / "nova")
    return folder


def programs(release):
    program = File("bin/nova-serve", release.program("nova-serve").read_bytes(), True)
    return [program, File("bin/nova", link="nova-serve")]
