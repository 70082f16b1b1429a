"""Runs the services of a compose file without an engine: each in the folder of its image, with its user, its settings,
and process 1 of its own. They share a network of their own, in which the names of services lead to this machine."""
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


class Network:
    """A network with nothing but a loopback interface, so that ports of this machine stay free."""

    def __enter__(self):
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec sleep infinity"],
            stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "up\n":
            raise RuntimeError("cannot make a network: unshare --net and ip need the rights of root")
        return self

    def __exit__(self, *_):
        self.holder.terminate()
        self.holder.wait()

    @property
    def prefix(self):
        return ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net"]


def prepare(image, names):
    """What an engine adds to the files of an image: the names of the other services."""
    etc = image.root / "etc"
    etc.mkdir(exist_ok=True)
    (etc / "hosts").write_text("127.0.0.1 localhost\n" + "".join(f"127.0.0.1 {name}\n" for name in names))
    for name in ("dev", "proc", "tmp"):
        (image.root / name).mkdir(exist_ok=True)


class Service:
    """A running service."""

    def __init__(self, network, image, command, log):
        self.image, self.network, self.log_path = image, network, Path(log)
        with self.log_path.open("wb") as output:
            self.process = subprocess.Popen(
                launch(network, image, command), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True)

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def wait_until_healthy(self, command, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.log_path.stem} ended with {self.process.returncode}: {self.log()}")
            result = run(self.network, self.image, command)
            if result.returncode == 0:
                return result.stdout
            time.sleep(0.2)
        raise RuntimeError(f"{self.log_path.stem} is not healthy: {result.stdout}{self.log()}")

    def first_process(self):
        """The process of the service itself, below those that start it."""
        pid = self.process.pid
        while children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            pid = int(children[0])
        return pid

    def stop(self):
        """As `docker stop`: SIGTERM to the first process. Returns its exit status."""
        if self.process.poll() is None:
            os.kill(self.first_process(), signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise RuntimeError(f"{self.log_path.stem} does not stop within 10 s after SIGTERM: {self.log()}")
        return self.process.returncode


def run(network, image, command, seconds=60):
    return subprocess.run(
        launch(network, image, command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=seconds)


def launch(network, image, command):
    """The command of an image in its chroot: as its user, in its folder, with only its variables, and as process 1.

    Its files are read-only, except for a /tmp of its own: stricter than an engine is by default.
    """
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"} | image.environment
    user, group = image.user.split(":")
    # The mounts are seen by this process only, and end with it.
    mounts = (
        'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" '
        '&& mount -t tmpfs tmpfs "$0/tmp" && mount -o remount,bind,ro "$0" && exec setpriv --no-new-privs "$@"')
    # Python rather than chroot(1) and env(1), which would have to be in the image.
    enter = (
        "import json, os, sys\n"
        "root, folder, user, group, environment, *command = sys.argv[1:]\n"
        "os.chroot(root)\n"
        "os.chdir(folder)\n"
        "os.setgroups([])\n"
        "os.setgid(int(group))\n"
        "os.setuid(int(user))\n"
        "os.execve(command[0], command, json.loads(environment))\n")
    return [
        *network.prefix, "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", mounts, str(image.root),
        sys.executable, "-c", enter, str(image.root), image.folder, user, group, json.dumps(environment), *command]
