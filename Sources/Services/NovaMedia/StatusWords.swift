/// The status of a record, split into words. Servers spell an enum's values differently: `failed`, `Failed`,
/// `UPLOAD_STATUS_FAILED`, `uploadFailed`.
struct StatusWords: Sendable {
  /// Words of the enum's name, not of a value.
  private static let names: Set = ["upload", "video", "reel", "media", "file", "status", "state"]
  /// Words that mean that the operation failed permanently.
  private static let failures: Set = [
    "failed", "failure", "error", "errored", "rejected", "refused", "denied", "aborted", "cancelled", "canceled",
    "expired", "quarantined", "infected", "blocked", "invalid", "corrupt", "corrupted", "deleted", "removed",
  ]

  private let words: [String]

  init(_ status: String) {
    var words: [String] = []
    var (isInWord, wasLower) = (false, false)
    for scalar in status.unicodeScalars {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        isInWord = false
        continue
      }
      if !isInWord || wasLower && scalar.properties.isUppercase { words.append("") }
      words[words.count - 1] += scalar.properties.lowercaseMapping
      (isInWord, wasLower) = (true, scalar.properties.isLowercase)
    }
    self.words = Array(words.count > 1 ? words.drop { Self.names.contains($0) } : words[...])
  }

  /// The value in lower case, with spaces between its words; empty if absent.
  var text: String {
    let text = words.joined(separator: " ")
    return ["unspecified", "unknown"].contains(text) ? "" : text
  }

  var isFailure: Bool { words.contains { Self.failures.contains($0) } }
}
