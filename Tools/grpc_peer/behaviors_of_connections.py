"""Connections that are wrong from their beginning, or for all of their calls."""
import asyncio
import socket

from . import frames
from .behavior import of_connections


async def rest(connection):
    """Reads and ignores what comes, until the other side ends the connection."""
    while await connection.reader.read(65536):
        pass


@of_connections
async def closed(connection, step="accept", how="fin"):
    """Ends each connection at a step: accept, preface, settings; with fin or rst."""
    if step != "accept":
        await connection.preface()
    if step == "settings":
        await connection.send(frames.settings(connection.settings))
        await asyncio.sleep(0.02)
    connection.abort() if how == "rst" else await connection.close()


@of_connections
async def garbage(connection, bytes="00ff10203040506070", count=100):
    """Sends these bytes, in hexadecimal digits, in place of frames."""
    await connection.send(bytes_of(bytes) * count)
    await rest(connection)


def bytes_of(digits):
    return bytes.fromhex(digits)


@of_connections
async def http1(connection, status="400 Bad Request"):
    """Answers as a server does that supports only HTTP/1.1."""
    await connection.reader.read(24)
    body = "<html>no</html>"
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    await connection.send((head + body).encode())
    await connection.close()


@of_connections
async def silent(connection):
    """Accepts connections, reads, and never sends anything."""
    await rest(connection)


@of_connections
async def deaf(connection):
    """Answers well, but no ping."""
    connection.answers_pings = False
    await connection.serve(connection.listener.answer)


@of_connections
async def deaf_and_mute(connection):
    """Sends its settings, and then answers nothing: no call, no ping."""
    await connection.preface()
    await connection.send(frames.settings(connection.settings))
    connection.answers_pings = False

    async def never(call):
        await asyncio.Event().wait()
    await connection.read(never)


@of_connections
async def dies_in_stream(connection, messages=2):
    """Sends messages of a stream, and then answers nothing any more, not even a ping."""
    async def answer(call):
        connection.answers_pings = False
        await call.head()
        for index in range(messages):
            await call.message(call.content(index + 1))
        await asyncio.Event().wait()
    await connection.serve(answer)


@of_connections
async def stops_reading(connection):
    """Sends its settings, and then does not even read, as a host that was unplugged."""
    connection.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await connection.preface()
    await connection.send(frames.settings(connection.settings))
    connection.reader._transport.pause_reading()
    await asyncio.Event().wait()


@of_connections
async def stalled_window(connection, size=0):
    """Lets only so many bytes of a request come: its window is never opened."""
    connection.settings[frames.INITIAL_WINDOW] = size
    connection.opens_windows = False
    await connection.serve(connection.listener.answer)


@of_connections
async def late_window(connection, seconds=0.2):
    """Lets the bytes of requests come only so late."""
    connection.settings[frames.INITIAL_WINDOW] = 0

    async def open_later():
        await asyncio.sleep(seconds)
        await connection.send(frames.settings({frames.INITIAL_WINDOW: 1 << 20}))
    task = asyncio.ensure_future(open_later())
    await connection.serve(connection.listener.answer)
    await task


@of_connections
async def stream_limit(connection, limit=1, later=-1, seconds=0.2, pause=0.01):
    """Allows so many streams at once, and `later` after some time (-1: never more); answers take `pause` seconds."""
    connection.settings[frames.MAX_CONCURRENT_STREAMS] = limit
    state = {"open": 0, "most": 0}

    async def answer(call):
        state["open"] += 1
        if state["open"] > state["most"]:
            state["most"] = state["open"]
            connection.listener.note(connection, "most", count=state["most"])
        await asyncio.sleep(pause)
        state["open"] -= 1
        await call.well()

    async def raise_limit():
        await asyncio.sleep(seconds)
        await connection.send(frames.settings({frames.MAX_CONCURRENT_STREAMS: later}))
    task = asyncio.ensure_future(raise_limit()) if later >= 0 else None
    await connection.serve(answer)
    if task:
        await task


@of_connections
async def refuses_over(connection, limit=2, pause=0.02):
    """Allows 100 streams at once, and refuses those over a lower limit, as overloaded servers do."""
    state = {"open": 0}

    async def answer(call):
        if state["open"] >= limit:
            return await call.reset(frames.REFUSED_STREAM)
        state["open"] += 1
        await asyncio.sleep(pause)
        state["open"] -= 1
        await call.well()
    await connection.serve(answer)


@of_connections
async def goaway_first(connection, code=0, text=""):
    """Ends each connection with a GOAWAY before any call."""
    await connection.preface()
    await connection.send(frames.settings(connection.settings) + frames.goaway(0, code, text.encode()))
    await asyncio.sleep(0.1)
    await connection.close()


@of_connections
async def goaway_between(connection, after=3):
    """Ends each connection after so many calls: GOAWAY with the last of them, and those that came later are ignored."""
    count = 0

    async def answer(call):
        nonlocal count
        count += 1
        if count > after:
            return
        await call.well()
        if count == after:
            await connection.send(frames.goaway(call.stream))
            await asyncio.sleep(0.1)
            await connection.close()
    await connection.serve(answer)


@of_connections
async def settings_late(connection, seconds=0.2):
    """Sends its settings only so late, after the first calls have come."""
    await connection.preface()
    await asyncio.sleep(seconds)
    await connection.send(frames.settings(connection.settings))
    await connection.read(connection.listener.answer)


@of_connections
async def small_frames(connection, size=16384, table=0):
    """Answers well, with other settings: the size of frames, and no table of header fields."""
    connection.settings |= {frames.MAX_FRAME_SIZE: size, frames.HEADER_TABLE_SIZE: table}
    connection.decoder.max_allowed_table_size = table
    await connection.serve(connection.listener.answer)
