"""The oldest glibc that the programs run with: the one place that says it, and the check that it is true."""
import re
import subprocess

# Debian 12 has 2.36, and Ubuntu 22.04 2.35. A higher floor would leave out systems of docs/install.md.
FLOOR = (2, 35)


def floor():
    """As in a dependency: 2.35."""
    return ".".join(map(str, FLOOR))


def manylinux(architecture):
    """The tag of wheels for this floor: manylinux_2_35_x86_64."""
    return f"manylinux_{FLOOR[0]}_{FLOOR[1]}_{architecture}"


def symbols(text):
    """The versions of glibc in the output of `objdump -T`, each with a symbol that needs it."""
    found = {}
    for line in text.splitlines():
        match = re.search(r"\*UND\*\s+\S+\s+\(?GLIBC_(\d+(?:\.\d+)+)\)?\s+(\S+)", line)
        if match:
            found.setdefault(tuple(map(int, match[1].split("."))), match[2])
    return found


def needed(program):
    """The highest version of glibc that a program's symbols need, and one of these symbols."""
    text = subprocess.run(["objdump", "-T", program], check=True, text=True, stdout=subprocess.PIPE).stdout
    found = symbols(text)
    if not found:
        raise SystemExit(f"{program} has no symbol of glibc; is it a program for Linux that is linked with glibc?")
    highest = max(found)
    return highest, found[highest]


def check(programs):
    """Ends the program if one of the programs needs a newer glibc than the floor."""
    for program in programs:
        version, symbol = needed(program)
        if version > FLOOR:
            raise SystemExit(
                f"{program} needs glibc {'.'.join(map(str, version))} (for {symbol}), and the floor is {floor()}; "
                "build it on an older system, call something else, or raise FLOOR in Tools/packaging/glibc.py and change "
                "docs/install.md")
