"""Events: from nova serve to many subscribers, and to many subscriptions of one client."""

from harness.samples import json_lines, median, spread
from harness.text import duration, number, paragraph, ranged, rounded, table

TITLE = "Events"
PROGRAMS = ["EventBenchmark"]
NEEDS_NOVA = True
ROUNDS = 1

LATENCIES = ("p50_ms", "p99_ms")


def measure(bench):
    """The figures of each round, by part and events a second."""
    results = {}
    seconds = "60" if bench.full else "10"
    parts = ["fan-out", "limit", "client", "users", "sockets"]
    for step in range(bench.rounds):
        for part in parts:
            bench.log(f"round {step + 1} of {bench.rounds}: {part}")
            command = [bench.program("EventBenchmark"), "--serve", bench.serve, "--seconds", seconds, part]
            for line in json_lines(command):
                results.setdefault(line["kind"], {}).setdefault(str(line["rate"]), []).append(line)
    return {"parts": results}


def page(results, charts):
    """A table per part, with a column per rate."""
    parts = results["parts"]
    fan_out, limit, client = parts["fan-out"], parts["limit"], parts["client"]
    first = next(iter(fan_out.values()))[0]
    return "\n\n".join([
        paragraph(f"""
            A release `nova-serve`, 10,000 subscribers on plain sockets in a process of their own, and 100 of them with a
            topic to which events are posted at a fixed rate, for {first['seconds']} s. Latency is from the time at which an
            event was due until a subscriber has read it. Both processes share the cores. Before the measurement, the
            server's history is filled, so that its memory is that of a server that has run for a long time.
        """),
        table([""] + [heading(rate) for rate in fan_out], server_rows(list(fan_out.values()))),
        paragraph(f"""
            10,000 subscribers connect within {number(first['connect_s'])} s. The server has {first['threads']:.0f} threads,
            and a subscriber that waits costs
            {(first['memory_connected_mb'] - first['memory_empty_mb']) * 1024 / 10_000:.0f} KB. Every 15 s, each subscriber
            gets a heartbeat; runs of a minute (`--full`) have higher latencies because of it. At higher rates, for 10 s each:
        """),
        table([""] + [heading(rate) for rate in limit], limit_rows(list(limit.values()))),
        "100 subscriptions of one NovaSDK client, over one connection, for 10 s:",
        charts.bars(
            "events-client", "CPU of a client with 100 subscriptions", "µs a delivery, less is better",
            [(f"NovaSDK, {int(rate):,} events/s", *spread(figure(lines, "client_us_per_delivery")))
             for rate, lines in client.items()]),
        table([""] + [heading(rate) for rate in client], client_rows(list(client.values()))),
        *users_part(parts.get("users")),
        *sockets_part(parts.get("sockets")),
    ])


def users_part(users):
    """Many users on one client; nothing before they were measured."""
    if not users:
        return []
    first = next(iter(users.values()))[0]
    return [
        paragraph(f"""
            {first['users']:,.0f} users on one NovaSDK client, each with a token of their own. Some of them are subscribed to
            `me`, each over a connection of their own. The gateway is in the process and has no sockets, so these figures are
            those of the SDK alone; a socket for each subscriber comes on top. An idle user is an `EventService` with a token.
        """),
        table([""] + [f"{int(count):,} subscribers" for count in users], users_rows(list(users.values()))),
    ]


def sockets_part(users):
    """Many users on one client over sockets; nothing before they were measured."""
    if not users:
        return []
    first = next(iter(users.values()))[0]
    return [
        paragraph(f"""
            {first['users']:,.0f} users on one NovaSDK client over sockets: `nova serve --require-tokens` is a process of its own, in which
            each user has registered over this client. Some of them are subscribed to `me`. Each of these saves a post
            and removes it again, five times, and only this user gets the events. Latency is measured from the start
            of the call that causes an event until the subscriber has read it, with 32 concurrent calls. At the end,
            half of the subscribers leave, and all of them, including those that left, cause one more event. The number of files excludes those that
            the process has open without subscriptions.
        """),
        table([""] + [f"{int(count):,} subscribers" for count in users], sockets_rows(users)),
    ]


def sockets_rows(users):
    """What many users cost over sockets, and whether each gets their own events."""

    def of(name, text):
        return [text.format(median(figure(lines, name))) for lines in users.values()]

    def events(lines):
        bad = {name: sum(figure(lines, name)) for name in ("missing", "foreign", "resyncs", "failures")}
        found = [f"{count:,.0f} {name}" for name, count in bad.items() if count]
        return ", ".join(found) if found else "each its own, once, and nobody another's"

    return [
        ["memory of an idle user", *of("idle_user_bytes", "{:,.0f} bytes")],
        ["memory of a subscription", *of("subscription_kb", "{:.1f} KB")],
        ["what of it is allocated", *of("allocated_kb", "{:.1f} KB")],
        ["the same after ten events", *of("busy_subscription_kb", "{:.1f} KB")],
        ["until all are connected", *of("connect_s", "{:.2f} s")],
        ["CPU to connect one", *of("connect_us", "{:.0f} µs")],
        ["CPU while nothing happens", *of("calm_cpu_percent", "{:.2f} % of one core")],
        ["events", *map(events, users.values())],
        ["latency, p50 and p99", *map(latency, users.values())],
        ["events after half have left", *of("received_after_half_left", "{:,.0f}")],
        ["threads", *of("threads", "{:.0f}")],
        ["open files, and after the end", *(
            " and ".join(f"{median(figure(lines, name)):,.0f}" for name in ("files", "files_after"))
            for lines in users.values())],
        ["memory of the server", *of("server_mb", "{:.0f} MB")],
    ]


def users_rows(columns):
    """What many users cost."""

    def of(name, text):
        return [text.format(median(figure(lines, name))) for lines in columns]

    return [
        ["memory of an idle user", *of("idle_user_bytes", "{:,.0f} bytes")],
        ["memory of a subscription", *of("subscription_kb", "{:.1f} KB")],
        ["the same after 100 events", *of("busy_subscription_kb", "{:.1f} KB")],
        ["until all are connected", *of("connect_s", "{:.2f} s")],
        ["CPU to connect one", *of("connect_us", "{:.0f} µs")],
        ["CPU while nothing happens", *of("calm_cpu_percent", "{:.2f} % of one core")],
        ["threads", *of("threads", "{:.0f}")],
        ["open files of the process", *of("files", "{:.0f}")],
    ]


def heading(rate):
    """The column of a rate."""
    return f"{int(rate):,} events/s"


def figure(lines, name):
    """One figure in each round."""
    return [line[name] for line in lines]


def latency(lines, prefix=""):
    """The medians of p50 and p99."""
    return " and ".join(duration(median(figure(lines, prefix + name)) * 1000) for name in LATENCIES)


def delivered(lines):
    """Whether everything arrived, in order and once."""
    bad = {name: sum(line.get(name, 0) for line in lines) for name in ("missing", "lost", "repeated", "resyncs")}
    found = [f"{count:,.0f} {name}" for name, count in bad.items() if count]
    return ", ".join(found) if found else "all, in order, none twice"


def rate(lines):
    """Deliveries a second."""
    return rounded(median(figure(lines, "deliveries_per_second")))


def server_cpu(lines):
    """The server's part of a core, and its time for one delivery."""
    percent = median(figure(lines, "server_cpu_percent"))
    return f"{percent:.0f} % of one core, {ranged(figure(lines, 'server_us_per_delivery'))} µs a delivery"


def server_rows(columns):
    """What the server's long runs show."""

    def memory(lines, *names):
        return ", ".join(f"{median(figure(lines, name)):.0f}" for name in names) + " MB"

    return [
        ["deliveries/s", *map(rate, columns)],
        ["delivered", *map(delivered, columns)],
        ["latency, p50 and p99", *map(latency, columns)],
        ["memory: without subscribers, with 10,000, with a full history",
         *(memory(lines, "memory_empty_mb", "memory_connected_mb", "memory_history_mb") for lines in columns)],
        ["memory during the run, least and most",
         *(memory(lines, "memory_least_mb", "memory_most_mb") for lines in columns)],
        ["CPU of the server", *map(server_cpu, columns)],
        ["one event to the 9,900 others, p50 and p99", *(latency(lines, "idle_") for lines in columns)],
    ]


def limit_rows(columns):
    """What the server's short runs at high rates show."""
    return [
        ["deliveries/s", *map(rate, columns)],
        ["delivered", *map(delivered, columns)],
        ["latency, p50 and p99", *map(latency, columns)],
        ["CPU of the server", *map(server_cpu, columns)],
    ]


def client_rows(columns):
    """What the client's runs show."""
    return [
        ["deliveries/s", *map(rate, columns)],
        ["delivered", *map(delivered, columns)],
        ["latency, p50 and p99", *map(latency, columns)],
        ["CPU of the client", *(f"{ranged(figure(lines, 'client_us_per_delivery'))} µs a delivery" for lines in columns)],
    ]
