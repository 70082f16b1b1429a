/// Bytes as hexadecimal digits.
package enum Hexadecimal {
  private static let digits = "0123456789abcdef".utf8Bytes

  /// Encodes each byte as two lower-case digits.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes digits of either case; nil for anything else, and for an odd number of digits.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8Bytes {
      guard let value = digit.hexadecimalValue else { return nil }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    return high == nil ? bytes : nil
  }
}
