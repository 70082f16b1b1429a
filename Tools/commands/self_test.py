"""Checks that the check of the commands can fail."""
import os
import sys
import tempfile
import time
from pathlib import Path

from commands import expectation, isolation, pages
from commands.page import PageRun

# A page, and what its failure mentions; an empty text where it has none.
FENCE = "```"
CASES = [
    ("sh\ntrue", "", ""),
    ("sh\ntrue\nfalse | cat\ntrue", "", "exit status 1, expected 0"),
    ("sh\nexit 7", "run: status 7", ""),
    ("sh\ntrue", "run: status 7", "exit status 0, expected 7"),
    ("console\n$ printf 'a\\nb 1\\n'\na\nb …", "", ""),
    ("console\n$ printf 'a\\nb 1\\n'\n…\nb 1", "", ""),
    ("console\n$ printf 'a\\nb 1\\n'\na\nb 2", "", "+b 1"),
    ("console\n$ printf 'a\\nb 1\\n'\na\nb  22", "run: numbers", ""),
    ("console\n$ echo a\n$ echo b\nb", "", "+a"),
    ("console\n$ echo a\na\n$ false\n$ echo b\nb", "", "exit status 1, expected 0: $ false"),
    ("console\n$ echo a\na\n$ false\n$ echo b\nb", "run: status 0 1 0", ""),
    ("console\n$ test -t 1 && echo yes\nyes", "run: terminal", ""),
    ("console\n$ echo begins; sleep 60\nbegins\n^C", "run: status 130", ""),
    ("sh\nfalse", "run: as true", ""),
    ("sh\ncat there", "run: setup\necho x > there\n", ""),
    ("sh\nsleep 0", "run: background", "did not listen"),
    ("sh\nsleep 0 &", "", "did not listen"),
    ("sh\npython3 -m http.server --bind 127.0.0.1 0 &\nkill $!", "", ""),
    ("sh\ntrue", "run: unknown", "unknown key: 'unknown'"),
    ("sh\ntrue", "run: background; unknown", "unknown key: 'unknown'"),
    ("sh\ntrue", "run: stop all", "takes no value"),
    ("sh\ntrue", "run: elsewhere Tools/no-such-file", "no such file"),
    ("sh\nnova no-such-command", "run: elsewhere Tools/format", "mentions neither"),
    ("bash\ntrue", "", "unknown language"),
    ("json\n{,}", "", "invalid JSON"),
    ("python\npass", "", "nothing runs this block"),
    ("python\npass", "run: file x.py", "no command after this block uses its file"),
    ("\na b", "", "nothing runs this block"),
    ("\na 1", "run: output echo a 2", "+a 2"),
    ("\na 1", "run: output echo a 1", ""),
]


def result(block, comment, root, programs, folder):
    path = folder / "docs/page.md"
    body = f"<!-- {comment}-->\n" if comment.endswith("\n") else f"<!-- {comment} -->\n" if comment else ""
    path.write_text(f"# Page\n\n{body}{FENCE}{block}\n{FENCE}\n")
    try:
        # The pages of the test are not in the repository, whose files `elsewhere` names.
        blocks = pages.read(path, folder)
        return "\n".join(PageRun(blocks, root, programs, 20).run().failures)
    except pages.PageError as error:
        return str(error)


def check_cases(root, programs, folder):
    for block, comment, expected in CASES:
        real = result(block, comment, root, programs, folder)
        if bool(real) != bool(expected) or expected not in real:
            sys.exit(f"Tools/check-commands --self-test: {comment} {block!r}: expected {expected!r}, got {real!r}")


def check_end(root, programs, folder):
    """Nothing that a page starts may stay, even outside its session."""
    start = time.monotonic()
    block = "sh\n(setsid sleep 1000) &\n(setsid bash -c 'trap \"\" TERM; while sleep 0.1; do true; done') &\nsleep 0.3"
    result(block, "", root, programs, folder)
    if isolation.descendants(os.getpid()) or time.monotonic() - start > 60:
        sys.exit("Tools/check-commands --self-test: processes of a page stay after its end")


def run(root, programs):
    isolation.adopt_orphans()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").mkdir()
        check_cases(root, programs, folder)
        check_end(root, programs, folder)
    if expectation.on_terminal("a 10 %\ra 100 %\x1b[K\nb\r\x1b[Kc\n") != "a 100 %\nc\n":
        sys.exit("Tools/check-commands --self-test: what a terminal shows")
    print(f"Tools/check-commands: can fail ({len(CASES)} cases)")
    return 0
