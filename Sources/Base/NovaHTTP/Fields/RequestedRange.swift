import NovaSupport

/// The part of a file that a `Range` field requests (RFC 9110, 14.2).
package enum RequestedRange: Hashable, Sendable {
  /// The whole file: the field is malformed, has another unit, or has several ranges, which servers may ignore.
  case whole
  case part(Range<Int>)
  /// No bytes: the range starts after the end.
  case unsatisfiable

  /// - Parameter count: the size of the file.
  package init(_ field: String, of count: Int) {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, String(parts[0].trimmed).equalsIgnoringASCIICase("bytes"), !parts[1].contains(",") else {
      self = .whole
      return
    }
    let ends = parts[1].trimmed.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else {
      self = .whole
      return
    }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, nil) where ends[1].isEmpty: self = first < count ? .part(first..<count) : .unsatisfiable
    case (let first?, let last?):
      guard first <= last else {
        self = .whole
        return
      }
      self = first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    case (nil, let suffix?) where ends[0].isEmpty:
      self = suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .unsatisfiable
    default: self = .whole
    }
  }

  /// Parses digits. A number that is too large becomes the largest one: it means "to the end".
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(text) ?? .max
  }
}
