"""What the SDK adds to a transfer, and how fast calls end that are cancelled or wait for one session."""

from harness.samples import json_lines
from harness.text import paragraph, ranged, table

TITLE = "What the SDK adds to a transfer"
PROGRAMS = ["CallBenchmark"]
ROUNDS = 3


def measure(bench):
    """All lines of each round."""
    rounds = []
    for number in range(bench.rounds):
        bench.log(f"round {number + 1} of {bench.rounds}")
        rounds.append(json_lines([bench.program("CallBenchmark")]))
    return {"rounds": rounds}


def page(results, charts):
    """Tables of the steps of a call, and of cancellation."""
    lines = [line for lines in results["rounds"] for line in lines]

    def names(kind):
        return list(dict.fromkeys(line["name"] for line in lines if line["kind"] == kind))

    def figure(kind, name, unit):
        return ranged([line[unit] for line in lines if line["kind"] == kind and line["name"] == name])

    storm = names("refresh")[0]
    return "\n\n".join([
        paragraph("""
            A call of GetFollowers with 20 ids over a transport in memory that responds at once. Each row from the third on
            includes those above it. All have the code for metrics and tracing, and the program has set up neither.
        """),
        table(["µs of CPU per call", ""], [[name, figure("pipeline", name, "us")] for name in names("pipeline")]),
        paragraph("From `cancel()` to the end of the call, 200 times:"),
        table(["a call that waits for", "median, ms", "worst, ms"], [
            [name, figure("cancellation", name, "ms"), figure("cancellation", name, "worst_ms")]
            for name in names("cancellation")]),
        paragraph(f"""
            {int(storm.split()[0]):,} calls at once on an expired session, with a refresh of 100 ms: exactly one refresh, and the last
            call ends after {figure("refresh", storm, "ms")} ms, in the worst of several storms after
            {figure("refresh", storm, "worst_ms")} ms.
        """),
    ])
