import NovaSupport

/// Reads JSON over UTF-8 bytes, value by value, as the contract's dialect of proto3 JSON.
///
/// The syntax is RFC 8259, strictly. Everything a message does not know is skipped, and checked just as strictly.
/// Nesting deeper than ``maximumDepth`` is an error, so no input can exhaust the stack.
///
/// Most callers want ``ProtoMessage/init(jsonUTF8:)-([UInt8])``.
public struct ProtoJSONReader: ~Copyable {
  /// How many objects and lists may stand inside one another.
  public static let maximumDepth = 100

  let bytes: UnsafeBufferPointer<UInt8>
  let end: Int
  var position = 0
  var depth = 0
  /// Whether a field that a message does not have is an error. Read only where such a field stands.
  var refusesUnknownFields = false
  /// About the message that is being read, if it needs one.
  var tally = FieldTally()
  /// Whether the message that was read last has members, of which none is a field. The outermost is the last to end.
  var hasNoField = false

  /// Creates a reader that is valid as long as `bytes` is.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    end = bytes.count
    // RFC 8259 lets readers ignore it.
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
  }

  // MARK: Structure

  /// Skips white space and returns the byte that follows, or 0 at the end.
  @inline(__always)
  mutating func peek() -> UInt8 {
    while position < end {
      let byte = bytes[position]
      if byte > 0x20 || !(byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09) { return byte }
      position += 1
    }
    return 0
  }

  /// Takes `{` or `[`. Returns whether something is inside; if not, the closing byte was taken too.
  @usableFromInline
  mutating func open(_ opening: UInt8, expected: StaticString) throws(ProtoJSONError) -> Bool {
    guard peek() == opening, position < end else { throw unexpected(expected) }
    guard depth < Self.maximumDepth else {
      throw failure("at most \(Self.maximumDepth) nested objects and lists", found: "a deeper one")
    }
    position += 1
    let closing = opening + 2
    if peek() == closing {
      position += 1
      return false
    }
    depth += 1
    return true
  }

  /// Takes a `,` that stands right here, as it does in JSON from programs.
  @inline(__always)
  mutating func takeComma() -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: ",") else { return false }
    position += 1
    return true
  }

  /// Behind an element: takes `,` and returns true, or the closing byte and returns false.
  @usableFromInline
  mutating func next(closing: UInt8) throws(ProtoJSONError) -> Bool {
    let byte = peek()
    if byte == UInt8(ascii: ",") {
      position += 1
      return true
    }
    guard byte == closing else {
      throw unexpected(closing == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'")
    }
    position += 1
    depth -= 1
    return false
  }

  /// Takes `null` if it stands there.
  mutating func takeNull() throws(ProtoJSONError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try takeLiteral("null")
    return true
  }

  /// Takes a literal whose first letter was seen.
  mutating func takeLiteral(_ literal: StaticString) throws(ProtoJSONError) {
    let count = literal.utf8CodeUnitCount
    guard end - position >= count else { throw unexpected("a JSON value") }
    for offset in 0..<count where bytes[position + offset] != literal.utf8Start[offset] {
      throw unexpected("a JSON value")
    }
    position += count
  }

  /// Takes the `:` behind a key.
  @usableFromInline
  mutating func takeColon() throws(ProtoJSONError) {
    guard peek() == UInt8(ascii: ":") else { throw unexpected("':'") }
    position += 1
  }

  /// Checks that nothing but white space is left.
  mutating func expectEnd() throws(ProtoJSONError) {
    _ = peek()
    guard position == end else { throw unexpected("nothing behind the value") }
  }

  /// Reads `true` or `false`.
  mutating func bool() throws(ProtoJSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try takeLiteral("true")
      return true
    case UInt8(ascii: "f"):
      try takeLiteral("false")
      return false
    default: throw unexpected("true or false")
    }
  }
}
