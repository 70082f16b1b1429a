"""Calls that end other than with an answer: resets, GOAWAYs, connections that close, frames that are wrong."""
import asyncio

from . import frames
from .behavior import of_calls


async def begin(call, step):
    """The part of a good answer before a step: start, head, prefix, half, message."""
    if step == "start":
        return
    await call.head()
    raw = frames.message(call.content())
    parts = {"head": b"", "prefix": raw[:3], "half": raw[:-2], "message": raw}
    if parts[step]:
        await call.data(parts[step])
    # What follows must not overtake what was written.
    await asyncio.sleep(0.02)


@of_calls
async def reset(call, code=8, step="start"):
    """Resets the stream with a code, at a step of the answer: start, head, half, message."""
    await begin(call, step)
    await call.reset(code)


@of_calls
async def reset_after_trailers(call, code=0):
    """Answers well, and then resets the stream."""
    await call.well()
    await call.reset(code)


@of_calls
async def close(call, step="start", how="fin"):
    """Ends the connection at a step of the answer: start, head, prefix, half, message; with fin or rst."""
    await begin(call, step)
    if how == "rst":
        call.connection.abort()
    else:
        await call.connection.close()


@of_calls
async def goaway(call, last=-1, code=0, text="", answers="no", step="start", closes="yes"):
    """Sends GOAWAY with the last stream (-1: this one), then answers or not, then closes or not."""
    await begin(call, step)
    last = call.stream if last < 0 else last
    await call.raw(frames.goaway(last, code, text.encode()))
    if answers == "yes":
        await asyncio.sleep(0.02)
        await (call.well() if step == "start" else call.trailers())
    if closes == "yes":
        await asyncio.sleep(0.05)
        await call.connection.close()


@of_calls
async def goaway_twice(call):
    """Ends the connection as graceful servers do: GOAWAY for all, a ping, GOAWAY for this call, the answer, the end."""
    await call.raw(frames.goaway(frames.LARGEST_STREAM) + frames.frame(frames.PING, 0, 0, b"draining"))
    await asyncio.sleep(0.05)
    await call.raw(frames.goaway(call.stream))
    await call.well()
    await asyncio.sleep(0.05)
    await call.connection.close()


@of_calls
async def goaway_below(call):
    """Answers the first call of a connection only with the second, after a GOAWAY that excludes the second."""
    connection = call.connection
    if not hasattr(connection, "waiting"):
        connection.waiting = call
        return
    await call.raw(frames.goaway(connection.waiting.stream))
    await asyncio.sleep(0.02)
    await connection.waiting.well()
    await asyncio.sleep(0.05)
    await connection.close()


@of_calls
async def goaway_in_stream(call, messages=5):
    """Sends GOAWAY in the middle of a stream, which it then ends well."""
    await call.head()
    for index in range(messages):
        await call.message(call.content(index + 1))
        if index == 1:
            await call.raw(frames.goaway(call.stream))
            await asyncio.sleep(0.02)
    await call.trailers()
    await call.connection.close()


# Frames that are wrong

@of_calls
async def wrong_frame(call, kind="data-before-head"):
    """Breaks a rule of HTTP/2 before it answers: data-before-head, idle-stream, frame-size, uppercase, no-status,
    bad-index, window-zero, window-overflow, push, even-stream, settings-size, ping-size, continuation-alone,
    data-after-end, head-after-end, connection-field, length-differs, value-with-newline, priority-itself,
    trailers-without-end, pseudo-in-trailers, goaway-size."""
    stream = call.stream
    ok, grpc = frames.block([(":status", 200)]), ("content-type", "application/grpc")
    good_head = frames.headers(stream, [(":status", 200), grpc])
    content = frames.data(stream, frames.message(call.content()))
    end = frames.headers(stream, [("grpc-status", 0)], True)
    wrong = {
        "data-before-head": content,
        "idle-stream": frames.data(99_999, b"x"),
        "frame-size": good_head + frames.frame(frames.DATA, 0, stream, bytes(1 << 20)),
        "uppercase": frames.headers(stream, [(":status", 200), ("Content-Type", "application/grpc")]),
        "no-status": frames.headers(stream, [grpc]),
        "bad-index": frames.headers(stream, b"\xff\xff\xff\xff\x0f"),
        "window-zero": frames.window(0, 0),
        "window-overflow": frames.window(0, 0x7FFFFFFF) + frames.window(0, 0x7FFFFFFF),
        "push": frames.frame(frames.PUSH, frames.END_HEADERS, stream, b"\x00\x00\x00\x02" + ok),
        "even-stream": frames.headers(2, [(":status", 200), grpc]),
        "settings-size": frames.frame(frames.SETTINGS, 0, 0, b"12345"),
        "ping-size": frames.frame(frames.PING, 0, 0, b"1234"),
        "goaway-size": frames.frame(frames.GOAWAY, 0, 0, b"1234"),
        "continuation-alone": frames.frame(frames.CONTINUATION, frames.END_HEADERS, stream, ok),
        "data-after-end": good_head + frames.data(stream, frames.message(call.content()), end=True) + content,
        "head-after-end": frames.headers(stream, [(":status", 200), grpc], True) + good_head,
        "connection-field": frames.headers(stream, [(":status", 200), grpc, ("connection", "close")]),
        "length-differs": frames.headers(stream, [(":status", 200), grpc, ("content-length", 3)]),
        "value-with-newline": frames.headers(stream, [(":status", 200), grpc, ("x-a", b"1\r\nx-b: 2")]),
        "priority-itself": frames.frame(frames.PRIORITY, 0, stream, stream.to_bytes(4, "big") + b"\x10"),
        "trailers-without-end": good_head + content + frames.headers(stream, [("grpc-status", 0)]),
        "pseudo-in-trailers": good_head + content + frames.headers(
            stream, [(":status", 200), ("grpc-status", 0)], True),
    }[kind]
    complete = ("data-after-end", "head-after-end", "trailers-without-end", "pseudo-in-trailers")
    headless = (
        "uppercase", "no-status", "connection-field", "length-differs", "value-with-newline", "bad-index", "frame-size")
    await call.raw(wrong)
    if kind not in complete:
        await call.raw((b"" if kind in headless else good_head) + content + end)


@of_calls
async def flood(call, kind="ping", count=5000):
    """Sends so many frames before it answers well: ping, settings, empty-data, continuation, priority."""
    frame = {
        "ping": frames.frame(frames.PING, 0, 0, b"12345678"),
        "settings": frames.settings({frames.INITIAL_WINDOW: 65535}), "empty-data": frames.data(call.stream, b""),
        "continuation": frames.frame(
            frames.CONTINUATION, 0, call.stream, frames.block([("x-more", "v" * 100)])),
        "priority": frames.frame(frames.PRIORITY, 0, call.stream + 2, b"\x00\x00\x00\x00\x10"),
    }[kind]
    if kind == "continuation":
        await call.raw(frames.frame(frames.HEADERS, 0, call.stream, frames.block([(":status", 200)])))
    elif kind == "empty-data":
        await call.head()
    for _ in range(count // 50):
        await call.raw(frame * 50)
    if kind == "empty-data":
        await call.message()
        await call.trailers()
    elif kind != "continuation":
        await call.well()


@of_calls
async def overrun(call, size=64 << 20):
    """Sends a message of this size, whatever the client's windows allow."""
    await call.head()
    await call.raw(frames.data(call.stream, frames.message(bytes(size))))
    await call.trailers()
