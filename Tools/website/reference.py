"""The API reference: a page for each module and each type, made from DocC's archive, readable without JavaScript.

Members are on the page of their type, so a page has all that a reader compares, and the browser finds it.
"""

import re
from html import escape

from website import layout
from website.archive import Archive
from website.docc_html import Writer
from website.navigation import ROOT

# Protocols that the compiler adds to nearly every type.
UNIVERSAL = {"Copyable", "Escapable", "SendableMetatype"}
# A protocol that more types conform to is only named: its members would be most of each of their pages.
MAXIMUM_CONFORMING_TYPES = 40

ROOMS = {"Apps": "For apps and servers", "Services": "Services", "Client": "The client", "Testing": "For tests"}


class Reference:
    def __init__(self, folder):
        self.archive = Archive(folder)
        self.by_precise = {s.data["metadata"].get("externalID"): s for s in self.archive.symbols.values()}
        self.guide_paths, self.guide_titles = {}, {}

    def modules_of_guides(self):
        """The modules whose landing pages list a guide, by the guide's name."""
        found = {}
        for module in self.archive.modules():
            for guide in self.archive.guides(module):
                found.setdefault(guide.lower(), []).append((module.path, module.title))
        return found

    def use_guides(self, pages):
        self.guide_paths = {page.file.stem: page.path for page in pages}
        self.guide_titles = {page.file.stem: page.title for page in pages}

    def rooms(self):
        """The modules by the room of Sources/ that they are in."""
        room_of = {folder.name: folder.parent.name for folder in (ROOT / "Sources").glob("*/*")}
        return [
            (title, [m for m in self.archive.modules() if room_of.get(m.title) == room])
            for room, title in ROOMS.items()
        ]

    def writer(self, page):
        return Writer(self.archive, page, self.guide_paths, self.by_precise)

    def summary(self, symbol):
        return re.sub(r"<[^>]*>", "", self.writer(symbol.path).inline(symbol.data.get("abstract", [])))

    def card(self, symbol, writer):
        summary = writer.inline(symbol.data.get("abstract", []))
        return (
            f'<li><a href="{layout.relative(symbol.address, writer.page)}"><code>{escape(symbol.title)}</code></a>'
            f"<span>{summary}</span></li>"
        )

    def trail(self, symbol, writer):
        """The symbols that contain one, as links."""
        links, parent = [], self.archive.symbols.get(symbol.parent)
        while parent:
            links.insert(0, f'<a href="{layout.relative(parent.address, writer.page)}">{escape(parent.title)}</a>')
            parent = self.archive.symbols.get(parent.parent)
        start = f'<a href="{layout.relative("reference/index.html", writer.page)}">Reference</a>'
        return f'<nav class="trail" aria-label="Containing modules and types">{" / ".join([start, *links])}</nav>'

    def guides(self, symbol, writer):
        links = [
            f'<a href="{layout.relative(self.guide_paths[name], writer.page)}">{escape(self.guide_titles[name])}</a>'
            for name in self.archive.guides(symbol)
            if name in self.guide_paths
        ]
        return f'<p class="related">Guides: {", ".join(links)}.</p>' if links else ""

    def relationships(self, symbol, writer):
        parts = []
        for section in symbol.data.get("relationshipsSections", []):
            shown = [writer.reference({"identifier": i}) for i in section["identifiers"]]
            names = ", ".join(name for name in shown if name.removeprefix("Swift.") not in UNIVERSAL)
            if not names:
                continue
            parts.append(f'<p class="relation"><strong>{escape(section["title"])}</strong> {names}</p>')
        return "".join(parts)

    def on_client(self, symbol, writer):
        """How a program gets a service: the client's property that has this type."""
        name = self.archive.client_properties().get(symbol.identifier)
        return f"<p>Use it as <code>{escape(name)}</code> of a <code>NovaClient</code>.</p>" if name else ""

    def inherited(self, symbol, writer):
        """What a type has from protocols, as links: most calls of a service are in extensions of its protocol."""
        parts, headings, known = [], [], {s.title for s in self.on_page[symbol.path]}
        for protocol in self.archive.protocols(symbol):
            if len(self.archive.related(protocol, "conformingTypes")) > MAXIMUM_CONFORMING_TYPES:
                continue
            members = {m.title: m for _, ms in self.archive.members(protocol) for m in ms if m.title not in known}
            known.update(members)
            if not members:
                continue
            name, title = f"from-{protocol.title}", f"From {protocol.title}"
            headings.append((2, name, f"From <code>{escape(protocol.title)}</code>", title))
            cards = "".join(self.card(m, writer) for m in members.values())
            parts.append(f'<h2 id="{name}">{headings[-1][2]}</h2><ul class="cards">{cards}</ul>')
        return "".join(parts), headings

    def member(self, symbol, writer):
        extra = "".join(
            self.member(m, writer)
            for title, members in self.archive.members(symbol)
            for m in members
            if m.path == symbol.path and m.parent == symbol.identifier
        )
        default = symbol.data.get("defaultImplementationsSections", [])
        if default:
            anchors = "".join(f'<span id="{escape(s.anchor)}"></span>' for s in self.archive.defaults(symbol))
            extra = f'<p class="note">Has a default implementation.{anchors}</p>' + extra
        return (
            f'<section class="member" id="{escape(symbol.anchor)}"><h3><code>{escape(symbol.title)}</code> '
            f'<a class="anchor" href="{layout.relative(symbol.address, symbol.path)}" aria-label="Link to this '
            'member">#</a></h3>'
            f"{writer.content(symbol)}</section>{extra}"
        )

    def body(self, symbol, writer):
        """The groups of a page: members that are on it, and links to pages of their own."""
        parts, headings, shown = [], [], set()
        for number, (title, members) in enumerate(self.archive.members(symbol)):
            own = [m for m in members if m.path == symbol.path and m.anchor not in shown]
            others = [m for m in members if m.path != symbol.path]
            if not own and not others:
                continue
            name = f"group-{number}"
            headings.append((2, name, escape(title), title))
            headings += [(3, m.anchor, f"<code>{escape(m.title)}</code>", m.title) for m in own]
            shown.update(m.anchor for m in own)
            cards = "".join(self.card(m, writer) for m in others)
            parts.append(
                f'<h2 id="{name}">{escape(title)}</h2>'
                + (f'<ul class="cards">{cards}</ul>' if cards else "")
                + "".join(self.member(m, writer) for m in own)
            )
        return "".join(parts) + self.rest(symbol, writer, shown), headings

    def rest(self, symbol, writer, shown):
        """Members that are in no group, such as default implementations, so that every link finds its place."""
        left = [s for s in self.on_page.get(symbol.path, []) if s.anchor and s.anchor not in shown]
        nested = {
            m.anchor
            for s in self.on_page.get(symbol.path, [])
            for _, ms in self.archive.members(s)
            for m in ms
            if s.anchor in shown
        }
        left = [s for s in left if s.anchor not in nested and not self.archive.is_default(s)]
        if not left:
            return ""
        return '<h2 id="more-members">More members</h2>' + "".join(self.member(s, writer) for s in left)

    def page(self, symbol):
        writer = self.writer(symbol.path)
        text, headings = self.body(symbol, writer)
        from_protocols, more = self.inherited(symbol, writer)
        # The protocol of a service has its everyday calls, so they come first.
        is_service = symbol.identifier in self.archive.client_properties()
        text = from_protocols + text if is_service else text + from_protocols
        headings = more + headings if is_service else headings + more
        kind = "Module" if symbol.is_module else symbol.kind
        return (
            f'{self.trail(symbol, writer)}<p '
            f'class="kind">{escape(kind)}</p><h1><code>{escape(symbol.title)}</code></h1>'
            f"{writer.content(symbol)}{self.on_client(symbol, writer)}{self.guides(symbol, writer)}{self.relationships(symbol, writer)}{text}"
        ), headings

    def groups(self, symbol):
        """The navigation: the modules on a module's page, the module's types on theirs."""
        if symbol is None or symbol.is_module:
            return [(title, [(m.path, m.title) for m in modules]) for title, modules in self.rooms()]
        module = self.archive.symbols[
            symbol.identifier[: symbol.identifier.find("/", len("doc://NovaSDK/documentation/"))]
        ]
        groups = [("", [(module.path, module.title)])]
        return groups + [
            (title, [(m.path, m.title) for m in members]) for title, members in self.archive.members(module)
        ]

    def write(self, site):
        self.on_page = {}
        for symbol in self.archive.symbols.values():
            self.on_page.setdefault(symbol.path, []).append(symbol)
        for symbol in self.archive.modules() + self.archive.pages():
            text, headings = self.page(symbol)
            body = layout.three_columns(symbol.path, self.groups(symbol), text, headings, "Modules and types")
            site.write(
                symbol.path, layout.document(symbol.path, symbol.title, body, self.summary(symbol), kind="reference")
            )
        place = "reference/index.html"
        writer, parts, headings = self.writer(place), ["<h1>API reference</h1>"], []
        parts.append(
            f"<p>Every public type of the library products. To begin, read the "
            f'<a href="{layout.relative("guides/index.html", place)}">guides</a>.</p>'
        )
        for title, modules in self.rooms():
            name = title.lower().replace(" ", "-")
            headings.append((2, name, title, title))
            parts.append(
                f'<h2 id="{name}">{title}</h2><ul class="cards">{"".join(self.card(m, writer) for m in modules)}</ul>'
            )
        body = layout.three_columns(place, self.groups(None), "".join(parts), headings, "Modules and types")
        site.write(
            place,
            layout.document(place, "API reference", body, "Every public type, module by module.", kind="reference"),
        )
