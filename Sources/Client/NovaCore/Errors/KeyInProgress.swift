/// A refusal that says that an earlier request with the same `Idempotency-Key` is still being carried out.
///
/// The server recognizes the key, so sending the request again is safe, and shows how the first one ended.
/// Servers report it in the code (`IDEMPOTENCY_IN_PROGRESS`, `idempotency_key_in_use`), in the type of problem details, or
/// only in their text ("A request is outstanding for this Idempotency-Key"). Some name the earlier request and not the key
/// (`PREVIOUS_REQUEST_IN_PROGRESS`, "request already processed or in progress").
///
/// The status is 409 at Stripe, PayPal, in gRPC gateways (ABORTED), and in the IETF's draft of the header; 409 or 422 at
/// Adyen; 423 or 425 at some others.
enum KeyInProgress {
  /// The statuses of such refusals: CONFLICT, LOCKED, and TOO EARLY.
  private static let statuses: Set = [409, 423, 425]
  /// The draft's status for a key that was used with another request. That is its usual meaning, so only unambiguous words
  /// count.
  private static let unprocessable = 422
  private static let progress = [
    "in progress", "in process", "in use", "in flight", "outstanding", "being processed", "being handled",
    "being executed", "currently processing", "still processing", "already processing", "still running", "pending",
    "ongoing", "concurrent", "locked",
  ]
  /// The words of servers that don't name the key. A pending follow request is a record, not an HTTP request.
  private static let progressOfRequest = Set(progress).subtracting([
    "in use", "pending", "outstanding", "ongoing", "concurrent", "locked",
  ])
  /// The words before "request" in those texts.
  private static let qualities: Set = [
    "", "previous", "earlier", "prior", "first", "original", "initial", "another", "same", "identical", "duplicate",
    "duplicated", "concurrent", "parallel", "the", "this", "that", "your", "a",
  ]
  /// The same key with another request is a mistake that waiting does not correct.
  private static let reuse = ["different", "mismatch", "not match", "reuse", "other parameters"]
  private static let reuseIfUnprocessable =
    reuse + ["already used", "been used", "another payload", "another body", "not the same"]

  /// Whether a response is such a refusal.
  ///
  /// - Parameter server: the server's own description of the failure.
  static func isReported(status: Int, _ server: ServerError?) -> Bool {
    let isPlain = status == unprocessable
    guard statuses.contains(status) || isPlain, let server else { return false }
    let texts = [server.code, server.message] + server.metadata.values
    // One text can name the key, and another can report that it belongs to another request.
    if isPlain, texts.contains(where: { text in reuseIfUnprocessable.contains(where: words(text).contains) }) {
      return false
    }
    return texts.contains { isReported(in: $0, isPlain: isPlain) }
  }

  /// - Parameter isPlain: whether only unambiguous words count: a record can be locked or in use, too.
  private static func isReported(in text: String, isPlain: Bool) -> Bool {
    // Long texts are pages.
    guard text.utf8.count <= 1000 else { return false }
    let words = words(text)
    guard !reuse.contains(where: words.contains) else { return false }
    if words.contains("idempoten"), !isPlain { return progress.contains(where: words.contains) }
    if words.contains("idempoten"), progressOfRequest.contains(where: words.contains) { return true }
    return namesEarlierRequest(words) && progressOfRequest.contains(where: words.contains)
  }

  private static func namesEarlierRequest(_ words: String) -> Bool {
    let words = words.split(separator: " ")
    return words.indices.contains { index in
      ["request", "requests"].contains(words[index]) && qualities.contains(index > 0 ? String(words[index - 1]) : "")
    }
  }

  /// The words of a text or a code, in lower case with a space between them.
  private static func words(_ text: String) -> String {
    var words = ""
    for scalar in text.unicodeScalars {
      let isWord = scalar.isASCII && scalar.properties.isAlphabetic
      if isWord { words.unicodeScalars.append(scalar) } else if words.last != " " { words.append(" ") }
    }
    return words.lowercased()
  }
}
