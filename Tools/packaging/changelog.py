"""CHANGELOG.md in the form that Debian reads, and the section of one version."""
import re
import textwrap
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import format_datetime

from .release import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
HEADING = re.compile(r"^## +\[?(Unreleased|\d+\.\d+[^\s\]]*)\]?.*?(\d{4}-\d{2}-\d{2})?\)?\s*$", re.M)


@dataclass(frozen=True)
class Section:
    """What changed in a version; `version` is None for what is not released yet."""

    version: str | None
    date: str | None
    text: str


def sections(text):
    """The sections of a changelog, newest first."""
    headings = list(HEADING.finditer(text))
    if not headings:
        raise SystemExit("CHANGELOG.md has no section: a heading such as `## 1.2.3 (2026-11-30)` or `## Unreleased`")
    ends = [each.start() for each in headings[1:]] + [len(text)]
    return [
        Section(None if each[1] == "Unreleased" else each[1], each[2], text[each.end():end].strip())
        for each, end in zip(headings, ends)]


def of_release(release):
    """The sections of a release and those before it. Until it has one, what is unreleased is its own."""
    found = sections(CHANGELOG.read_text())
    unreleased = [each for each in found if each.version is None]
    released = [each for each in found if each.version is not None]
    if any(each.version == release.version for each in released) or not unreleased:
        return released
    return [Section(release.version, None, unreleased[0].text), *released]


def plain(text):
    """A line without Markdown's links and marks, and without characters that mean something in Debian's files."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text.replace("\n", " "))
    return re.sub(r"\s+", " ", text.replace("`", "").replace("**", "")).strip()


def items(section):
    """The lines of a section, each with a level: 0 for topics, 1 for the changes below them."""
    for block in re.split(r"\n(?=#{3,} |- |\* )|\n{2,}", section.text):
        block = block.strip()
        if block.startswith("#"):
            yield 0, plain(block.lstrip("# ").splitlines()[0])
        elif block:
            yield (1 if block[:2] in ("- ", "* ") else 0), plain(re.sub(r"^[-*] ", "", block))


def wrapped(level, text):
    first, rest = ("  * ", "    ") if level == 0 else ("    - ", "      ")
    # A URL or a path stays whole, however long it is.
    return "\n".join(textwrap.wrap(
        text, 78, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False))


def debian_version(version):
    """A version in which `-dev` sorts before the release, as `~dev`."""
    return version.replace("-", "~")


def debian(release, maintainer):
    """Debian's changelog, with the time of the commit for a version without a date."""
    entries = []
    for section in of_release(release):
        when = datetime.fromtimestamp(release.epoch, timezone.utc)
        if section.date:
            when = datetime.fromisoformat(section.date).replace(tzinfo=timezone.utc)
        lines = [wrapped(*item) for item in items(section)] or ["  * See the release."]
        entries.append(
            f"nova ({debian_version(section.version)}) stable; urgency=medium\n\n" + "\n".join(lines)
            + f"\n\n -- {maintainer}  {format_datetime(when)}\n")
    return "\n".join(entries).encode()


def excerpt(release):
    """What changed in this version, as Markdown."""
    section = of_release(release)[0]
    return f"# Changes in {section.version}\n\n{section.text}\n".encode()
