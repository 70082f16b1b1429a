import NovaSupport

extension ProtoJSONWriter {
  mutating func append(ascii text: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func append(string: String) {
    // Not `withUTF8`, which needs a mutable string, and so retains every string once more.
    guard string.utf8.withContiguousStorageIfAvailable({ append(utf8: $0) }) == nil else { return }
    string.utf8Bytes.withUnsafeBufferPointer { append(utf8: $0) }
  }

  private mutating func append(utf8 text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var plain = 0
    while plain < text.count {
      let end = JSONText.endOfUnescaped(in: text, from: plain, to: text.count)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<end]))
      if end < text.count { appendEscape(text[end]) }
      plain = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x22, 0x5C: bytes.append(byte)
    default:
      append(literal: byte < 0x10 ? "u000" : "u001")
      let digit = byte & 0x0F
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  @inline(never)
  mutating func append(literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  mutating func append(bool: Bool) { append(literal: bool ? "true" : "false") }

  mutating func append(integer: Int64, in range: ClosedRange<Int128> = .int64) {
    if !range.contains(Int128(integer)) {
      report("an integer from \(range.lowerBound) to \(range.upperBound)", found: "\(integer)")
    }
    appendDigits(integer.magnitude, isNegative: integer < 0)
  }

  mutating func append(integer64 magnitude: UInt64, isNegative: Bool) {
    if options.writesInt64AsString { append(byte: UInt8(ascii: "\"")) }
    appendDigits(magnitude, isNegative: isNegative)
    if options.writesInt64AsString { append(byte: UInt8(ascii: "\"")) }
  }

  private mutating func appendDigits(_ magnitude: UInt64, isNegative: Bool) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    if magnitude < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(magnitude))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var first = 20
      var rest = magnitude
      while rest > 0 {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
    }
  }

  /// Swift's description is the shortest text that parses to the same value. Only the trailing `.0` and the special
  /// names differ from JSON.
  mutating func append(floatingPoint text: String) {
    switch text {
    case "nan", "-nan": append(string: "NaN")
    case "inf": append(string: "Infinity")
    case "-inf": append(string: "-Infinity")
    default:
      bytes.append(utf8: text)
      if text.hasSuffix(".0") { bytes.removeLast(2) }
    }
  }

  mutating func append(timestamp: Timestamp) {
    if !timestamp.isValid { report("a time from year 1 to 9999", found: timestamp.description) }
    append(string: options.writesLegacyTimes ? timestamp.legacyDescription : timestamp.description)
  }

  mutating func append(unixSeconds seconds: Int64) {
    if options.writesLegacyTimes, Timestamp.validSeconds.contains(seconds) {
      append(timestamp: Timestamp(seconds: seconds))
    } else {
      append(integer64: seconds.magnitude, isNegative: seconds < 0)
    }
  }

  /// Records the problem; the caller throws it at the end.
  @usableFromInline
  mutating func report(_ expected: String, found: String) {
    problem = ProtoJSONError(expected: expected, found: found)
  }
}
