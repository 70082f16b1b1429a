import NovaCore

/// Decides what a response is worth to a reader that has the first bytes of a file: the one rule for downloads and for
/// ``MediaBytes``.
///
/// Bytes are joined only if the server proves with the very response that they are of one version. Where nothing is proved,
/// the whole file is requested, which always helps: its head shows whether the bytes that are there are the beginning of it.
struct Continuation: Sendable, Hashable {
  /// How many bytes are there.
  var position: Int
  /// What is known about them, or about the file that could not be read yet.
  var known: MediaHead?
  /// What the server has announced before, also if nothing proves later that a response is about the same file.
  var announced: MediaHead?
  /// Whether an equal validator does not suffice, because it can be that of another resource.
  var needsDigest = false
  /// Whether the response is one to a request for the bytes from the position on, provided that the file is the same.
  var isRange = false

  /// What to do with a response.
  enum Verdict: Sendable, Hashable {
    /// Read the body: it is of the same file, and the first bytes of it can be there already.
    case next(MediaHead, Bytes)
    /// Read the body, which is all of a file. The bytes that are there are those of another one, or it is not known.
    case other(MediaHead, Bytes)
    /// Nothing is missing.
    case complete
    /// The file is another one: request it from its beginning.
    case changed
    /// It is not known what the body is, or where it belongs: request the whole file.
    case unclear
    /// The server reports another size for the same version than before: one of the two cannot be right.
    case contradiction(before: Int, now: Int)
    /// The server sends something in place of the file that cannot be a later version of it.
    case replacement(Replacement)
    /// There is nothing else to request.
    case unusable(BodyExtent.Problem)
  }

  /// The place of a body in the file.
  struct Bytes: Sendable, Hashable {
    var start: Int
    /// The place after the last byte; nil if that is not announced.
    var end: Int?
    /// Whether the server sends a range of its choice.
    var isPart = false
  }

  /// - Parameters:
  ///   - length: the announced size of the body; nil for none.
  ///   - landing: where redirects led to the response; nil if that is unknown.
  func verdict(status: Int, headers: HTTPHeaders, length: Int?, landing: MediaLanding? = nil) -> Verdict {
    switch BodyExtent(status: status, headers: headers, length: length, total: known?.total) {
    case .whole(let total): whole(headers, total: total, landing: landing)
    case .part(let bytes, let total): part(headers, of: bytes, total: total, landing: landing)
    case .none(let total): end(headers, total: total, status: status, landing: landing)
    case .unusable(let problem):
      // Where a part is unusable, the whole file may not be.
      isRange ? .unclear : .unusable(problem)
    }
  }

  private func whole(_ headers: HTTPHeaders, total: Int?, landing: MediaLanding?) -> Verdict {
    let head = MediaHead(headers, total: total, landing: landing)
    let bytes = Bytes(start: 0, end: total)
    guard let known, known.sameness(headers, at: landing, needsDigest: needsDigest) == .proven else {
      if let replacement = replacement(by: head) { return .replacement(replacement) }
      return position == 0 ? .next(head, bytes) : .other(head, bytes)
    }
    if let total, total != known.total ?? max(total, position) {
      return .contradiction(before: known.total ?? position, now: total)
    }
    // More bytes are there than were ever announced: something else has written them.
    if let total, total < position { return .other(head, bytes) }
    return .next(head, bytes)
  }

  /// What a whole file shows that is not known to be the one of which bytes are there.
  private func replacement(by head: MediaHead) -> Replacement? {
    guard let before = announced ?? known else { return nil }
    if let replacement = Replacement(contentType: head.contentType, insteadOf: before.contentType) {
      return replacement
    }
    // A file that was emptied has another validator.
    return head.total == 0 && head.validator == nil && max(position, before.total ?? 0) > 0 ? .empty : nil
  }

  private func part(
    _ headers: HTTPHeaders, of bytes: Range<Int>, total: Int?, landing: MediaLanding?
  ) -> Verdict {
    guard isRange, let known else { return .unusable(.part(bytes)) }
    switch known.sameness(headers, at: landing, needsDigest: needsDigest) {
    case .refuted: return .changed
    case .unknown: return .unclear
    case .proven: break
    }
    // What begins elsewhere may be mislabeled, too.
    guard bytes.lowerBound == position, (total ?? known.total ?? .max) >= bytes.upperBound else { return .unclear }
    if let total, let before = known.total, total != before { return .unclear }
    let head = MediaHead(headers, total: total ?? known.total, landing: landing)
    return .next(head, Bytes(start: bytes.lowerBound, end: bytes.upperBound, isPart: true))
  }

  private func end(_ headers: HTTPHeaders, total: Int?, status: Int, landing: MediaLanding?) -> Verdict {
    guard isRange, let known else { return .unusable(.status(status)) }
    guard (total ?? known.total) == position, known.total ?? position == position else { return .unclear }
    switch known.sameness(headers, at: landing, needsDigest: needsDigest) {
    case .refuted: return .changed
    case .proven: return .complete
    // Most servers report nothing else with a 416, and some not even the size. Bytes whose number was announced are all of one version.
    case .unknown: return known.total == position && !needsDigest ? .complete : .unclear
    }
  }
}

extension Continuation {
  /// A contradiction as a clause.
  static func contradiction(before: Int, now: Int) -> String {
    "the server reports a size of \(now) bytes after one of \(before) for the same version"
  }
}
