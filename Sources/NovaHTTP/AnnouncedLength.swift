import NovaSupport

/// The length that `Content-Length` announces for a body: the one rule for transports, downloads, and caches.
///
/// A length that nobody can read, or that has two values, leaves open where the body ends, so that a cut body would pass for a
/// whole one (RFC 9112, 6.3).
package enum AnnouncedLength: Sendable, Hashable {
  /// None is announced, or the body comes in chunks, which end it.
  case unknown
  case bytes(Int)
  /// What is there is not one number of bytes; the values, as they are.
  case invalid(String)

  /// Reads the fields of a head. Equal numbers, in one field or several, are one.
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

  /// The number of bytes; nil if it is not known.
  package var count: Int? { if case .bytes(let count) = self { count } else { nil } }
}
