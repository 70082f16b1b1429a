"""Markdown as HTML: headings with GitHub's names, highlighted code, and links that the site's pages can follow."""

import re
from dataclasses import dataclass, field
from html import escape

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from page_headings import heading_slug

# What readers of a page do not see: how blocks are prepared for tests.
COMMENT = re.compile(r"^<!--.*?-->\n?", re.S | re.M)


@dataclass
class Article:
    """A rendered page."""

    title: str
    html: str
    headings: list = field(default_factory=list)  # (level, id, title as HTML, title as text)
    sections: list = field(default_factory=list)  # (id, title, text) for the search


def code(text, language):
    """A block of code, highlighted if its language is known."""
    try:
        lexer = get_lexer_by_name({"sh": "bash", "proto": "protobuf"}.get(language, language or "text"))
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    body = highlight(text, lexer, HtmlFormatter(nowrap=True))
    label = f"{language} code" if language else "Code"
    return f'<pre class="code" tabindex="0" role="region" aria-label="{escape(label)}"><code>{body}</code></pre>\n'


def visible(text, code_blocks=True):
    """The Markdown without the comments that are outside of code blocks, and if desired without these."""
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.S | re.M)
    return "".join(
        COMMENT.sub("", part) if not part.lstrip().startswith("```") else part if code_blocks else "" for part in parts
    )


def plain(tokens):
    return "".join(
        " " if t.type in ("softbreak", "hardbreak") else t.content
        for t in tokens
        if t.type in ("text", "code_inline", "softbreak", "hardbreak")
    ).strip()


class Renderer:
    """Renders pages; `resolve(link)` gives the address that a link has on the site, or None to show only its text."""

    def __init__(self, resolve):
        self.parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
        self.resolve = resolve
        rules = self.parser.renderer.rules
        rules["fence"] = lambda tokens, index, *_: code(tokens[index].content, tokens[index].info.split(" ")[0])
        rules["code_block"] = lambda tokens, index, *_: code(tokens[index].content, "")
        rules["image"] = self.image
        rules["table_open"] = lambda *_: '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n'
        rules["table_close"] = lambda *_: "</table></div>\n"

    def image(self, tokens, index, options, environment):
        """An image that leads to its file, which a small screen can then enlarge."""
        shown = self.parser.renderer.image(tokens, index, options, environment)
        inside_link = any(token.type == "link_open" for token in tokens[:index])
        return shown if inside_link else f'<a class="picture" href="{escape(tokens[index].attrGet("src"))}">{shown}</a>'

    def article(self, text):
        tokens = self.parser.parse(visible(text))
        title, headings = "", []
        names = {}
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                inner = tokens[index + 1]
                name = heading_slug(inner.content)
                names[name] = names.get(name, -1) + 1
                name += f"-{names[name]}" if names[name] else ""
                token.attrSet("id", name)
                level = int(token.tag[1])
                title = title or plain(inner.children)
                if level > 1:
                    shown = self.parser.renderer.render(self.unlinked(inner.children), self.parser.options, {})
                    headings.append((level, name, shown, plain(inner.children)))
            elif token.type == "inline":
                self.rewrite(token)
        html = self.parser.renderer.render(tokens, self.parser.options, {})
        html = re.sub(
            r'<h([2-6]) id="([^"]*)">(.*?)</h\1>',
            r'<h\1 id="\2">\3 <a class="anchor" href="#\2" aria-label="Link to this section">#</a></h\1>',
            html,
            flags=re.S,
        )
        return Article(title, html, headings, self.sections(tokens))

    @staticmethod
    def unlinked(tokens):
        return [token for token in tokens if token.type not in ("link_open", "link_close")]

    def rewrite(self, inline):
        """Gives links and images of a paragraph the addresses that they have on the site."""
        kept, dropped = [], 0
        for token in inline.children:
            if token.type == "link_open":
                address = self.resolve(token.attrGet("href"))
                dropped += address is None
                if address is None:
                    continue
                token.attrSet("href", address)
            elif token.type == "link_close" and dropped:
                dropped -= 1
                continue
            elif token.type == "image":
                token.attrSet("src", self.resolve(token.attrGet("src")) or token.attrGet("src"))
                token.attrSet("loading", "lazy")
            kept.append(token)
        inline.children = kept

    @staticmethod
    def sections(tokens):
        """The text of each section without code blocks."""
        found = [["", "", []]]
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                found.append([token.attrGet("id"), plain(tokens[index + 1].children), []])
            elif token.type == "inline" and tokens[index - 1].type != "heading_open":
                found[-1][2].append(plain(token.children))
        return [(name, title, " ".join(texts)) for name, title, texts in found if title]
