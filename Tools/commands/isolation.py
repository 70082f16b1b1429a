"""Keeps what a page starts away from the machine: an empty network, and an end of all processes."""
import ctypes
import fcntl
import os
import signal
import socket
import struct
import time
from pathlib import Path

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
LISTENS = "0A"


def enter_empty_network():
    """Gives this process a network of its own with only a loopback interface. False where the system refuses that."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        user, group = os.getuid(), os.getgid()
        if libc.unshare(CLONE_NEWNET):
            if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET):
                return False
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
            request = bytearray(struct.pack("16sh14x", b"lo", 0))
            fcntl.ioctl(handle, SIOCGIFFLAGS, request)
            flags = struct.unpack_from("h", request, 16)[0]
            fcntl.ioctl(handle, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
        return True
    except (OSError, AttributeError):
        return False


def adopt_orphans():
    """Makes this process the parent of all that its children leave behind, and ends it with its own parent."""
    try:
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    except (OSError, AttributeError):
        pass  # macOS: process groups must do


def parents():
    """The parent of each process that runs."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state != "Z":
            found[int(entry.name)] = int(parent)
    return found


def descendants(ancestor):
    """All processes that a process started, and those that they started."""
    children = {}
    for process, parent in parents().items():
        children.setdefault(parent, []).append(process)
    found, waiting = [], [ancestor]
    while waiting:
        more = children.get(waiting.pop(), [])
        found += more
        waiting += more
    return found


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def end_descendants(kept=(), patience=5.0):
    """Ends all descendants of this process except some: first they are asked, then killed."""
    for name, limit in ((signal.SIGTERM, patience), (signal.SIGKILL, patience)):
        deadline, asked = time.monotonic() + limit, set()
        while left := [process for process in descendants(os.getpid()) if process not in kept]:
            for process in set(left) - asked:
                try:
                    os.kill(process, name)
                except ProcessLookupError:
                    pass
            asked |= set(left)
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
            if not kept:
                reap()


def listens(process):
    """Whether a process, or one that it started, accepts connections."""
    group = [process, *descendants(process)]
    for member in group:
        try:
            sockets = {os.readlink(link) for link in Path(f"/proc/{member}/fd").iterdir()}
            tables = [Path(f"/proc/{member}/net/{name}").read_text() for name in ("tcp", "tcp6")]
        except OSError:
            continue
        for table in tables:
            for row in table.split("\n")[1:]:
                cells = row.split()
                if len(cells) > 9 and cells[3] == LISTENS and f"socket:[{cells[9]}]" in sockets:
                    return True
    return False


def wait_until_listening(process, limit):
    """Waits until a process listens. False if it ended before, or does not listen in time."""
    deadline, missed = time.monotonic() + limit, 0
    while time.monotonic() < deadline:
        if listens(process):
            return True
        # A process with several threads can be missing from /proc for a moment while it replaces its program.
        missed = missed + 1 if process not in parents() else 0
        if missed == 10:
            return False
        time.sleep(0.02)
    return False
