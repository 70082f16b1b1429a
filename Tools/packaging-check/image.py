"""Builds images of a Dockerfile as folders: each step runs in a chroot, so no engine is needed.

Supports the instructions that the Dockerfiles of this repository have, and refuses others. Files are copied with the owner
and the modes that an engine gives them: root, unless --chown says otherwise.
"""
import glob
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


class ImageError(Exception):
    """Why an image cannot be built."""


@dataclass
class Image:
    """The files of an image, and its settings."""

    root: Path
    environment: dict = field(default_factory=dict)
    user: str = "0:0"
    folder: str = "/"
    ports: list = field(default_factory=list)
    entrypoint: list = field(default_factory=list)
    command: list = field(default_factory=list)
    health: list = field(default_factory=list)
    arguments: dict = field(default_factory=dict)

    def size(self):
        files = {}
        for folder, _, names in os.walk(self.root):
            for name in names:
                status = os.lstat(os.path.join(folder, name))
                files[status.st_ino] = status.st_size
        return sum(files.values())


class Builder:
    """Builds the stages of a Dockerfile from base images that a function provides as folders."""

    def __init__(self, context, instructions, base, work):
        self.context, self.instructions, self.base, self.work = context, instructions, base, work
        self.stages, self.image = {}, None

    def build(self):
        for number, (name, value) in enumerate(self.instructions):
            method = getattr(self, f"do_{name.lower()}", None)
            if not method:
                raise ImageError(f"unknown instruction: {name}; extend Tools/packaging-check/image.py")
            method(value, number)
        return self.image

    def do_comment(self, value, number):
        pass

    def do_from(self, value, number):
        reference, _, stage = value.partition(" AS ")
        root = self.work / f"stage-{number}"
        self.base(reference, root)
        self.image = Image(root)
        self.stages[stage or str(number)] = self.image

    def do_arg(self, value, number):
        machine = os.uname().machine
        known = {"TARGETARCH": {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)}
        if value not in known:
            raise ImageError(f"unknown argument: {value}")
        self.image.arguments[value] = known[value]

    def expanded(self, text):
        return re.sub(r"\$\{(\w+)\}", lambda match: self.image.arguments[match[1]], text)

    def do_copy(self, value, number):
        words = self.expanded(value).split()
        options = dict(word[2:].split("=", 1) for word in words if word.startswith("--"))
        *sources, target = [word for word in words if not word.startswith("--")]
        unknown = set(options) - {"from", "chown"}
        if unknown:
            raise ImageError(f"unknown options of COPY: {unknown}")
        top = self.stages[options["from"]].root if "from" in options else self.context
        owner = tuple(map(int, options.get("chown", "0:0").split(":")))
        for source in sources:
            found = sorted(glob.glob(f"{top}/{source.lstrip('/')}"))
            if not found:
                raise ImageError(f"COPY {value}: there is no {source}")
            if len(found) > 1 and not target.endswith("/"):
                raise ImageError(f"COPY {value}: {len(found)} files, and one target")
            for path in map(Path, found):
                if "from" not in options and not self.is_in_context(path):
                    raise ImageError(f"COPY {value}: .dockerignore leaves out {path.relative_to(self.context)}")
                self.copy(path, self.image.root / target.lstrip("/"), target.endswith("/"), owner)

    def copy(self, source, target, is_folder, owner):
        if source.is_dir():
            made = not target.exists()
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=self.ignored(source))
            places = [target] if made else []
            for folder, folders, files in os.walk(source):
                places += [target / Path(folder).relative_to(source) / name for name in folders + files]
        else:
            target = target / source.name if is_folder else target
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
            places = [target]
        for place in places:
            # What .dockerignore leaves out is not there.
            if os.path.lexists(place):
                os.chown(place, *owner, follow_symlinks=False)

    def ignored(self, source):
        """For shutil.copytree: what .dockerignore leaves out of a folder of the context."""
        if self.context not in [source, *source.parents]:
            return None

        def is_left_out(path):
            return not path.is_dir() and not self.is_in_context(path)

        return lambda folder, names: [name for name in names if is_left_out(Path(folder) / name)]

    def is_in_context(self, path):
        """Whether .dockerignore, which leaves out everything but some patterns, lets a file into the context."""
        lines = (self.context / ".dockerignore").read_text().split("\n")
        patterns = [line[1:] for line in lines if line.startswith("!")]
        relative = str(path.relative_to(self.context))
        kept = [path for pattern in patterns for path in glob.glob(pattern, root_dir=self.context, include_hidden=True)]
        return any(f"{relative}/".startswith(f"{each}/") or each.startswith(f"{relative}/") for each in kept)

    def do_run(self, value, number):
        run_in(self.image.root, ["/bin/sh", "-c", value], environment_of_builds(self.image))

    def do_env(self, value, number):
        self.image.environment |= dict(word.split("=", 1) for word in value.split())

    def do_workdir(self, value, number):
        (self.image.root / value.lstrip("/")).mkdir(parents=True, exist_ok=True)
        self.image.folder = value

    def do_user(self, value, number):
        if not re.fullmatch(r"[1-9]\d*:[1-9]\d*", value):
            raise ImageError(f"USER {value}: must be two numbers other than 0, which clusters can check")
        self.image.user = value

    def do_expose(self, value, number):
        self.image.ports.append(int(value))

    def do_healthcheck(self, value, number):
        self.image.health = json.loads(re.search(r"CMD\s+(\[.*\])", value)[1])

    def do_entrypoint(self, value, number):
        # The form with a shell would need one in the image.
        self.image.entrypoint = json.loads(value)

    def do_cmd(self, value, number):
        self.image.command = json.loads(value)


def environment_of_builds(image):
    """What an engine passes on to a build: its proxy, and here where this machine's packages come from."""
    names = [name for name in os.environ if name.lower().endswith("_proxy") or name.startswith("PIP_")]
    own = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    return {name: os.environ[name] for name in names} | own | {"DEBIAN_FRONTEND": "noninteractive"} | image.environment


def run_in(root, command, environment):
    """Runs a command in a chroot as root, with the names and the certificates of this machine."""
    lent = []
    for path in ("/etc/resolv.conf", "/etc/pip.conf", os.environ.get("PIP_CERT", "")):
        inside = root / path.lstrip("/")
        if path and Path(path).exists() and (not inside.exists() or path == "/etc/resolv.conf"):
            inside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, inside)
            lent.append(inside)
    # Its own mounts end with it.
    script = 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" "$@"'
    result = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, root, *command], env=environment,
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for path in lent:
        path.unlink(missing_ok=True)
    if result.returncode:
        raise ImageError(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout
