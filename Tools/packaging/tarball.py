"""The archive for Linux: the programs with everything beside them, below one folder, to be copied into /usr/local or
~/.local."""
from . import changelog, glibc, libraries, notices, pages
from .archive import File, replace, tar_gz
from .programs import programs


def table():
    rows = [f"| {each.title} ({each.file}) | {each.oldest} | {each.purpose} |" for each in libraries.LIBRARIES]
    return "\n".join(["| library | from | without it, these fail |", "|---|---|---|", *rows])


def readme(release):
    text = (pages.FILES / "README.md").read_text()
    facts = {"version": release.version, "architecture": release.architecture, "floor": glibc.floor(),
             "libraries": table()}
    for name, value in facts.items():
        text = text.replace(f"@{name}@", value)
    return text.encode()


def installed(release, prefix):
    """What `make install` and the archive put below a prefix."""
    nova = release.program("nova")
    return [*programs(release), *pages.manual(nova), *pages.completions(nova),
            File("lib/systemd/system/nova-serve.service", pages.unit(prefix))]


def build(release):
    files = installed(release, "/usr/local") + [
        File("README.md", readme(release)), File("CHANGES.md", changelog.excerpt(release)),
        File("NOTICES.txt", notices.notices())]
    return [replace(release.output / f"{release.name}.tar.gz", tar_gz(files, release.name, release.epoch))]
