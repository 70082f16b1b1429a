import NovaCore

/// Reads requests from a connection and writes responses, HTTP/1.1, one after the other. Waits for the network, so it
/// belongs on a thread of its own.
struct HTTPConnection: ~Copyable {
  /// The largest head, and the largest body.
  static let headLimit = 65_536
  static let bodyLimit = 8 * 1024 * 1024
  /// How much of a body that is too large is read before the connection is given up.
  private static let drainLimit = 1024 * 1024 * 1024

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The head of the next request; nil when there is none.
  mutating func readHead() throws(RequestRefusal) -> RequestHead? {
    var lines: [Substring] = []
    var size = 0
    while true {
      guard let line = try readLine(limit: Self.headLimit - size, tooLong: 431) else {
        if lines.isEmpty { return nil }
        throw RequestRefusal(400, "the request ends in the middle of its head")
      }
      size += line.count + 2
      if !line.isEmpty {
        lines.append(Substring(String(decoding: line, as: UTF8.self)))
      } else if !lines.isEmpty {
        return try RequestHead(lines)
      }
    }
  }

  /// The body, or nil when it is larger than the limit. It is read to its end either way, because a client that is
  /// still sending would not see the answer.
  mutating func readBody(_ head: RequestHead) throws(RequestRefusal) -> [UInt8]? {
    if head.expectsContinue, head.bodyLength != .exactly(0) { send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    var body: [UInt8] = []
    var size = 0
    switch head.bodyLength {
    case .exactly(let count): try readPart(count, &body, &size)
    case .chunked:
      while true {
        let count = try readChunkSize()
        if count == 0 { break }
        try readPart(count, &body, &size)
        guard try readLine(limit: 2, tooLong: 400)?.isEmpty == true else {
          throw RequestRefusal(400, "a chunk is not as long as it says")
        }
      }
      // Trailers end with an empty line; nobody asked for them.
      while let line = try readLine(limit: Self.headLimit, tooLong: 431), !line.isEmpty {}
    }
    return size <= Self.bodyLimit ? body : nil
  }

  /// Writes bytes; a client that has gone is noticed at the next read.
  func send(_ bytes: [UInt8]) { try? System.write(bytes, to: descriptor) }

  /// Lets the client read what was sent before the connection is closed on it.
  mutating func linger() {
    System.endWriting(descriptor)
    var left = 1024 * 1024
    while left > 0, let bytes = System.receive(descriptor) { left -= bytes.count }
  }

  private mutating func readChunkSize() throws(RequestRefusal) -> Int {
    let line = try readLine(limit: 1000, tooLong: 400) ?? []
    let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }, as: UTF8.self)
    guard digits.utf8.count <= 8, !digits.hasPrefix("+"), let size = Int(digits, radix: 16), size >= 0 else {
      throw RequestRefusal(400, "the size of a chunk is not a hexadecimal number")
    }
    return size
  }

  /// Reads `count` bytes, and keeps them as long as the body is not too large.
  private mutating func readPart(_ count: Int, _ body: inout [UInt8], _ size: inout Int) throws(RequestRefusal) {
    guard count <= Self.drainLimit - size else { throw RequestRefusal(413, "the body is far too large") }
    size += count
    var left = count
    if size > Self.bodyLimit { body = [] }
    while left > 0 {
      if position == buffer.count, !fill() { throw RequestRefusal(400, "the body ends too early") }
      let part = buffer[position...].prefix(left)
      if size <= Self.bodyLimit { body.append(contentsOf: part) }
      position += part.count
      left -= part.count
    }
  }

  /// A line without its end, which is CR LF or LF; nil when the connection ends.
  private mutating func readLine(limit: Int, tooLong: Int) throws(RequestRefusal) -> ArraySlice<UInt8>? {
    var searched = 0
    while true {
      if let end = buffer[(position + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[position..<end]
        position = end + 1
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      }
      searched = buffer.count - position
      guard searched <= limit else { throw RequestRefusal(tooLong, "a line or the head of the request is too long") }
      guard fill() else { return nil }
    }
  }

  private mutating func fill() -> Bool {
    guard let bytes = System.receive(descriptor) else { return false }
    if position > 0 {
      buffer.removeFirst(position)
      position = 0
    }
    if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
    return true
  }
}
