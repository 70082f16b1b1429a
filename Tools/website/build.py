"""Builds the site into a folder; Tools/site runs this with the packages that it needs."""

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tools"))

from website import landing, navigation, search, texts  # noqa: E402
from website.guides import Guides  # noqa: E402
from website.reference import Reference  # noqa: E402
from website.sources import Sources  # noqa: E402
from website.styles import style_sheet  # noqa: E402


class Site:
    """The files of the site; written beside the last one, which is replaced when all are there."""

    def __init__(self, output):
        self.output = output
        self.folder = output.with_name(f".{output.name}.new")
        self.paths, self.taken = {}, set()
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, path, text):
        data = text if isinstance(text, bytes) else text.encode()
        if path.lower() in self.taken:
            raise ValueError(
                f"two pages have the path {path}, or differ only in case, which some file systems cannot tell"
            )
        self.taken.add(path.lower())
        self.paths[path] = len(data)
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def finish(self):
        old = self.output.with_name(f".{self.output.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        if self.output.exists():
            self.output.rename(old)
        self.folder.rename(self.output)
        shutil.rmtree(old, ignore_errors=True)

    def report(self):
        sizes = {}
        for path, size in self.paths.items():
            kind = path.split("/")[0] if "/" in path else "other pages"
            sizes[kind] = sizes.get(kind, 0) + size
        parts = ", ".join(f"{kind} {size / 1e6:.1f}" for kind, size in sorted(sizes.items(), key=lambda item: -item[1]))
        return f"{len(self.paths):,} files, {sum(sizes.values()) / 1e6:.1f} MB ({parts})"


def build(options):
    pages = navigation.read_list(navigation.LIST.read_text())
    problems = list(navigation.problems(pages))
    if options.draft:
        pages = [page for page in pages if page.file.exists()]
        problems = []
    if problems:
        sys.exit("\n".join(f"Tools/site: {problem}" for problem in problems))
    site, sources = Site(options.output), Sources()
    reference = Reference(options.archive)
    reference.use_guides(pages)
    guides = Guides(pages, sources, reference.modules_of_guides())
    guides.write(site)
    reference.write(site)
    sources.write(site, guides.resolve)
    landing.write(site, {page.stem: page.path for page in pages})
    for image in sorted((ROOT / "docs/images").iterdir()):
        site.write(f"images/{image.name}", image.read_bytes())
    for asset in ("site.js", "favicon.svg"):
        site.write(f"assets/{asset}", (ROOT / "Tools/website/assets" / asset).read_bytes())
    site.write("assets/site.css", style_sheet())
    search.write(site, guides, reference)
    # GitHub Pages would leave out names that begin with an underscore.
    site.write(".nojekyll", "")
    texts.write(site, guides, options.base_path, options.base_url)
    site.finish()
    print(f"{options.output}: {site.report()}")


def main():
    parser = argparse.ArgumentParser(prog="Tools/site")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--archive", type=Path, required=True)
    parser.add_argument("--base-path", default="/")
    parser.add_argument("--base-url")
    parser.add_argument("--draft", action="store_true")
    try:
        build(parser.parse_args())
    except ValueError as error:
        sys.exit(f"Tools/site: {error}")


main()
