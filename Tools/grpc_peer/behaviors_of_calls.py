"""Answers that are wrong: in their status, their framing, their header fields."""
import asyncio
import base64
import gzip as gzip_module

from . import details, frames
from .behavior import of_calls


@of_calls
async def well(call):
    """Answers as it should: two followers, or two events."""
    await call.well()


# Statuses

@of_calls
async def no_trailers(call, messages=1):
    """Ends after the messages, without a status."""
    await call.head()
    for index in range(messages):
        await call.message(call.content(index + 1))
    await call.data(b"", end=True)


@of_calls
async def no_status(call, messages=1):
    """Ends with trailers that have no status."""
    await call.head()
    for index in range(messages):
        await call.message(call.content(index + 1))
    await call.raw(frames.headers(call.stream, [("x-other", "1")], True))


@of_calls
async def head_alone(call):
    """Ends with the head, without a status."""
    await call.head(end=True)


@of_calls
async def trailers_only(call, status="5", message="", type="application/grpc"):
    """Answers with a head that has the status; `type=` leaves out the type."""
    fields = [("grpc-status", status)] + ([("grpc-message", message)] if message else [])
    await call.head(fields=fields, end=True, type=type)


@of_calls
async def status(call, status="5", message="", messages=0, repeated=""):
    """Ends with these bytes as the status, and `repeated` as a second one."""
    await call.head()
    for index in range(messages):
        await call.message(call.content(index + 1))
    fields = [("grpc-status", repeated)] if repeated else []
    await call.trailers(status, fields + ([("grpc-message", message)] if message else []))


@of_calls
async def status_twice(call, head="0", trailers="13"):
    """Has one status in the head, and another in the trailers, with a message between them."""
    await call.head(fields=[("grpc-status", head)])
    await call.message()
    await call.trailers(trailers)


@of_calls
async def status_before(call, status="0", messages=1):
    """Has a status in the head, then messages, and no trailers."""
    await call.head(fields=[("grpc-status", status)])
    for index in range(messages):
        await call.message(call.content(index + 1))
    await call.data(b"", end=True)


@of_calls
async def with_details(call, status=5, code=5, form="plain"):
    """Fails with google.rpc.Status in the trailers: plain, padded, url (base64url), broken, truncated, empty."""
    raw = details.status(code, "from the details", "all").SerializeToString()
    text = base64.b64encode(raw).decode()
    forms = {
        "plain": text.rstrip("="), "padded": text + "=" * (-len(text) % 4), "broken": "%%%", "empty": "",
        "url": base64.urlsafe_b64encode(raw).decode().rstrip("="),
        "truncated": base64.b64encode(raw[:-40]).decode().rstrip("="),
    }
    await call.head()
    await call.trailers(status, [("grpc-message", "from the fields"), ("grpc-status-details-bin", forms[form])])


@of_calls
async def http_status(call, code=503, type="text/html", body="<html>unavailable</html>", retry=""):
    """Answers as a proxy does: an HTTP status, and no status of gRPC."""
    fields = [("retry-after", retry)] if retry else []
    await call.head(code, fields, type=type, end=not body)
    if body:
        await call.data(body.encode(), end=True)


@of_calls
async def http_and_status(call, code=503, status=5):
    """Answers with an HTTP status and with one of gRPC."""
    await call.head(code, [("grpc-status", status)], end=True)


@of_calls
async def content_type(call, type="application/grpc+proto"):
    """Answers well, but with this type."""
    await call.head(type=type)
    await call.message()
    await call.trailers()


@of_calls
async def failing_stream(call, messages=3, status=14):
    """Sends messages, and then fails."""
    await call.head()
    for index in range(messages):
        await call.message(call.content(index + 1))
    await call.trailers(status, [("grpc-message", "in the middle")])


# Messages

@of_calls
async def no_message(call):
    """Succeeds without a message."""
    await call.head()
    await call.trailers()


@of_calls
async def success_in_the_head(call):
    """Succeeds with the head alone."""
    await call.head(fields=[("grpc-status", "0")], end=True)


@of_calls
async def two_messages(call):
    """Answers a unary call with two messages."""
    await call.head()
    await call.message()
    await call.message()
    await call.trailers()


@of_calls
async def prefix(call, flag=0, length=-1, size=-1, encoding=""):
    """Sends a message with this flag, this length, and so many bytes of it, and then success."""
    await call.head(fields=[("grpc-encoding", encoding)] if encoding else [])
    content = call.content()
    raw = frames.message(content, flag, length if length >= 0 else None)
    await call.data(raw if size < 0 else raw[:5] + content[:size])
    await call.trailers()


@of_calls
async def half_prefix(call, bytes=3):
    """Sends a part of a prefix, and then success."""
    await call.head()
    await call.data(frames.message(call.content())[:bytes])
    await call.trailers()


@of_calls
async def second_message_cut(call):
    """Sends a message and a part of another, and then success."""
    await call.head()
    await call.message()
    await call.data(frames.message(call.content())[:-2])
    await call.trailers()


@of_calls
async def malformed(call, bytes="0a7f75"):
    """Sends these bytes, in hexadecimal digits, as the message."""
    await call.head()
    await call.message(bytes_of(bytes))
    await call.trailers()


def bytes_of(digits):
    return bytes.fromhex(digits)


@of_calls
async def gzip(call, encoding="gzip", form="good", size=0):
    """Compresses the message, or says so: good, garbage, truncated; `size` adds an unknown field of so many zeros."""
    content = call.content()
    if size:
        content += b"\xa2\x06" + varint(size) + bytes(size)
    raw = gzip_module.compress(content)
    raw = {"good": raw, "garbage": b"not compressed at all", "truncated": raw[:-6]}[form]
    await call.head(fields=[("grpc-encoding", encoding)])
    await call.message(raw, flag=1)
    await call.trailers()


def varint(number):
    encoded = []
    while number >= 128:
        encoded.append(number % 128 + 128)
        number //= 128
    return bytes([*encoded, number])


@of_calls
async def large(call, size=5_000_000, announced=0):
    """Sends a message of this size, or announces one."""
    await call.head()
    content = call.content() + (b"\xa2\x06" + varint(size) + bytes(size) if size else b"")
    await call.message(content, length=announced or None)
    await call.trailers()


# Unusual, and allowed

@of_calls
async def byte_by_byte(call):
    """Answers well, one byte at a time."""
    await call.head()
    for byte in frames.message(call.content()):
        await call.data(bytes([byte]))
        await asyncio.sleep(0.001)
    await call.trailers()


@of_calls
async def empty_frames(call, count=50):
    """Answers well, with empty DATA frames around the message."""
    await call.head()
    for _ in range(count):
        await call.data(b"")
    await call.message()
    for _ in range(count):
        await call.data(b"")
    await call.trailers()


@of_calls
async def padding(call, size=255):
    """Answers well, with padding."""
    fields = frames.block([(":status", 200), ("content-type", "application/grpc")])
    flags = frames.END_HEADERS | frames.PADDED
    await call.raw(frames.frame(frames.HEADERS, flags, call.stream, bytes([size]) + fields + bytes(size)))
    await call.raw(frames.data(call.stream, frames.message(call.content()), padding=size))
    await call.trailers()


@of_calls
async def informational(call):
    """Answers well, after 103 Early Hints."""
    await call.raw(frames.headers(call.stream, [(":status", 103), ("link", "</x>")]))
    await call.well()


@of_calls
async def unknown_frames(call):
    """Answers well, among frames of unknown types, settings and pings."""
    await call.raw(frames.frame(0xB7, 0xFF, call.stream, b"extension"))
    await call.head()
    await call.raw(frames.frame(0xB8, 0, 0, b"extension") + frames.settings({0xF0: 7}))
    await call.message()
    await call.raw(frames.frame(frames.PING, 0, 0, b"12345678"))
    await call.trailers()


@of_calls
async def late(call, seconds=0.5):
    """Answers well, but so late."""
    await asyncio.sleep(seconds)
    await call.well()


@of_calls
async def never(call):
    """Never answers."""
    await asyncio.Event().wait()


@of_calls
async def stops(call, messages=1):
    """Sends messages, and then nothing more."""
    await call.head()
    for index in range(messages):
        await call.message(call.content(index + 1))
    await asyncio.Event().wait()


@of_calls
async def large_fields(call, size=7000, count=1, trailers=0):
    """Answers well, with so many header fields of this size; in the trailers where that is 1."""
    fields = [(f"x-large-{index}", "v" * size) for index in range(count)]
    await call.head(fields=() if trailers else fields)
    await call.message()
    await call.trailers(fields=fields if trailers else ())
