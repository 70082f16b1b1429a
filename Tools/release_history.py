"""The releases so far: tags, and, for those from before there were tags, the commits at the end of CHANGELOG.md."""
import re
import subprocess
import sys

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
SECTION = re.compile(r"^## (\S+)(?: - (\d{4}-\d{2}-\d{2}))?\n(.*?)(?=^## |^<!-- |\Z)", re.M | re.S)

# Where pages show the present version: names of packages, and what readers copy.
SHOWN = re.compile(
    r"(\bnova(?:-dbgsym|[-_]social)?[-_]|\bRELEASE_VERSION[:=] ?|examples use version )(\d+\.\d+\.\d+)(?=[-_.]|\b)")


def pages(root):
    """The pages that show the present version, besides history."""
    return [page for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))] if page.exists()]


def numbers(version):
    """A version as numbers, to compare; None if it is not three numbers."""
    found = VERSION.fullmatch(version)
    return tuple(map(int, found.groups())) if found else None


def sections(changelog):
    """The sections of a changelog by version: the date, or None, and the text."""
    return {title: (date or None, body.strip()) for title, date, body in SECTION.findall(changelog)}


def newest_section(changelog):
    """The text of the newest version, and of what is unreleased."""
    texts = [body for _, body in sections(changelog).values()]
    return "\n".join(texts[:2])


def git(root, *arguments):
    return subprocess.run(["git", *arguments], cwd=root, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def releases(root):
    """The commits by version. Tags take precedence."""
    commits = dict(re.findall(r"^<!-- (\d+\.\d+\.\d+): ([0-9a-f]{40}) -->$", (root / "CHANGELOG.md").read_text(), re.M))
    for tag in git(root, "tag", "--list").splitlines():
        if numbers(tag):
            commits[tag] = git(root, "rev-list", "-n", "1", tag)
    return commits


def last_release(root, before=None):
    """The version and commit of the newest release, or of the newest one before a version."""
    found = {version: commit for version, commit in releases(root).items() if version != before}
    if not found:
        sys.exit("no release is known: there is no tag, and CHANGELOG.md ends without `<!-- 0.1.0: <commit> -->`")
    version = max(found, key=numbers)
    return version, found[version]
