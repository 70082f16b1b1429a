"""The landing page: what this is, a session that shows it, how to install it, code, and figures from their sources."""

import re
from html import escape

from website import layout
from website.markdown import code
from website.navigation import ROOT

PLACE = "index.html"
SAMPLE = ROOT / "Examples/Quickstart/Sources/Quickstart/main.swift"
# Rows of the table of targets in docs/benchmarks.md, and what they mean in a few words. One of them is missed.
FIGURES = [
    (
        "decode 1,000 posts: SwiftProtobuf JSON takes",
        "the time to decode 1,000 posts, with SwiftProtobuf's JSON in place of NovaSDK's",
    ),
    (
        "CPU of a typed call over gRPC, 64 in flight, compared with grpc-swift-2",
        "the CPU time of a gRPC call with grpc-swift-2",
    ),
    (
        "typed calls over gRPC per second, 64 in flight, compared with plain C",
        "the calls per second of plain C over nghttp2",
    ),
    (
        "clean release build of a program on NovaSDK without the mock, against one on AsyncHTTPClient",
        "the build time of a program on AsyncHTTPClient",
    ),
]
FEATURES = [
    (
        "Typed calls",
        "76 RPCs in eleven services, async and Sendable, with retries that are safe and errors that explain "
        "themselves.",
        "configuration",
        "Configure a client",
    ),
    (
        "A backend to develop against",
        "A stateful mock in memory, over HTTP, and over gRPC: the same data for the same seed, and faults on demand.",
        "mock-server",
        "Run the mock",
    ),
    (
        "Checks for gateways",
        "Scenarios from the contract, with findings that name the request, the response, and the rule.",
        "contract-check",
        "Check a gateway",
    ),
    (
        "Works offline",
        "Reads from a store, writes that wait in order, live events, and uploads that resume after a restart.",
        "offline",
        "Work offline",
    ),
]


def sample():
    """The code of the quick start, as its example has it."""
    found = [SAMPLE, *sorted((ROOT / "Examples/Quickstart").glob("Sources/*/*.swift"))]
    return next(file for file in found if file.exists()).read_text()


def figures(page):
    """The measured figures, their meanings, and their targets, from the table of the benchmark page."""
    rows = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 5:
            rows[cells[1]] = cells[2:]
    for name, meaning in FIGURES:
        if name not in rows:
            raise ValueError(f'docs/benchmarks.md has no target "{name}"; change FIGURES in Tools/website/landing.py')
        target, measured, reached = rows[name]
        yield measured, meaning, f"target {target}, {'reached' if reached == '✓' else 'missed'}"


def install(readme):
    """Three ways to install, a line each, as README.md has them."""
    ways = [
        ("Debian, Ubuntu", r"^(sudo apt-get install \S+)"),
        ("Python environment", r"^(pip install \S+)"),
        ("Swift package", r"`(\.package\([^`]*\))`"),
    ]
    rows = ""
    for name, pattern in ways:
        found = re.search(pattern, readme, re.M)
        if not found:
            raise ValueError(f"README.md has no line for {name}, {pattern}; change install() in Tools/website/landing.py")
        rows += f"<dt>{name}</dt><dd><code>{escape(found[1])}</code></dd>"
    return f'<dl class="install">{rows}</dl>'


def link(name, text, guides, kind=""):
    if name not in guides:
        return ""
    return f'<a{f" class={kind}" if kind else ""} href="{layout.relative(guides[name], PLACE)}">{text}</a>'


def body(guides):
    picture = (ROOT / "docs/images/terminal.svg").read_text().strip()
    readme = (ROOT / "README.md").read_text()
    benchmarks = (ROOT / "docs/benchmarks.md").read_text()
    buttons = link("tutorial-first-ten-minutes", "Your first ten minutes", guides, "button") or link(
        "configuration", "Get started", guides, "button"
    )
    first = (
        f'<section class="hero"><div><h1>NovaSocial from Swift, your shell, and your tests</h1>'
        "<p>NovaSDK is a typed Swift SDK, the command line <code>nova</code>, and a complete mock backend, all "
        "generated from one "
        f"contract. Start without an account, a server, or a network.</p>{install(readme)}"
        f'<p class="actions">{buttons}{link("install", "All ways to install", guides)}</p></div>'
        f'<div class="screen" tabindex="0" role="region" aria-label="Recorded session">{picture}</div></section>'
    )
    cards = "".join(
        f"<li><h3>{title}</h3><p>{text}</p><p>{link(name, label, guides)}</p></li>"
        for title, text, name, label in FEATURES
    )
    numbers = "".join(
        f"<li><strong>{escape(value)}</strong><span>{meaning}</span><small>{escape(note)}</small></li>"
        for value, meaning, note in figures(benchmarks)
    )
    ways = [
        ("tutorial-first-ten-minutes", "I am new here"),
        ("tutorial-many-users", "I write a server"),
        ("tutorial-contract-tests", "I test a gateway"),
        ("qa-handbook", "I plan QA"),
        ("coming-from-the-guide", "I have the guide's client"),
        ("compare", "I compare alternatives"),
        ("architecture", "I want to know how it works"),
    ]
    links = "".join(f"<li>{found}</li>" for name, text in ways if (found := link(name, text, guides)))
    return (
        f'<main id="page-content" tabindex="-1">{first}'
        '<section class="split"><div><h2>A program</h2><p>The mock backend is part of the SDK. Replace '
        '<code>.mock()</code> and the '
        f"same code calls your gateway, with retries within one deadline and sessions that refresh themselves.</p>"
        f'<p>{link("configuration", "Configure a client", guides)}</p></div>{code(sample(), "swift")}</section>'
        f'<section><h2>What you get</h2><ul class="features">{cards}</ul></section>'
        f'<section><h2>Measured, beside the alternatives</h2><ul class="figures">{numbers}</ul>'
        '<p class="note">Medians on one machine with two cores, over loopback. '
        f'{link("benchmarks", "All benchmarks", guides)}, with those '
        f"that missed their targets.</p></section>"
        f'<section><h2>Where to go</h2><ul class="ways">{links}</ul></section></main>'
    )


def write(site, guides):
    site.write(
        PLACE,
        layout.document(
            PLACE,
            f"{layout.NAME}: {layout.TAGLINE}",
            body(guides),
            f"{layout.TAGLINE}: typed calls, nova, and nova serve.",
            kind="landing",
        ),
    )
