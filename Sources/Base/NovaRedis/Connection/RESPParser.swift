/// Parses what a server sends (RESP2 and RESP3), however it is split.
///
/// Memory is bounded: each reply and each of its elements counts toward the limit, before space for it is reserved.
struct RESPParser {
  enum Message: Hashable {
    case reply(RedisReply)
    case failure(RedisError)
    /// What the server sends without a command, such as a message of a channel.
    case push([RedisReply])
  }

  private enum Shape { case array, map, push, attribute }

  private struct Frame {
    let shape: Shape
    var remaining: Int
    var elements: [RedisReply] = []
  }

  private enum Value {
    case reply(RedisReply)
    case failure([UInt8])
    case aggregate(Shape, count: Int)
  }

  /// How many arrays may be inside of each other.
  private static let maximumDepth = 64
  /// The longest line: a status, an error, or a number.
  private static let maximumLine = 64 << 10
  /// What an element takes in memory besides its bytes, approximately.
  private static let elementCost = 64

  private let limit: Int
  private var buffer: [UInt8] = []
  private var position = 0
  /// From where the end of a line is searched.
  private var searched = 0
  private var stack: [Frame] = []
  private var cost = 0

  /// - Parameter limit: the maximum size of a reply in bytes.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { buffer.append(contentsOf: bytes) }

  mutating func append(_ bytes: [UInt8]) { buffer += bytes }

  /// The next complete message; nil if more bytes are needed.
  ///
  /// - Throws: ``RedisError`` of kind `protocol`. The connection must then be closed.
  mutating func next() throws(RedisError) -> Message? {
    while let value = try value() {
      switch value {
      case .aggregate(let shape, let count):
        try begin(shape, count: count)
        if count > 0 { continue }
        if let message = closeFrames() { return message }
      case .failure(let line):
        if stack.isEmpty { return finished(.failure(RedisError(reply: line))) }
        stack[stack.count - 1].elements.append(.error(String(decoding: line.prefix(1024), as: UTF8.self)))
        if let message = advance() { return message }
      case .reply(let reply):
        if stack.isEmpty { return finished(.reply(reply)) }
        stack[stack.count - 1].elements.append(reply)
        if let message = advance() { return message }
      }
    }
    compact()
    return nil
  }

  private mutating func begin(_ shape: Shape, count: Int) throws(RedisError) {
    guard stack.count < Self.maximumDepth else { throw Self.malformed("arrays are nested too deeply") }
    guard shape != .push || stack.isEmpty else { throw Self.malformed("a push is inside of another reply") }
    stack.append(Frame(shape: shape, remaining: count))
  }

  /// Counts an element of the innermost frame.
  private mutating func advance() -> Message? {
    stack[stack.count - 1].remaining -= 1
    return closeFrames()
  }

  /// Closes all complete frames; the message if the outermost one is complete.
  private mutating func closeFrames() -> Message? {
    while let frame = stack.last, frame.remaining == 0 {
      stack.removeLast()
      let reply: RedisReply
      switch frame.shape {
      // It precedes the reply that it is about.
      case .attribute: return nil
      case .push: return finished(.push(frame.elements))
      case .array: reply = .array(frame.elements)
      case .map: reply = .map(Self.entries(frame.elements))
      }
      if stack.isEmpty { return finished(.reply(reply)) }
      stack[stack.count - 1].elements.append(reply)
      stack[stack.count - 1].remaining -= 1
    }
    return nil
  }

  private static func entries(_ elements: [RedisReply]) -> [RedisReply.Entry] {
    stride(from: 0, to: elements.count, by: 2).map { .init(key: elements[$0], value: elements[$0 + 1]) }
  }

  private mutating func finished(_ message: Message) -> Message {
    cost = 0
    return message
  }

  private mutating func compact() {
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 256 << 10)
    } else if position > buffer.count / 2 {
      buffer.removeFirst(position)
    } else {
      return
    }
    searched = max(0, searched - position)
    position = 0
  }

  // MARK: Values

  /// The next value, or the start of an aggregate; nil if more bytes are needed.
  private mutating func value() throws(RedisError) -> Value? {
    guard position < buffer.count, let end = try lineEnd() else { return nil }
    guard end > position else { throw Self.malformed("a line is empty") }
    let type = buffer[position]
    let line = buffer[(position + 1)..<end]
    let next = end + 2
    switch type {
    case UInt8(ascii: "$"), UInt8(ascii: "!"), UInt8(ascii: "="):
      return try bulk(type, count: try Self.count(line, allowsNull: type == UInt8(ascii: "$")), from: next)
    case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: ">"), UInt8(ascii: "%"), UInt8(ascii: "|"):
      return try aggregate(type, line, next: next)
    default: break
    }
    let value = try Self.scalar(type, line)
    try charge(line.count)
    advance(to: next)
    return value
  }

  private mutating func advance(to place: Int) { (position, searched) = (place, place) }

  /// The place of the line's end; nil if it has not arrived.
  private mutating func lineEnd() throws(RedisError) -> Int? {
    var place = max(searched, position)
    while place < buffer.count, buffer[place] != UInt8(ascii: "\r") { place += 1 }
    searched = place
    guard place - position <= Self.maximumLine else { throw Self.malformed("a line is too long") }
    guard place + 1 < buffer.count else { return nil }
    guard buffer[place + 1] == UInt8(ascii: "\n") else { throw Self.malformed("a line does not end with CRLF") }
    return place
  }

  private mutating func bulk(_ type: UInt8, count: Int?, from start: Int) throws(RedisError) -> Value? {
    guard let count else {
      try charge(0)
      advance(to: start)
      return .reply(.null)
    }
    guard count <= limit - cost else { throw Self.tooLarge }
    guard buffer.count >= start + count + 2 else { return nil }
    let end = start + count
    guard buffer[end] == UInt8(ascii: "\r"), buffer[end + 1] == UInt8(ascii: "\n") else {
      throw Self.malformed("a string does not end where it must")
    }
    try charge(count)
    advance(to: end + 2)
    if type == UInt8(ascii: "!") { return .failure(Array(buffer[start..<end])) }
    guard type == UInt8(ascii: "=") else { return .reply(.bytes(Array(buffer[start..<end]))) }
    // The format precedes the text: `txt:`.
    guard count >= 4 else { throw Self.malformed("a text has no format") }
    return .reply(.bytes(Array(buffer[(start + 4)..<end])))
  }

  private mutating func aggregate(
    _ type: UInt8, _ line: ArraySlice<UInt8>, next: Int
  ) throws(RedisError) -> Value {
    let count = try Self.count(line, allowsNull: type == UInt8(ascii: "*"))
    let isMap = type == UInt8(ascii: "%") || type == UInt8(ascii: "|")
    // Each element takes at least this much, so a larger number cannot become true.
    guard (count ?? 0) <= limit / Self.elementCost / (isMap ? 2 : 1) else { throw Self.tooLarge }
    try charge(0)
    advance(to: next)
    guard let count else { return .reply(.null) }
    switch type {
    case UInt8(ascii: "%"): return .aggregate(.map, count: 2 * count)
    case UInt8(ascii: "|"): return .aggregate(.attribute, count: 2 * count)
    case UInt8(ascii: ">"): return .aggregate(.push, count: count)
    default: return .aggregate(.array, count: count)
    }
  }

  private mutating func charge(_ count: Int) throws(RedisError) {
    cost += count + Self.elementCost
    guard cost <= limit + Self.elementCost else { throw Self.tooLarge }
  }

  private static func scalar(_ type: UInt8, _ line: ArraySlice<UInt8>) throws(RedisError) -> Value {
    let text = String(decoding: line, as: UTF8.self)
    switch type {
    case UInt8(ascii: "+"), UInt8(ascii: "("): return .reply(.bytes(Array(line)))
    case UInt8(ascii: "-"): return .failure(Array(line))
    case UInt8(ascii: ":"): if let number = Int64(text) { return .reply(.integer(number)) }
    case UInt8(ascii: ","): if let number = Double(text) { return .reply(.double(number)) }
    case UInt8(ascii: "_"): if text.isEmpty { return .reply(.null) }
    case UInt8(ascii: "#"): if text == "t" || text == "f" { return .reply(.boolean(text == "t")) }
    default: throw malformed("a reply has an unknown type")
    }
    throw malformed("a value is invalid")
  }

  /// A length; nil for -1, the null of RESP2.
  private static func count(_ line: ArraySlice<UInt8>, allowsNull: Bool) throws(RedisError) -> Int? {
    var count = 0
    if allowsNull, line.elementsEqual("-1".utf8) { return nil }
    guard !line.isEmpty, line.count <= 18 else { throw malformed("a length is invalid") }
    for digit in line {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { throw malformed("a length is invalid") }
      count = count * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return count
  }

  private static let tooLarge = RedisError(
    .protocol, "the reply of Redis is too large", advice: "raise maximumReplyBytes, or read less", mayHaveRun: true)

  private static func malformed(_ reason: String) -> RedisError {
    RedisError(
      .protocol, "what the server sent is not the Redis protocol", reason: reason,
      advice: "check that this is the port of Redis, and whether it requires TLS (rediss://)", mayHaveRun: true)
  }
}
