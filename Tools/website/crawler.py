"""Follows every link of the site's files, and parses each page as browsers do, without a browser."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import html5lib

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "form": "action", "source": "src", "iframe": "src"}
# html5lib does not know these, though the standard has them.
KNOWN = ("unknown-",)


class PageReader(HTMLParser):
    """The links and names of a page, and what it lacks for people who cannot see it."""

    def __init__(self):
        super().__init__()
        self.links, self.names, self.problems = [], [], []
        self.landmarks, self.levels = set(), []
        self.base = None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.names.append(values["id"])
        if tag == "base":
            self.base = values["href"]
        if tag in LINKS and LINKS[tag] in values:
            self.links.append((tag, values[LINKS[tag]]))
        if tag in ("main", "header", "footer", "nav"):
            self.landmarks.add(tag)
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if tag == "img" and not values.get("alt"):
            self.problems.append(f"an image without a description: {values.get('src')}")
        if tag == "nav" and not values.get("aria-label"):
            self.problems.append("a navigation without a name")


def read(text):
    reader = PageReader()
    reader.feed(text)
    if len(set(reader.names)) != len(reader.names):
        twice = sorted({name for name in reader.names if reader.names.count(name) > 1})
        reader.problems.append(f"names that occur twice: {', '.join(twice[:3])}")
    if reader.levels.count(1) != 1:
        reader.problems.append(f"{reader.levels.count(1)} headings of level 1")
    missing = {"main", "header", "footer", "nav"} - reader.landmarks
    if missing:
        reader.problems.append(f"no {', '.join(sorted(missing))}")
    return reader


def parse_errors(text):
    """What the parser of the HTML standard complains about."""
    parser = html5lib.HTMLParser(strict=False, namespaceHTMLElements=False)
    parser.parse(text)
    for (line, column), code, _ in parser.errors:
        if not code.startswith(KNOWN):
            yield f"line {line}, column {column}: {code}"


class Crawler:
    """Checks all pages of a folder."""

    def __init__(self, folder, base_path="/"):
        self.folder = folder
        self.base_path = base_path
        self.pages = {file.relative_to(folder).as_posix(): file.read_text() for file in sorted(folder.rglob("*.html"))}
        self.readers = {path: read(text) for path, text in self.pages.items()}
        self.names = {path: set(reader.names) for path, reader in self.readers.items()}
        self.files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
        self.links = 0

    def target(self, page, link):
        """The path of the site that a link leads to, and the name in it; None for other sites."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return None
        start = page.split("/")[:-1]
        path = unquote(parts.path)
        if path.startswith(self.base_path) and path.startswith("/"):
            start, path = [], path.removeprefix(self.base_path)
        for part in path.split("/"):
            if part == "..":
                if not start:
                    return "outside of the site", ""
                start.pop()
            elif part not in ("", "."):
                start.append(part)
        found = "/".join(start) if path else page
        if path.endswith("/") or found == "":
            found = f"{found}/index.html".lstrip("/")
        return found, unquote(parts.fragment)

    def problems(self, html=True):
        """Every problem of every page, as `page: problem`."""
        for page, reader in self.readers.items():
            found = list(reader.problems)
            for tag, link in reader.links:
                found += self.link_problems(page, tag, link)
            found += list(parse_errors(self.pages[page])) if html else []
            yield from (f"{page}: {problem}" for problem in found)
        reachable = self.reachable()
        for page in self.pages:
            if page not in reachable and page != "404.html":
                yield f"{page}: no page links to it"

    def link_problems(self, page, tag, link):
        self.links += 1
        target = self.target(page, link)
        if target is None:
            if tag != "a":
                return [f"loads {link} from another server"]
            return [] if re.match(r"(https?|mailto):", link) else [f"a link of an unknown kind: {link}"]
        path, name = target
        if path not in self.files:
            return [f"a link that leads nowhere: {link}"]
        if name and name not in self.names.get(path, ()):
            return [f"a link to a part that {path} does not have: {link}"]
        return []

    def reachable(self):
        """The pages that links lead to, from the landing page on."""
        seen, waiting = {"index.html"}, ["index.html"]
        while waiting:
            page = waiting.pop()
            for _, link in self.readers[page].links if page in self.readers else []:
                target = self.target(page, link)
                if target and target[0] in self.readers and target[0] not in seen:
                    seen.add(target[0])
                    waiting.append(target[0])
        return seen
