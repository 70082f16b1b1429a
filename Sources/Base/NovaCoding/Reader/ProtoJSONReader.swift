/// Reads JSON in UTF-8, value by value, as the contract's variant of proto3 JSON.
///
/// It is a pull parser: there is no tree. The reader is a position in the bytes, and each method reads what is at the
/// position and moves past it, or throws. A generated message reads its own fields: `read(into:)` reads a key, finds
/// the field's index, and calls `readJSONField`, which calls back with the codec of that field. Fields mostly arrive in
/// order, so the key after the last one is compared first (`FieldKeys`). Strings are scanned eight bytes at a time
/// (`JSONText`). Errors are built in separate functions that are not inlined, so that they cost nothing until
/// something fails.
///
/// The syntax is RFC 8259, strictly. Undeclared fields are skipped, but checked just as strictly. Nesting deeper than
/// ``maximumDepth`` is an error, so no input can exhaust the stack.
///
/// Most callers want ``ProtoMessage/init(jsonUTF8:)-([UInt8])``.
public struct ProtoJSONReader: ~Copyable {
  /// The maximum nesting depth of objects and lists.
  public static let maximumDepth = 100

  let bytes: UnsafeBufferPointer<UInt8>
  let end: Int
  var position = 0
  var depth = 0
  /// Whether an undeclared field is an error. Read only when one is found.
  var refusesUnknownFields = false
  /// Tracks the message that is being read, if it has more than 64 fields or a oneof.
  var tally = FieldTally()
  /// Whether the last message that was read has members, but no declared field. The outermost message ends last.
  var hasNoField = false

  /// Creates a reader. `bytes` must stay valid while the reader is used.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    end = bytes.count
    // RFC 8259 allows readers to ignore a byte order mark.
    if end >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
  }

  // MARK: Structure

  /// Skips whitespace and returns the next byte, or 0 at the end.
  @inline(__always)
  mutating func peek() -> UInt8 {
    while position < end {
      let byte = bytes[position]
      if byte > 0x20 || !(byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09) { return byte }
      position += 1
    }
    return 0
  }

  /// Reads `{` or `[`. Returns false if the object or list is empty; then its closing byte was read, too.
  @usableFromInline
  mutating func open(_ opening: UInt8, expected: StaticString) throws(ProtoJSONError) -> Bool {
    guard peek() == opening, position < end else { throw unexpected(expected) }
    guard depth < Self.maximumDepth else {
      throw ProtoJSONError(
        "at most \(Self.maximumDepth) nested objects and lists", found: "a deeper one", at: position, in: bytes)
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

  /// Called after an element: reads `,` and returns true, or reads the closing byte and returns false.
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

  /// Reads a literal whose first letter was already checked.
  mutating func takeLiteral(_ literal: StaticString) throws(ProtoJSONError) {
    let count = literal.utf8CodeUnitCount
    guard end - position >= count else { throw unexpected("a JSON value") }
    for offset in 0..<count where bytes[position + offset] != literal.utf8Start[offset] {
      throw unexpected("a JSON value")
    }
    position += count
  }

  /// Reads the `:` after a key.
  @usableFromInline
  mutating func takeColon() throws(ProtoJSONError) {
    guard peek() == UInt8(ascii: ":") else { throw unexpected("':'") }
    position += 1
  }

  /// Throws if anything but whitespace is left.
  mutating func expectEnd() throws(ProtoJSONError) {
    _ = peek()
    guard position == end else { throw unexpected("nothing after the value") }
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
