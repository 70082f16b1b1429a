"""HTTP/2 frames by hand, right or wrong."""
import struct

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM = ACK = 0x1
END_HEADERS, PADDED = 0x4, 0x8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
NO_ERROR, PROTOCOL_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 0x0, 0x1, 0x7, 0x8, 0xB
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW, MAX_FRAME_SIZE = 1, 2, 3, 4, 5
LARGEST_STREAM = 0x7FFFFFFF


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def settings(values=()):
    return frame(SETTINGS, payload=b"".join(struct.pack(">HI", *pair) for pair in dict(values).items()))


def reset(stream, code):
    return frame(RESET, 0, stream, struct.pack(">I", code))


def goaway(last, code=NO_ERROR, text=b""):
    return frame(GOAWAY, payload=struct.pack(">II", last, code) + text)


def window(stream, size):
    return frame(WINDOW, 0, stream, struct.pack(">I", size))


def data(stream, payload, end=False, padding=None):
    if padding is not None:
        return frame(DATA, PADDED | end, stream, bytes([padding]) + payload + bytes(padding))
    # As small as every peer must take them.
    parts = [payload[at:at + 16384] for at in range(0, len(payload), 16384)] or [b""]
    return b"".join(frame(DATA, END_STREAM if end and part is parts[-1] else 0, stream, part) for part in parts)


def _length(size):
    """HPACK's length with a prefix of seven bits, without Huffman's code."""
    if size < 127:
        return bytes([size])
    encoded, size = [127], size - 127
    while size >= 128:
        encoded.append(size % 128 + 128)
        size //= 128
    return bytes([*encoded, size])


def block(fields):
    """Fields as HPACK's literals that are not indexed: any bytes can be in them."""
    def text(value):
        raw = value if isinstance(value, bytes) else str(value).encode()
        return _length(len(raw)) + raw
    return b"".join(b"\x00" + text(name) + text(value) for name, value in fields)


def headers(stream, fields, end=False):
    raw = fields if isinstance(fields, bytes) else block(fields)
    parts = [raw[at:at + 16384] for at in range(0, len(raw), 16384)] or [b""]
    flags = [END_HEADERS if index == len(parts) - 1 else 0 for index in range(len(parts))]
    first = frame(HEADERS, flags[0] | (END_STREAM if end else 0), stream, parts[0])
    return first + b"".join(frame(CONTINUATION, flag, stream, part) for flag, part in zip(flags[1:], parts[1:]))


def message(payload, flag=0, length=None):
    """A message with gRPC's prefix."""
    return struct.pack(">BI", flag, len(payload) if length is None else length) + payload
