"""The order of the pages: docs/navigation.tsv."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
LIST = DOCS / "navigation.tsv"


@dataclass(frozen=True)
class Page:
    """A page of Markdown: where it is, and how lists name and describe it."""

    file: Path
    title: str
    summary: str
    section: str

    @property
    def stem(self):
        return self.file.stem.lower()

    @property
    def path(self):
        """The page's path on the site."""
        return f"guides/{self.stem}.html"


def read_list(text, folder=DOCS):
    """The pages in their order; raises ValueError with the line of a mistake."""
    pages, section = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split("\t")
        if not line.strip() or line.startswith("#"):
            continue
        if len(fields) == 1:
            section = line.strip()
        elif len(fields) == 3 and section:
            pages.append(Page((folder / fields[0]).resolve(), fields[1], fields[2], section))
        else:
            raise ValueError(f"{LIST.name}:{number}: a page is its file, title, and description, separated by tabs")
    return pages


def problems(pages, folder=DOCS):
    """What is wrong with the list: missing files, files that it does not list, and files that it lists twice."""
    listed = [page.file for page in pages]
    for file in sorted(set(listed)):
        name = file.relative_to(folder.parent)
        if not file.exists():
            yield f"docs/navigation.tsv: lists {name}, which does not exist"
        if listed.count(file) > 1:
            yield f"docs/navigation.tsv: lists {name} twice"
    for file in sorted(folder.resolve().glob("*.md")):
        # README.md is the map, which Tools/documentation-map writes from this list.
        if file not in listed and file.name != "README.md":
            yield f"docs/navigation.tsv: does not list docs/{file.name}; add it where a reader needs it"


def sections(pages):
    """The pages by their section."""
    found = {}
    for page in pages:
        found.setdefault(page.section, []).append(page)
    return found
