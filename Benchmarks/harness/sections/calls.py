"""Calls of GetFollowers: rate, CPU, memory, latency, allocations, and system calls, beside those of other clients."""

from harness import client, counts, server, text
from harness.samples import alternate, median, spread, target

TITLE = "Calls"
PROGRAMS = ["NovaCalls", "AsyncHTTPClientCalls", "URLSessionCalls", "CurlCalls"]

TYPED, TRANSPORT, C = "NovaSDK, a typed call", "NovaSDK, the transport alone", "plain C, libcurl"
AHC, AHC_ONE = "AsyncHTTPClient + JSONDecoder", "the same, on one event loop"
URLSESSION, WRK = "URLSession + JSONDecoder", "wrk"

PROTOCOLS = {"plain": "HTTP/1.1", "tls1": "HTTP/1.1 over TLS", "tls2": "HTTP/2 over TLS"}
#: Which loads are measured; the first is by far the most usual inside a data center.
LOADS = [("plain", 1), ("plain", 16), ("plain", 64), ("plain", 256)] + [
    (kind, in_flight) for kind in ("tls1", "tls2") for in_flight in (1, 64)
]
COUNTED = [("plain", 1), ("plain", 64)]


def measure(bench):
    """All loads, each with all clients in turn, and then the counts of allocations and system calls."""
    with server.Server(bench.work) as nginx:
        clients = _clients(bench)
        loads = [_measure_load(bench, nginx, clients, kind, in_flight) for kind, in_flight in LOADS]
        counted = [_count(bench, nginx, clients, kind, in_flight) for kind, in_flight in COUNTED]
    results = {"loads": loads, "counts": counted}
    results["targets"] = _targets(results)
    return results


def _clients(bench):
    nova, other = bench.program("NovaCalls"), bench.program("AsyncHTTPClientCalls")
    return [
        client.Client(C, bench.program("CurlCalls")),
        client.Client(TRANSPORT, nova, ["--transport-only"]),
        client.Client(TYPED, nova),
        client.Client(AHC, other),
        client.Client(AHC_ONE, other, ["--one-loop"]),
        client.Client(URLSESSION, bench.program("URLSessionCalls")),
        client.Wrk(bench.work),
    ]


def _supports(candidate, kind):
    """URLSession trusts the system's authorities only, on Linux; wrk has no HTTP/2."""
    return kind == "plain" or candidate.name not in (URLSESSION, WRK if kind == "tls2" else None)


def _connection(nginx, kind):
    """The arguments of a run that say how to connect."""
    return {"version": "2" if kind == "tls2" else "1.1", "ca_file": None if kind == "plain" else nginx.ca_file}


def _measure_load(bench, nginx, clients, kind, in_flight):
    bench.log(f"calls, {PROTOCOLS[kind]}, {in_flight} in flight")
    candidates = [candidate for candidate in clients if _supports(candidate, kind)]
    url, connection = nginx.url(kind), _connection(nginx, kind)
    calls = {}
    for candidate in candidates:  # As many calls as take a second, by the better of two trials.
        trials = [candidate.run(url, in_flight, 1000 + 4 * in_flight, **connection) for _ in range(2)]
        calls[candidate.name] = int(max(rates(trials)))
    runs = alternate(candidates, bench.rounds, lambda one: one.run(url, in_flight, calls[one.name], **connection))
    return {
        "protocol": kind, "in_flight": in_flight,
        "runs": {candidate.name: samples for candidate, samples in zip(candidates, runs)},
    }


def _count(bench, nginx, clients, kind, in_flight):
    bench.log(f"allocations and system calls, {in_flight} in flight")
    allocations, system_calls = counts.Allocations(bench.work), counts.SystemCalls(bench.work)
    url, connection = nginx.url(kind), _connection(nginx, kind)
    result = {"protocol": kind, "in_flight": in_flight, "tool": system_calls.tool, "clients": {}}
    for candidate in clients:
        if candidate.name in (WRK, AHC_ONE):
            continue

        def command(calls):
            return candidate.command(url, in_flight, calls, **connection)

        size = 64 * (15 if candidate.name == URLSESSION else 60)
        result["clients"][candidate.name] = {
            "allocations": counts.per_call(allocations, command, size, repetitions=1),
            "system_calls": counts.per_call(system_calls, command, size, repetitions=5),
        }
    return result


# What is computed from the samples


def rates(samples):
    """Calls per second of each run."""
    return [sample["calls"] / sample["seconds"] for sample in samples]


def processor_times(samples):
    """CPU time of each run in µs per call."""
    return [sample["cpu_us"] / sample["calls"] for sample in samples]


def _load(results, kind, in_flight):
    return next(
        load["runs"] for load in results["loads"] if load["protocol"] == kind and load["in_flight"] == in_flight)


def _ratio(results, kind, in_flight, peer, values=rates):
    """The ratio of the medians of typed calls and of a peer."""
    runs = _load(results, kind, in_flight)
    return median(values(runs[TYPED])) / median(values(runs[peer]))


def _targets(results):
    wanted = [
        ("plain", 64, AHC, 2.2), ("plain", 16, AHC, 2.2), ("plain", 64, URLSESSION, 14), ("plain", 16, URLSESSION, 14),
        ("plain", 64, C, 0.8), ("plain", 16, C, 0.8), ("plain", 1, AHC, 2), ("plain", 1, C, 0.75),
        ("tls2", 64, AHC, 1.5),
    ]
    targets = []
    for kind, in_flight, peer, goal in wanted:
        what = f"typed calls per second, {in_flight} in flight, {PROTOCOLS[kind]}, compared with {peer}"
        targets.append(target(what, f"≥ {goal} ×", _ratio(results, kind, in_flight, peer)))
    cost = _ratio(results, "plain", 64, C, processor_times)
    targets.append(target(f"CPU of a typed call, 64 in flight, HTTP/1.1, compared with {C}", "< 1.5 ×", cost))
    return targets


# The page


INTRODUCTION = """
    GetFollowers with 20 ids: a `POST` of 61 bytes with a token of 388 characters. nginx, with one worker on loopback,
    responds with 829 bytes, and shares the cores. Every client sends the same headers, with a request ID for each
    call, and checks the response: the number of decoded IDs, or, in C and for the transport alone, the status and the
    length. A run takes a second, after a warm-up that opens the connections.
"""

CLIENTS = [
    (C, "`curl_multi` and `curl_multi_poll` on one thread, one handle for each call in flight; decodes nothing"),
    (TRANSPORT, "`CurlTransport.send` with a request that was made before; decodes nothing"),
    (TYPED, "`client.call(GraphRPC.getFollowers, request)` with a session's token, retries, retry budget, and circuit "
     "breaker; at most 64 transfers at once, the default"),
    (AHC, "one shared client, `HTTPClient.Configuration()`, on an event loop for each core, the default, and then on one; "
     "structs with `CodingKeys`, an encoder and a decoder for each worker"),
    (URLSESSION, "one session, `convertFromSnakeCase`; not over TLS, because on Linux it trusts the system's "
     "authorities only"),
    (WRK, "one thread; what the server can give; has no HTTP/2"),
]

COUNTS = """
    For one call, on all threads: the difference between a run and one of twice as many calls. Allocations are calls of
    `malloc`, `calloc`, `realloc`, and aligned allocations.
"""


def page(results, charts):
    """The section of the page."""
    parts = [text.paragraph(INTRODUCTION), _clients_text()]
    for load in results["loads"]:
        if load["in_flight"] == 64:
            parts.append(_chart(load, charts))
    one, many = (
        text.number(_ratio(results, kind, in_flight, AHC_ONE)) for kind, in_flight in (("plain", 1), ("tls2", 64)))
    parts.append(text.paragraph(f"""
        The targets compare with AsyncHTTPClient's default of one event loop per core. On one event loop, it is faster
        with one call in flight, where NovaSDK makes {one} times as many calls per second over HTTP/1.1, and over HTTP/2, where
        it makes {many} times as many with 64.
    """))
    for kind, name in PROTOCOLS.items():
        parts.append(f"### {name}")
        parts += [_table(load) for load in results["loads"] if load["protocol"] == kind]
    parts += ["### Allocations and system calls", text.paragraph(COUNTS), _counts_table(results["counts"])]
    return "\n\n".join(parts)


def _clients_text():
    return "| client | how it calls |\n|---|---|\n" + "\n".join(f"| {name} | {how} |" for name, how in CLIENTS)


def _chart(load, charts):
    title = f"Calls per second, {PROTOCOLS[load['protocol']]}, {load['in_flight']} in flight"
    names = {AHC_ONE: "AsyncHTTPClient, one event loop"}
    rows = [(names.get(name, name), *spread(rates(runs))) for name, runs in load["runs"].items() if name != WRK]
    return charts.bars(f"calls-{load['protocol']}-{load['in_flight']}", title, "calls/s, more is better", rows)


def _table(load):
    header = [f"{load['in_flight']} in flight", "calls/s", "CPU per call, µs", "p50, µs", "p99, µs", "peak memory, MB"]
    rows = []
    for name, runs in load["runs"].items():
        own = "cpu_us" in runs[0]  # wrk does not print its own use.
        rows.append([
            name, text.ranged(rates(runs), text.rounded), text.ranged(processor_times(runs)) if own else "",
            *(text.rounded(median([run[key] for run in runs])) for key in ("p50_us", "p99_us")),
            f"{median([run['peak_kb'] for run in runs]) * 1024 / 1e6:.0f}" if own else "",
        ])
    return text.table(header, rows)


def _counts_table(counted):
    header = ["client"] + [
        f"{what}, {one['in_flight']} in flight" for what in ("allocations", "system calls") for one in counted]
    rows = [
        [name] + [f"{one['clients'][name][key]:.1f}" for key in ("allocations", "system_calls") for one in counted]
        for name in counted[0]["clients"]
    ]
    return text.table(header, rows)
