/// How large an argument may be. The contract bounds characters and counts; these bound the bytes of what it leaves open,
/// far above anything that it allows, so that a mistake (a file in place of an id) ends here and not at the server.
package enum ArgumentLimits {
  /// The most bytes of an id, in a field or in a list of ids.
  package static let idBytes = 1024
  /// The most bytes of any other text. 10,000 characters of 100 bytes each fit.
  package static let textBytes = 1 << 20
  /// The most bytes of a request's path and query together, which is what servers commonly take.
  package static let targetBytes = 8000

  /// The most bytes of a value of the field.
  package static func bytes(of field: FieldDescriptor) -> Int {
    let isID = field.name == "id" || field.name.hasSuffix("_id") || field.name.hasSuffix("_ids")
    return isID ? idBytes : textBytes
  }

  /// How a text of so many bytes breaks the limit; nil when it does not.
  package static func problem(_ count: Int, maximum: Int) -> String? {
    count > maximum ? "must have at most \(maximum) bytes, but has \(count)" : nil
  }
}

/// A value for a segment of a path.
package enum PathArgument {
  /// Why the text cannot be one; nil if it can.
  ///
  /// Percent-encoding keeps a value in its segment only at servers that take paths apart before they decode them. Many
  /// decode first, some twice, some read `\` as `/` and drop what is behind a `;`. So a value that any of them could take
  /// for `.` or `..` is refused, not encoded.
  package static func problem(_ text: String) -> String? {
    if text.isEmpty { return "must not be empty" }
    if let problem = ArgumentLimits.problem(text.utf8.count, maximum: ArgumentLimits.idBytes) { return problem }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "must not hold control characters"
    }
    var bytes = Array(text.utf8)
    while true {
      if hasDotSegment(bytes) { return "must not hold the path segment . or .., however it is written" }
      let decoded = decodedOnce(bytes)
      // Each round makes it shorter, so there is a last one.
      if decoded.count == bytes.count { return nil }
      bytes = decoded
    }
  }

  private static func hasDotSegment(_ bytes: [UInt8]) -> Bool {
    bytes.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }).contains { segment in
      let name = segment.prefix { $0 != UInt8(ascii: ";") && $0 != 0 }
      return (1...2).contains(name.count) && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }
  }

  /// As lenient servers decode: what is no escape stays as it is.
  private static func decodedOnce(_ bytes: [UInt8]) -> [UInt8] {
    var decoded: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      guard byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ hexValue($0) != nil }) else {
        decoded.append(byte)
        continue
      }
      decoded.append(digits.reduce(0) { $0 << 4 | (hexValue($1) ?? 0) })
      rest = rest.dropFirst(2)
    }
    return decoded
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    if byte.isASCIIDigit { return byte - UInt8(ascii: "0") }
    let letter = byte.asciiLowercased
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter) ? letter - UInt8(ascii: "a") + 10 : nil
  }
}
