"""The Debian packages: nova with both programs, and nova-dbgsym with their symbols."""
import dataclasses
import hashlib
import lzma
import os
import re
import subprocess
import tempfile
from pathlib import Path

from . import changelog, glibc, libraries, notices, pages
from .programs import programs
from .archive import File, ar, compressed, replace, tar, xz

FILES = pages.FILES / "debian"
DESCRIPTION = """\
command line and mock backend of NovaSocial
 nova calls NovaSocial's gateway from a terminal: users, posts, media, feeds,
 and events, as tables, JSON, or identifiers for other programs. It checks
 gateways against the contract, and writes fixtures and an OpenAPI document.
 .
 nova-serve is a mock backend over HTTP, gRPC, and WebSocket, with faults,
 recordings, and an inspector. A systemd unit for it is included, and is
 neither enabled nor started on installation."""


def maintainer():
    """As Debian's tools find it. The default is an address that no mail reaches: the project publishes none."""
    name, mail = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    return f"{name or 'NovaSDK maintainers'} <{mail or 'novasdk@packages.invalid'}>"


def linked(release):
    """The dependencies on libraries that the program is linked with, from the symbols that it uses."""
    with tempfile.TemporaryDirectory() as folder:
        control = Path(folder) / "debian/control"
        control.parent.mkdir()
        control.write_text("Source: nova\n\nPackage: nova\nArchitecture: any\n")
        command = ["dpkg-shlibdeps", "-O", f"-e{release.program('nova-serve').resolve()}"]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"dpkg-shlibdeps failed: {result.stderr}")
    found = result.stdout.split("=", 1)[1].strip().split(", ")
    # What glibc.check() has found is not above the floor.
    return sorted(f"libc6 (>= {glibc.floor()})" if each.startswith("libc6 ") else each for each in found)


def files(release):
    nova = release.program("nova")
    manual = [File(f"{page.path}.gz", compressed(page.data)) for page in pages.manual(nova)]
    below_usr = [
        *programs(release), *manual, *pages.completions(nova, pages.DEBIAN_COMPLETIONS),
        File("share/doc/nova/changelog.gz", compressed(changelog.debian(release, maintainer()))),
        File("share/doc/nova/copyright", notices.debian_copyright()),
        File("share/doc/nova/NOTICES.gz", compressed(notices.notices())),
        File("share/lintian/overrides/nova", (FILES / "nova.overrides").read_bytes())]
    return [
        *(dataclasses.replace(each, path=f"usr/{each.path}") for each in below_usr),
        File("lib/systemd/system/nova-serve.service", pages.unit("/usr")),
        File("etc/default/nova-serve", pages.settings())]


def installed_size(entries):
    """In KiB, as dpkg-gencontrol counts: each file rounded up, and one for each folder."""
    folders = {parent for each in entries for parent in Path(each.path).parents}
    return sum(-(-len(each.data) // 1024) for each in entries) + len(folders)


def control(release, entries, fields):
    common = {
        "Package": None, "Version": changelog.debian_version(release.version),
        "Architecture": release.debian_architecture,
        "Maintainer": maintainer(), "Installed-Size": str(installed_size(entries))}
    return File("control", "".join(
        f"{name}: {value}\n" for name, value in (common | fields).items() if value).encode())


def md5sums(entries):
    lines = [f"{hashlib.md5(each.data).hexdigest()}  {each.path}\n" for each in entries
             if not each.link and not each.path.startswith("etc/")]
    return File("md5sums", "".join(sorted(lines, key=lambda line: line[34:])).encode())


def compression(release):
    """The filters of xz. dpkg-deb cannot set them, and the first makes the programs a sixth smaller: it turns the
    distances of calls, which differ at each place, into addresses, which repeat."""
    processor = {"x86_64": [{"id": lzma.FILTER_X86}]}.get(release.architecture, [])
    return [*processor, {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def pack(release, name, entries, about, filters):
    """Writes a package, and returns its path: `entries` are its files, `about` those of DEBIAN/."""
    path = release.output / f"{name}_{changelog.debian_version(release.version)}_{release.debian_architecture}.deb"
    about = [*about, md5sums(entries)]
    plain = [{"id": lzma.FILTER_LZMA2, "preset": 1}]
    data = ar([
        ("debian-binary", b"2.0\n"), ("control.tar.xz", xz(tar(about, ".", release.epoch), plain)),
        ("data.tar.xz", xz(tar(entries, ".", release.epoch), filters or plain))], release.epoch)
    return replace(path, data)


def nova(release, filters=None):
    entries = files(release)
    scripts = [File(name, (FILES / name).read_bytes(), True) for name in ("postinst", "prerm", "postrm")]
    fields = {
        "Package": "nova", "Depends": ", ".join(linked(release) + libraries.dependencies("Depends")),
        "Recommends": ", ".join(libraries.dependencies("Recommends")),
        "Suggests": ", ".join(["bash-completion", "jq", *libraries.dependencies("Suggests")]),
        # OpenStack's client has a /usr/bin/nova of its own.
        "Conflicts": "python3-novaclient", "Section": "net", "Priority": "optional", "Description": DESCRIPTION}
    conffiles = File("conffiles", b"/etc/default/nova-serve\n")
    about = [*scripts, conffiles, control(release, entries, fields)]
    return pack(release, "nova", entries, about, filters or compression(release))


def build_id(program):
    text = subprocess.run(["readelf", "-n", program], check=True, text=True, stdout=subprocess.PIPE).stdout
    match = re.search(r"Build ID: ([0-9a-f]{40})", text)
    if not match:
        raise SystemExit(
            f"{program} has no build ID, by which debuggers find its symbols; build it with Tools/build-release")
    return match[1]


def dbgsym(release):
    symbols = release.program("nova-serve.debug")
    if not symbols.exists():
        raise SystemExit(f"{symbols} is missing; build the programs with Tools/build-release --symbols")
    build = build_id(release.program("nova-serve"))
    entries = [File(f"usr/lib/debug/.build-id/{build[:2]}/{build[2:]}.debug", symbols.read_bytes()),
               File("usr/share/doc/nova-dbgsym", link="nova")]
    version = changelog.debian_version(release.version)
    fields = {
        "Package": "nova-dbgsym", "Source": "nova", "Depends": f"nova (= {version})", "Section": "debug",
        "Priority": "optional",
        "Auto-Built-Package": "debug-symbols", "Build-Ids": build, "Description": "debug symbols for nova"}
    # Most of it is compressed already: this decides minutes, and little of the size.
    return pack(release, "nova-dbgsym", entries, [control(release, entries, fields)], None)


def build(release):
    return [nova(release), dbgsym(release)]
