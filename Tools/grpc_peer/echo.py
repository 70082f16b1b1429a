"""A server whose answers are its requests, for the services of a folder of .proto files, on grpcio.

Calls whose metadata has `fail: 5` fail with this status. Trailing metadata repeats that of the request whose names begin
with `x-`. Reflection is v1alpha, which is all that grpcio has.
"""
import argparse
import asyncio
import collections
import signal
from pathlib import Path

import grpc
from grpc_reflection.v1alpha import reflection

from . import contract
from .control import Control
from .lifetime import add_lifetime, announce

STATUSES = {status.value[0]: status for status in grpc.StatusCode}
PROTOS = contract.ROOT / "Tests/Base/NovaDynamicTests/Proto"


async def begin(context):
    metadata = list(context.invocation_metadata() or ())
    context.set_trailing_metadata(tuple(pair for pair in metadata if pair[0].startswith("x-")))
    code = int(dict(metadata).get("fail", "0"))
    if code:
        await context.abort(STATUSES[code], f"failed as asked: {dict(metadata).get('x-reason', '')}")


def handler(method):
    async def unary(request, context):
        await begin(context)
        return request

    async def repeat(request, context):
        await begin(context)
        for _ in range(3):
            yield request

    async def last(requests, context):
        await begin(context)
        answer = None
        async for request in requests:
            answer = request
        return answer

    async def each(requests, context):
        await begin(context)
        async for request in requests:
            yield request

    kinds = {
        (False, False): (grpc.unary_unary_rpc_method_handler, unary),
        (False, True): (grpc.unary_stream_rpc_method_handler, repeat),
        (True, False): (grpc.stream_unary_rpc_method_handler, last),
        (True, True): (grpc.stream_stream_rpc_method_handler, each),
    }
    make, behavior = kinds[(method.takes_stream, method.is_streaming)]
    return make(behavior, request_deserializer=method.request.FromString,
                response_serializer=method.response.SerializeToString)


async def serve(arguments):
    server = grpc.aio.server()
    services = collections.defaultdict(dict)
    for method in contract.methods(arguments.protos):
        services[method.service][method.name] = handler(method)
    server.add_generic_rpc_handlers(tuple(
        grpc.method_handlers_generic_handler(name, handlers) for name, handlers in services.items()))
    if not arguments.no_reflection:
        reflection.enable_server_reflection((*services, reflection.SERVICE_NAME), server)
    port = server.add_insecure_port(f"127.0.0.1:{arguments.port}")
    await server.start()
    announce(arguments, port=port, control=Control().port)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    await server.stop(1)


def main():
    parser = argparse.ArgumentParser(
        prog="Tools/grpc-peer echo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0, help="default: any free port")
    parser.add_argument("--protos", type=Path, default=PROTOS, help="default: the odd ones of the tests")
    parser.add_argument("--no-reflection", action="store_true")
    add_lifetime(parser)
    asyncio.run(serve(parser.parse_args()))


main()
