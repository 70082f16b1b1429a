"""Calls of GetFollowers: rate, CPU, memory, latency, allocations, and system calls, beside those of other clients."""

from .. import client, counts, server

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
    for candidate in candidates:  # As many calls as take a second.
        sample = candidate.run(url, in_flight, 1000 + 4 * in_flight, **connection)
        calls[candidate.name] = int(sample["calls"] / sample["seconds"])
    runs = client.alternate(
        candidates, bench.rounds, lambda one: one.run(url, in_flight, calls[one.name], **connection))
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
            "system_calls": counts.per_call(system_calls, command, size, repetitions=3),
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
    return client.spread(values(runs[TYPED]))[0] / client.spread(values(runs[peer]))[0]


def _targets(results):
    wanted = [(kind, in_flight, peer, goal) for kind, in_flight, peer, goal in (
        ("plain", 64, AHC, 2.2), ("plain", 16, AHC, 2.2), ("plain", 64, URLSESSION, 14),
        ("plain", 16, URLSESSION, 14), ("plain", 64, C, 0.8), ("plain", 16, C, 0.8), ("plain", 1, AHC, 2),
        ("plain", 1, C, 0.75), ("tls2", 64, AHC, 1.5),
    )]
    targets = []
    for kind, in_flight, peer, goal in wanted:
        text = f"typed calls, {in_flight} in flight, {PROTOCOLS[kind]}: rate of {peer}"
        targets.append((text, f"at least {goal} ×", f"{_ratio(results, kind, in_flight, peer):.2f} ×"))
    cost = _ratio(results, "plain", 64, C, processor_times)
    targets.append((f"typed calls, 64 in flight, HTTP/1.1: CPU of {C}", "under 1.5 ×", f"{cost:.2f} ×"))
    return targets


# The page


def page(results, charts):
    """The section of the page."""
    parts = [
        "## Calls\n",
        "GetFollowers with 20 ids: a `POST` of 61 bytes with a token of 388 characters, answered with 829 bytes by nginx "
        "with one worker on loopback, which shares the cores. Every client sends the same headers, with a request id "
        "for each call, and checks what it got: the number of decoded ids, or in C the status and the length. "
        f"One run takes a second after a warm-up; each round runs all clients once, and begins with another. "
        f"Medians of {len(next(iter(results['loads'][0]['runs'].values())))} rounds, least and greatest in "
        "parentheses.\n",
        _clients_text(),
    ]
    for load in results["loads"]:
        if load["in_flight"] == 64:
            parts.append(_chart(load, charts))
    for kind in PROTOCOLS:
        parts.append(f"### {PROTOCOLS[kind]}\n")
        parts += [_table(load) for load in results["loads"] if load["protocol"] == kind]
    parts.append(_counts_text(results["counts"]))
    return "\n".join(parts)


def _clients_text():
    rows = [
        (C, "`curl_multi` and `curl_multi_poll` on one thread, one handle for each call in flight, nothing decoded"),
        (TRANSPORT, "`CurlTransport.send` with a request that was made before, nothing decoded"),
        (TYPED, "`client.call(GraphRPC.getFollowers, request)` with session, retries, budget, and circuit breaker; "
         "at most 64 transfers at once, the default"),
        (AHC, "one shared client in its default configuration, structs with `CodingKeys`, an encoder and a decoder for "
         "each worker"),
        (URLSESSION, "one session, `convertFromSnakeCase`; not over TLS, because on Linux it accepts the system's "
         "authorities only"),
        (WRK, "one thread; what the server can give"),
    ]
    return "| client | how it calls |\n|---|---|\n" + "".join(f"| {name} | {text} |\n" for name, text in rows)


def _chart(load, charts):
    title = f"Calls per second, {PROTOCOLS[load['protocol']]}, {load['in_flight']} in flight"
    rows = [
        (name, *client.spread(rates(samples))) for name, samples in load["runs"].items() if name not in (WRK, AHC_ONE)
    ]
    return charts.bars(f"calls-{load['protocol']}-{load['in_flight']}", title, "calls/s", rows) + "\n"


def _table(load):
    lines = [
        f"| {load['in_flight']} in flight | calls/s | CPU per call, µs | p50, µs | p99, µs | peak memory, MB |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, samples in load["runs"].items():
        cells = [_shown(rates(samples), ",.0f")]
        cells.append(_shown(processor_times(samples), ".1f") if "cpu_us" in samples[0] else "")
        cells += [_median(sample[key] for sample in samples) for key in ("p50_us", "p99_us")]
        cells.append(f"{_greatest(samples, 'peak_kb') / 1000:.0f}" if "peak_kb" in samples[0] else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _shown(values, form):
    middle, low, high = client.spread(values)
    return f"{middle:{form}} ({low:{form}} to {high:{form}})"


def _median(values):
    return f"{client.spread(list(values))[0]:,.0f}"


def _greatest(samples, key):
    return max(sample[key] for sample in samples)


def _counts_text(counted):
    heads = [f"{kind}, {one['in_flight']} in flight" for kind in ("allocations", "system calls") for one in counted]
    lines = [
        "### Allocations and system calls\n",
        "For one call, all threads: the difference between a run and one of twice as many calls. Allocations are calls "
        "of `malloc`, `calloc`, `realloc`, and aligned allocations, counted by a preloaded library; system calls are "
        f"counted by {counted[0]['tool']}.\n",
        "| client | " + " | ".join(heads) + " |",
        "|---|" + "--:|" * len(heads),
    ]
    for name in counted[0]["clients"]:
        cells = [f"{one['clients'][name][key]:.1f}" for key in ("allocations", "system_calls") for one in counted]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
