"""One HTTP/2 connection of the server that misbehaves: it reads frames, and does with them what a behavior asks for."""
import asyncio
import socket
import struct

import hpack

from . import frames


class Window:
    """How much the client lets this server send."""

    def __init__(self):
        self.connection, self.initial, self.streams, self.changed = 65535, 65535, {}, asyncio.Condition()

    async def take(self, stream, size):
        async with self.changed:
            self.streams.setdefault(stream, self.initial)
            await self.changed.wait_for(lambda: min(self.connection, self.streams[stream]) >= size)
            self.connection -= size
            self.streams[stream] -= size

    async def give(self, stream, size):
        async with self.changed:
            if stream:
                self.streams[stream] = self.streams.get(stream, self.initial) + size
            else:
                self.connection += size
            self.changed.notify_all()

    async def set(self, initial):
        async with self.changed:
            for stream in self.streams:
                self.streams[stream] += initial - self.initial
            self.initial = initial
            self.changed.notify_all()


class Call:
    """A request that has come whole, and what can be sent for it."""

    def __init__(self, connection, stream, number, fields, body):
        self.connection, self.stream, self.number = connection, stream, number
        self.fields, self.body = fields, body
        self.is_streaming = dict(fields).get(":path", "").endswith("/StreamEvents")

    # GetFollowersResponse with u1 and u2 of two, or an Event: e:1, e:2, …
    def content(self, index=1):
        return b"\x0a\x03e:%d" % index if self.is_streaming else b"\x0a\x02u1\x0a\x02u2\x10\x02"

    async def head(self, status=200, fields=(), end=False, type="application/grpc"):
        start = [(":status", status)] + ([("content-type", type)] if type else [])
        await self.raw(frames.headers(self.stream, start + list(fields), end))

    async def message(self, payload=None, flag=0, length=None):
        await self.data(frames.message(self.content() if payload is None else payload, flag, length))

    async def data(self, payload, end=False):
        """Sends bytes as the client's windows allow."""
        while len(payload) > 16384:
            await self.connection.window.take(self.stream, 16384)
            await self.raw(frames.data(self.stream, payload[:16384]))
            payload = payload[16384:]
        await self.connection.window.take(self.stream, len(payload))
        await self.raw(frames.data(self.stream, payload, end))

    async def trailers(self, status=0, fields=()):
        await self.raw(frames.headers(self.stream, [("grpc-status", status), *fields], True))

    async def reset(self, code):
        await self.raw(frames.reset(self.stream, code))

    async def raw(self, raw):
        await self.connection.send(raw)

    async def well(self, messages=2):
        """An answer as it should be."""
        await self.head()
        for index in range(1, (messages if self.is_streaming else 1) + 1):
            await self.message(self.content(index))
        await self.trailers()


class Connection:
    def __init__(self, listener, reader, writer, number):
        self.listener, self.reader, self.writer, self.number = listener, reader, writer, number
        self.settings = {frames.MAX_CONCURRENT_STREAMS: 100}
        self.answers_pings = self.opens_windows = True
        self.open = {}
        self.window = Window()
        self.decoder = hpack.Decoder()
        # Whoever sends large header blocks is not this server's concern.
        self.decoder.max_header_list_size = 1 << 24
        self.tasks = set()

    async def send(self, raw):
        self.writer.write(raw)
        await self.writer.drain()

    async def close(self):
        """Ends the connection in good order: with FIN."""
        try:
            await self.writer.drain()
        except ConnectionError:
            pass
        self.writer.close()

    def abort(self):
        """Ends the connection with RST."""
        handle = self.writer.get_extra_info("socket")
        handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def preface(self):
        await self.reader.readexactly(len(frames.PREFACE))
        self.listener.note(self, "preface")

    async def serve(self, answer):
        """Reads frames until the end, and answers each request with `answer(call)`."""
        await self.preface()
        await self.send(frames.settings(self.settings))
        await self.read(answer)

    async def read(self, answer):
        while True:
            head = await self.reader.readexactly(9)
            size = int.from_bytes(head[:3], "big")
            kind, flags, stream = struct.unpack(">BBI", head[3:])
            payload = await self.reader.readexactly(size)
            await self.take(answer, kind, flags, stream & frames.LARGEST_STREAM, payload)

    async def take(self, answer, kind, flags, stream, payload):
        if kind == frames.SETTINGS and not flags & frames.ACK:
            for name, value in struct.iter_unpack(">HI", payload):
                if name == frames.INITIAL_WINDOW:
                    await self.window.set(value)
            await self.send(frames.frame(frames.SETTINGS, frames.ACK))
        elif kind == frames.PING and not flags & frames.ACK:
            self.listener.note(self, "ping")
            if self.answers_pings:
                await self.send(frames.frame(frames.PING, frames.ACK, 0, payload))
        elif kind == frames.HEADERS:
            self.begin(stream, flags, payload)
        elif kind == frames.CONTINUATION and stream in self.open:
            self.open[stream][0] += payload
            self.decode(stream, flags)
        elif kind == frames.DATA and stream in self.open:
            self.open[stream][2] += self.unpadded(flags, payload)
            if payload and self.opens_windows:
                await self.send(frames.window(0, len(payload)) + frames.window(stream, len(payload)))
        elif kind == frames.WINDOW:
            await self.window.give(stream, int.from_bytes(payload, "big") & frames.LARGEST_STREAM)
        elif kind == frames.RESET:
            self.open.pop(stream, None)
            self.listener.note(self, "reset", stream=stream, code=int.from_bytes(payload[:4], "big"))
        elif kind == frames.GOAWAY:
            last, code = struct.unpack(">II", payload[:8])
            self.listener.note(self, "goaway", last=last, code=code)
        if kind in (frames.DATA, frames.HEADERS) and flags & frames.END_STREAM and stream in self.open:
            self.complete(stream, answer)

    @staticmethod
    def unpadded(flags, payload):
        return payload[1:len(payload) - payload[0]] if flags & frames.PADDED else payload

    def begin(self, stream, flags, payload):
        payload = self.unpadded(flags, payload)
        if flags & 0x20:  # a priority comes first
            payload = payload[5:]
        self.open[stream] = [payload, None, b""]
        self.decode(stream, flags)

    def decode(self, stream, flags):
        if flags & frames.END_HEADERS:
            fields = self.decoder.decode(self.open[stream][0])
            self.open[stream][1] = [(str(name), str(value)) for name, value in fields]
            self.listener.note(self, "request", stream=stream, fields=self.open[stream][1])

    def complete(self, stream, answer):
        _, fields, body = self.open.pop(stream)
        call = Call(self, stream, self.listener.next_call(), fields, body)
        self.listener.note(self, "call", stream=stream, size=len(body))
        task = asyncio.ensure_future(self.run(answer(call)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    @staticmethod
    async def run(answer):
        try:
            await answer
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
