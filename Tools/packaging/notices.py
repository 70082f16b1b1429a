"""Whose work the programs contain, and under which licence: the copyright file of Debian, and the notices that the
licences require in every copy."""
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from . import licenses
from .build_state import PROGRAMS, linked_modules
from .licenses import APACHE
from .release import ROOT

# Debian spells it with a small "with".
SWIFT = f"{APACHE} with Swift-exception"
# A copyright line as the licence's authors write it, in sources.
COPYRIGHT = re.compile(r"Copyright \([cC]\) (\d{4})(?:\s*-\s*(\d{4}))? (Apple Inc\. and the .* project authors)")
OWN = """\
The repository of NovaSDK states no licence for its own sources. Unless its authors permit more, copyright law's
defaults apply: ask them before you pass this package on. Everything else that the programs contain is listed below,
under its own licence."""
EXCEPTION = """\
As an exception, if you use this Software to compile your source code and portions of this Software are embedded into
the binary product as a result, you may redistribute such product without providing attribution as would otherwise be
required by Sections 4(a), 4(b) and 4(d) of the License."""


@dataclass(frozen=True)
class Component:
    """Something of others that is linked into the programs."""

    name: str
    license: str
    copyright: str
    folder: Path
    texts: tuple  # the files with its licence and notices


def checkouts():
    """The folder with the sources of the packages that the last release build used."""
    for scratch in (".build-release", ".build"):
        if (ROOT / scratch / "workspace-state.json").exists():
            return ROOT / scratch
    raise SystemExit(
        "the sources of the linked packages are missing, and with them their licences; run Tools/build-release")


def holders(folder):
    """The copyright holders that the sources name, each with the first and the last year."""
    years = {}
    for source in sorted([*folder.rglob("*.swift"), *folder.rglob("*.[ch]")]):
        for first, last, holder in COPYRIGHT.findall(source.read_text(errors="replace")):
            years.setdefault(holder, set()).update({first, last or first})
    spans = {holder: "-".join(dict.fromkeys([min(found), max(found)])) for holder, found in years.items()}
    return "\n".join(f"{span} {holder}" for holder, span in sorted(spans.items()))


def license_of(text, place):
    found = licenses.of_text(text, place).replace(" WITH ", " with ")
    if found not in (APACHE, SWIFT):
        raise SystemExit(f"{place}: a licence that Tools/packaging/notices.py does not name; add it there")
    return found


def package(folder):
    texts = tuple(sorted([*folder.glob("LICENSE*"), *folder.glob("NOTICE*")]))
    if not texts:
        raise SystemExit(f"{folder}: no LICENSE file, so nothing says whether it may be passed on")
    return Component(
        folder.name, license_of(texts[0].read_text(), texts[0]), holders(folder / "Sources"), folder, texts)


def packages():
    """The Swift packages that are in the programs, by name."""
    scratch = checkouts()
    names = sorted(set(linked_modules(scratch, PROGRAMS[0]).values()) - {""})
    return [package(scratch / "checkouts" / name) for name in names]


def toolchain():
    """Swift's standard library, concurrency, regular expressions, and dispatch."""
    compiler = shutil.which("swift")
    text = Path(compiler).resolve().parent.parent / "share/swift/LICENSE.txt" if compiler else Path("swift")
    if not text.exists():
        raise SystemExit("the licence of the Swift toolchain is missing: share/swift/LICENSE.txt beside its bin/")
    holder = "2014-2026 Apple Inc. and the Swift project authors"
    return Component("swift", license_of(text.read_text(), text), holder, text.parent, (text,))


def comment(source):
    """The first comment of a C source that has a licence, without its frame."""
    text = next(part for part in re.findall(r"/\*(.*?)\*/", source.read_text(), re.S) if "Redistribution" in part)
    return "\n".join(re.sub(r"^\s*\*? ?", "", line).rstrip() for line in text.splitlines()).lstrip("-\n").strip()


def parts(nio):
    """What swift-nio contains of others, under licences that must be repeated in full."""
    llhttp, sha1 = nio / "Sources/CNIOLLHTTP/LICENSE", nio / "Sources/CNIOSHA1/c_nio_sha1.c"
    http = llhttp.read_text().strip().split("\n\n", 2)
    bsd = re.sub(r"^SPDX-.*\n\n?", "", comment(sha1)).split("\n\n", 1)
    return [
        ("swift-nio/Sources/CNIOLLHTTP/*", "2018 Fedor Indutny", "Expat", http[2]),
        ("swift-nio/Sources/CNIOSHA1/*", "1995-1998 WIDE Project", "BSD-3-clause", bsd[1]),
    ]


def notices():
    """The licences and notices of everything that is linked, one after another."""
    sections = [f"NovaSDK\n\n{OWN}"]
    components = [toolchain(), *packages()]
    for component in components:
        texts = "\n\n".join(text.read_text().strip("\n") for text in component.texts)
        sections.append(f"{component.name}\n\n{texts}")
        if component.name == "swift-nio":
            extra = parts(component.folder)
            sections += [f"{name}\nCopyright (C) {holder}\n\n{text}" for name, holder, _, text in extra]
    return ("\n\n" + "=" * 78 + "\n\n").join(sections).encode() + b"\n"


def indented(text):
    """As the fields of Debian's files continue: a space, and a period on empty lines."""
    return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.splitlines())


def stanza(files, copyright, license):
    return f"Files: {files}\nCopyright:\n{indented(copyright)}\nLicense: {license}\n"


def debian_copyright():
    """Debian's machine-readable copyright file (DEP-5)."""
    text = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: NovaSDK\n"
            "Comment: The programs contain the Swift packages and the parts of the Swift toolchain below, linked\n"
            " statically. The file NOTICES has the complete texts.\n"]
    text.append(stanza("*", "2026 the authors of NovaSDK", "not-stated"))
    components = [toolchain(), *packages()]
    for component in components:
        text.append(stanza(f"{component.name}/*", component.copyright, component.license))
    extra = next(parts(each.folder) for each in components if each.name == "swift-nio")
    text += [stanza(files, holder, name) for files, holder, name, _ in extra]
    apache = "On Debian systems, the complete text is in /usr/share/common-licenses/Apache-2.0."
    text.append(f"License: not-stated\n{indented(OWN)}\n")
    text.append(f"License: {APACHE}\n{indented(apache)}\n")
    text.append(f"License: {SWIFT}\n{indented(apache + chr(10) * 2 + EXCEPTION)}\n")
    text += [f"License: {name}\n{indented(license)}\n" for _, _, name, license in extra]
    return "\n".join(text).encode()
