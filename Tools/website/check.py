"""Checks the site; Tools/check-site runs this with the packages that it needs."""

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tools"))

from website import visits  # noqa: E402
from website.crawler import Crawler  # noqa: E402
from website.markdown import visible  # noqa: E402

LARGEST = 40_000_000
BROKEN = """<!DOCTYPE html><html lang="en"><head><title>Broken</title><meta charset="utf-8"></head><body><header></header>
<nav aria-label="Main"></nav><main><h1 id="a">Broken</h1><a href="nowhere.html">a</a><a href="index.html#nowhere">b</a>
<img src="https://example.com/a.png" alt=""><p id="a">c</b></p></main><footer></footer></body></html>"""


def pages(folder):
    """The pages that a browser opens: a name for their pictures, their path, and a text that they must show."""
    tutorials = sorted((folder / "guides").glob("tutorial-*.html"))
    chosen = [
        ("landing", "", "What you get"),
        ("guide", "guides/configuration.html", "Configure a client"),
        ("reference", "reference/novagraph/GraphService.html", "getFollowers"),
        ("module", "reference/novasdk/index.html", "NovaClient"),
        ("benchmarks", "guides/benchmarks.html", "Targets"),
        ("guides", "guides/index.html", "In the order in which you need them"),
        ("source", "source/Examples/Offline.html", "Package.swift"),
    ]
    for page in tutorials:
        title = re.search(r"<h1[^>]*>(.*?)<", page.read_text(), re.S)[1]
        chosen.append((page.stem, f"guides/{page.name}", title.strip()))
    return chosen


def texts(folder):
    """What is wrong with the files that programs read."""
    llms = (folder / "llms.txt").read_text()
    links = re.findall(r"^- \[.+\]\(([^)]+)\): .+$", llms, re.M)
    if not re.match(r"# .+\n\n> .+\n", llms):
        yield "llms.txt: does not begin with a title and a summary"
    if len(links) != len(list((folder / "guides").glob("*.md"))):
        yield f"llms.txt: lists {len(links)} pages of {len(list((folder / 'guides').glob('*.md')))}"
    for link in links:
        if not (folder / link).exists():
            yield f"llms.txt: a link that leads nowhere: {link}"
    for page in sorted((folder / "guides").glob("*.md")):
        for link in re.findall(r"\]\(([^)\s#]+)(?:#[^)]*)?\)", visible(page.read_text(), code_blocks=False)):
            if not re.match(r"[a-z]+:", link) and not (page.parent / unquote(link)).exists():
                yield f"guides/{page.name}: a link that leads nowhere: {link}"
    full = (folder / "llms-full.txt").read_text()
    if len(full) < 100_000 or "# Configure a client" not in full:
        yield "llms-full.txt: does not have the text of the guides"
    if not (folder / "robots.txt").exists():
        yield "robots.txt: missing"
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if size > LARGEST:
        yield f"the site has {size / 1e6:.0f} MB, more than {LARGEST / 1e6:.0f}"


def report(found, what):
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        sys.exit(f"Tools/check-site: {len(found)} problems in {what}")


def self_test(folder, base_path):
    """Breaks a copy of the site, and fails unless each fault is found."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "site"
        copy.mkdir()
        for name in ("index.html", "llms.txt", "llms-full.txt"):
            shutil.copy(folder / name, copy)
        (copy / "broken.html").write_text(BROKEN)
        (copy / "llms-full.txt").write_text("nothing")
        found = "\n".join(
            [p for p in Crawler(copy, base_path).problems() if p.startswith("broken.html")] + list(texts(copy))
        )
    expected = [
        "leads nowhere: nowhere.html",
        "does not have: index.html#nowhere",
        "from another server",
        "without a description",
        "occur twice: a",
        "unexpected-end-tag",
        "no page links to it",
        "llms.txt: a link that leads nowhere",
        "llms-full.txt",
        "robots.txt",
    ]
    missed = [text for text in expected if text not in found]
    if missed:
        sys.exit(f"Tools/check-site --self-test: did not find: {', '.join(missed)}\n{found}")


def self_test_of_browser(folder, base_path, pictures):
    """Shows Chromium a page that is too wide, pale, and asks another server; fails unless that is found."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "site"
        shutil.copytree(folder / "assets", copy / "assets")
        for name in ("404.html", "search.html"):
            shutil.copy(folder / name, copy)
        (copy / "index.html").write_text(
            '<!DOCTYPE html><html lang="en"><head><title>Bad</title><link rel="stylesheet" '
            'href="assets/missing.css"></head><body><main>'
            '<p class="screen session" style="width: 2000px; color: #ccc; background: #fff">Pale and '
            'wide<text>.</text></p></main>'
            '<script src="http://127.0.0.1:9/a.js"></script></body></html>'
        )
        found = "\n".join(visits.problems(copy, base_path, [("bad", "", "something"), ("bad", "", "Pale")], pictures))
    missed = [
        text
        for text in (
            "wider than the screen",
            "low contrast",
            "to another server",
            'does not show "something"',
            "error in the console",
            "first stop of the Tab key",
        )
        if text not in found
    ]
    if missed:
        sys.exit(f"Tools/check-site --self-test: Chromium did not find: {', '.join(missed)}\n{found}")


def main():
    parser = argparse.ArgumentParser(prog="Tools/check-site")
    parser.add_argument("--site", type=Path, required=True)
    parser.add_argument("--base-path", required=True)
    parser.add_argument("--pictures", type=Path, required=True)
    options = parser.parse_args()
    self_test(options.site, options.base_path)
    crawler = Crawler(options.site, options.base_path)
    report([*crawler.problems(), *texts(options.site)], "the files")
    print(f"{len(crawler.pages):,} pages, {crawler.links:,} links")
    shutil.rmtree(options.pictures, ignore_errors=True)
    try:
        self_test_of_browser(options.site, options.base_path, options.pictures)
        found = list(visits.problems(options.site, options.base_path, pages(options.site), options.pictures))
    except OSError as error:
        sys.exit(f"Tools/check-site: {error}")
    report(found, "Chromium")
    print(f"Chromium shows the site as it should; its pictures are in {options.pictures}")


main()
