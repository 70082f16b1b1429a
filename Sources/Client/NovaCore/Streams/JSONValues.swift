/// The JSON values of a body: one after the other, for example one a line, or the elements of one list. Only one value is
/// in memory at a time.
package struct JSONValues {
  private static let limit = ServerSentEventParser.defaultLimit

  private enum Form {
    case unknown, sequence
    /// Inside the list, before its first element or after one.
    case list(hasElements: Bool)
    case ended
  }

  private var chunks: HTTPBody.AsyncIterator
  private var buffer: [UInt8] = []
  private var position = 0
  private var form = Form.unknown
  private var scan = JSONScan()

  package init(_ body: HTTPBody) { chunks = body.makeAsyncIterator() }

  /// The next value, as it is in the body; nil at the end.
  ///
  /// - Throws: ``ProtoJSONError`` for a list that is not whole.
  package mutating func next() async throws -> [UInt8]? {
    guard try await begin() else { return nil }
    let isInList = if case .list = form { true } else { false }
    scan = JSONScan()
    var length = 0
    while true {
      while position + length < buffer.count {
        let step = scan.step(buffer[position + length], isInList: isInList)
        if step != .before { length += 1 }
        if step != .inside { return take(length) }
      }
      guard buffer.count - position <= Self.limit else { throw ServerSentEventError.tooLarge(limit: Self.limit) }
      // What is not whole is for the reader of the value to report.
      guard try await fill() else { return take(length) }
    }
  }

  private mutating func take(_ length: Int) -> [UInt8] {
    defer { position += length }
    return Array(buffer[position..<position + length])
  }

  /// Goes to the first byte of the next value. Returns false at the end.
  private mutating func begin() async throws -> Bool {
    while let byte = try await peek() {
      if case .unknown = form, byte == ByteOrderMark.utf8[0], try await takeByteOrderMark() { continue }
      switch (form, byte) {
      case (.unknown, UInt8(ascii: "[")): form = .list(hasElements: false)
      case (.unknown, _):
        form = .sequence
        return true
      case (.sequence, _): return true
      case (.list, UInt8(ascii: "]")): form = .ended
      case (.list(hasElements: false), _):
        form = .list(hasElements: true)
        return true
      case (.list(hasElements: true), UInt8(ascii: ",")):
        position += 1
        guard let next = try await peek(), next != UInt8(ascii: "]") else {
          throw ProtoJSONError(expected: "a value", found: "the end of the list")
        }
        return true
      case (.list, _): throw ProtoJSONError(expected: "',' or ']'", found: "another value")
      case (.ended, _): throw ProtoJSONError(expected: "the end", found: "more behind the list")
      }
      position += 1
    }
    if case .list = form { throw ProtoJSONError(expected: "']'", found: "the end of the response") }
    return false
  }

  /// The next byte that is not white space, without consuming it; nil at the end.
  private mutating func peek() async throws -> UInt8? {
    while true {
      while position < buffer.count {
        if buffer[position] > UInt8(ascii: " ") { return buffer[position] }
        position += 1
      }
      guard try await fill() else { return nil }
    }
  }

  private mutating func takeByteOrderMark() async throws -> Bool {
    let mark = ByteOrderMark.utf8
    while buffer.count - position < mark.count { guard try await fill() else { return false } }
    guard Array(buffer[position..<position + mark.count]) == mark else { return false }
    position += mark.count
    return true
  }

  private mutating func fill() async throws -> Bool {
    buffer.removeFirst(position)
    position = 0
    guard let chunk = try await chunks.next() else { return false }
    buffer.append(contentsOf: chunk)
    return true
  }
}

/// Finds the end of a JSON value, byte by byte.
private struct JSONScan {
  enum Step {
    /// The value continues after this byte.
    case inside
    /// This is the last byte.
    case last
    /// The value has ended before this byte.
    case before
  }

  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  mutating func step(_ byte: UInt8, isInList: Bool) -> Step {
    if isInString { return stepInString(byte) }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return isInList ? .before : .last }
      depth -= 1
      if depth == 0 { return .last }
    case UInt8(ascii: ",") where depth == 0 && isInList: return .before
    case ...UInt8(ascii: " ") where depth == 0: return .before
    default: break
    }
    return .inside
  }

  private mutating func stepInString(_ byte: UInt8) -> Step {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      if depth == 0 { return .last }
    }
    return .inside
  }
}
