// ASCII characters in UTF-8, for the rules about names, addresses, and headers.

extension UInt8 {
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(asciiLowercased) }
  package var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension String {
  /// Whether all characters are in the set, and their number is in the range. An empty text passes if the range allows
  /// it.
  @inline(never)
  package func consists(of set: ASCIISet, count range: ClosedRange<Int> = 0...Int.max) -> Bool {
    guard range.contains(utf8.count) else { return false }
    var text = self
    return text.withUTF8 { bytes in
      for byte in bytes where !set.contains(byte) { return false }
      return true
    }
  }

  /// Whether both texts are equal, ignoring the case of ASCII letters.
  @inline(never)
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others in
        // Most equal names are identical, and most different ones differ early.
        for index in bytes.indices where bytes[index] != others[index] {
          if bytes[index].asciiLowercased != others[index].asciiLowercased { return false }
        }
        return true
      }
    }
    // Only a bridged string has no contiguous storage.
    return (areEqual ?? nil) ?? zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

/// A set of ASCII characters.
package struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The characters of a text.
  @inline(never)
  package init(_ characters: String) {
    for byte in characters.utf8Bytes {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }
  }

  package func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }

  /// The union of both sets.
  package static func + (left: ASCIISet, right: ASCIISet) -> ASCIISet {
    var union = left
    union.low |= right.low
    union.high |= right.high
    return union
  }

  package static let digits = ASCIISet("0123456789")
  package static let lowercase = ASCIISet("abcdefghijklmnopqrstuvwxyz")
  package static let uppercase = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  package static let alphanumerics = digits + lowercase + uppercase
  package static let hexadecimalDigits = digits + ASCIISet("abcdefABCDEF")
  /// Every printable character except the space.
  package static let visible = alphanumerics + ASCIISet("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
}
