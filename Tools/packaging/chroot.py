"""A clean Debian to install packages in: the system of this machine's apt sources, in a folder.

Each script runs in its own namespaces, so what it mounts and starts is gone when it ends, however it ends.
"""
import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from .release import ROOT

CACHE = ROOT / ".build/debian-base"
# What a person has who tries completions and manual pages.
EXTRA = ["bash-completion", "ca-certificates", "fish", "man-db", "procps", "python3", "zsh"]

# debootstrap mounts, too.
NAMESPACES = ["unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child=KILL"]


def source():
    """The mirror and the suite that this machine installs from."""
    text = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"],
        check=True, text=True, stdout=subprocess.PIPE).stdout
    for line in text.splitlines():
        mirror, suite = line.split()
        if "-" not in suite:
            return mirror, suite
    raise SystemExit("apt has no sources of packages: see /etc/apt/sources.list and /etc/apt/sources.list.d")


def minimal(suite, mirror):
    """The smallest Debian, as debian:12-slim has it, as an archive: made once."""
    def install(root):
        call(*NAMESPACES, "debootstrap", "--variant=minbase", suite, root, mirror)

    return archived(f"{suite}-minimal", install)


def base():
    """A Debian with what a person has, as an archive: made once."""
    mirror, suite = source()

    def install(root):
        unpack(minimal(suite, mirror), root)
        use_sources(root)
        packages = " ".join(EXTRA)
        result = run(root, f"apt-get update -qq; apt-get install -y -qq --no-install-recommends {packages}", network=True)
        if result.returncode:
            raise SystemExit(f"the clean system cannot install {packages}:\n{result.stdout[-2000:]}")

    return archived(suite, install)


def archived(name, make):
    """The archive of a system that `make` makes in a folder, unless it is there."""
    archive = CACHE / f"{name}.tar"
    if archive.exists():
        return archive
    print(f"Making a clean Debian, {name}, for the checks …", flush=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        root = Path(scratch) / "root"
        root.mkdir(mode=0o755)
        make(root)
        shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)
        part = archive.with_suffix(".part")
        call("tar", "--numeric-owner", "-C", root, "-cf", part, ".")
        part.rename(archive)
    return archive


def unpack(archive, root):
    call("tar", "--numeric-owner", "-C", root, "-xpf", archive)


def call(*command):
    result = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise SystemExit(f"{command[0]} failed:\n{result.stdout[-2000:]}")


@contextlib.contextmanager
def system():
    """A fresh system in a folder, with the apt sources of this machine."""
    archive = base()
    with tempfile.TemporaryDirectory(dir=CACHE, prefix="system-") as scratch:
        root = Path(scratch)
        root.chmod(0o755)
        unpack(archive, root)
        use_sources(root)
        yield root


def use_sources(root):
    for name in ("etc/apt/sources.list", "etc/apt/sources.list.d", "etc/apt/keyrings", "usr/share/keyrings"):
        place = Path("/") / name
        if place.is_dir():
            shutil.copytree(place, root / name, dirs_exist_ok=True)
        elif place.exists():
            shutil.copy(place, root / name)
        else:
            (root / name).unlink(missing_ok=True)
    # How this machine reaches its mirror. What else it does with packages is its own business.
    for place in Path("/etc/apt/apt.conf.d").iterdir():
        if "Acquire::" in place.read_text(errors="replace"):
            shutil.copy(place, root / "etc/apt/apt.conf.d" / place.name)
    for name in ("etc/resolv.conf", "etc/hosts"):
        shutil.copy(Path("/") / name, root / name)


def run(root, script, network=False, **files):
    """Runs a script as root in the system, and returns how it ended, with its output. `files` are copied to /tmp.

    Without `network`, only the loopback interface is there. If a part of a pipe fails, the script fails: so it must read
    all that the part before it writes, unlike `grep -q`.
    """
    for name, path in files.items():
        target = root / "tmp" / Path(path).name
        if Path(path).is_dir():
            shutil.copytree(path, target, dirs_exist_ok=True)
        else:
            shutil.copy(path, target)
    unshare = [*NAMESPACES, *([] if network else ["--net"])]
    prepare = (
        f'mount -t proc proc "{root}/proc"; mount --rbind /dev "{root}/dev"; '
        + ("" if network else "ip link set lo up; ")
        + f'exec chroot "{root}" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive '
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -euo pipefail -c \"$1\"")
    return subprocess.run(
        [*unshare, "bash", "-euc", prepare, "bash", script], text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=900)
