"""Runs a page: its blocks in their order, in one shell."""
import tempfile
import time

from commands import evidence, expectation, isolation
from commands.pages import PageError
from commands.shell import Shell, TimeOut

CTRL_C = "^C"


class PageRun:
    def __init__(self, blocks, root, programs, limit):
        self.blocks, self.root, self.programs, self.limit = blocks, root, programs, limit
        self.failures, self.updates, self.counts = [], [], {}
        self.last_output, self.slowest = "", (0.0, "")

    def run(self):
        """Runs the blocks, the ones after a failure too. Fills `failures`, `updates` and `counts`."""
        with tempfile.TemporaryDirectory(prefix="commands-", ignore_cleanup_errors=True) as folder:
            self.shell = Shell(folder, self.programs, self.root, self.limit)
            try:
                for block in self.blocks:
                    start = time.monotonic()
                    try:
                        self.run_block(block)
                    except PageError as error:
                        self.failures.append(str(error))
                    except TimeOut as error:
                        self.failures.append(f"{block.place}: {error}")
                        break
                    self.slowest = max(self.slowest, (time.monotonic() - start, block.place))
            finally:
                self.shell.close()
        return self

    def run_block(self, block):
        action = evidence.decide(block, self.blocks, self.root)
        self.counts[action] = self.counts.get(action, 0) + 1
        if action in ("elsewhere", "picture"):
            return
        if "stop" in block.keys:
            self.shell.stop_servers()
        if block.setup:
            self.must_succeed(block, "\n".join(block.setup), " (its setup)")
        if action == "start":
            self.start(block)
        elif action == "run" and block.language == "console":
            self.run_console(block)
        elif action == "run":
            text = "\n".join(block.replacement or block.lines)
            self.must_succeed(block, text, "", block.statuses(1)[0], "terminal" in block.keys)
        elif action == "output":
            self.check_output(block)
        elif action == "write":
            path = self.shell.folder / "page" / block.keys["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(block.lines) + "\n", encoding="utf-8")

    def must_succeed(self, block, text, what, expected=0, terminal=False):
        status, output = self.shell.run(text, expected, terminal)
        self.last_output = output
        if status != expected:
            raise PageError(f"{block.place}: exit status {status}, expected {expected}{what}:\n{indented(text)}\n"
                            f"{indented(expectation.normalized(output)[-4000:])}")

    def start(self, block):
        listening, output = self.shell.start("\n".join(block.replacement or block.lines))
        self.last_output = output
        if not listening:
            raise PageError(f"{block.place}: did not listen:\n{indented(output)}")

    def run_console(self, block):
        commands = block.commands()
        texts = block.replacement or [command.text for command in commands]
        if len(texts) != len(commands):
            raise PageError(f"{block.place}: as has {len(texts)} commands in place of {len(commands)}")
        failures, written = [], ""
        for command, text, expected in zip(commands, texts, block.statuses(len(commands))):
            status, output, shown = self.run_command(block, command, text, expected)
            written += output
            place = f"{block.page}:{command.line}"
            if status != expected:
                failures.append(f"{place}: exit status {status}, expected {expected}: $ {text}\n{indented(output)}")
            elif not any(expectation.matches(lines, output, "numbers" in block.keys)
                         for lines in (shown, without(CTRL_C, shown))):
                failures.append(f"{place}: other output: $ {text}\n{indented(expectation.difference(shown, output))}")
                if CTRL_C not in command.expected:
                    self.updates.append((command.first, command.end, block.indent, expectation.normalized(output)))
        self.last_output = written
        if failures:
            raise PageError("\n".join(failures))

    def run_command(self, block, command, text, expected):
        """The status and output of a command, and the output that the page shows."""
        terminal = "terminal" in block.keys
        if CTRL_C not in command.expected:
            return *self.shell.run(text, expected, terminal), command.expected
        position = command.expected.index(CTRL_C)
        shown = command.expected if terminal else command.expected[:position] + command.expected[position + 1:]
        return *self.shell.run_until(text, command.expected[:position], terminal), shown

    def check_output(self, block):
        """Compares a block with the output of the commands before it, or of a command that readers do not see."""
        output, text = self.last_output, block.keys["output"]
        if text:
            expected = block.statuses(1)[0]
            status, output = self.shell.run(text, expected, "terminal" in block.keys)
            if status != expected:
                raise PageError(f"{block.place}: exit status {status}, expected {expected}: $ {text}\n{indented(output)}")
        if not expectation.matches(block.lines, output, "numbers" in block.keys):
            end = block.line + len(block.lines)
            self.updates.append((block.line, end, block.indent, expectation.normalized(output)))
            raise PageError(f"{block.place}: other output\n{indented(expectation.difference(block.lines, output))}")


def without(line, lines):
    """The lines without one: a program that erases its temporary line also erases what the terminal wrote there."""
    return [other for other in lines if other != line]


def indented(text):
    return "\n".join("    " + line for line in text.rstrip("\n").split("\n"))


def run_isolated(blocks, root, programs, limit, network):
    """Runs a page in this process, which adopts and ends all that the page leaves behind."""
    if network:
        isolation.enter_empty_network()
    isolation.adopt_orphans()
    return PageRun(blocks, root, programs, limit).run()
