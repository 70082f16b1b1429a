"""Decides what happens with each block, and checks the blocks that the page itself does not run."""
import json
import re

from commands.pages import OTHERS, PLAIN, SHELL, PageError


def first_command(block):
    """The first line that a reader would type, without a comment behind it."""
    if block.language == "console":
        return block.commands()[0].text.split("\n")[0].strip()
    lines = [line for line in block.lines if line.strip() and not line.lstrip().startswith("#")]
    return re.sub(r"\s+#.*$", "", lines[0]).strip() if lines else ""


def check_elsewhere(block, root):
    """Fails unless the named file exists, and mentions the page or the block's first line."""
    path = root / block.keys["elsewhere"]
    if not path.is_file():
        raise PageError(f"{block.place}: elsewhere: no such file: {block.keys['elsewhere']}")
    text, page, command = path.read_text(encoding="utf-8", errors="replace"), block.page, first_command(block)
    # A README has a name that says nothing without its folder.
    names = [page] if page.endswith("README.md") else [page, page.rpartition("/")[2]]
    has_name = any(re.search(rf"(?<![\w-]){re.escape(name)}", text) for name in names)
    if not has_name and not (command and command in text):
        raise PageError(f"{block.place}: elsewhere: {block.keys['elsewhere']} mentions neither {page} nor: {command}")


def check_use(block, blocks):
    """Fails unless a later command of the page uses the file that a block is written to."""
    name = block.keys["file"].rpartition("/")[2]
    used = []
    for other in blocks[blocks.index(block):]:
        used += [*other.prepared, other.keys.get("output", ""), other.keys.get("as", "")]
        used += other.lines if other.language in SHELL else []
    if not any(name in line for line in used):
        raise PageError(f"{block.place}: no command after this block uses its file {block.keys['file']}")


def check_data(block):
    """Parses JSON and YAML."""
    text = "\n".join(block.lines)
    try:
        if block.language == "json":
            json.loads(text)
        else:
            import yaml  # installed by Tools/check-commands
            list(yaml.safe_load_all(text))
    except Exception as error:  # the parsers have many
        raise PageError(f"{block.place}: invalid {block.language.upper()}: {' '.join(str(error).split())}") from error


def decide(block, blocks, root):
    """What the check does with a block: run, start, output, write, elsewhere, parse or picture. Fails if it may not."""
    language, keys = block.language, block.keys
    if language not in SHELL + OTHERS:
        known = ", ".join((*SHELL, *OTHERS[:-2]))
        raise PageError(f"{block.place}: unknown language: {language!r}; expected {known} or none")
    if "elsewhere" in keys:
        check_elsewhere(block, root)
        return "elsewhere"
    if language in SHELL:
        for key in ("file", "output", "picture"):
            if key in keys:
                raise PageError(f"{block.place}: {key} is for blocks that are not commands")
        if language == "console" and "background" in keys:
            raise PageError(f"{block.place}: a block in the background is sh, not console")
        return "start" if "background" in keys else "run"
    for key in ("background", "status", "terminal"):
        if key in keys and "output" not in keys:
            raise PageError(f"{block.place}: {key} is for blocks of commands")
    if "file" in keys:
        check_use(block, blocks)
        return "write"
    if language in ("json", "yaml"):
        check_data(block)
        return "parse"
    if language in PLAIN and "output" in keys:
        return "output"
    if language in PLAIN and "picture" in keys:
        return "picture"
    hint = "`run: output`, `run: output COMMAND`, `run: picture`, " if language in PLAIN else ""
    raise PageError(f"{block.place}: nothing runs this block ({language or 'no language'}): put {hint}"
                    f"`run: file NAME` or `run: elsewhere PATH` before it; see Tools/check-commands")
