package import NovaCore

/// A success response that portals and broken servers send instead of a file.
enum Replacement: Sendable, Hashable {
  /// A web page, for example for signing in; with the media type of the file.
  case page(String)
  /// A document that may be an error message, instead of an image, video, or audio; with its media type and that of the
  /// file.
  case report(String, insteadOf: String)
  /// An empty body.
  case empty

  /// Compares the media type of a response with that of the file.
  ///
  /// - Returns: nil if the response may be the file, or a later version of it.
  init?(contentType: String?, insteadOf expected: String?) {
    guard let expected, !expected.isEmpty else { return nil }
    let (kind, fileKind) = (ContentKind(contentType), ContentKind(expected))
    if kind == .page, fileKind != .page {
      self = .page(expected)
    } else if kind.isReport, fileKind.isMedia, ContentTypeName.of(expected) != "image/svg+xml" {
      self = .report(contentType ?? "", insteadOf: expected)
    } else {
      return nil
    }
  }
}

extension Replacement: CustomStringConvertible {
  /// The problem, as a clause.
  var description: String {
    switch self {
    case .page(let type):
      "the server sends a web page in place of a file of the type \(type.printable(to: 60)), such as one to sign in to a "
        + "network"
    case .report(let type, let expected):
      "the server sends \(type.printable(to: 60)) in place of a file of the type \(expected.printable(to: 60)), such as a "
        + "report of an error"
    case .empty: "the server sends nothing in place of a file that had bytes before"
    }
  }
}

/// Compares a whole response with the file that a cache has for the same URL.
package enum LaterVersion {
  /// A whole file, in memory.
  package struct File: Sendable {
    let headers: HTTPHeaders
    let byteCount: Int

    package init(_ headers: HTTPHeaders, byteCount: Int) { (self.headers, self.byteCount) = (headers, byteCount) }
  }

  /// Why a response cannot be a later version of a file, by the rules for downloads; nil if it can.
  ///
  /// - Parameter isSamePlace: whether redirects led to the same place as before. At a different place, an equal ETag
  ///   can belong to another file.
  package static func problem(with later: File, after earlier: File, isSamePlace: Bool) -> String? {
    let head = MediaHead(earlier.headers, total: earlier.byteCount)
    let continuation = Continuation(position: earlier.byteCount, known: head, needsDigest: !isSamePlace)
    let verdict = continuation.verdict(status: 200, headers: later.headers, length: later.byteCount)
    if case .contradiction(let problem) = verdict { return problem }
    return nil
  }
}
