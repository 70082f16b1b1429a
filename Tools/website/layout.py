"""The frame that all pages share: header, navigation, contents, and footer."""

import posixpath
from html import escape
from urllib.parse import quote

NAME = "NovaSDK"
TAGLINE = "The Swift SDK, command line, and mock backend of NovaSocial"
MENU = [("guides/index.html", "Guides"), ("reference/index.html", "Reference"), ("search.html", "Search")]
LOGO = (
    '<svg class="logo" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">'
    '<path d="M12 1l2.6 8.4L23 12l-8.4 2.6L12 23l-2.6-8.4L1 12l8.4-2.6z"/></svg>'
)


def relative(target, page):
    """The address of a path of the site as a link in a page; an address with a scheme stays."""
    path, mark, anchor = target.partition("#")
    if "://" in target or target.startswith("mailto:"):
        return target
    if path == page and anchor:
        return f"#{quote(anchor, safe='-_~.()!*:,=+')}"
    start = posixpath.dirname(page) or "."
    link = quote(posixpath.relpath(path, start), safe="/-_~.()!*")
    return link + (mark and f"#{quote(anchor, safe='-_~.()!*:,=+')}")


def contents(headings, deepest=3):
    """The table of contents of a page."""
    items = [(level, name, title) for level, name, title, _ in headings if level <= deepest]
    if len(items) < 2:
        return ""
    lines = "".join(
        f'<li class="level-{level}"><a href="#{quote(name)}">{title}</a></li>' for level, name, title in items
    )
    return f"<ul>{lines}</ul>"


def page_list(groups, page):
    """The navigation beside a page: groups of links, of which one can be the page itself."""
    blocks = []
    for title, links in groups:
        items = "".join(
            '<li><a '
            f'href="{relative(path, page)}"{" aria-current=page" if path == page else ""}>{escape(text)}</a></li>'
            for path, text in links
        )
        blocks.append(f"<h2>{escape(title)}</h2><ul>{items}</ul>" if title else f"<ul>{items}</ul>")
    return "".join(blocks)


def header(page, search):
    root = "" if "/" in page else page
    links = "".join(
        f'<li><a href="{relative(path, page)}"'
        f'{" aria-current=true" if root == path or path.split("/")[0] == page.split("/")[0] else ""}>{text}</a></li>'
        for path, text in MENU
    )
    form = (
        ""
        if not search
        else (
            f'<form class="find" role="search" action="{relative("search.html", page)}" method="get">'
            '<label class="hidden" for="search-field">Search the documentation</label>'
            '<input id="search-field" name="q" type="search" placeholder="Search" autocomplete="off"></form>'
        )
    )
    return (
        '<a class="skip" href="#page-content">Skip to the content</a><header class="top"><div class="bar">'
        f'<a class="home" href="{relative("index.html", page)}">{LOGO}<span>{NAME}</span></a>'
        f'<nav aria-label="Main"><ul>{links}</ul></nav>{form}</div></header>'
    )


def document(page, title, body, summary="", alternate="", search=True, kind="", base=""):
    """A complete HTML page. `base` is the site's address, for pages that are shown at any path, such as 404.html."""
    extra = f'<base href="{escape(base)}">' if base else ""
    if summary:
        extra += f'<meta name="description" content="{escape(summary)}">'
    if alternate:
        extra += f'<link rel="alternate" type="text/markdown" href="{relative(alternate, page)}">'
    shown = title if title.startswith(NAME) else f"{title} · {NAME}"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{extra}'
        f'<title>{escape(shown)}</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="icon" type="image/svg+xml" href="{relative("assets/favicon.svg", page)}">'
        f'<link rel="stylesheet" href="{relative("assets/site.css", page)}">'
        f'<script defer src="{relative("assets/site.js", page)}" '
        f'data-root="{relative("index.html", page)[:-10]}"></script>'
        f'</head>\n<body class="{kind}">{header(page, search)}\n{body}\n'
        f'<footer class="bottom"><p>{TAGLINE}.</p><p><a href="{relative("llms.txt", page)}">llms.txt</a> · '
        f'<a href="{relative("guides/index.html", page)}">All guides</a> · '
        f'<a href="{relative("reference/index.html", page)}">All modules</a></p></footer>\n</body></html>\n'
    )


def three_columns(page, groups, main, headings, label):
    """The body of a page with navigation at its left and its contents at its right."""
    toc = contents(headings)
    aside = f'<aside class="toc"><nav aria-label="On this page"><h2>On this page</h2>{toc}</nav></aside>' if toc else ""
    folded = f'<details class="toc-folded"><summary>On this page</summary>{toc}</details>' if toc else ""
    return (
        '<div class="columns"><main id="page-content" tabindex="-1"><a class="to-pages" href="#page-list">All '
        f'{label.lower()}</a>'
        f'{main.replace("</h1>", "</h1>" + folded, 1)}</main>{aside}'
        f'<nav id="page-list" class="pages" aria-label="{label}">{page_list(groups, page)}</nav></div>'
    )
