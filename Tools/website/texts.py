"""What programs read of the site: llms.txt, llms-full.txt, robots.txt, and sitemap.xml; and 404.html."""

from html import escape
from urllib.parse import quote

from website import layout, navigation
from website.markdown import visible


def llms(guides):
    """The list of pages in the form of llmstxt.org: title, summary, and links with descriptions, by section."""
    lines = [
        f"# {layout.NAME}",
        "",
        f"> {layout.TAGLINE}: typed async calls over HTTP/JSON and gRPC, the program `nova`, and `nova "
        "serve`, a stateful mock of the backend. All are generated from one contract.",
        "",
        "Each page is Markdown; the same name with .html is the page for people. The API reference is at "
        "[reference/index.html](reference/index.html), one page per type.",
        "",
    ]
    for section, pages in navigation.sections(guides.pages).items():
        lines.append(f"## {'Optional' if section == 'Contribute' else section}")
        lines.append("")
        for page in pages:
            title = guides.articles[page.stem].title.replace("[", "(").replace("]", ")")
            lines.append(f"- [{title}]({page.path.removesuffix('.html')}.md): {page.summary}")
        lines.append("")
    return "\n".join(lines)


def llms_full(guides):
    """The text of all pages but the changelog, in their order."""
    return (
        "\n\n".join(
            f"<!-- {page.path.removesuffix('.html')}.md -->\n\n{visible(page.file.read_text()).strip()}"
            for page in guides.pages
            if page.stem != "changelog"
        )
        + "\n"
    )


def sitemap(paths, root):
    """The addresses of all pages, as search engines read them."""
    pages = sorted(path for path in paths if path.endswith(".html") and path not in ("404.html", "search.html"))
    addresses = [root + quote(path.removesuffix("index.html")) for path in pages]
    items = "".join(f"<url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    start = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{start}\n{items}</urlset>\n'


def write(site, guides, base_path, base_url):
    site.write("llms.txt", llms(guides))
    site.write("llms-full.txt", llms_full(guides))
    robots = "User-agent: *\nAllow: /\n"
    if base_url:
        root = f"{base_url.rstrip('/')}/"
        site.write("sitemap.xml", sitemap(site.paths, root))
        robots += f"Sitemap: {root}sitemap.xml\n"
    site.write("robots.txt", robots)
    body = (
        '<main id="page-content" class="plain" tabindex="-1"><h1>Page not found</h1><p>The address has no page. '
        'It may have been '
        'renamed: look in the <a href="guides/index.html">guides</a>, in the <a href="reference/index.html">API '
        'reference</a>, or '
        '<a href="search.html">search</a>.</p></main>'
    )
    site.write("404.html", layout.document("404.html", "Page not found", body, base=base_path))
