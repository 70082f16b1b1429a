"""Numbers and tables as the page shows them."""

import statistics
import textwrap


def number(value):
    """A number with three significant digits, or all that it has before the point: 0.412, 41.2, 12,345."""
    if value is None:
        return ""
    size = abs(value)
    digits = 0 if size >= 100 or size == 0 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{value:,.{digits}f}"


def seconds(value):
    """A time of seconds or minutes."""
    return f"{value / 60:.0f} min" if value >= 120 else f"{value:.0f} s"


def rounded(value):
    """A large number with three significant digits, for rates: 44,900."""
    if value is None or abs(value) < 1000:
        return number(value)
    step = 10 ** (len(str(int(abs(value)))) - 3)
    return f"{round(value / step) * step:,}"


def duration(microseconds):
    """A time in the unit that suits it: 8.40 µs, 41.2 ms, 13.9 s."""
    for limit, unit, factor in ((1e3, "µs", 1), (1e6, "ms", 1e3)):
        if abs(microseconds) < limit:
            return f"{number(microseconds / factor)} {unit}"
    return f"{number(microseconds / 1e6)} s"


def ranged(values, show=number):
    """The median of some values, and in parentheses their range, without the unit where all have the same."""
    middle, least, most = (show(value) for value in (statistics.median(values), min(values), max(values)))
    if least == most:
        return middle
    unit = middle.partition(" ")[2]
    if unit and least.endswith(f" {unit}") and most.endswith(f" {unit}"):
        least, most = least.split(" ")[0], most.split(" ")[0]
    return f"{middle} ({least} to {most})"


def table(header, rows, words=1):
    """A Markdown table; columns after the first `words` are numbers, aligned right."""
    lines = [header, ["---"] * words + ["---:"] * (len(header) - words), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def paragraph(text, width=140):
    """Text of a docstring or a literal as lines of the page."""
    blocks = textwrap.dedent(text).strip().split("\n\n")
    return "\n\n".join(
        block if block.startswith(("|", "-", "`" * 3)) else textwrap.fill(
            " ".join(block.split()), width, break_long_words=False, break_on_hyphens=False) for block in blocks)
