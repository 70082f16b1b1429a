"""Search: a page that lists every heading and type, for readers without JavaScript, and an index for the script."""

import json
import re
from html import escape

from website import layout

PLACE = "search.html"


def entries(guides, reference):
    """What can be found: title, context, address, and text."""
    found = []
    for page in guides.pages:
        article = guides.articles[page.stem]
        for number, (name, title, text) in enumerate(article.sections):
            address = page.path if number == 0 else f"{page.path}#{name}"
            context = page.section if number == 0 else article.title
            found.append([title, context, address, text[:700]])
    on_client = reference.archive.client_properties()
    for symbol in reference.archive.symbols.values():
        if reference.archive.is_default(symbol):
            continue
        module = "Module" if symbol.is_module else symbol.data["metadata"]["modules"][0]["name"]
        parent = reference.archive.symbols.get(symbol.parent)
        context = f"{module} › {parent.title}" if parent and not parent.is_module else module
        summary = reference.summary(symbol)[:120] if not symbol.anchor else ""
        if symbol.identifier in on_client:
            context += f" › {on_client[symbol.identifier]}"
        found.append([symbol.title, context, symbol.address, summary])
    return found


def listing(guides, reference):
    """Every page with its headings, then every type, for the search of the browser."""
    parts = []
    for page in guides.pages:
        article = guides.articles[page.stem]
        items = "".join(
            f'<li><a href="{layout.relative(f"{page.path}#{name}", PLACE)}">{title}</a></li>'
            for level, name, title, _ in article.headings
            if level <= 3
        )
        parts.append(
            f'<h3><a href="{layout.relative(page.path, PLACE)}">{escape(article.title)}</a></h3><ul>{items}</ul>'
        )
    parts.append("<h2>Types</h2>")
    for module in reference.archive.modules():
        types = sorted(
            (s for s in reference.archive.pages() if s.path.split("/")[1] == module.path.split("/")[1]),
            key=lambda s: s.title.lower(),
        )
        items = "".join(
            f'<li><a href="{layout.relative(s.path, PLACE)}"><code>{escape(s.title)}</code></a></li>' for s in types
        )
        parts.append(f'<h3><a href="{layout.relative(module.path, PLACE)}">{module.title}</a></h3><ul>{items}</ul>')
    return "".join(parts)


def write(site, guides, reference):
    index = json.dumps(entries(guides, reference), ensure_ascii=False, separators=(",", ":"))
    site.write("assets/search-index.js", f"novaSearchIndex={index};\n".replace("\u2028", " "))
    body = (
        '<main id="page-content" class="search" tabindex="-1"><h1>Search</h1>'
        '<form role="search" action="search.html" method="get"><label for="query">Search guides and reference</label>'
        '<input id="query" name="q" type="search" autocomplete="off"></form>'
        '<p id="found" role="status" aria-live="polite"></p><ol id="results"></ol>'
        '<div id="everything"><p>Every heading and type is listed '
        f'below.</p><h2>Guides</h2>{listing(guides, reference)}</div></main>'
    )
    site.write(PLACE, layout.document(PLACE, "Search", body, "Search the guides and the API reference.", search=False))
    if re.search(r"</script", index):
        raise ValueError("the search index contains </script>")
