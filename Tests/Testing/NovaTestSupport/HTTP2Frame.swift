/// A frame of HTTP/2, made or read by hand.
public struct HTTP2Frame: Sendable, Equatable {
  /// The types that tests use.
  public enum Kind: UInt8, Sendable {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
    case pushPromise = 5
    case ping = 6
    case goAway = 7
    case windowUpdate = 8
    case continuation = 9
  }

  /// The type's number, also of a type that does not exist.
  public var type: UInt8
  public var flags: UInt8
  public var stream: Int
  public var payload: [UInt8]

  public init(type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
    (self.type, self.flags, self.stream, self.payload) = (type, flags, stream, payload)
  }

  public init(_ kind: Kind, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
    self.init(type: kind.rawValue, flags: flags, stream: stream, payload)
  }

  public var kind: Kind? { Kind(rawValue: type) }
  /// Whether it is the last of its stream in this direction, or acknowledges a setting or a ping.
  public var isLast: Bool { flags & 1 == 1 }

  /// The frame as it is sent.
  public var bytes: [UInt8] {
    Array(Self.bytes(payload.count)[1...]) + [type, flags] + Self.bytes(stream) + payload
  }

  /// A number in the payload, as in RST_STREAM and WINDOW_UPDATE.
  public func number(at offset: Int = 0) -> Int {
    payload.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  static func bytes(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
}

extension HTTP2Frame {
  /// SETTINGS with these values.
  public static func settings(maximumStreams: Int? = nil, windowSize: Int? = nil) -> HTTP2Frame {
    let values = [(3, maximumStreams), (4, windowSize)].compactMap { number, value in
      value.map { [0, UInt8(number)] + bytes($0) }
    }
    return HTTP2Frame(.settings, values.flatMap(\.self))
  }

  /// A head with status 200 and more fields, or trailers.
  public static func fields(
    _ stream: Int, status: Int? = 200, _ fields: [(String, String)] = [], isLast: Bool = false
  ) -> HTTP2Frame {
    let status = status.map { literal(":status", String($0)) } ?? []
    let block = status + fields.flatMap { literal($0.0, $0.1) }
    return HTTP2Frame(.headers, flags: isLast ? 5 : 4, stream: stream, block)
  }

  /// A field without compression.
  public static func literal(_ name: String, _ value: String) -> [UInt8] {
    [0] + length(name.utf8.count) + Array(name.utf8) + length(value.utf8.count) + Array(value.utf8)
  }

  /// A number of HPACK with seven bits in its first byte.
  private static func length(_ number: Int) -> [UInt8] {
    if number < 127 { return [UInt8(number)] }
    var (rest, bytes) = (number - 127, [UInt8(127)])
    while rest >= 128 {
      bytes.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  public static func data(_ stream: Int, _ bytes: [UInt8], isLast: Bool = false) -> HTTP2Frame {
    HTTP2Frame(.data, flags: isLast ? 1 : 0, stream: stream, bytes)
  }

  public static func reset(_ stream: Int, _ code: Int) -> HTTP2Frame {
    HTTP2Frame(.reset, stream: stream, bytes(code))
  }

  public static func goAway(_ lastStream: Int, code: Int = 0, text: String = "") -> HTTP2Frame {
    HTTP2Frame(.goAway, bytes(lastStream) + bytes(code) + Array(text.utf8))
  }

  /// Acknowledges a setting or a ping.
  public var acknowledgement: HTTP2Frame { HTTP2Frame(type: type, flags: 1, kind == .ping ? payload : []) }
}
