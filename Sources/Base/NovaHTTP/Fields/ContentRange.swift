import NovaSupport

/// The value of `Content-Range` (RFC 9110, 14.4).
package struct ContentRange: Sendable, Hashable {
  /// The bytes in the message; nil in a 416 response.
  package let bytes: Range<Int>?
  /// The size of the file; nil for `*`.
  package let total: Int?

  /// Creates the value for a part of a file.
  package init(_ bytes: Range<Int>, of total: Int) { (self.bytes, self.total) = (bytes, total) }

  /// Parses `bytes 5-9/100`, `bytes 5-9/*`, and `bytes */100`; nil for anything else, and for an impossible range.
  package init?(_ text: String?) {
    guard let text, text.prefix(6).lowercased() == "bytes " else { return nil }
    let parts = String(text.dropFirst(6)).parts(between: "/", keepsEmpty: true)
    guard parts.count == 2 else { return nil }
    total = Int(digits: parts[1][...])
    guard total != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" {
      if total == nil { return nil }
      bytes = nil
      return
    }
    let ends = parts[0].parts(between: "-", keepsEmpty: true)
    guard ends.count == 2, let first = Int(digits: ends[0][...]), let last = Int(digits: ends[1][...]), first <= last,
      last < total ?? .max
    else { return nil }
    bytes = first..<last + 1
  }

  /// The text of the field.
  package var text: String {
    let part = bytes.map { "\($0.lowerBound)-\($0.upperBound - 1)" } ?? "*"
    return "bytes \(part)/\(total.map(String.init) ?? "*")"
  }
}

/// The meaning of a `Content-Range` that deviates from RFC 9110, such as `bytes=0-9/100`, `bytes 0 - 9/100`, or `items
/// 0-9/10`.
struct LooseRange {
  /// Whether it counts bytes.
  let isInBytes: Bool
  /// The size of the whole, if given.
  let total: Int?
  /// Whether the range covers the whole.
  let isWhole: Bool

  init(_ text: String) {
    isInBytes = text.prefix(5).lowercased() == "bytes"
    let parts = text.filter { $0 != " " && $0 != "\t" }.parts(between: "/", keepsEmpty: true)
    total = parts.count == 2 ? Int(digits: parts[1][...]) : nil
    let digits = parts[0].drop { !($0.isASCII && $0.isNumber) }
    let ends = String(digits).parts(between: "-", keepsEmpty: true)
    guard let total, ends.count == 2, let last = Int(digits: ends[1][...]) else {
      isWhole = false
      return
    }
    isWhole = Int(digits: ends[0][...]) == 0 && last == total - 1
  }
}
