"""Calls of GetFollowers over gRPC: rate, CPU, memory, and latency, beside plain C and grpc-swift-2."""

from harness import build, client, counts, grpc_server, text
from harness.samples import alternate, median, spread, target
from harness.sections.calls import processor_times, rates

TITLE = "gRPC"
PROGRAMS = ["NovaCalls", "CurlGRPCCalls"]

TYPED, C, GRPC_SWIFT = "NovaSDK, a typed call", "plain C, libcurl", "grpc-swift-2 + SwiftProtobuf"
LOADS = [1, 16, 64]
COUNTED = [1, 64]

_PEER = build.ROOT / "Benchmarks/grpc-swift"


def prepare():
    """Builds the server, and the peer, which is in a package of its own."""
    grpc_server.make()
    build.product(_PEER, "GRPCSwiftCalls")


def measure(bench):
    """All loads, each with all clients in turn, and then the counts of allocations and system calls."""
    clients = [
        client.Client(C, bench.program("CurlGRPCCalls")),
        client.Client(TYPED, bench.program("NovaCalls")),
        client.Client(GRPC_SWIFT, build.path(_PEER, "GRPCSwiftCalls")),
    ]
    with grpc_server.GRPCServer() as server:
        loads = [_measure_load(bench, server.url, clients, in_flight) for in_flight in LOADS]
        counted = [_count(bench, server.url, clients, in_flight) for in_flight in COUNTED]
    results = {"loads": loads, "counts": counted}
    results["targets"] = _targets(results)
    return results


def _measure_load(bench, url, clients, in_flight):
    bench.log(f"calls over gRPC, {in_flight} in flight")
    calls = {}
    for candidate in clients:  # As many calls as take a second, by the better of two trials.
        trials = [candidate.run(url, in_flight, 500 + 4 * in_flight) for _ in range(2)]
        calls[candidate.name] = int(max(rates(trials)))
    runs = alternate(clients, bench.rounds, lambda one: one.run(url, in_flight, calls[one.name]))
    return {
        "in_flight": in_flight, "runs": {candidate.name: samples for candidate, samples in zip(clients, runs)},
    }


def _count(bench, url, clients, in_flight):
    bench.log(f"allocations and system calls over gRPC, {in_flight} in flight")
    allocations, system_calls = counts.Allocations(bench.work), counts.SystemCalls(bench.work)
    result = {"in_flight": in_flight, "tool": system_calls.tool, "clients": {}}
    for candidate in clients:

        def command(calls):
            return candidate.command(url, in_flight, calls)

        size = 64 * 30
        result["clients"][candidate.name] = {
            "allocations": counts.per_call(allocations, command, size, repetitions=1),
            "system_calls": counts.per_call(system_calls, command, size, repetitions=3),
        }
    return result


# What is computed from the samples


def _ratio(results, in_flight, peer, values=rates, of=TYPED):
    """The ratio of the medians of typed calls, or of another client, and of a peer."""
    runs = next(load["runs"] for load in results["loads"] if load["in_flight"] == in_flight)
    return median(values(runs[of])) / median(values(runs[peer]))


def _targets(results):
    targets = []
    for in_flight, goal in ((1, 4), (16, 2), (64, 2)):
        what = f"typed calls over gRPC per second, {in_flight} in flight, compared with grpc-swift-2"
        targets.append(target(what, f"≥ {goal} ×", _ratio(results, in_flight, GRPC_SWIFT)))
        what = f"CPU of a typed call over gRPC, {in_flight} in flight, compared with grpc-swift-2"
        targets.append(target(what, "≤ 0.4 ×", _ratio(results, in_flight, GRPC_SWIFT, processor_times)))
        what = f"typed calls over gRPC per second, {in_flight} in flight, compared with plain C"
        targets.append(target(what, "≥ 0.75 ×", _ratio(results, in_flight, C)))
    return targets


# The page


INTRODUCTION = """
    GetFollowers with 20 ids over plain HTTP/2 and one connection. The server is gRPC's own C++ library with its callback
    API, on loopback, and shares the cores: see `Benchmarks/grpc-server`. Every client sends a token of 388 characters,
    a request ID for each call, and a deadline, and checks the response: the number of decoded IDs, or, in C, the status
    and the length. A run takes a second, after a warm-up that opens the connection.
"""

CLIENTS = [
    (C, "`curl_multi` on one thread, one handle for each call in flight; the request is framed once, and nothing is decoded"),
    (TYPED, "`client.call(GraphRPC.getFollowers, request)` with a session's token, retries, retry budget, and circuit breaker"),
    (GRPC_SWIFT, "`GRPCClient.unary` over `HTTP2ClientTransport.Posix` with SwiftProtobuf's messages, as its generated "
     "code calls it; no retries"),
]


def page(results, charts):
    """The section of the page."""
    clients = "| client | how it calls |\n|---|---|\n" + "\n".join(f"| {name} | {how} |" for name, how in CLIENTS)
    parts = [text.paragraph(INTRODUCTION), clients]
    for load in results["loads"]:
        if load["in_flight"] in (1, 64):
            parts.append(_chart(load, charts))
    parts += [_table(load) for load in results["loads"]]
    parts.append(text.paragraph(f"""
        With one call in flight, a client mostly waits for the server, and for a core to wake: there, plain C makes
        {text.number(_ratio(results, 1, GRPC_SWIFT, of=C))} times as many calls as grpc-swift-2.
    """))
    parts += ["### Allocations and system calls over gRPC", _counts_table(results["counts"])]
    return "\n\n".join(parts)


def _chart(load, charts):
    title = f"Calls per second over gRPC, {load['in_flight']} in flight"
    rows = [(name, *spread(rates(runs))) for name, runs in load["runs"].items()]
    return charts.bars(f"grpc-{load['in_flight']}", title, "calls/s, more is better", rows)


def _table(load):
    header = [f"{load['in_flight']} in flight", "calls/s", "CPU per call, µs", "p50, µs", "p99, µs", "peak memory, MB"]
    rows = [[
        name, text.ranged(rates(runs), text.rounded), text.ranged(processor_times(runs)),
        *(text.rounded(median([run[key] for run in runs])) for key in ("p50_us", "p99_us")),
        f"{median([run['peak_kb'] for run in runs]) * 1024 / 1e6:.0f}",
    ] for name, runs in load["runs"].items()]
    return text.table(header, rows)


def _counts_table(counted):
    header = ["client"] + [
        f"{what}, {one['in_flight']} in flight" for what in ("allocations", "system calls") for one in counted]
    rows = [
        [name] + [f"{one['clients'][name][key]:.1f}" for key in ("allocations", "system_calls") for one in counted]
        for name in counted[0]["clients"]
    ]
    return text.table(header, rows)
