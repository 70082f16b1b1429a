import NovaSupport

/// The body length that `Content-Length` announces: the one rule for transports, downloads, and caches.
///
/// If the length cannot be read, or has two values, the end of the body is unknown. A truncated body would then pass as
/// complete (RFC 9112, 6.3).
package enum AnnouncedLength: Sendable, Hashable {
  /// No length is announced, or the body is chunked, which marks its end.
  case unknown
  case bytes(Int)
  /// The fields contain something other than one length; the values, unmodified.
  case invalid(String)

  /// Reads the fields of a head. Equal numbers count as one, in one field or in several.
  package init(_ headers: HTTPHeaders) {
    let values = headers.values(for: "Content-Length")
    guard !values.isEmpty, headers["Transfer-Encoding"] == nil else {
      self = .unknown
      return
    }
    if values.count == 1, let count = Int(digits: values[0][...]) {
      self = .bytes(count)
      return
    }
    let numbers = FieldList.parts(values).map { Int(digits: $0[...]) }
    if let first = numbers[0], numbers.allSatisfy({ $0 == first }) {
      self = .bytes(first)
    } else {
      self = .invalid(values.joined(separator: ", "))
    }
  }

  /// The number of bytes; nil if unknown.
  package var count: Int? { if case .bytes(let count) = self { count } else { nil } }
}
