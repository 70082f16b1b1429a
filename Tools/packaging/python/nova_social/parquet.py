"""Converts fixture sets to Parquet, for Spark and warehouses.

  nova fixtures generate --users 100000 --out fixtures
  pip install pyarrow
  python -m nova_social.parquet fixtures --out parquet           parquet/users.parquet, …
  python -m nova_social.parquet shards/2 --out parts             parts/users/part-00002-of-00008.parquet, …

Reads the NDJSON files of a set, or of shards of `nova fixtures generate --shard`. Each shard can be converted by a process
of its own. The types are those of `Proto/`; `nova fixtures schema` prints them. A file appears when it is complete.
"""
from __future__ import annotations

import argparse
import base64
import datetime
import decimal
import errno
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from nova_social.programs import program

try:
    import pyarrow as arrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
    import pyarrow.parquet as parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]
except ImportError:
    sys.exit("fixtures-to-parquet: cannot import pyarrow; install it with `pip install pyarrow`")

ROWS = 10_000
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)


class Problem(Exception):
    """What failed, why, and what to do."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="fixtures-to-parquet",
        description="Convert fixture sets, or shards of them, to Parquet files with the types of the contract.")
    parser.add_argument("sets", nargs="+", metavar="directory", help="A set, or shards of one, with NDJSON files.")
    parser.add_argument("--out", required=True, metavar="directory",
                        help="The directory to write; created if absent, but not the one it is in.")
    parser.add_argument("--entities", metavar="names", help="The entities, separated by commas. Default: all of the set.")
    parser.add_argument("--compression", default="snappy", choices=["snappy", "zstd", "gzip", "none"],
                        help="Default: snappy, which every reader supports.")
    parser.add_argument("--nova", default=os.environ.get("NOVA"), metavar="program",
                        help="The nova program, which prints the schema. Default: $NOVA, that of this package, or that "
                        "on the PATH.")
    options = parser.parse_args()
    try:
        manifests = [(Path(path), manifest(Path(path))) for path in options.sets]
        require_same_set(manifests)
        schema = Schema(schema_text(options.nova))
        out = Path(options.out)
        create(out)
        work = [one for path, contents in manifests for one in conversions(path, contents, out, options.entities)]
        for conversion in work:
            require_one_table(conversion, out)
        for conversion in work:
            convert(conversion, schema, options.compression)
    except Problem as problem:
        sys.exit(f"fixtures-to-parquet: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)


def manifest(path: Path) -> Dict[str, Any]:
    """Reads the manifest of a set or shard that can be converted."""
    try:
        contents: Dict[str, Any] = json.loads((path / "manifest.json").read_bytes())
    except OSError as error:
        raise Problem(f"cannot read {path}/manifest.json: {error.strerror}; expected a directory of nova fixtures")
    except ValueError:
        raise Problem(f"invalid manifest {path}/manifest.json; write the set again, with --force")
    if contents.get("kind") not in ("nova-fixtures/1", "nova-fixtures-shard/1"):
        raise Problem(f"cannot read {path}: another version of nova wrote it; use the script of that version")
    if "ndjson" not in contents["formats"]:
        raise Problem(f"{path} has no NDJSON; write it with --format ndjson")
    if contents["dialect"] != "wire":
        raise Problem(f"{path} has the dialect {contents['dialect']}; write it without --dialect")
    return contents


def require_same_set(manifests: Sequence[Tuple[Path, Dict[str, Any]]]) -> None:
    """Refuses inputs whose files would replace one another, or are not of one set."""
    def options(contents: Dict[str, Any]) -> Dict[str, Any]:
        return {key: contents.get(key) for key in ("seed", "size", "entities", "fields_sha256")}
    first, contents = manifests[0]
    places: Dict[Any, Path] = {}
    for path, other in manifests:
        if options(other) != options(contents) or ("shard" in other) != ("shard" in contents):
            raise Problem(f"{first} and {path} are not of one set; convert each to a directory of its own")
        if "shard" in other and other["shard"].split("/")[1] != contents["shard"].split("/")[1]:
            raise Problem(f"{first} is shard {contents['shard']}, and {path} is shard {other['shard']}")
        shard = other.get("shard")
        if shard in places:
            what = f"shard {shard}" if shard else "complete sets"
            raise Problem(f"{places[shard]} and {path} are both {what}; pass each once")
        places[shard] = path


def schema_text(nova: str | None) -> str:
    """The schema that nova prints: that of this package, or else of the PATH."""
    try:
        nova = nova or str(program())
    except FileNotFoundError:
        raise Problem("cannot find nova, neither beside this Python nor on the PATH; install it, or name it with --nova or "
                      "NOVA")
    run = run_nova(nova, "fixtures", "schema")
    if run.returncode or "message " not in run.stdout:
        shown = run_nova(nova, "--version")
        version = shown.stdout.partition("\n")[0].strip() if shown.returncode == 0 else ""
        reason = (run.stderr.strip().splitlines() or ["it printed something else"])[0].removeprefix("nova: ")
        raise Problem(f"{nova}, version {version or 'unknown'}, cannot print the schema: {reason}; update it, or name "
                      "another with --nova or NOVA")
    return run.stdout


def run_nova(nova: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run([nova, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Problem(f"cannot run {nova}: {error.strerror or error}; name another program with --nova or NOVA")


class Field:
    """A field of a message, with its column's type and how to read it from JSON."""

    def __init__(self, name: str, kind: str, label: str, key: str | None = None) -> None:
        self.name, self.kind, self.label, self.key = name, kind, label, key
        head, *rest = name.split("_")
        self.names = {name, head + "".join(part[:1].upper() + part[1:] for part in rest)}

    def is_nullable(self, schema: Schema) -> bool:
        return self.label == "optional" or (self.label == "" and self.kind in schema.messages)

    def arrow_type(self, schema: Schema) -> Any:
        inner = schema.arrow_type(self.kind)
        if self.label == "repeated":
            return arrow.list_(arrow.field("element", inner, nullable=False))
        if self.label == "map":
            return arrow.map_(schema.arrow_type(self.key or "string"), arrow.field("value", inner, nullable=False))
        return inner

    def value(self, value: Any, schema: Schema) -> Any:
        if self.label == "repeated":
            return [schema.value(self.kind, item) for item in require(value, list)]
        if self.label == "map":
            return [(key, schema.value(self.kind, item)) for key, item in sorted(require(value, dict).items())]
        return schema.value(self.kind, value)


def require(value: Any, *types: type) -> Any:
    # In Python, a Boolean is an integer.
    if not isinstance(value, types) or isinstance(value, bool) and bool not in types:
        raise ValueError(f"unexpected {json.dumps(value)[:60]}")
    return value


class Schema:
    """The messages that `nova fixtures schema` prints."""

    integers = {"int32": (arrow.int32(), 31), "sint32": (arrow.int32(), 31), "sfixed32": (arrow.int32(), 31),
                "int64": (arrow.int64(), 63), "sint64": (arrow.int64(), 63), "sfixed64": (arrow.int64(), 63),
                # Not every reader has unsigned integers.
                "uint32": (arrow.int64(), 32), "fixed32": (arrow.int64(), 32)}
    others = {"bool": arrow.bool_(), "string": arrow.string(), "bytes": arrow.binary(), "double": arrow.float64(),
              "float": arrow.float32(), "uint64": arrow.decimal128(20), "fixed64": arrow.decimal128(20),
              "google.protobuf.Timestamp": arrow.timestamp("us", tz="UTC")}

    def __init__(self, text: str) -> None:
        self.messages: Dict[str, List[Field]] = {}
        for name, body in re.findall(r"^message (\w+) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL):
            fields = []
            for line in filter(None, map(str.strip, body.splitlines())):
                field = re.fullmatch(
                    r"(?:map<(\w+), ([\w.]+)>|(?:(optional|repeated) )?([\w.]+)) (\w+) = \d+;", line)
                if not field:
                    raise Problem(f"cannot read the schema: {line}")
                key, inner, label, kind, field_name = field.groups()
                fields.append(Field(field_name, inner or kind, "map" if key else label or "", key))
            self.messages[name] = fields

    def record(self, entity: str) -> List[Field]:
        """The fields of an entity's records."""
        file = self.messages.get(entity[:1].upper() + entity[1:])
        if not file:
            raise Problem(f"unknown entity {entity}; see `nova fixtures list`")
        return self.messages[file[0].kind]

    def arrow_schema(self, fields: List[Field]) -> Any:
        return arrow.schema([arrow.field(field.name, field.arrow_type(self), nullable=field.is_nullable(self))
                             for field in fields])

    def arrow_type(self, kind: str) -> Any:
        if kind in self.messages:
            return arrow.struct(list(self.arrow_schema(self.messages[kind])))
        if kind in self.integers:
            return self.integers[kind][0]
        return self.others[kind]

    def value(self, kind: str, value: Any) -> Any:
        """A value of JSON as pyarrow takes it. Nothing is converted that would change it."""
        if kind in self.messages:
            return self.message(self.messages[kind], value)
        if kind in self.integers:
            number = int(require(value, int))
            lowest = 0 if kind in ("uint32", "fixed32") else -(1 << self.integers[kind][1])
            if not lowest <= number < 1 << self.integers[kind][1]:
                raise ValueError(f"{number} is out of range for {kind}")
            return number
        if kind in ("uint64", "fixed64"):
            return decimal.Decimal(require(value, int))
        if kind in ("double", "float"):
            real = float(require(value, int, float, str))
            return struct.unpack("f", struct.pack("f", real))[0] if kind == "float" else real
        if kind == "bool":
            return require(value, bool)
        if kind == "bytes":
            return base64.b64decode(require(value, str), validate=True)
        if kind == "google.protobuf.Timestamp":
            return microseconds(require(value, str))
        return require(value, str)

    def message(self, fields: List[Field], value: Any) -> Dict[str, Any]:
        value = dict(require(value, dict))
        row = {}
        for field in fields:
            names = field.names & value.keys()
            if names:
                row[field.name] = field.value(value.pop(names.pop()), self)
            elif field.is_nullable(self):
                row[field.name] = None
            else:
                raise ValueError(f"{field.name} is missing")
        if value:
            raise ValueError(f"unknown field {sorted(value)[0]}")
        return row


def microseconds(text: str) -> int:
    """A time as microseconds since 1970, for years that Python's `datetime` has, 1 to 9999."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z", text)
    if not match:
        raise ValueError(f"invalid time {text}")
    fraction = (match[2] or "").ljust(9, "0")
    if fraction[6:].strip("0"):
        raise ValueError(f"{text} has nanoseconds, which the column does not have")
    whole = datetime.datetime.fromisoformat(match[1]).replace(tzinfo=datetime.timezone.utc)
    return (whole - EPOCH) // MICROSECOND + int(fraction[:6])


class Conversion(NamedTuple):
    """A file of a set or shard, what its manifest says about it, and the file to write."""

    entity: str
    source: Path
    file: Dict[str, Any]
    target: Path


def conversions(path: Path, contents: Dict[str, Any], out: Path, chosen: str | None) -> List[Conversion]:
    """What to convert of a set or shard."""
    files = {file["entity"]: file for file in contents["files"] if file["format"] == "ndjson"}
    found = []
    for entity in chosen.split(",") if chosen else contents["entities"]:
        if entity not in files:
            raise Problem(f"{path} has no {entity}; it has {', '.join(files)}")
        target = out / f"{entity}.parquet"
        if "shard" in contents:
            index, count = map(int, contents["shard"].split("/"))
            target = out / entity / f"part-{index:05}-of-{count:05}.parquet"
        found.append(Conversion(entity, path / files[entity]["name"], files[entity], target))
    return found


def require_one_table(conversion: Conversion, out: Path) -> None:
    """Refuses a mixture of complete sets and shards, or of shards of different numbers, which readers would not notice."""
    entity, target = conversion.entity, conversion.target
    table, parts = out / f"{entity}.parquet", out / entity
    number = target.name.rpartition("-of-")[2]
    problem = f"{table} has the table of a complete set" if target != table and table.exists() else None
    for part in sorted(parts.glob("part-*.parquet")):
        if target == table:
            problem = f"{parts} has the table of shards"
        elif not part.name.endswith(f"-of-{number}"):
            problem = f"{part} is of another number of shards"
    if problem:
        raise Problem(f"cannot write {target}: {problem}; choose another --out, or remove the tables in {out}")


def create(folder: Path) -> None:
    """Creates a directory, but not the one it is in, as nova does."""
    if not folder.parent.is_dir():
        raise Problem(f"cannot create {folder}: there is no directory {folder.parent}; create it")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise Problem(f"cannot create {folder}: {error.strerror}{advice(error) or '; choose another --out'}")


def advice(error: OSError) -> str:
    return "; free space, and convert again" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""


def convert(conversion: Conversion, schema: Schema, compression: str) -> None:
    """Converts a file. Readers of a folder ignore names that begin with a period."""
    _, source, file, target = conversion
    fields = schema.record(conversion.entity)
    create(target.parent)
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    columns = schema.arrow_schema(fields)
    digest = hashlib.sha256()
    try:
        with open(source, "rb") as lines, parquet.ParquetWriter(partial, columns, compression=compression) as writer:
            rows = []
            for number, line in enumerate(lines, 1):
                digest.update(line)
                try:
                    rows.append(schema.message(fields, json.loads(line)))
                except ValueError as error:
                    raise Problem(f"{source}:{number}: {error}; write the set again, with --force, or name the nova that "
                                  "wrote it with --nova or NOVA")
                if len(rows) == ROWS:
                    writer.write_table(arrow.Table.from_pylist(rows, schema=columns))
                    rows = []
            if rows:
                writer.write_table(arrow.Table.from_pylist(rows, schema=columns))
        if digest.hexdigest() != file["sha256"]:
            raise Problem(f"{source} was changed since it was written; write the set again, with --force")
        with open(partial, "rb") as written:
            os.fsync(written.fileno())
        os.replace(partial, target)
    except OSError as error:
        raise Problem(f"cannot convert {source} to {target}: {error.strerror or error}{advice(error)}")
    finally:
        partial.unlink(missing_ok=True)
    print(f"{target}: {file['records']} rows")


if __name__ == "__main__":
    main()
