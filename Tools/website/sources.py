"""Files of the repository that guides link to, as pages: a file with its code or its text, a folder with its files."""

import subprocess
from html import escape

from website import layout, navigation
from website.markdown import Renderer, code

ROOT = navigation.ROOT
LANGUAGES = {
    ".swift": "swift",
    ".py": "python",
    ".sh": "sh",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".proto": "proto",
    ".js": "js",
    ".md": "md",
    ".html": "html",
    ".toml": "toml",
}
# Of a larger folder, a page lists the names only.
LARGEST = 400_000


class Sources:
    """Collects what is linked, then writes it."""

    def __init__(self):
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        self.files = listed.decode().split("\0")[:-1]
        self.linked = set()

    def path(self, target):
        """The page of a file or folder; None for one that the repository does not have."""
        if not target.is_relative_to(ROOT) or not target.exists():
            return None
        name = str(target.relative_to(ROOT))
        if name not in self.files and not any(file.startswith(f"{name}/") for file in self.files):
            return None
        self.linked.add(name)
        return f"source/{name}.html"

    def body(self, name):
        text = (ROOT / name).read_bytes()
        if b"\0" in text[:2000]:
            return f"<p>{len(text):,} bytes, not text.</p>"
        language = LANGUAGES.get((ROOT / name).suffix, "")
        if not language and text.startswith(b"#!"):
            language = "python" if b"python" in text[:40] else "sh"
        return code(text.decode(errors="replace"), language)

    def page(self, name):
        inside = [file for file in self.files if file.startswith(f"{name}/")]
        if not inside:
            return self.body(name), []
        headings = [(2, file, f"<code>{escape(file[len(name) + 1:])}</code>", file) for file in inside]
        total = sum((ROOT / file).stat().st_size for file in inside)
        parts = [
            f'<h2 id="{escape(anchor)}">{title}</h2>{self.body(file) if total <= LARGEST else ""}'
            for (_, anchor, title, file) in headings
        ]
        return "".join(parts), headings

    def text(self, name, place, resolve):
        """A page's body, headings, and title: Markdown as text, all else as code below the file's name."""
        if name.endswith(".md"):
            file = ROOT / name
            article = Renderer(lambda link: resolve(link, file, place)).article(file.read_text())
            return article.html, article.headings, article.title
        body, headings = self.page(name)
        return f'<h1 class="file"><code>{escape(name)}</code></h1>{body}', headings, name

    def write(self, site, resolve):
        """Writes the pages of all that is linked, and of what these link to; `resolve` gives addresses to links."""
        written = set()
        while left := sorted(self.linked - written):
            for name in left:
                self.write_page(site, name, resolve)
            written.update(left)

    def write_page(self, site, name, resolve):
        place = f"source/{name}.html"
        text, headings, title = self.text(name, place, resolve)
        kind = "" if name.endswith(".md") else "wide"
        body = layout.three_columns(place, [], text, headings, "Guides")
        body = body.replace('<a class="to-pages" href="#page-list">All guides</a>', "")
        body = body.replace('<nav id="page-list" class="pages" aria-label="Guides"></nav>', "")
        site.write(place, layout.document(place, title, body, f"The source of {name}.", kind=kind))
