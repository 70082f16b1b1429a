"""An HTTP/2 server that breaks the rules in one way: one port for each behavior.

    Tools/grpc-peer misbehave --behavior no-trailers        one port, for trying a client by hand
    Tools/grpc-peer misbehave --list                        the behaviors, with what each does
    Tools/grpc-peer misbehave                               ports on demand

The control port answers HTTP: `GET /open?behavior=reset&code=7&first=1` opens a port for a behavior and answers its
number, `GET /log?port=N` what came to it: connections, requests, resets, pings. With `first`, only so many calls (or
connections, for behaviors of connections) are treated so; those after them are answered well.
"""
import argparse
import asyncio
import inspect
import sys
import threading

from .behaviors import BEHAVIORS
from .connection import Connection
from .control import Control
from .lifetime import add_lifetime, announce


class Listener:
    """A port with one behavior, and what came to it."""

    def __init__(self, behavior, first, arguments):
        self.behavior, self.first, self.arguments = behavior, first, arguments
        self.lock = threading.Lock()
        self.events, self.connections, self.calls, self.live = [], 0, 0, 0
        # asyncio itself does not keep them.
        self.tasks = set()

    def note(self, connection, what, **facts):
        with self.lock:
            self.events.append({"connection": connection.number, "event": what, **facts})

    def next_call(self):
        with self.lock:
            self.calls += 1
            return self.calls

    def log(self):
        with self.lock:
            counts = {"connections": self.connections, "live": self.live, "calls": self.calls}
            return {**counts, "events": list(self.events)}

    async def accept(self, reader, writer):
        with self.lock:
            self.connections += 1
            self.live += 1
            number = self.connections
        self.tasks.add(asyncio.current_task())
        connection = Connection(self, reader, writer, number)
        try:
            if self.behavior.is_of_connections and number <= self.first:
                await self.behavior.run(connection, **self.arguments)
            else:
                await connection.serve(self.answer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            with self.lock:
                self.live -= 1
            self.tasks.discard(asyncio.current_task())
            for task in list(connection.tasks):
                task.cancel()
            writer.close()

    async def answer(self, call):
        if self.behavior.is_of_connections or call.number > self.first:
            await call.well()
        else:
            await self.behavior.run(call, **self.arguments)


class Listeners:
    """All ports of this program."""

    def __init__(self, host):
        self.host, self.loop, self.by_port = host, asyncio.get_running_loop(), {}

    async def _open(self, listener, port):
        # Room for a request as large as tests send, without waiting for a behavior that does not read.
        server = await asyncio.start_server(listener.accept, self.host, port, limit=1 << 16, backlog=1024)
        port = server.sockets[0].getsockname()[1]
        self.by_port[port] = (listener, server)
        return port

    def listener(self, behavior, first=None, **arguments):
        found = BEHAVIORS[behavior]
        values = {}
        for name, parameter in list(inspect.signature(found.run).parameters.items())[1:]:
            if name in arguments:
                values[name] = type(parameter.default)(arguments.pop(name))
        if arguments:
            raise ValueError(f"{behavior} has no {', '.join(arguments)}")
        return Listener(found, int(first) if first else 1 << 60, values)

    def open(self, behavior, **arguments):
        listener = self.listener(behavior, **arguments)
        return {"port": asyncio.run_coroutine_threadsafe(self._open(listener, 0), self.loop).result(30)}

    def log(self, port):
        return self.by_port[int(port)][0].log()


async def serve(arguments):
    listeners = Listeners(arguments.host)
    ports = {"control": Control(open=listeners.open, log=listeners.log).port}
    if arguments.behavior:
        values = dict(value.split("=", 1) for value in arguments.values)
        ports["port"] = await listeners._open(listeners.listener(arguments.behavior, **values), arguments.port)
    announce(arguments, **ports)
    await asyncio.Event().wait()


def main():
    parser = argparse.ArgumentParser(
        prog="Tools/grpc-peer misbehave", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--behavior", choices=sorted(BEHAVIORS), metavar="NAME")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE", help="of the behavior")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="for --behavior; default: any free port")
    add_lifetime(parser)
    arguments = parser.parse_args()
    if arguments.list:
        for name, behavior in BEHAVIORS.items():
            parameters = list(inspect.signature(behavior.run).parameters.values())[1:]
            values = " ".join(f"{parameter.name}={parameter.default!r}" for parameter in parameters)
            print(f"{name} {values}".rstrip() + f"\n    {behavior.summary}")
        sys.exit(0)
    asyncio.run(serve(arguments))


main()
