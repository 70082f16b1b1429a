"""Virtual environments in .build, with the packages of PyPI that a check needs."""
import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def install(name, requirements):
    """Installs packages into .build/<name>/venv unless they are there, and returns the environment's directory of programs.

    `requirements` is a file with pinned versions. Ends the program with a message if something fails.
    """
    home = ROOT / ".build" / name
    programs = home / "venv/bin"
    stamp = home / "installed"
    version = hashlib.sha256(requirements.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == version and (programs / "python").exists():
        return programs
    stamp.unlink(missing_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    caller = f"Tools/{Path(sys.argv[0]).name}"
    if subprocess.run([sys.executable, "-m", "venv", "--clear", home / "venv"]).returncode:
        sys.exit(f"{caller}: cannot create a virtual environment; install python3-venv")
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "-r", requirements]).returncode:
        file = requirements.relative_to(ROOT)
        sys.exit(f"{caller}: cannot install the packages of {file}; check that pip can reach PyPI")
    stamp.write_text(version)
    return programs
