import NovaCore

/// Decides how a reader that has the first bytes of a file can use a response: the one rule for downloads and for
/// ``MediaBytes``.
///
/// Bytes are joined only if this response itself proves that they are from one version. Without proof, the whole file
/// is requested. That always helps, because its head shows whether the existing bytes are its beginning.
struct Continuation: Sendable, Hashable {
  /// The number of bytes that the reader has.
  var position: Int
  /// What is known about these bytes, or about a file that could not be read yet.
  var known: MediaHead?
  /// What the server last announced, even if nothing proves that later responses are about the same file.
  var announced: MediaHead?
  /// Whether an equal validator is not enough, because it can belong to another resource.
  var needsDigest = false
  /// Whether the request was for the bytes from the position on, provided that the file is the same.
  var isRange = false

  /// How to use a response.
  enum Verdict: Sendable, Hashable {
    /// Read the body.
    case body(MediaHead, Bytes)
    /// The file is complete.
    case complete
    /// The file has changed: request it from its beginning.
    case changed
    /// It is unknown what the body is, or where it belongs: request the whole file.
    case unclear
    /// The response contradicts an earlier one, as a clause: it reports another size for the same version, or cannot be
    /// a later version of the file.
    case contradiction(String)
    /// The response is unusable, as a clause, and no other request would help.
    case unusable(String)
  }

  /// The position of a body in the file.
  struct Bytes: Sendable, Hashable {
    var start: Int
    /// The position after the last byte; nil if not announced.
    var end: Int?
    /// Whether the server sends a range that it chose.
    var isPart = false
    /// Whether the body is from the same file as the existing bytes, if any. Otherwise, it is a whole file.
    var isSame = true
  }

  /// - Parameters:
  ///   - length: the announced size of the body; nil if absent.
  ///   - landing: where redirects led; nil if unknown.
  func verdict(status: Int, headers: HTTPHeaders, length: Int?, landing: MediaLanding? = nil) -> Verdict {
    switch BodyExtent(status: status, headers: headers, length: length, total: known?.total) {
    case .whole(let total): whole(headers, total: total, landing: landing)
    case .part(let bytes, let total): part(headers, of: bytes, total: total, landing: landing)
    case .none(let total): end(headers, total: total, status: status, landing: landing)
    case .unusable(let problem):
      // A part is unusable, but the whole file may be usable.
      isRange ? .unclear : .unusable(problem.description)
    }
  }

  private func whole(_ headers: HTTPHeaders, total: Int?, landing: MediaLanding?) -> Verdict {
    let head = MediaHead(headers, total: total, landing: landing)
    guard let known, known.sameness(headers, at: landing, needsDigest: needsDigest) == .proven else {
      if let replacement = replacement(by: head) { return .contradiction(replacement.description) }
      return .body(head, Bytes(start: 0, end: total, isSame: position == 0))
    }
    if let total, total != known.total ?? max(total, position) {
      return .contradiction(
        "the server reports a size of \(total) bytes after one of \(known.total ?? position) for the same version")
    }
    // If the reader has more bytes than were ever announced, something else has written them.
    return .body(head, Bytes(start: 0, end: total, isSame: position <= total ?? position))
  }

  /// Describes a whole file that cannot be a later version of the known one; nil if it can.
  private func replacement(by head: MediaHead) -> Replacement? {
    guard let before = announced ?? known else { return nil }
    if let replacement = Replacement(contentType: head.contentType, insteadOf: before.contentType) {
      return replacement
    }
    // A file that was emptied on purpose has another validator.
    return head.total == 0 && head.validator == nil && max(position, before.total ?? 0) > 0 ? .empty : nil
  }

  private func part(
    _ headers: HTTPHeaders, of bytes: Range<Int>, total: Int?, landing: MediaLanding?
  ) -> Verdict {
    guard isRange, let known else { return .unusable(BodyExtent.Problem.part(bytes).description) }
    switch known.sameness(headers, at: landing, needsDigest: needsDigest) {
    case .refuted: return .changed
    case .unknown: return .unclear
    case .proven: break
    }
    // A body at another position may be mislabeled, too.
    guard bytes.lowerBound == position, (total ?? known.total ?? .max) >= bytes.upperBound else { return .unclear }
    if let total, let before = known.total, total != before { return .unclear }
    let head = MediaHead(headers, total: total ?? known.total, landing: landing)
    return .body(head, Bytes(start: bytes.lowerBound, end: bytes.upperBound, isPart: true))
  }

  private func end(_ headers: HTTPHeaders, total: Int?, status: Int, landing: MediaLanding?) -> Verdict {
    guard isRange, let known else { return .unusable(BodyExtent.Problem.status(status).description) }
    guard (total ?? known.total) == position, known.total ?? position == position else { return .unclear }
    switch known.sameness(headers, at: landing, needsDigest: needsDigest) {
    case .refuted: return .changed
    case .proven: return .complete
    // Most servers report nothing more with a 416, and some not even the size. If the reader has exactly the announced
    // number of bytes, they are from one version.
    case .unknown: return known.total == position && !needsDigest ? .complete : .unclear
    }
  }
}
