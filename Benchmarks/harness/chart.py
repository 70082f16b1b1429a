"""Horizontal bar charts as SVG files, readable in light and dark.

Each file brings its background along: the page that shows it need not have the colors that the reader's system asks for.
"""

from html import escape

from .text import number, rounded

WIDTH = 760
MARGIN = 20
ROW = 26
BAR = 14
HEAD = 62
#: The width of an average character in a wide font; the one that the reader's system has is not known.
CHARACTER = 7.7
BOLD = 8.5

STYLE = """
    .card { fill: #ffffff; stroke: #d1d9e0; }
    text { font: 13px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .title { font-size: 15px; font-weight: 600; }
    .note { font-size: 12px; fill: #59636e; }
    .group { font-size: 12px; font-weight: 600; fill: #59636e; }
    .own-label { font-weight: 600; }
    .bar { fill: #9aa5b1; }
    .own { fill: #e4572e; }
    .axis { stroke: #d1d9e0; }
    .whisker { stroke: #1f2328; stroke-width: 1.5; fill: none; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d; }
      text { fill: #f0f6fc; }
      .note, .group { fill: #9198a1; }
      .bar { fill: #6b7785; }
      .own { fill: #f0703f; }
      .axis { stroke: #3d444d; }
      .whisker { stroke: #f0f6fc; }
    }
"""


def _is_own(label):
    """Whether a bar is this SDK's, which has a color of its own."""
    return label.lower().startswith("nova") or label.startswith("`nova")


def _shown(value):
    return rounded(value) if abs(value) >= 1000 else number(value)


def svg(title, unit, rows):
    """The text of an SVG file: see `Charts.bars`."""
    bars = [row for row in rows if row[1] is not None]
    # Where nothing else is compared, all bars are the SDK's.
    is_alone = not any(_is_own(row[0]) for row in bars)
    left = MARGIN + 14 + max(len(row[0]) * (BOLD if _is_own(row[0]) else CHARACTER) for row in bars)
    ends = [max(value, high if high is not None else value) for _, value, _, high in bars]
    texts = [_shown(value) for _, value, _, _ in bars]
    # Each bar leaves room for its own number, so a long bar is as long as its number allows.
    space = WIDTH - MARGIN - left
    scale = min((space - len(text) * CHARACTER - 12) / end for text, end in zip(texts, ends) if end > 0)
    body, y = [], HEAD
    for label, value, low, high in rows:
        if value is None:
            body.append(f'<text class="group" x="{MARGIN}" y="{y + 18}">{escape(label)}</text>')
        else:
            body += _bar(label, value, low, high, left, y, scale, is_alone)
        y += ROW
    height = y + 14
    described = escape("; ".join(f"{label}: {_shown(value)} {unit}" for label, value, _, _ in bars))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'role="img" aria-labelledby="title description">',
        f'  <title id="title">{escape(title)}</title>',
        f'  <desc id="description">{described}</desc>',
        f"  <style>{STYLE}  </style>",
        f'  <rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>',
        f'  <text class="title" x="{MARGIN}" y="30">{escape(title)}</text>',
        f'  <text class="note" x="{MARGIN}" y="49">{escape(unit)}</text>',
        f'  <line class="axis" x1="{left - 0.5}" y1="{HEAD}" x2="{left - 0.5}" y2="{y}"/>',
        *("  " + line for line in body), "</svg>", ""])


def _bar(label, value, low, high, left, y, scale, is_alone):
    """A label, a bar, its whisker and its number."""
    own, middle = _is_own(label), y + ROW / 2
    end = left + value * scale
    shown = escape(label.replace("`", ""))
    yield (f'<text class="{"own-label" if own else "label"}" x="{left - 10:.1f}" y="{middle + 4.5}" text-anchor="end">'
           f"{shown}</text>")
    yield (f'<rect class="{"own" if own or is_alone else "bar"}" x="{left:.1f}" y="{middle - BAR / 2}" '
           f'width="{max(1, value * scale):.1f}" height="{BAR}" rx="2"/>')
    if low is not None and high is not None and (high - low) * scale >= 2:
        first, last = left + low * scale, left + high * scale
        end = max(end, last)
        yield (f'<path class="whisker" d="M{first:.1f} {middle - 4}v8M{first:.1f} {middle}H{last:.1f}'
               f'M{last:.1f} {middle - 4}v8"/>')
    yield f'<text x="{end + 7:.1f}" y="{middle + 4.5}">{_shown(value)}</text>'


class Charts:
    """Writes the charts of a page into a folder."""

    def __init__(self, folder, link):
        self._folder = folder
        self._link = link
        #: The names of the files that were written.
        self.written = set()

    def bars(self, name, title, unit, rows):
        """Writes a chart, and returns the Markdown that shows it.

        `rows` are (label, value, low, high): low and high are the ends of the whisker, or None. A row whose value is None
        is the heading of those below it. Labels that begin with NovaSDK or nova get the color of the SDK.
        """
        file = f"benchmarks-{name}.svg"
        (self._folder / file).write_text(svg(title, unit, [tuple(row) for row in rows]))
        self.written.add(file)
        return f"![{title}, {unit}]({self._link}/{file})"
