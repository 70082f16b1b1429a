"""The guides: one page of HTML, and its Markdown, for each page that docs/navigation.tsv lists."""

import posixpath
import re
from html import escape

from website import layout, navigation
from website.markdown import Renderer

ROOT = navigation.ROOT


class Guides:
    """Renders the pages of Markdown, and remembers which files of the repository they link to."""

    def __init__(self, pages, sources, modules):
        self.pages = pages
        self.sources = sources
        self.modules = modules  # (path, title) of the reference's pages by the stem of a guide
        self.by_file = {page.file: page for page in pages}
        self.articles = {}

    def resolve(self, link, file, place):
        """The address on the site of a link in a file's Markdown; None if the site has no such page."""
        path, mark, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            return link
        target = (file.parent / path).resolve() if path else file
        if target in self.by_file:
            return layout.relative(self.by_file[target].path + mark + anchor, place)
        if target in (ROOT / "README.md", ROOT / "docs/README.md"):
            return layout.relative("index.html" if target.parent == ROOT else "guides/index.html", place)
        if target.is_relative_to(ROOT / "docs/images"):
            return layout.relative(f"images/{target.name}", place)
        found = self.sources.path(target)
        return layout.relative(found, place) if found else None

    def render(self, page):
        renderer = Renderer(lambda link: self.resolve(link, page.file, page.path))
        return renderer.article(page.file.read_text())

    def markdown(self, page):
        """The page's Markdown, with the links that its copy on the site needs."""
        place = page.path.removesuffix(".html") + ".md"

        def replacement(match):
            address = self.resolve(match[2], page.file, place)
            if address and match[2].partition("#")[0].endswith(".md") and not address.startswith("index."):
                address = re.sub(r"^([\w-]+)\.html(?=#|$)", r"\1.md", address)
            return f"{match[1]}({address or match[2]})"

        parts = re.split(r"(^ *```.*?^ *```$)", page.file.read_text(), flags=re.S | re.M)
        return "".join(
            part if part.lstrip().startswith("```") else re.sub(r"(\])\(([^)\s]+)\)", replacement, part)
            for part in parts
        )

    def groups(self):
        return [
            (section, [(page.path, page.title) for page in pages])
            for section, pages in navigation.sections(self.pages).items()
        ]

    def neighbors(self, index, page):
        links = ""
        for kind, name, position in (("prev", "Previous", index - 1), ("next", "Next", index + 1)):
            if 0 <= position < len(self.pages):
                other = self.pages[position]
                address = layout.relative(other.path, page.path)
                links += f'<a rel="{kind}" href="{address}"><span>{name}</span>{escape(other.title)}</a>'
        return f'<nav class="neighbors" aria-label="Previous and next page">{links}</nav>'

    def related(self, page):
        """Links to the reference of the modules whose landing pages list this guide."""
        links = [
            f'<a href="{layout.relative(path, page.path)}">{escape(title)}</a>'
            for path, title in self.modules.get(page.stem, [])
        ]
        return f'<p class="related">In the API reference: {", ".join(links)}.</p>' if links else ""

    def write(self, site):
        groups = self.groups()
        for index, page in enumerate(self.pages):
            article = self.articles[page.stem] = self.render(page)
            main = article.html + self.related(page) + self.neighbors(index, page)
            markdown = posixpath.splitext(page.path)[0] + ".md"
            site.write(markdown, self.markdown(page))
            body = layout.three_columns(page.path, groups, main, article.headings, "Guides")
            site.write(page.path, layout.document(page.path, article.title, body, page.summary, markdown))
        self.write_index(site)

    def write_index(self, site):
        """The list of all guides with what each answers."""
        place, parts = "guides/index.html", ["<h1>Guides</h1><p>In the order in which you need them.</p>"]
        headings = []
        for section, pages in navigation.sections(self.pages).items():
            name = section.lower().replace(" ", "-")
            headings.append((2, name, escape(section), section))
            items = "".join(
                f'<li><a href="{layout.relative(page.path, place)}">{escape(self.articles[page.stem].title)}</a>'
                f"<span>{escape(page.summary)}</span></li>"
                for page in pages
            )
            parts.append(f'<h2 id="{name}">{escape(section)}</h2><ul class="cards">{items}</ul>')
        body = layout.three_columns(place, self.groups(), "".join(parts), headings, "Guides")
        site.write(place, layout.document(place, "Guides", body, "All guides, in the order in which you need them."))
