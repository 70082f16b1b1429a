"""Compares what a command printed with what a page shows."""
import difflib
import re


def with_any_numbers(expression):
    """An expression that also matches other numbers, other spaces, and seconds in place of milliseconds."""
    expression = re.sub(r"(?:\\ )+", " +", expression)
    expression = re.sub(r"\d+(?:,\d{3})*(?:\\\.\d+)?", r"[\\d,.]+", expression)
    return re.sub(r"(?<=\[\\d,\.\]\+ \+)m?s\b", "m?s", expression)


def pattern(lines, any_numbers=False):
    """A regular expression for the lines of a page: `…` is any text of a line, a line of only `…` any lines."""
    out = ""
    for line in lines:
        line = line.rstrip()
        if line.strip() == "…":
            out += r"(?:[^\n]*\n)*"
            continue
        parts = [re.escape(part) for part in line.split("…")]
        if any_numbers:
            parts = [with_any_numbers(part) for part in parts]
        out += r"[^\n]*".join(parts) + r"[ \t]*\n"
    return re.compile(out)


def normalized(text):
    """The text without spaces at the ends of lines, and with a line break at its end."""
    text = "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")
    return text + "\n" if text else ""


def matches(lines, output, any_numbers=False):
    return pattern(lines, any_numbers).fullmatch(normalized(output)) is not None


def difference(lines, output):
    """The difference in the form of diff -u, without the names of files."""
    real = normalized(output).split("\n")[:-1]
    return "\n".join(list(difflib.unified_diff([line.rstrip() for line in lines], real, lineterm="", n=2))[2:])


def on_terminal(text):
    """What a terminal shows after a program wrote the text: it draws and erases temporary lines."""
    screen, row, column = [""], 0, 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b.|[\r\n\b]|[^\x1b\r\n\b]+", text):
        if part == "\n":
            row += 1
            screen += [""] * (row + 1 - len(screen))
        elif part == "\r":
            column = 0
        elif part == "\b":
            column = max(0, column - 1)
        elif part.startswith("\x1b["):
            count = int(part[2:-1]) if part[2:-1].isdigit() else None
            if part[-1] == "K":
                screen[row] = "" if count == 2 else screen[row][:column]
            elif part[-1] == "J":
                screen[row:] = [screen[row][:column]]
            elif part[-1] == "A":
                row = max(0, row - (count or 1))
            elif part[-1] == "G":
                column = (count or 1) - 1
        elif not part.startswith("\x1b"):
            line = screen[row].ljust(column)
            screen[row] = line[:column] + part + line[column + len(part):]
            column += len(part)
    return "\n".join(screen)
