import NovaCore

/// What the gateway reports about a file apart from its URL, such as the record of an upload.
package struct ExpectedFile: Sendable, Hashable {
  /// The size in bytes; nil if it is unknown.
  private let byteCount: Int?
  /// The media type; nil if it is unknown.
  private let contentType: String?

  /// Creates an expectation.
  ///
  /// - Parameters:
  ///   - byteCount: the size in bytes; 0 if it is unknown.
  ///   - contentType: the media type; empty if it is unknown.
  package init(byteCount: Int64, contentType: String) {
    self.byteCount = byteCount > 0 ? Int(exactly: byteCount) : nil
    self.contentType = contentType.isEmpty ? nil : contentType
  }

  /// Why a response is not the file; nil if it can be.
  ///
  /// A file of another media type may be converted, as far as ``ContentKind`` allows it, and may have any size then; so may a
  /// larger one of the same type. A smaller one is taken for a part of the file, a web page in place of another type for that of
  /// a portal or a broken server, and JSON, XML, text, or bytes of no type of another size for no image, video, or sound.
  ///
  /// - Parameters:
  ///   - other: the media type of the response; nil if it has none.
  ///   - count: the size of the file in the response; nil if it is not known yet.
  package func problem(contentType other: String?, byteCount count: Int?) -> String? {
    if let count, count == byteCount, ContentKind(other) != .page { return nil }
    let replacement = Replacement(contentType: other, insteadOf: contentType)
    // A page is known without its size.
    if case .page = replacement { return replacement?.description }
    guard let count else { return nil }
    if let replacement { return replacement.description }
    guard let byteCount, isMislabeled(other) || count < byteCount && !isConverted(other) else { return nil }
    return
      "the server sends \(count) bytes of a file that has \(byteCount) according to its record (if it shrinks files, "
      + "download the URL of the record)"
  }

  /// What is different about a file that is accepted, as a clause; nil for nothing.
  package func difference(contentType other: String?, byteCount count: Int) -> String? {
    guard let byteCount, count != byteCount else { return nil }
    return "the file has \(count) bytes, and \(byteCount) according to its record: the server may have converted it"
  }

  private func isConverted(_ other: String?) -> Bool {
    guard let contentType, let other else { return false }
    return ContentTypeName.of(contentType) != ContentTypeName.of(other)
      && ContentKind(contentType).mayBecome(ContentKind(other))
  }

  /// Whether bytes without a type come in place of what has one that every converter names.
  private func isMislabeled(_ other: String?) -> Bool {
    ContentKind(contentType).isMedia && other.orNilIfEmpty != nil && ContentKind(other) == .generic
  }
}
