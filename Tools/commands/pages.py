"""Reads the blocks of a page, and the comments that prepare them."""
import re
from dataclasses import dataclass, field
from pathlib import Path

KEYS = ("background", "setup", "as", "file", "elsewhere", "status", "stop", "terminal", "output", "picture", "numbers")
# Swift blocks are compiled by Tools/check-pages.
SHELL, PLAIN = ("sh", "console"), ("", "text")
OTHERS = ("json", "yaml", "python", "js", "html", "proto", "sql", *PLAIN)
WITH_VALUE, MAY_HAVE_VALUE = ("file", "elsewhere", "status"), ("as", "output")


class PageError(Exception):
    """A mistake in a page: where, and what."""


@dataclass
class Command:
    """A command of a console block: its text, and the output that the page shows."""
    line: int
    text: str
    expected: list[str] = field(default_factory=list)
    # Where the output is in the page: the numbers of its first line and of the line after it.
    first: int = 0
    end: int = 0


@dataclass
class Block:
    page: str
    line: int  # of its first line
    language: str
    lines: list[str]
    keys: dict[str, str]
    prepared: list[str]  # the lines of its comment: commands of `setup`, or of `as`
    indent: int = 0

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def setup(self):
        return self.prepared if "setup" in self.keys else []

    @property
    def replacement(self):
        """The commands that the check runs in place of the block's, or None."""
        if "as" not in self.keys:
            return None
        return [self.keys["as"]] if self.keys["as"] else self.prepared

    def commands(self):
        """The commands of a console block."""
        found, number = [], 0
        while number < len(self.lines):
            text, line = self.lines[number], self.line + number
            number += 1
            if text.startswith("$ "):
                text = text[2:]
                while text.endswith("\\") and number < len(self.lines):
                    text += "\n" + self.lines[number]
                    number += 1
                found.append(Command(line, text, [], self.line + number, self.line + number))
            elif found:
                found[-1].expected.append(text)
                found[-1].end = self.line + number
            else:
                raise PageError(f"{self.page}:{line}: a console block begins with a command: $ …")
        return found

    def statuses(self, count):
        """The exit status that is expected of each of the block's commands; one number is that of the last command."""
        numbers = [int(number) for number in self.keys.get("status", "0").split()]
        if len(numbers) == 1:
            return [0] * (count - 1) + numbers
        if len(numbers) != count:
            raise PageError(f"{self.place}: status has {len(numbers)} numbers for {count} commands")
        return numbers


def parse_keys(text, place):
    """The keys of `<!-- run: background; status 3 -->`: a value ends where a semicolon and another key follow."""
    keys = {}
    for part in re.split(rf"\s*;\s*(?=(?:{'|'.join(KEYS)})\b)", text.strip()):
        key, value = re.fullmatch(r"([^\s;]*)\s*(.*)", part, re.S).groups()
        if key not in KEYS or ";" in value and key not in MAY_HAVE_VALUE:
            unknown = key if key not in KEYS else value.split(";")[1].strip()
            raise PageError(f"{place}: unknown key: {unknown!r}; expected {', '.join(KEYS)}")
        if key in WITH_VALUE and not value or value and key not in WITH_VALUE + MAY_HAVE_VALUE:
            raise PageError(f"{place}: {key} {'has no value' if not value else 'takes no value: ' + value}")
        if key == "status" and not re.fullmatch(r"\d+( \d+)*", value):
            raise PageError(f"{place}: invalid value of {key}: {value}")
        keys[key] = value
    return keys


def read_comment(lines, number, page):
    """The keys and the commands of the comment that begins in a line, and the number of its last line."""
    place, start = f"{page}:{number + 1}", number
    text = lines[number].strip().removeprefix("<!-- run").removeprefix(":")
    while not lines[number].rstrip().endswith("-->"):
        number += 1
        if number == len(lines):
            raise PageError(f"{place}: the comment has no end")
    body = lines[start + 1:number]
    if lines[number].strip() != "-->" and number != start:
        raise PageError(f"{page}:{number + 1}: the end of a comment with commands, -->, has a line of its own")
    keys = parse_keys(text.removesuffix("-->"), place)
    if body and not ("setup" in keys or "as" in keys and not keys["as"]):
        raise PageError(f"{place}: only setup and as have commands in lines of their own")
    return keys, body, number


def read(path, root):
    """All blocks of a page except those of Swift code, in their order."""
    page, lines = str(Path(path).relative_to(root)), Path(path).read_text(encoding="utf-8").split("\n")
    found, keys, prepared, number = [], {}, [], 0
    while number < len(lines):
        text = lines[number].strip()
        if text.startswith("<!-- run"):
            more, body, number = read_comment(lines, number, page)
            keys, prepared = {**keys, **more}, prepared + body
        elif text.startswith("```"):
            first = number + 1
            number = next((n for n in range(first, len(lines)) if lines[n].strip() == "```"), None)
            if number is None:
                raise PageError(f"{page}:{first}: the block has no end")
            indent = lines[first - 1].index("`")
            code = [line[indent:] for line in lines[first:number]]
            block = Block(page, first + 1, text[3:], code, keys, prepared, indent)
            if block.language.split(" ")[0] != "swift":
                found.append(block)
            elif keys:
                raise PageError(f"{block.place}: Swift blocks are compiled by Tools/check-pages, and have no `run:`")
            keys, prepared = {}, []
        elif text and keys and not text.startswith("<!--"):
            raise PageError(f"{page}:{number + 1}: the comment above, run: {', '.join(keys)}, belongs to no block")
        number += 1
    if keys:
        raise PageError(f"{page}: the comment at the end, run: {', '.join(keys)}, belongs to no block")
    return found
