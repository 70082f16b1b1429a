"""A session in a terminal as an SVG that is animated by CSS alone."""

import re
from html import escape, unescape

FONT, WIDTH, LINE, MARGIN, BAR = 14, 8.43, 20, 20, 40
# Seconds: to type a character, between typing and output, and before the next command.
TYPE, ANSWER, PAUSE = 0.035, 0.35, 1.1
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)m")
STYLES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "36": "cyan"}
STYLE_SHEET = """
    .terminal-frame { fill: #17191f; }
    .terminal-bar { fill: #22252d; }
    .terminal-dot { fill: #454a56; }
    .terminal text { fill: #e4e6eb; white-space: pre; }
    .terminal text { font: %(font)dpx ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .terminal .caption { fill: #9aa0ac; font-size: 12px; }
    .terminal .prompt { fill: #ff8a66; }
    .terminal .bold { font-weight: 700; }
    .terminal .dim { fill: #9aa0ac; }
    .terminal .red { fill: #ff8a80; }
    .terminal .green { fill: #8fd694; }
    .terminal .yellow { fill: #e8c66a; }
    .terminal .cyan { fill: #7fcfe0; }
    @media (prefers-reduced-motion: no-preference) {
      .terminal .line { opacity: 0; animation: terminal-show 1ms linear forwards; }
      .terminal .typed { clip-path: inset(-4px 100%% -4px 0); animation: terminal-type 1s linear forwards; }
    }
    @keyframes terminal-show { to { opacity: 1; } }
    @keyframes terminal-type { to { clip-path: inset(-4px 0 -4px 0); } }
"""


def spans(line):
    """A line with colors as SVG text."""
    if re.search(r"\x1b(?!\[[0-9;]*m)", line):
        raise ValueError(f"the recording cannot show what moves the cursor: {line!r}")
    parts, styles, position = [], [], 0
    for match in [*SEQUENCE.finditer(line), None]:
        text = line[position : match.start() if match else len(line)]
        if text:
            names = " ".join(STYLES[code] for code in styles if code in STYLES)
            parts.append(
                f'<tspan class="{names}">{escape(text, quote=False)}</tspan>' if names else escape(text, quote=False)
            )
        if match:
            codes = [code.lstrip("0") for code in match[1].split(";")]
            styles = [] if "" in codes else styles + codes
            position = match.end()
    return "".join(parts)


def wrapped(line, columns):
    """A line as a terminal breaks it; sequences take no room."""
    rows, row, room, style = [], "", columns, ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            row, style = row + part, "" if part in ("\x1b[0m", "\x1b[m") else style + part
            continue
        while len(part) > room:
            rows, row, part, room = [*rows, row + part[:room]], style, part[room:], columns
        row, room = row + part, room - len(part)
    return [*rows, row]


def final(line):
    """What stays of a line that a program has replaced, such as its progress."""
    return re.sub(r"^.*\r(\x1b\[K)?", "", line)


def picture(session, title, description, columns):
    """The SVG of pairs of a command and its output."""
    body, y, now = [], BAR + MARGIN + FONT, 0.6
    for command, output in session:
        typing = len(command) * TYPE
        body.append(
            f'    <text class="line" x="{MARGIN}" y="{y}" style="animation-delay: {now:.2f}s"><tspan '
            'class="prompt">$ </tspan></text>'
            f'<text class="typed" x="{MARGIN + 2 * WIDTH:.2f}" y="{y}" style="animation-delay: {now:.2f}s; '
            'animation-duration: '
            f'{typing:.2f}s; animation-timing-function: steps({len(command)})">{escape(command, quote=False)}</text>'
        )
        y, now = y + LINE, now + typing + ANSWER
        for line in output.replace("\r\n", "\n").rstrip("\n").split("\n"):
            for number, row in enumerate(wrapped(final(line), columns)):
                kind = "line continued" if number else "line"
                body.append(
                    f'    <text class="{kind}" x="{MARGIN}" y="{y}" style="animation-delay: '
                    f'{now:.2f}s">{spans(row)}</text>'
                )
                y += LINE
        y, now = y + LINE // 2, now + PAUSE
    width, height = round(columns * WIDTH + 2 * MARGIN), y + MARGIN - LINE
    dots = "".join(f'<circle class="terminal-dot" cx="{20 + 18 * n}" cy="{BAR / 2:g}" r="5.5"/>' for n in range(3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="terminal" width="{width}" height="{height}" viewBox="0 0 '
        f'{width} {height}" '
        f'role="img" aria-labelledby="terminal-title terminal-description">\n'
        f'  <title id="terminal-title">{escape(title)}</title>\n  <desc '
        f'id="terminal-description">{escape(description)}</desc>\n'
        f"  <style>{STYLE_SHEET % {'font': FONT}}  </style>\n"
        f'  <rect class="terminal-frame" width="{width}" height="{height}" rx="10"/>\n'
        f'  <path class="terminal-bar" d="M0 {BAR}V10A10 10 0 0 1 10 0H{width - 10}A10 10 0 0 1 {width} '
        f'10V{BAR}z"/>{dots}\n'
        f'  <g class="session">\n' + "\n".join(body) + "\n  </g>\n</svg>\n"
    )


def text(svg):
    """What a picture shows, line by line, whatever the width of the terminal."""
    lines = []
    for line in svg.split('<g class="session">')[-1].splitlines():
        shown = unescape(re.sub(r"<[^>]*>", "", line.strip()))
        if "line continued" in line:
            lines[-1] += shown
        elif "<text" in line:
            lines.append(shown)
    return "\n".join(lines)
