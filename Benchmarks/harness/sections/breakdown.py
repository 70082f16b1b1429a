"""Where the CPU time of a call goes: samples of perf by thread and library."""

import os
import re
import shutil
import subprocess

from harness import client, server, text
from harness.sections import calls

TITLE = "Where the CPU time of a call goes"
PROGRAMS = ["NovaCalls", "AsyncHTTPClientCalls", "CurlCalls"]
ROUNDS = 1

IN_FLIGHT = 64
CALLS = 150_000
#: What stands for which libraries; what is in none of them is the program's own code.
PARTS = {
    "kernel": r"\[kernel|\[vdso|\[unknown",
    "libcurl": r"libcurl",
    "C library: memory, strings, locks": r"libc\.so|libpthread|ld-linux",
    "Swift runtime and scheduler": r"libswift|libdispatch|libBlocks",
    "Foundation": r"Foundation|ICU",
}
OWN = "the program and the packages in it"


def measure(bench):
    """CPU time per call, by thread and part, of each client."""
    if not shutil.which("perf"):
        raise RuntimeError("perf is missing: install the package linux-perf")
    with server.Server(bench.work) as nginx:
        clients = [
            client.Client(calls.C, bench.program("CurlCalls")),
            client.Client(calls.TYPED, bench.program("NovaCalls")),
            client.Client(calls.AHC, bench.program("AsyncHTTPClientCalls")),
        ]
        return {"clients": {one.name: _sampled(bench, one.command(nginx.url("plain"), IN_FLIGHT, CALLS)) for one in clients}}


def _sampled(bench, command):
    """µs of CPU per call, by thread and part."""
    data = os.path.join(bench.work, "perf.data")
    result = client.run_json(["perf", "record", "-q", "-F", "4999", "-o", data, "--", *command])
    report = subprocess.run(
        ["perf", "report", "-i", data, "--stdio", "-q", "--no-children", "--sort", "comm,dso"],
        capture_output=True, text=True, check=True).stdout
    cost, found = result["cpu_us"] / result["calls"], {}
    for share, thread, library in re.findall(r"^\s*([\d.]+)%\s+(\S+)\s+(.+?)\s*$", report, re.MULTILINE):
        part = next((name for name, pattern in PARTS.items() if re.search(pattern, library)), OWN)
        key = f"{'transport thread' if thread == 'nova-curl' else 'other threads'}/{part}"
        found[key] = found.get(key, 0) + float(share) / 100 * cost
    return {"us": cost, "parts": found}


def page(results, charts):
    """A table of parts by client."""
    sampled = results["clients"]

    def part(name, thread, label):
        threads = [thread] if thread else ["transport thread", "other threads"]
        return sum(sampled[name]["parts"].get(f"{one}/{label}", 0) for one in threads)

    columns = [
        (calls.C, None, calls.C), ("NovaSDK: the transport's thread", "transport thread", calls.TYPED),
        ("NovaSDK: the threads of tasks", "other threads", calls.TYPED), (calls.AHC, None, calls.AHC),
    ]
    rows = [
        [label] + [text.number(part(name, thread, label)) for _, thread, name in columns] for label in [*PARTS, OWN]]
    totals = [sum(part(name, thread, label) for label in [*PARTS, OWN]) for _, thread, name in columns]
    rows.append(["together"] + [text.number(total) for total in totals])
    return "\n\n".join([
        text.paragraph(f"""
            µs of CPU per call, {IN_FLIGHT} in flight, HTTP/1.1, as perf samples them, by the library that was running. A
            typed call of NovaSDK is the sum of its two columns. Sampling makes everything a tenth slower than above.
        """),
        text.table([""] + [title for title, _, _ in columns], rows),
        text.paragraph("""
            The SDK accounts for the smaller part of a call: the kernel sends and receives, and libcurl writes the
            request's head byte by byte and reads the response's. The transport's thread does the same work as the
            loop in C, and passes each response to the task that waits for it. The tasks' threads do the rest of the
            typed call: JSON in both directions, the session's token, the request ID, header fields, retries, limits,
            metrics, the checks of the response, and waking.
        """),
        "### Why some targets are missed",
        text.paragraph("""
            Rate over HTTP/1.1 with 64 in flight: one thread runs libcurl, and its time per call limits the rate,
            whatever the other threads do. That thread alone takes longer than the whole loop in C, because it also
            resumes tasks, because callbacks cross into Swift, and because libcurl reports the sockets to wait for one
            by one. So the rate is about 0.88
            times that of plain C. 2.2 times the rate of AsyncHTTPClient, and 14 times that of URLSession, would
            exceed or nearly reach the rate of plain C: both are faster on this machine than on the one on which the
            targets were set.

            Rate with 16 in flight: responses arrive one by one, so the threads of tasks and the transport's thread
            sleep between them. On this virtual machine, waking another core takes about 5 µs on the waking core, and
            longer on the other one. The transport alone has the same limit; the loop in C has no second thread to
            wake. Three alternatives were measured and rejected. Polling for responses up to 256 more times before the
            thread sleeps changes nothing beyond the noise with 16 in flight, and costs a tenth of the rate with 64.
            Running the calling tasks on the transport's own thread, as a task executor, gives 36,800 calls/s with 16 in flight and 36,300 with 64: no
            thread is woken, but one core does everything, at 27 µs per call. Letting the calling task send its
            request itself while the transport's thread sleeps gives 35,700 calls/s instead of 34,800, because the
            responses still wake that thread.

            CPU: 1.52 to 1.56 times that of plain C in the runs of one day. The transport alone, with tasks that do
            nothing else, takes 1.3 times the CPU of the loop in C. So 1.5 times would leave 3.5 µs for the rest of a
            typed call, which takes 4: callgrind counts 53,000 instructions in
            a call over a transport that responds at once, almost a third of them in Swift's runtime (counting references,
            allocating and switching tasks) and malloc, a sixth in reading the response, and no other function of the SDK's more
            than 3 %.

            NovaSDK's models through `JSONDecoder`: their fields may be absent or null, which the hand-written structs do not
            accept. To read such a value, Foundation's container looks up the type of an optional in each call, which
            takes 8 % of the time. Looking up each field of two words under both of its names takes 6 %. The rest of
            the difference is calls through generic code that is compiled once for all messages.

            Calls to the mock: 150,000 to 160,000 a second in the runs of two hours, because the host is shared. callgrind counts
            69,000 instructions in a call, of which the mock's are 26,000.

            The clean build is explained under "What SDK consumers build".
        """),
    ])
