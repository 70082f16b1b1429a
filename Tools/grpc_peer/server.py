"""A server with every RPC of Proto/, on grpcio.

An answer follows from its request alone, with a value in every field. A call's metadata can ask for another behavior,
as JSON in `peer-behavior`:

    {"tag": "x"}            counts the call under this name
    {"record": true}        keeps request, answer, and metadata of the call
    {"sleep": 2.5}          seconds before the answer
    {"hang": true}          waits until the call is cancelled, or its deadline is over
    {"status": 5, "message": "no", "details": ["ErrorInfo"]}    fails; "details": "all" for every kind
    {"bytes": 1000000}      an answer of this size
    {"gzip": true}          a compressed answer
    {"count": 3, "pause": 0.1, "status": 14}   a stream of three messages, and how it ends
    {"headers": [["x-a", "1"]], "trailers": [["x-b", "2"]]}     metadata of the answer; of names in -bin: base64
    {"echo": ["x-a"]}       these of the request's metadata, as headers and as trailers
    {"first": 2, …}         behaves so for the first two calls with this tag, and then well

`x-grpc-test-echo-initial` and `x-grpc-test-echo-trailing-bin` come back as in gRPC's interoperability tests.

The control port answers HTTP: `GET /counts?tag=x` how many calls were started, are open, were cancelled, completed; and
`GET /calls?tag=x` what was kept.
"""
import argparse
import asyncio
import base64
import collections
import json
import signal
import threading

import grpc
from google.protobuf import json_format
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from . import answers, contract, details
from .control import Control
from .lifetime import add_lifetime, announce

STATUSES = {status.value[0]: status for status in grpc.StatusCode}
UNLIMITED = [
    ("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1),
    # grpcio cancels calls at random when more than 1,000 wait for Python, and those that wait for more than 30 s.
    ("grpc.server.max_pending_requests", 1_000_000), ("grpc.server.max_pending_requests_hard_limit", 1_000_000),
    ("grpc.server_max_unrequested_time_in_server", 3600),
]
INITIAL, TRAILING = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"


class Ledger:
    """What the server has seen, by tag."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counters = collections.defaultdict(collections.Counter)
        self.kept = collections.defaultdict(list)

    def add(self, tag, **changes):
        with self.lock:
            for name, change in changes.items():
                self.counters[tag][name] += change
            return self.counters[tag]["started"]

    def keep(self, tag, call):
        with self.lock:
            self.kept[tag].append(call)

    def counts(self, tag=""):
        with self.lock:
            names = ("started", "open", "completed", "failed", "cancelled")
            return {name: self.counters[tag][name] for name in names}

    def calls(self, tag=""):
        with self.lock:
            return list(self.kept[tag])


def metadata_values(pairs):
    """Pairs of JSON as metadata: values of binary names are base64."""
    return [(name, base64.b64decode(value) if name.endswith("-bin") else value) for name, value in pairs]


def json_pairs(metadata):
    return [(name, base64.b64encode(value).decode() if isinstance(value, bytes) else value) for name, value in metadata]


class Call:
    """One call: its behavior and its bookkeeping."""

    def __init__(self, method, request, context, ledger):
        self.method, self.request, self.context, self.ledger = method, request, context, ledger
        self.metadata = list(context.invocation_metadata() or ())
        self.behavior = json.loads(dict(self.metadata).get("peer-behavior", "{}"))
        self.tag = self.behavior.get("tag", "")
        number = ledger.add(self.tag, started=1, open=1)
        if number > self.behavior.get("first", number):
            self.behavior = {name: self.behavior[name] for name in ("tag", "record") if name in self.behavior}

    def keep(self, answer):
        if not self.behavior.get("record"):
            return
        text = {"preserving_proto_field_name": True}
        self.ledger.keep(self.tag, {
            "rpc": self.method.id, "metadata": json_pairs(self.metadata), "remaining": self.context.time_remaining(),
            "request": json_format.MessageToJson(self.request, **text),
            "answer": json_format.MessageToJson(answer, **text) if answer is not None else None,
        })

    async def begin(self):
        """Sends headers, and waits."""
        echoed = [pair for pair in self.metadata if pair[0] in self.behavior.get("echo", ())]
        given = dict(self.metadata)
        headers = metadata_values(self.behavior.get("headers", ())) + echoed
        trailers = metadata_values(self.behavior.get("trailers", ())) + echoed
        headers += [(INITIAL, given[INITIAL])] if INITIAL in given else []
        trailers += [(TRAILING, given[TRAILING])] if TRAILING in given else []
        if self.behavior.get("gzip"):
            self.context.set_compression(grpc.Compression.Gzip)
        if headers:
            await self.context.send_initial_metadata(headers)
        self.trailers = trailers
        self.context.set_trailing_metadata(tuple(trailers))
        if self.behavior.get("hang"):
            self.keep(None)
            await asyncio.Event().wait()
        await asyncio.sleep(self.behavior.get("sleep", 0))

    async def end(self):
        """Fails if the behavior says so."""
        code, message = self.behavior.get("status", 0), self.behavior.get("message", "")
        if code == 0:
            return
        trailers = list(self.trailers)
        if "details" in self.behavior:
            value = details.status(code, message, self.behavior["details"]).SerializeToString()
            trailers.append(("grpc-status-details-bin", value))
        await self.context.abort(STATUSES[code], message, tuple(trailers))

    def answer(self, index=0):
        answer = answers.answer_to(self.request, self.method.response, index)
        if "bytes" in self.behavior:
            answers.enlarge(answer, self.behavior["bytes"])
        return answer

    def over(self, outcome):
        self.ledger.add(self.tag, open=-1, **{outcome: 1})


def handler(method, ledger):
    """grpcio's handler of an RPC."""

    async def unary(request, context):
        call, outcome = Call(method, request, context, ledger), "cancelled"
        try:
            await call.begin()
            outcome = "failed" if call.behavior.get("status") else "completed"
            if outcome == "failed":
                call.keep(None)
            await call.end()
            answer = call.answer()
            call.keep(answer)
            return answer
        finally:
            call.over(outcome)

    async def stream(request, context):
        call, outcome = Call(method, request, context, ledger), "cancelled"
        try:
            await call.begin()
            for index in range(call.behavior.get("count", 3)):
                answer = call.answer(index)
                call.keep(answer)
                yield answer
                await asyncio.sleep(call.behavior.get("pause", 0))
            if call.behavior.get("stay"):
                await asyncio.Event().wait()
            outcome = "failed" if call.behavior.get("status") else "completed"
            await call.end()
        finally:
            call.over(outcome)

    read, write = method.request.FromString, method.response.SerializeToString
    codec = {"request_deserializer": read, "response_serializer": write}
    if method.is_streaming:
        return grpc.unary_stream_rpc_method_handler(stream, **codec)
    return grpc.unary_unary_rpc_method_handler(unary, **codec)


def credentials(arguments, with_clients):
    certificate, key = (open(path, "rb").read() for path in arguments.tls)
    authority = open(arguments.mutual_tls, "rb").read() if with_clients else None
    return grpc.ssl_server_credentials([(key, certificate)], authority, with_clients)


async def serve(arguments):
    ledger = Ledger()
    options = UNLIMITED + [("grpc.so_reuseport", 0), ("grpc.http2.max_ping_strikes", 0)]
    if arguments.max_concurrent_streams:
        options.append(("grpc.max_concurrent_streams", arguments.max_concurrent_streams))
    if arguments.max_connection_age:
        options += [("grpc.max_connection_age_ms", int(arguments.max_connection_age * 1000)),
                    ("grpc.max_connection_age_grace_ms", 600_000)]
    server = grpc.aio.server(options=options)
    methods = contract.methods()
    services = collections.defaultdict(dict)
    for method in methods:
        services[method.service][method.name] = handler(method, ledger)
    server.add_generic_rpc_handlers(tuple(
        grpc.method_handlers_generic_handler(name, handlers) for name, handlers in services.items()))
    state = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(state, server)
    for name in ("", *services):
        await state.set(name, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection(
        (*services, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    ports = {"port": server.add_insecure_port(f"{arguments.host}:{arguments.port}")}
    if arguments.tls:
        ports["tls"] = server.add_secure_port(f"{arguments.host}:0", credentials(arguments, False))
    if arguments.mutual_tls:
        ports["mutual_tls"] = server.add_secure_port(f"{arguments.host}:0", credentials(arguments, True))
    await server.start()
    ports["control"] = Control(counts=ledger.counts, calls=ledger.calls).port
    announce(arguments, **ports)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    await server.stop(1)


def main():
    parser = argparse.ArgumentParser(
        prog="Tools/grpc-peer server", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="default: any free port")
    parser.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"), help="a second port, with TLS")
    parser.add_argument("--mutual-tls", metavar="AUTHORITY", help="a third port, for clients with its certificates")
    parser.add_argument("--max-concurrent-streams", type=int)
    parser.add_argument("--max-connection-age", type=float, help="seconds after which a connection is ended by GOAWAY")
    add_lifetime(parser)
    arguments = parser.parse_args()
    if arguments.mutual_tls and not arguments.tls:
        parser.error("--mutual-tls requires --tls")
    asyncio.run(serve(arguments))


main()
