"""Decoding and encoding: JSON by NovaSDK, SwiftProtobuf, and Foundation in several ways, and protobuf's binary format."""

from harness.samples import json_lines, median, spread, target
from harness.text import duration, paragraph, ranged, table

TITLE = "JSON and protobuf"
PROGRAMS = ["CodecBenchmark"]

CASES = {
    "posts-20": "20 posts", "ids-1000": "1,000 ids", "posts-1000": "1,000 posts",
    "posts-1000-plain": "1,000 posts without escapes",
}
BINARY_CASES = {"binary-posts-20": "20 posts", "binary-ids-1000": "1,000 ids", "binary-posts-1000": "1,000 posts"}
BINARY_NAMES = {"nova": "NovaSDK", "protobuf": "SwiftProtobuf", "nova-json": "NovaSDK's JSON of the same"}
NAMES = {
    "nova": "NovaSDK",
    "protobuf": "SwiftProtobuf JSON",
    "keys": "{coder}, CodingKeys",
    "proto-json": "ProtoJSON on {coder}",
    "snake-case": "{coder}, snake case",
    "nova-models": "NovaSDK's models through {coder}",
}
CODERS = {"decode": "JSONDecoder", "encode": "JSONEncoder"}


def measure(bench):
    """The CPU times of each round, by operation, case, and candidate; and the targets."""
    times, sizes = {}, {}
    for number in range(bench.rounds):
        bench.log(f"round {number + 1} of {bench.rounds}")
        for line in json_lines([bench.program("CodecBenchmark")]):
            sizes[line["case"]] = line["bytes"]
            candidates = times.setdefault(line["operation"], {}).setdefault(line["case"], {})
            candidates.setdefault(line["candidate"], []).append(line["us"])
    return {"times": times, "sizes": sizes, "targets": targets(times)}


def targets(times):
    """The targets, from the medians of all rounds."""
    decode, encode = times["decode"]["posts-1000"], times["encode"]["posts-1000"]
    plain = times["decode"]["posts-1000-plain"]

    def ratio(a, b):
        return median(a) / median(b)

    return [
        target("decode 1,000 posts: JSONDecoder with CodingKeys takes", "≥ 13 ×", ratio(decode["keys"], decode["nova"])),
        target("decode 1,000 posts: SwiftProtobuf JSON takes", "≥ 4 ×", ratio(decode["protobuf"], decode["nova"])),
        target("the same without escapes: SwiftProtobuf JSON takes", "≥ 4 ×", ratio(plain["protobuf"], plain["nova"])),
        target(
            "decode 1,000 posts: JSONDecoder with convertFromSnakeCase takes", "≥ 24 ×",
            ratio(decode["snake-case"], decode["nova"])),
        target("encode 1,000 posts: JSONEncoder with CodingKeys takes", "≥ 10 ×", ratio(encode["keys"], encode["nova"])),
        target(
            "decode 1,000 posts as NovaSDK's models through JSONDecoder, against CodingKeys", "≤ 1 ×",
            ratio(decode["nova-models"], decode["keys"])),
    ] + binary_targets(times)


def binary_targets(times):
    """The targets of the binary format."""
    found = []
    for operation in ("decode", "encode"):
        candidates = times[operation]["binary-posts-1000"]
        nova = median(candidates["nova"])
        found += [
            target(
                f"{operation} 1,000 posts in binary: SwiftProtobuf takes", "≥ 3 ×", median(candidates["protobuf"]) / nova),
            target(
                f"{operation} 1,000 posts in binary: NovaSDK's JSON takes", "≥ 2 ×", median(candidates["nova-json"]) / nova),
        ]
    return found


def page(results, charts):
    """Two charts of 1,000 posts, and a table per operation."""
    parts = [paragraph("""
        CPU time of one thread, medians. Every candidate reads the same bytes, with the backend's own field names, and
        its result is checked before anything is timed; the output of the encoders must decode to the original. The
        text of each post has two quotation marks, which JSON escapes; the last column has the same posts without
        them.
    """)]
    for operation, verb in (("decode", "Decoding"), ("encode", "Encoding")):
        cases = results["times"][operation]
        rows = [(name(key, operation), *spread(values)) for key, values in cases["posts-1000"].items()]
        kilobytes = results["sizes"]["posts-1000"] // 1000
        parts.append(charts.bars(
            f"json-{operation}", f"{verb} 1,000 posts, {kilobytes} KB", "µs of CPU, less is better", ordered(rows)))
        header = [f"{verb}"] + [f"{CASES[case]}, {results['sizes'][case] // 1000} KB" for case in CASES]
        rows = [
            [name(key, operation)] + [ranged(cases[case][key], duration) for case in CASES]
            for key in NAMES if key in cases["posts-1000"]
        ]
        parts.append(table(header, rows))
    parts.append(paragraph("""
        "CodingKeys" means handwritten structs without defaults for absent fields. "Snake case" means structs without
        CodingKeys, with `convertFromSnakeCase` and `convertToSnakeCase`. SwiftProtobuf's messages are generated from
        the same `.proto` files; it writes field names and integers like the backend. It reads strings with escapes
        much more slowly than strings without them, so both kinds of posts are shown. "ProtoJSON on JSONDecoder" is a small re-creation of
        how Google's Swift SDK reads JSON, written for this page: it wraps JSONDecoder's containers, so that fields
        can be absent or have either name, integers can be strings, and unknown values of enumerations are preserved. NovaSDK and SwiftProtobuf accept all of that, too. NovaSDK's models are `Codable`, so they also work
        with Foundation's coders.
    """))
    return "\n\n".join(parts + binary(results, charts))


def binary(results, charts):
    """The part about protobuf's binary format, of which calls over gRPC consist."""
    parts = ["### Protobuf's binary format", paragraph("""
        The messages of calls over gRPC, beside NovaSDK's JSON of the same messages. SwiftProtobuf wrote the bytes that all
        decoders read, and NovaSDK's encoder must write the same ones.
    """)]
    for operation, verb in (("decode", "Decoding"), ("encode", "Encoding")):
        cases = results["times"][operation]
        rows = [(BINARY_NAMES[key], *spread(values)) for key, values in cases["binary-posts-1000"].items()]
        kilobytes = results["sizes"]["binary-posts-1000"] // 1000
        parts.append(charts.bars(
            f"binary-{operation}", f"{verb} 1,000 posts in binary, {kilobytes} KB", "µs of CPU, less is better", ordered(rows)))
        header = [verb] + [f"{BINARY_CASES[case]}, {results['sizes'][case] // 1000} KB" for case in BINARY_CASES]
        parts.append(table(header, [
            [BINARY_NAMES[key]] + [ranged(cases[case][key], duration) for case in BINARY_CASES] for key in BINARY_NAMES]))
    return parts


def name(key, operation):
    """A candidate as the page shows it."""
    return NAMES[key].format(coder=CODERS[operation])


def ordered(rows):
    """The rows, the fastest first."""
    return sorted(rows, key=lambda row: row[1])
