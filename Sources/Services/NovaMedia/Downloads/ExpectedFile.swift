import NovaCore

/// What the gateway reports about a file apart from its URL, such as in the record of an upload.
package struct ExpectedFile: Sendable, Hashable {
  /// The size in bytes; nil if unknown.
  private let byteCount: Int?
  /// The media type; nil if unknown.
  private let contentType: String?

  /// Creates an expectation.
  ///
  /// - Parameters:
  ///   - byteCount: the size in bytes; 0 if unknown.
  ///   - contentType: the media type; empty if unknown.
  package init(byteCount: Int64, contentType: String) {
    self.byteCount = byteCount > 0 ? Int(exactly: byteCount) : nil
    self.contentType = contentType.isEmpty ? nil : contentType
  }

  /// Why a response is not the file; nil if it may be.
  ///
  /// A file of another media type may have been converted, as far as ``ContentKind`` allows it. It may then have any
  /// size, and a file of the same type may be larger. These are rejected: a smaller file of the same type, as a part of
  /// the file; a web page instead of another type, as the page of a portal or a broken server; and JSON, XML, text, or
  /// untyped bytes of another size instead of an image, video, or audio.
  ///
  /// - Parameters:
  ///   - other: the media type of the response; nil if absent.
  ///   - count: the size of the file in the response; nil if not known yet.
  package func problem(contentType other: String?, byteCount count: Int?) -> String? {
    if let count, count == byteCount, ContentKind(other) != .page { return nil }
    let replacement = Replacement(contentType: other, insteadOf: contentType)
    // A page is rejected even if its size is unknown.
    if case .page = replacement { return replacement?.description }
    guard let count else { return nil }
    if let replacement { return replacement.description }
    guard let byteCount, isMislabeled(other) || count < byteCount && !isConverted(other) else { return nil }
    return
      "the server sends \(count) bytes of a file that has \(byteCount) according to its record (if it shrinks files, "
      + "download the URL of the record)"
  }

  /// How an accepted file differs from the expected one, as a clause; nil if it does not.
  package func difference(contentType other: String?, byteCount count: Int) -> String? {
    guard let byteCount, count != byteCount else { return nil }
    return "the file has \(count) bytes, and \(byteCount) according to its record: the server may have converted it"
  }

  private func isConverted(_ other: String?) -> Bool {
    guard let contentType, let other else { return false }
    return ContentTypeName.of(contentType) != ContentTypeName.of(other)
      && ContentKind(contentType).mayBecome(ContentKind(other))
  }

  /// Whether the bytes have no type, although every converter names the type of such a file.
  private func isMislabeled(_ other: String?) -> Bool {
    ContentKind(contentType).isMedia && other.orNilIfEmpty != nil && ContentKind(other) == .generic
  }
}
