"""Reads DocC's archive: every symbol of the API reference, and the page of the site that shows it."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

ERRORS = Path(__file__).resolve().parent.parent.parent / "docs/errors.md"
TYPES = {"struct", "enum", "class", "protocol", "actor"}
PREFIX = "doc://NovaSDK/documentation/"


@dataclass
class Symbol:
    """One page of the archive, and where the site has it."""

    data: dict
    path: str  # the page of the site
    anchor: str  # inside that page; empty for a page's own symbol

    @property
    def address(self):
        return f"{self.path}#{self.anchor}" if self.anchor else self.path

    @property
    def title(self):
        return self.data["metadata"]["title"]

    @property
    def kind(self):
        return self.data["metadata"].get("roleHeading", "")

    @property
    def identifier(self):
        return self.data["identifier"]["url"]

    @property
    def is_module(self):
        return self.data["metadata"].get("symbolKind") == "module"

    @property
    def parent(self):
        """The identifier of the symbol that this one belongs to, past groups of default implementations."""
        parents = self.data["hierarchy"]["paths"][0] if self.data["hierarchy"]["paths"] else []
        return next((p for p in reversed(parents) if not p.endswith("-Implementations")), None)


def file_name(text):
    """A name that every file system and server takes."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-") or "operator"


def error_codes(page, statuses):
    """The identifiers of the codes of `APIError` by the gRPC statuses that become them, from the table of errors.

    `statuses` are the names of the statuses in Swift, such as `notFound`.
    """
    known = {status.lower() for status in statuses}
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.M)
    return {
        status: f"{PREFIX}NovaCore/APIError/Code-swift.struct/{code}"
        for code, when in rows
        for status in re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b", when)
        if status.replace("_", "").lower() in known
    }


class Archive:
    """The symbols and articles of an archive, by their identifiers."""

    def __init__(self, folder):
        self.references = {}
        self.symbols, self.groups, self.articles = {}, {}, {}
        documents = {}
        for file in sorted((folder / "data/documentation").rglob("*.json")):
            data = json.loads(file.read_text())
            documents[data["identifier"]["url"]] = data
            self.references.update(data["references"])
        for identifier, data in documents.items():
            role = data["metadata"].get("role")
            if role == "article":
                self.articles[identifier] = data
            elif role == "collectionGroup":
                self.groups[identifier] = data
            else:
                self.symbols[identifier] = Symbol(data, "", "")
        for symbol in self.symbols.values():
            self.place(symbol)
        statuses = [s.title for s in self.symbols.values() if s.parent == f"{PREFIX}NovaCore/GRPCStatus"]
        self.error_codes = error_codes(ERRORS.read_text(), statuses)
        self.default_implementations = {d.identifier for s in self.symbols.values() for d in self.defaults(s)}
        taken = {}
        for symbol in self.symbols.values():
            if taken.setdefault(symbol.address.lower(), symbol) is not symbol:
                raise ValueError(f"{symbol.identifier} and {taken[symbol.address.lower()].identifier} have one page")

    def place(self, symbol):
        """Decides the page of a symbol: types have their own, members are on the page of their type."""
        if symbol.path:
            return
        module, *rest = symbol.identifier.removeprefix(PREFIX).split("/")
        parent = self.symbols.get(symbol.parent)
        if symbol.is_module:
            symbol.path = f"reference/{module.lower()}/index.html"
        elif parent and not parent.is_module and symbol.data["metadata"].get("symbolKind") not in TYPES:
            self.place(parent)
            symbol.path, symbol.anchor = parent.path, rest[-1]
        else:
            symbol.path = f"reference/{module.lower()}/{file_name('.'.join(rest))}.html"

    def modules(self):
        return sorted((s for s in self.symbols.values() if s.is_module), key=lambda s: s.title)

    def pages(self):
        """The symbols with pages of their own, except modules."""
        return [s for s in self.symbols.values() if not s.anchor and not s.is_module]

    def members(self, symbol):
        """Titles of groups with their symbols, as DocC orders them; those of default implementations come last."""
        groups, late = [], []
        for section in symbol.data.get("topicSections", []):
            inside = []
            for identifier in section["identifiers"]:
                if identifier in self.groups:
                    group = self.groups[identifier]
                    found = [m for s in group.get("topicSections", []) for m in s["identifiers"] if m in self.symbols]
                    late.append((group["metadata"]["title"], [self.symbols[m] for m in found]))
                else:
                    inside.append(identifier)
            groups.append((section.get("title", ""), [self.symbols[i] for i in inside if i in self.symbols]))
        return [group for group in groups + late if group[1]]

    def related(self, symbol, kind):
        """The identifiers of the symbols that a symbol is related to, such as `conformsTo`."""
        return [
            identifier
            for section in symbol.data.get("relationshipsSections", [])
            if section["type"] == kind
            for identifier in section["identifiers"]
        ]

    def protocols(self, symbol):
        """The protocols of the SDK that a type conforms to, or a protocol inherits from."""
        names = self.related(symbol, "conformsTo") + self.related(symbol, "inheritsFrom")
        return [self.symbols[name] for name in names if name in self.symbols]

    def defaults(self, symbol):
        """The default implementations of a protocol's requirement that say nothing else than the requirement."""
        names = [i for s in symbol.data.get("defaultImplementationsSections", []) for i in s["identifiers"]]
        found = [self.symbols[name] for name in names if name in self.symbols]
        return [s for s in found if s.data.get("abstract", []) == symbol.data.get("abstract", [])]

    def is_default(self, symbol):
        return symbol.identifier in self.default_implementations

    def client_properties(self):
        """The properties of `NovaServices`, such as `nova.graph`, by the identifiers of their types."""
        found = {}
        for symbol in self.symbols.values():
            if symbol.parent == f"{PREFIX}NovaSDK/NovaServices":
                for section in symbol.data["primaryContentSections"]:
                    for token in section["declarations"][0]["tokens"] if section["kind"] == "declarations" else []:
                        if token["kind"] == "typeIdentifier" and "Service" in token["text"]:
                            found[token.get("identifier")] = f"nova.{symbol.title}"
        return found

    def guides(self, symbol):
        """The names of the guides that a symbol's topics list."""
        for section in symbol.data.get("topicSections", []):
            for identifier in section["identifiers"]:
                if identifier in self.articles:
                    yield identifier.rsplit("/", 1)[-1]
