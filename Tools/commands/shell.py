"""The shell of a page: it runs the page's blocks one after another, as a reader's terminal does."""
import fcntl
import os
import re
import select
import shlex
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

from commands import expectation, isolation

STRICT = "set -euo pipefail"


class TimeOut(Exception):
    """A command did not end in time."""


class Shell:
    """A bash in a fresh folder with a fresh home, in which only the given programs of NovaSDK are on the PATH."""

    def __init__(self, folder, programs, root, limit):
        self.folder, self.limit, self.count = Path(folder), limit, 0
        self.tool = root / "Tools/check-commands"
        for name in ("home", "page", "temporary", "bin", "steps"):
            (self.folder / name).mkdir()
        for name in ("nova", "nova-serve"):
            (self.folder / "bin" / name).symlink_to(Path(programs).resolve() / name)
        home = self.folder / "home"
        # Without this, curl succeeds whatever the server answers.
        (home / ".curlrc").write_text("fail-with-body\nsilent\nshow-error\n")
        self.environment = {
            "PATH": f"{self.folder}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": str(home), "TMPDIR": str(self.folder / "temporary"), "REPOSITORY": str(root), "TERM": "xterm",
            "XDG_CONFIG_HOME": f"{home}/.config", "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_CACHE_HOME": f"{home}/.cache", "XDG_STATE_HOME": f"{home}/.local/state",
            "NO_COLOR": "1", "COLUMNS": "120", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        self.start_shell()

    def start_shell(self):
        self.reports, writer = os.pipe()
        self.pending, self.writer = b"", writer
        self.process = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=self.environment, cwd=self.folder / "page", pass_fds=[writer],
            start_new_session=True)
        os.close(writer)

    def restart(self):
        """Starts another shell after a failure has ended the first one: with what was exported, in the same folder."""
        os.close(self.reports)
        self.start_shell()
        state = self.folder / "state"
        if state.exists():
            self.send(f". {state}; exec 2>/dev/null")

    def close(self):
        self.process.stdin.close()
        isolation.end_descendants()
        os.close(self.reports)

    def run(self, text, expected_status=0, terminal=False):
        """Runs commands in the shell, and returns their exit status and what they printed.

        Commands that are expected to fail run in a shell of their own, so that the page's shell survives them.
        """
        if self.process.poll() is not None:
            self.restart()
        step, out, collect, _ = self.prepare(text, terminal)
        source = f". {step}" if expected_status == 0 else f"( . {step} )"
        self.send(f"{source} {self.redirections(out)}; __status=$?; set +eu; set +o pipefail; "
                  f"echo $__status >&{self.writer}")
        status = self.report(collect)
        return status, collect()

    def run_until(self, text, before, terminal=False):
        """Runs a command, sends Ctrl-C once it has printed what the page shows, and returns its status and output."""
        if self.process.poll() is not None:
            self.restart()
        step, out, collect, read = self.prepare(text, terminal)
        # The command needs a process group of its own, and bash starts commands in the background with SIGINT ignored.
        self.send(f"setsid env --default-signal bash {step} {self.redirections(out)} & "
                  f"echo $! >&{self.writer}; wait $!; echo $? >&{self.writer}")
        process, deadline = self.report(collect), time.monotonic() + self.limit
        # A program of which the page shows nothing before Ctrl-C draws at least a temporary line.
        while time.monotonic() < deadline and process in isolation.parents():
            if expectation.matches(before, collect()) if before else read or collect():
                break
            time.sleep(0.05)
        # bash loses a signal that arrives while it starts a program.
        time.sleep(0.3)
        # The terminal shows what is typed.
        read.extend(b"^C" if terminal else b"")
        try:
            os.killpg(process, signal.SIGINT)
        except ProcessLookupError:
            pass
        return self.report(collect), collect()

    def start(self, text):
        """Starts commands in the background, as in another terminal, and waits until they listen."""
        if self.process.poll() is not None:
            self.restart()
        step, out, collect, _ = self.prepare(text, False)
        self.send(f"bash {step} {self.redirections(out)} & echo $! >&{self.writer}")
        process = self.report(collect)
        return isolation.wait_until_listening(process, self.limit), collect()

    def stop_servers(self):
        """Ends everything that the page started, except its shell."""
        isolation.end_descendants(kept=[self.process.pid])

    def redirections(self, out):
        return f"</dev/null >{out} 2>&1 {self.writer}>&-"

    def prepare(self, text, terminal):
        """Writes commands into a file. Returns the file, where its output goes, what returns the output, and the
        bytes of a terminal."""
        self.count += 1
        step = self.folder / "steps" / f"{self.count}.sh"
        lines = []
        for line in text.split("\n"):
            lines.append(line)
            # A reader types the next line once the server has printed its address.
            if re.search(r"[^&)}\s]\s*&\s*(#.*)?$", line) and not line.lstrip().startswith(("(", "{")):
                lines.append(f"{shlex.quote(str(self.tool))} --wait-until-listening $!")
        keep = f"trap '{{ export -p; echo cd \"$PWD\"; }} >{self.folder}/state' EXIT"
        step.write_text("\n".join([STRICT, keep, *lines]) + "\n")
        if not terminal:
            out = step.with_suffix(".out")
            return step, out, lambda: out.read_text(errors="replace") if out.exists() else "", bytearray()
        master, slave = os.openpty()
        os.set_blocking(master, False)
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("4H", 40, 120, 0, 0))
        read = bytearray()

        def collect():
            try:
                while part := os.read(master, 65536):
                    read.extend(part)
            except OSError:
                pass
            return expectation.on_terminal(read.decode(errors="replace"))
        # `slave` stays open, so that the output is there after the command has ended.
        return step, os.ttyname(slave), collect, read

    def send(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def report(self, collect):
        """The number that the shell reports next; the shell's own exit status if it ended instead."""
        deadline = time.monotonic() + self.limit
        while b"\n" not in self.pending:
            if select.select([self.reports], [], [], 0.05)[0]:
                part = os.read(self.reports, 64)
                self.pending += part
                if not part:
                    return self.process.wait(self.limit)
            collect()
            if time.monotonic() > deadline:
                raise TimeOut(f"no end after {self.limit:.0f} s; printed until then:\n{collect()}")
        first, _, self.pending = self.pending.partition(b"\n")
        return int(first)
