import NovaSupport

extension ProtoJSONReader {
  /// Creates an error about the value at the current position.
  @inline(never)
  func unexpected(_ expected: StaticString) -> ProtoJSONError {
    ProtoJSONError("\(expected)", found: describeValue(), at: position, in: bytes)
  }

  /// Creates an error about a repeated name at `start`.
  @usableFromInline @inline(never)
  func again(_ what: String, at start: Int) -> ProtoJSONError {
    ProtoJSONError("\(what) only once", found: "a repetition", at: start, in: bytes)
  }

  /// Describes the value at the current position in a few words.
  private func describeValue() -> String {
    guard position < end else { return "the end of the input" }
    switch bytes[position] {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "a list"
    case UInt8(ascii: "\""): return "string \(quotedText())"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "number \(bareText())"
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return bareText()
    case let byte: return "\"\(byte.printable)\""
    }
  }

  /// The start of the string at the current position, unmodified.
  private func quotedText() -> String {
    var stop = position + 1
    while stop < end, bytes[stop] != UInt8(ascii: "\""), stop - position < 200 { stop += bytes[stop] == 0x5C ? 2 : 1 }
    return "\"\(text(position + 1..<min(stop, end)).shortened(to: 40).escapingControls)\""
  }

  /// The number or word at the current position.
  private func bareText() -> String {
    var stop = position
    while stop < end, stop - position < 60, isBare(bytes[stop]) { stop += 1 }
    return text(position..<stop).shortened(to: 40)
  }

  func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
