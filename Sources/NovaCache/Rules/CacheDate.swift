import NovaCore

/// Dates that decide about freshness. They are read strictly but for the case of letters: an invalid `Expires` means a
/// response that has expired.
enum CacheDate {
  // 0 is a digit, a a letter, _ a digit or a space.
  private static let current = Array("aaa, 00 aaa 0000 00:00:00 aaa".utf8)
  private static let asctime = Array("aaa aaa _0 00:00:00 0000".utf8)
  private static let rfc850 = Array(", 00-aaa-00 00:00:00 aaa".utf8)

  /// The date of a field in seconds since 1970. Nil if it is invalid, missing, or there more than once with different values.
  static func seconds(_ name: String, in headers: HTTPHeaders) -> Double? {
    let values = headers.values(for: name)
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return seconds(first)
  }

  /// A date in one of the three forms of HTTP; nil for anything else.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let letters = bytes.prefix { $0.isASCIILetter }.count
    guard
      matches(bytes[...], current) || matches(bytes[...], asctime)
        || (6...9).contains(letters) && matches(bytes[letters...], rfc850)
    else { return nil }
    return HTTPDate.seconds(withUsualCase(bytes)).map(Double.init)
  }

  private static func matches(_ bytes: ArraySlice<UInt8>, _ form: [UInt8]) -> Bool {
    guard bytes.count == form.count else { return false }
    return zip(bytes, form).allSatisfy { byte, expected in
      switch expected {
      case UInt8(ascii: "0"): byte.isASCIIDigit
      case UInt8(ascii: "a"): byte.isASCIILetter
      case UInt8(ascii: "_"): byte.isASCIIDigit || byte == UInt8(ascii: " ")
      default: byte == expected
      }
    }
  }

  /// `THU, 18 aug 2050 02:01:18 gmt` as `Thu, 18 Aug 2050 02:01:18 GMT`.
  private static func withUsualCase(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isFirst = index == 0 || !bytes[index - 1].isASCIILetter
      let isZone = index >= bytes.count - 3
      let lower = byte.asciiLowercased
      result.append(byte.isASCIILetter ? (isFirst || isZone ? lower - 0x20 : lower) : byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
