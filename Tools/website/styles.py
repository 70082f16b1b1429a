"""The style sheet: what is written by hand, and the colors of code in light and dark."""

from website.navigation import ROOT

# By the class names of Pygments: keywords, types, functions, strings, numbers, comments, prompts, output.
TOKENS = {
    "k kc kd kn kr kt nb ow": "keyword",
    "nc nn no nt": "type",
    "nf na nd fm": "name",
    "s s1 s2 sa sb sd se sh si sx sr ss": "string",
    "m mi mf mh il mb mo": "number",
    "c c1 cm cp ch cs": "comment",
    "gp": "prompt",
    "go": "output",
    "err": "plain",
}
LIGHT = {
    "keyword": "#a03a1a",
    "type": "#5b3d8f",
    "name": "#1f5f8b",
    "string": "#2f6b3a",
    "number": "#8a5a00",
    "comment": "#5f6672",
    "prompt": "#b23a14",
    "output": "#4b515c",
    "plain": "inherit",
}
DARK = {
    "keyword": "#ff9d7d",
    "type": "#c7b1f2",
    "name": "#8ec7ef",
    "string": "#9ad3a2",
    "number": "#e6c07b",
    "comment": "#99a0ad",
    "prompt": "#ff8a66",
    "output": "#b6bcc8",
    "plain": "inherit",
}


def token_rules():
    for names, kind in TOKENS.items():
        selector = ", ".join(f".code .{name}" for name in names.split())
        yield f"{selector} {{ color: var(--code-{kind}); }}"


def variables(colors):
    return " ".join(f"--code-{name}: {color};" for name, color in colors.items())


def style_sheet():
    return "\n".join(
        [
            f":root {{ {variables(LIGHT)} }}",
            f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}",
            (ROOT / "Tools/website/assets/site.css").read_text(),
            *token_rules(),
            "",
        ]
    )
