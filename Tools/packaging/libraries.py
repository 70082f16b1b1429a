"""The shared libraries that the programs load when they first need them: no tool finds these in the programs.

Each is a dependency as strong as what stops without it. The alternatives are the names of the same library in other
releases: Debian 13 and Ubuntu 24.04 renamed those with 64-bit times.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    file: str  # as dlopen() gets it
    title: str
    oldest: str
    packages: tuple  # Debian's packages that have it, the preferred one first
    strength: str  # Depends, Recommends, or Suggests
    purpose: str  # what fails without it


LIBRARIES = [
    Library("libcurl.so.4", "libcurl", "7.68",
            ("libcurl4", "libcurl4t64", "libcurl3-gnutls", "libcurl3t64-gnutls"), "Depends",
            "every call of nova, except with --mock"),
    Library("libcrypto.so.3", "OpenSSL's libcrypto", "1.1.0", ("libssl3", "libssl3t64", "libssl1.1"), "Depends",
            "uploads, sign-in, saved sessions, and the accounts of nova serve"),
    Library("libsqlite3.so.0", "SQLite", "3.12", ("libsqlite3-0",), "Recommends",
            "working offline (nova outbox, --offline) and nova fixtures generate --format sqlite"),
    Library("libnghttp2.so.14", "nghttp2", "1.40", ("libnghttp2-14",), "Recommends", "calls of gRPC servers"),
    Library("libpq.so.5", "libpq", "10", ("libpq5",), "Suggests", "nova outbox with --postgres"),
    Library("libz.so.1", "zlib", "1.2.0", ("zlib1g",), "Recommends", "compressed messages of gRPC"),
]


def dependencies(strength):
    """As the fields of a Debian package write them: libcurl4 | libcurl4t64, …"""
    return [" | ".join(each.packages) for each in LIBRARIES if each.strength == strength]
