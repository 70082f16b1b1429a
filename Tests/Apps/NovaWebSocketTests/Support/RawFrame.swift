import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import NovaCore
import NovaTestSupport
import NovaTesting

/// A frame in wire format, with any mistake that a test needs.
struct RawFrame: Sendable, Hashable {
  static let text: UInt8 = 1
  static let binary: UInt8 = 2
  static let close: UInt8 = 8
  static let ping: UInt8 = 9
  static let pong: UInt8 = 10

  var opcode: UInt8
  var payload: [UInt8]
  var isFinal = true
  var reservedBits: UInt8 = 0
  var mask: [UInt8]?
  /// The number of additional bytes for the length: 2 or 8; nil for the fewest possible.
  var lengthBytes: Int?

  init(
    _ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, reservedBits: UInt8 = 0, mask: [UInt8]? = nil
  ) {
    (self.opcode, self.payload, self.isFinal) = (opcode, payload, isFinal)
    (self.reservedBits, self.mask) = (reservedBits, mask)
  }

  /// A text whose length has more bytes than necessary.
  init(text: String, lengthBytes: Int) {
    self.init(text: text)
    self.lengthBytes = lengthBytes
  }

  init(text: String, isFinal: Bool = true) { self.init(Self.text, Array(text.utf8), isFinal: isFinal) }

  /// - Parameter code: any number, including codes that must not be sent.
  init(close code: UInt16, _ reason: String = "") { self.init(Self.close, Self.bytes(of: code) + Array(reason.utf8)) }

  static func bytes(of code: UInt16) -> [UInt8] { [UInt8(code >> 8), UInt8(code & 0xff)] }

  var bytes: [UInt8] {
    let masked: UInt8 = mask == nil ? 0 : 0x80
    var bytes = [(isFinal ? 0x80 : 0) | reservedBits << 4 | opcode]
    switch lengthBytes ?? (payload.count <= 125 ? 0 : payload.count <= 0xffff ? 2 : 8) {
    case 0: bytes.append(masked | UInt8(payload.count))
    case 2: bytes += [masked | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
    default: bytes += [masked | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// The code of a close frame; nil if absent.
  var closeCode: UInt16? {
    opcode == Self.close && payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
  }

  /// Removes the next frame from the bytes and returns it; nil if it is incomplete.
  init?(takingFrom bytes: inout [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    let lengthBytes = [126: 2, 127: 8][bytes[1] & 0x7f] ?? 0
    let isMasked = bytes[1] & 0x80 != 0
    let start = 2 + lengthBytes + (isMasked ? 4 : 0)
    guard bytes.count >= start else { return nil }
    let count =
      lengthBytes == 0 ? Int(bytes[1] & 0x7f) : bytes[2..<(2 + lengthBytes)].reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count >= start + count else { return nil }
    let mask = isMasked ? Array(bytes[(start - 4)..<start]) : nil
    let payload = bytes[start..<(start + count)].enumerated().map { $1 ^ (mask?[$0 % 4] ?? 0) }
    self.init(bytes[0] & 0x0f, payload, isFinal: bytes[0] & 0x80 != 0, reservedBits: bytes[0] >> 4 & 7, mask: mask)
    bytes.removeFirst(start + count)
  }
}

/// The server's response to a handshake's key. Uses NIO's digest, which Autobahn's suite has checked.
func acceptance(of key: String) throws -> String {
  let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
    upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
  let head = HTTPRequestHead(
    version: .http1_1, method: .GET, uri: "/",
    headers: ["Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"])
  let headers = try upgrader.buildUpgradeResponse(
    channel: EmbeddedChannel(), upgradeRequest: head, initialResponseHeaders: [:]
  ).wait()
  return headers.first(name: "Sec-WebSocket-Accept") ?? ""
}

/// The bytes of a response that accepts a handshake.
func handshakeResponse(to request: RawRequest, headers: [String] = []) throws -> [UInt8] {
  let key = try acceptance(of: request.header("Sec-WebSocket-Key") ?? "")
  let lines = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(key)",
  ]
  return Array(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8)
}

extension RawConnection {
  /// Reads the next handshake, and returns the bytes of a response that accepts it; nil if the client has closed.
  func handshakeResponse(headers: [String] = []) throws -> [UInt8]? {
    guard let request = try readRequest() else { return nil }
    return try NovaWebSocketTests.handshakeResponse(to: request, headers: headers)
  }

  /// Opens a WebSocket connection, and sends frames directly after the response.
  func open(_ frames: RawFrame..., headers: [String] = []) throws {
    guard let response = try handshakeResponse(headers: headers) else { return }
    try write(response + frames.flatMap(\.bytes))
  }

  func send(_ frame: RawFrame) throws { try write(frame.bytes) }
}

/// Reads the frames of a peer, in order.
final class FrameReader: Sendable {
  private let connection: RawConnection
  private let bytes = Locked<[UInt8]>([])

  init(_ connection: RawConnection) { self.connection = connection }

  /// Waits for the next frame; nil at the end.
  func next() -> RawFrame? {
    while true {
      if let frame = bytes.withLock({ RawFrame(takingFrom: &$0) }) { return frame }
      let more = connection.readBytes()
      if more.isEmpty { return nil }
      bytes.withLock { $0 += more }
    }
  }

  /// Reads everything to the end.
  func rest() -> [RawFrame] {
    var frames: [RawFrame] = []
    while let frame = next() { frames.append(frame) }
    return frames
  }
}
