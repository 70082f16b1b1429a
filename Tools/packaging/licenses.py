"""The licenses of what the programs contain, as SPDX names them, from the files of the packages."""

import re

APACHE = "Apache-2.0"
# Parts of other projects that a package contains in a module of its own: name, home page, license.
VENDORED = {
    "CNIOLLHTTP": ("llhttp", "https://github.com/nodejs/llhttp", "MIT"),
    "CNIOSHA1": ("freebsd-sha1", "https://github.com/freebsd/freebsd-src", "BSD-3-Clause"),
}
# Shared libraries, by the name of the file that is loaded.
SHARED = {
    "libc.so.6": "LGPL-2.1-or-later",
    "libcrypto.so.3": APACHE,
    "libcurl.so.4": "curl",
    "libgcc_s.so.1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libnghttp2.so.14": "MIT",
    "libpq.so.5": "PostgreSQL",
    "libsqlite3.so.0": "blessing",
    "libstdc++.so.6": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libz.so.1": "Zlib",
}


def of_checkout(folder):
    """The license of a package, from its file."""
    for name in ("LICENSE.txt", "LICENSE", "LICENSE.md"):
        path = folder / name
        if path.exists():
            return of_text(path.read_text(encoding="utf-8"), path)
    raise SystemExit(f"{folder} has no license file; look for its license, and extend Tools/packaging/licenses.py")


def of_text(text, path):
    words = " ".join(text.split())
    if re.match(r"Apache License Version 2\.0", words):
        return f"{APACHE} WITH Swift-exception" if "Runtime Library Exception" in words else APACHE
    if "Permission is hereby granted, free of charge" in words:
        return "MIT"
    raise SystemExit(f"unknown license: {path}; read it, and extend Tools/packaging/licenses.py")


def vendored_version(module, folder):
    """The version of a copy in a checkout, from its own files."""
    sources = folder / "Sources" / module
    if module == "CNIOLLHTTP":
        header = (sources / "include/c_nio_llhttp.h").read_text(encoding="utf-8")
        return ".".join(re.search(rf"LLHTTP_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    return re.search(r"\$KAME: \S+ (\S+)", (sources / "c_nio_sha1.c").read_text(encoding="utf-8"))[1]
