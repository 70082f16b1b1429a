"""The Python wheel: nova and nova-serve, which start without Python, and a pytest plugin.

Written here rather than by a build tool, so that the same programs always give the same bytes, and since build tools do
not put programs that are already built among the scripts.
"""

import base64
import hashlib
import io
import re
import stat
import time
import zipfile

from packaging import archive, glibc
from packaging.release import ROOT

# Not `nova`: that is OpenStack's compute service on PyPI. `pip install --upgrade nova` would replace our
# programs by it, an index beside PyPI would be ignored, and scanners would report OpenStack's vulnerabilities.
DISTRIBUTION = "nova-social"
SOURCE = ROOT / "Tools/packaging/python"
PROGRAMS = ("nova", "nova-serve")

METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: The command line and the mock backend of NovaSocial, with fixtures for pytest
Keywords: nova,mock,pytest,testing,grpc
Requires-Python: >=3.9
Requires-Dist: pytest>=7.0
Provides-Extra: parquet
Requires-Dist: pyarrow; extra == "parquet"
Classifier: Environment :: Console
Classifier: Framework :: Pytest
Classifier: Intended Audience :: Developers
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Programming Language :: Python :: 3 :: Only
Classifier: Topic :: Software Development :: Testing :: Mocking
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: Tools/packaging/wheel.py
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """\
[pytest11]
nova = nova_social.pytest_plugin
"""


def build(release):
    """Writes the wheel, and returns its path in a list."""
    tag = f"py3-none-{glibc.manylinux(release.architecture)}"
    stem = f"{normalized(DISTRIBUTION)}-{python_version(release.version)}"
    files = [*modules(), *scripts(release, stem), *metadata(release, stem, tag)]
    # The folder with the metadata is last, as PEP 427 recommends: pip finds it without reading the programs.
    files.append(record(files, f"{stem}.dist-info/RECORD"))
    return [archive.replace(release.output / f"{stem}-{tag}.whl", zipped(files, release.epoch))]


def normalized(name):
    return re.sub(r"[-_.]+", "_", name).lower()


def python_version(version):
    """The version as Python writes it: 1.0.0-beta.2 is 1.0.0b2."""
    return re.sub(
        r"-(alpha|beta|rc)\.?(\d+)$", lambda match: {"alpha": "a", "beta": "b"}.get(match[1], "rc") + match[2], version
    )


def modules():
    package = SOURCE / "nova_social"
    paths = [path for path in sorted(package.iterdir()) if path.suffix == ".py" or path.name == "py.typed"]
    return [archive.File(f"nova_social/{path.name}", path.read_bytes()) for path in paths]


def scripts(release, stem):
    """The programs: nova-serve, and a script that starts it as nova."""
    sources = {"nova": SOURCE / "scripts/nova", "nova-serve": release.program("nova-serve")}
    return [
        archive.File(f"{stem}.data/scripts/{name}", sources[name].read_bytes(), is_program=True) for name in PROGRAMS]


def metadata(release, stem, tag):
    values = {
        "METADATA": METADATA.format(
            name=DISTRIBUTION,
            version=python_version(release.version),
            description=(SOURCE / "README.md").read_text(encoding="utf-8"),
        ),
        "WHEEL": WHEEL.format(tag=tag),
        "entry_points.txt": ENTRY_POINTS,
    }
    return [archive.File(f"{stem}.dist-info/{name}", text.encode()) for name, text in values.items()]


def record(files, path):
    """The list of all files with their digests; its own line has none."""
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.data).digest()).rstrip(b"=").decode()
        lines.append(f"{file.path},sha256={digest},{len(file.data)}\n")
    return archive.File(path, ("".join(lines) + f"{path},,\n").encode())


def zipped(files, epoch):
    buffer = io.BytesIO()
    # Archives of this kind have no dates before 1980.
    date = max(time.gmtime(epoch)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(buffer, "w") as output:
        for file in files:
            entry = zipfile.ZipInfo(file.path, date)
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | file.mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            output.writestr(entry, file.data, compresslevel=9)
    return buffer.getvalue()
