extension ProtoJSONWriter {
  @usableFromInline
  mutating func append(ascii text: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text)
    bytes.append(UInt8(ascii: "\""))
  }

  @usableFromInline
  mutating func append(string: String) {
    var string = string
    string.withUTF8 { text in
      bytes.append(UInt8(ascii: "\""))
      var plain = 0
      for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
        appendEscape(byte)
        plain = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
      bytes.append(UInt8(ascii: "\""))
    }
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
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }

  @usableFromInline
  mutating func append(bool: Bool) { bytes.append(contentsOf: bool ? "true".utf8 : "false".utf8) }

  @inlinable
  mutating func append<T: FixedWidthInteger>(integer: T) {
    appendDigits(UInt64(integer.magnitude), negative: integer < 0)
  }

  @usableFromInline
  mutating func append<T: FixedWidthInteger>(integer: Int, within type: T.Type) {
    if T(exactly: integer) == nil { report("an integer from \(T.min) to \(T.max)", found: "\(integer)") }
    append(integer: integer)
  }

  @inlinable
  mutating func append<T: FixedWidthInteger>(integer64: T) {
    if options.writesInt64AsString { bytes.append(UInt8(ascii: "\"")) }
    append(integer: integer64)
    if options.writesInt64AsString { bytes.append(UInt8(ascii: "\"")) }
  }

  @usableFromInline
  mutating func appendDigits(_ magnitude: UInt64, negative: Bool) {
    if negative { bytes.append(UInt8(ascii: "-")) }
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

  @inlinable
  mutating func append<T: BinaryFloatingPoint & LosslessStringConvertible>(floatingPoint value: T) {
    append(floatingPointText: value.description)
  }

  /// Swift's description is the shortest text that reads back as the same value; only `.0` and the special names differ
  /// from JSON's habits.
  @usableFromInline
  mutating func append(floatingPointText text: String) {
    switch text {
    case "nan", "-nan": append(string: "NaN")
    case "inf": append(string: "Infinity")
    case "-inf": append(string: "-Infinity")
    default: bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }
  }

  @usableFromInline
  mutating func append(timestamp: Timestamp) {
    if !timestamp.isValid { report("a time from year 1 to 9999", found: timestamp.description) }
    append(string: options.writesLegacyTimes ? timestamp.legacyDescription : timestamp.description)
  }

  @usableFromInline
  mutating func append(unixSeconds seconds: Int64) {
    if options.writesLegacyTimes, Timestamp.validSeconds.contains(seconds) {
      append(timestamp: Timestamp(seconds: seconds))
    } else {
      append(integer64: seconds)
    }
  }

  /// Keeps the problem; ``finish()`` throws it.
  private mutating func report(_ expected: String, found: String) {
    problem = ProtoJSONError(expected: expected, found: found)
  }
}
