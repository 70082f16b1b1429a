"""DocC's render JSON as HTML: declarations, paragraphs, lists, tables, code, and links between symbols."""

import re
from html import escape

from page_headings import heading_slug
from website import layout
from website.markdown import code

# A page of docs/, or a gRPC status, in the text of a symbol.
NAMES = re.compile(r"docs/([a-z-]+)\.md|\b[A-Z]{2,}(?:_[A-Z]+)*\b")
ASIDES = {"note": "Note", "important": "Important", "warning": "Warning", "tip": "Tip", "experiment": "Experiment"}


class Writer:
    """Writes the content of one page of the reference."""

    def __init__(self, archive, page, guide_paths, by_precise):
        self.archive = archive
        self.page = page
        self.guide_paths = guide_paths  # the path of each guide by its name
        self.by_precise = by_precise  # the symbols by the identifiers that declarations use

    def address(self, identifier):
        """Where the site shows what a reference names; None if it is not on the site."""
        symbol = self.archive.symbols.get(identifier)
        if symbol:
            return layout.relative(symbol.address, self.page)
        path, mark, anchor = identifier.partition("#")
        if path in self.archive.symbols:
            return layout.relative(self.archive.symbols[path].path + mark + anchor, self.page)
        guide = self.guide_paths.get(path.rsplit("/", 1)[-1])
        if path in self.archive.articles and guide:
            return layout.relative(guide + (mark and f"#{heading_slug(anchor)}"), self.page)
        found = self.archive.references.get(identifier, {})
        return found.get("url") if found.get("type") == "link" else None

    def reference(self, item):
        found = self.archive.references.get(item["identifier"], {})
        title = item.get("overridingTitle") or found.get("title") or item["identifier"].rsplit("/", 1)[-1]
        is_code = (
            found.get("kind") == "symbol" and not item.get("overridingTitle") and found.get("role") != "collection"
        )
        shown = f"<code>{escape(title)}</code>" if is_code else escape(title)
        address = self.address(item["identifier"])
        return f'<a href="{escape(address)}">{shown}</a>' if address and item.get("isActive", True) else shown

    def inline(self, items):
        return "".join(self.inline_item(item) for item in items)

    def inline_item(self, item):
        kind = item["type"]
        if kind == "text":
            return NAMES.sub(self.name, escape(item["text"]))
        if kind == "codeVoice":
            return f'<code>{NAMES.sub(self.name, escape(item["code"]))}</code>'
        if kind == "reference":
            return self.reference(item)
        tag = {"strong": "strong", "emphasis": "em", "newTerm": "em", "inlineHead": "strong", "strikethrough": "s"}.get(
            kind
        )
        inner = self.inline(item.get("inlineContent", []))
        return f"<{tag}>{inner}</{tag}>" if tag else inner

    def name(self, match):
        """A link to the guide, or to the code of the errors with this gRPC status, if a text names one."""
        guide = self.guide_paths.get(match[1] or "")
        code = self.archive.symbols.get(self.archive.error_codes.get(match[0]))
        path = guide or (code and code.address)
        return f'<a href="{layout.relative(path, self.page)}">{match[0]}</a>' if path else match[0]

    def block(self, items):
        return "".join(self.block_item(item) for item in items)

    def block_item(self, item):
        kind = item["type"]
        if kind == "paragraph":
            return f'<p>{self.inline(item["inlineContent"])}</p>'
        if kind == "heading":
            # Headings of a symbol's own text are below the page's, and below those of its groups of members.
            return f'<p class="subheading">{escape(item["text"])}</p>' if item["text"] != "Overview" else ""
        if kind == "codeListing":
            return code("\n".join(item["code"]) + "\n", item.get("syntax") or "")
        if kind == "aside":
            name = item.get("name") or ASIDES.get(item["style"], item["style"].title())
            return f'<div class="aside"><strong>{escape(name)}</strong>{self.block(item["content"])}</div>'
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>" + "".join(f'<li>{self.block(i["content"])}</li>' for i in item["items"]) + f"</{tag}>"
        if kind == "termList":
            return (
                "<dl>"
                + "".join(
                    f'<dt>{self.inline(i["term"]["inlineContent"])}</dt><dd>{self.block(i["definition"]["content"])}</dd>'
                    for i in item["items"]
                )
                + "</dl>"
            )
        if kind == "table":
            return self.table(item)
        if kind == "thematicBreak":
            return "<hr>"
        raise ValueError(f"{self.page}: DocC's content of the type {kind} is unknown; add it to docc_html.py")

    def table(self, item):
        has_header = item.get("header") in ("row", "both")
        rows = []
        for number, row in enumerate(item["rows"]):
            tag = "th" if has_header and number == 0 else "td"
            rows.append("<tr>" + "".join(f"<{tag}>{self.inline_cell(cell)}</{tag}>" for cell in row) + "</tr>")
        head = f"<thead>{rows.pop(0)}</thead>" if has_header else ""
        return (
            f'<div class="table" tabindex="0" role="region" aria-label="Table"><table>{head}'
            f'<tbody>{"".join(rows)}</tbody></table></div>'
        )

    def inline_cell(self, cell):
        only = cell[0] if len(cell) == 1 and cell[0]["type"] == "paragraph" else None
        return self.inline(only["inlineContent"]) if only else self.block(cell)

    def declaration(self, section):
        """A declaration with its types as links."""
        parts = []
        for token in section["declarations"][0]["tokens"]:
            symbol = self.by_precise.get(token.get("preciseIdentifier"))
            text = escape(token["text"])
            name = {
                "keyword": "k",
                "attribute": "nd",
                "typeIdentifier": "nc",
                "identifier": "nf",
                "number": "m",
                "string": "s",
                "externalParam": "nv",
                "label": "nv",
            }.get(token["kind"])
            if symbol and token["kind"] == "typeIdentifier":
                text = f'<a href="{layout.relative(symbol.address, self.page)}">{text}</a>'
            parts.append(f'<span class="{name}">{text}</span>' if name else text)
        return (
            f'<pre class="code declaration" tabindex="0" role="region" aria-label="Declaration"><code>'
            f'{"".join(parts)}</code></pre>'
        )

    def parameters(self, section):
        items = "".join(
            f'<dt><code>{escape(p["name"])}</code></dt><dd>{self.block(p["content"])}</dd>'
            for p in section["parameters"]
        )
        return f'<p class="subheading">Parameters</p><dl class="parameters">{items}</dl>'

    def content(self, symbol):
        """The declaration, summary, parameters and discussion of a symbol."""
        sections = symbol.data.get("primaryContentSections", [])
        declared = "".join(self.declaration(s) for s in sections if s["kind"] == "declarations")
        summary = f'<p>{self.inline(symbol.data["abstract"])}</p>' if symbol.data.get("abstract") else ""
        rest = ""
        for section in sections:
            if section["kind"] == "parameters":
                rest += self.parameters(section)
            elif section["kind"] == "content":
                rest += self.block(section["content"])
        return declared + summary + re.sub(r'^<p class="subheading">Discussion</p>', "", rest)
