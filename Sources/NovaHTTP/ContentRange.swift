import NovaSupport

/// The value of `Content-Range` (RFC 9110, 14.4).
package struct ContentRange: Sendable, Hashable {
  /// The bytes that the message has; nil for those of a 416.
  package let bytes: Range<Int>?
  /// The size of the file; nil for `*`.
  package let total: Int?

  /// The value for a part of a file.
  package init(_ bytes: Range<Int>, of total: Int) { (self.bytes, self.total) = (bytes, total) }

  /// Reads `bytes 5-9/100`, `bytes 5-9/*` and `bytes */100`; nil for anything else, and for a range that cannot be.
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
