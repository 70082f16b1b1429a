"""Manual pages, completions, and the systemd unit, and where each system looks for them."""
import functools
import subprocess
import tempfile
from pathlib import Path

from .archive import File

FILES = Path(__file__).resolve().parent / "files"
# Debian keeps /usr/share/zsh/site-functions for what comes from elsewhere, and reads its own folder for packages.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/nova",
    "zsh": "share/zsh/site-functions/_nova",
    "fish": "share/fish/vendor_completions.d/nova.fish",
}
DEBIAN_COMPLETIONS = COMPLETIONS | {"zsh": "share/zsh/vendor-completions/_nova"}


def run(*command):
    # The pages and scripts are the same for everyone: no setting of this user may change them.
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        result = subprocess.run(list(map(str, command)), env=environment, cwd=home, capture_output=True)
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed: {result.stderr.decode().strip()}")
    return result.stdout


@functools.cache
def manual(nova):
    """The manual pages of nova and its commands; nova-serve(1) is that of `nova serve`, which runs nova-serve."""
    with tempfile.TemporaryDirectory() as folder:
        run(nova, "generate-man", folder)
        return [File(f"share/man/man1/{page.name}", page.read_bytes()) for page in sorted(Path(folder).iterdir())]


@functools.cache
def completion(nova, shell):
    """A completion script. Shells read it into themselves, so it is no program, and has no line that names one."""
    script = run(nova, "completion", shell)
    return script.split(b"\n", 1)[1] if script.startswith(b"#!") else script


def completions(nova, places=None):
    return [File(path, completion(nova, shell)) for shell, path in (places or COMPLETIONS).items()]


def unit(prefix):
    """The systemd unit for programs in prefix/bin."""
    text = (FILES / "nova-serve.service").read_text()
    return text.replace("@bin@", f"{prefix.rstrip('/')}/bin").encode()


def settings():
    """The file with the unit's options, which the administrator edits."""
    return (FILES / "nova-serve.default").read_bytes()
