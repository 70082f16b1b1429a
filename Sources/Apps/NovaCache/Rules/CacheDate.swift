import NovaCore

/// Dates that determine freshness. Parsing is strict, except for the case of letters: an invalid `Expires` means that
/// the response has expired.
enum CacheDate {
  /// The date of a field in seconds since 1970; nil if absent, invalid, or ambiguous.
  static func seconds(_ name: String, in headers: HTTPHeaders) -> Double? {
    let values = headers.values(for: name)
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return seconds(first)
  }

  /// Parses a date in one of the three forms of HTTP; nil for anything else.
  static func seconds(_ text: String) -> Double? {
    HTTPDate.seconds(withUsualCase(Array(text.utf8))).map(Double.init)
  }

  /// Converts `THU, 18 aug 2050 02:01:18 gmt` to `Thu, 18 Aug 2050 02:01:18 GMT`.
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
