"""An apt repository in a folder: packages in pool/, and signed lists of them in dists/stable/."""
import gzip
import lzma
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SUITE, COMPONENT = "stable", "main"
KEYRING = "nova-archive-keyring.asc"
# Users have to fetch a new key by hand, so they must hear of it long before the old one expires.
EXPIRES_SOON = 180 * 86400


class RepositoryError(Exception):
    """What failed, why, and what to do."""


@dataclass
class Signer:
    """The keys that sign: more than one while users change from an old key to a new one."""

    keys: list
    passphrase_file: Path | None = None
    warnings: list = field(default_factory=list)

    def gpg(self, *arguments, data=None):
        # The passphrase reaches gpg through a file or its agent: other users can read arguments.
        file = self.passphrase_file
        secret = ["--pinentry-mode", "loopback", "--passphrase-file", file] if file else []
        command = ["gpg", "--batch", "--yes", *secret, *arguments]
        result = subprocess.run(list(map(str, command)), input=data, capture_output=True)
        if result.returncode:
            raise RepositoryError(f"gpg failed: {result.stderr.decode().strip()}")
        return result.stdout

    def check(self):
        """Fails for a key that is missing or expired, and warns of one that expires soon."""
        for key in self.keys:
            lines = self.gpg("--with-colons", "--list-secret-keys", key).decode().splitlines()
            primary = next(line.split(":") for line in lines if line.startswith("sec:"))
            left = int(primary[6]) - time.time() if primary[6] else None
            if primary[1] in "er" or (left is not None and left <= 0):
                raise RepositoryError(
                    f"the key {key} has expired or was revoked: apt refuses what it signs; extend it, or use another")
            if left is not None and left < EXPIRES_SOON:
                self.warnings.append(
                    f"the key {key} expires in {int(left // 86400)} days: apt then refuses this repository. Extend it, "
                    "or sign with a new one as well (--key OLD --key NEW), and tell users to fetch the keyring again")

    def sign(self, folder):
        """Writes InRelease and Release.gpg beside Release."""
        users = [part for key in self.keys for part in ("--local-user", key)]
        common = [*users, "--digest-algo", "SHA512", "--armor", "--output"]
        self.gpg(*common, folder / "InRelease", "--clearsign", folder / "Release")
        self.gpg(*common, folder / "Release.gpg", "--detach-sign", folder / "Release")

    def public_keys(self):
        return self.gpg("--armor", "--export", *self.keys)


def archive(folder, *arguments):
    environment = os.environ | {"LC_ALL": "C"}
    result = subprocess.run(["apt-ftparchive", *arguments], cwd=folder, capture_output=True, env=environment)
    if result.returncode:
        raise RepositoryError(f"apt-ftparchive failed: {result.stderr.decode().strip()}")
    return result.stdout


def architecture(package):
    return subprocess.run(
        ["dpkg-deb", "--field", package, "Architecture"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def write_lists(folder, dists):
    """Writes the lists of all packages in the pool."""
    architectures = sorted({architecture(each) for each in (folder / "pool").glob("*.deb")} - {"all"})
    for name in architectures:
        place = dists / COMPONENT / f"binary-{name}"
        place.mkdir(parents=True)
        packages = archive(folder, "--arch", name, "packages", "pool")
        (place / "Packages").write_bytes(packages)
        (place / "Packages.gz").write_bytes(gzip.compress(packages, 9, mtime=0))
        (place / "Packages.xz").write_bytes(lzma.compress(packages))
    fields = {"Origin": "NovaSDK", "Label": "NovaSDK", "Suite": SUITE, "Codename": SUITE, "Components": COMPONENT,
              "Architectures": " ".join(architectures), "Description": "nova and nova-serve"}
    options = [part for name, value in fields.items() for part in ("-o", f"APT::FTPArchive::Release::{name}={value}")]
    (dists / "Release").write_bytes(archive(dists, *options, "release", "."))


def publish(folder, packages, signer):
    """Adds packages to the repository in a folder, which it makes if necessary.

    Readers see the old lists or the new ones.
    """
    signer.check()
    pool, dists = folder / "pool", folder / "dists" / SUITE
    pool.mkdir(parents=True, exist_ok=True)
    dists.parent.mkdir(exist_ok=True)
    for package in packages:
        old = pool / package.name
        if old.exists() and old.read_bytes() != package.read_bytes():
            raise RepositoryError(
                f"{old} differs from {package}: a published version never changes; give the new one a new version")
        if not old.exists():
            shutil.copy(package, pool / f".{package.name}")
            os.replace(pool / f".{package.name}", old)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as scratch:
        new = Path(scratch) / "new"
        new.mkdir()
        write_lists(folder, new)
        signer.sign(new)
        new.chmod(0o755)
        if dists.exists():
            os.replace(dists, Path(scratch) / "old")
        os.replace(new, dists)
    keyring = folder / f".{KEYRING}"
    keyring.write_bytes(signer.public_keys())
    os.replace(keyring, folder / KEYRING)
