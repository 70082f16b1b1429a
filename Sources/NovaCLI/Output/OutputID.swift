import NovaCore

/// An ID as `--output ids` writes it: on a line by itself, for scripts.
struct OutputID {
  private let id: String

  init(_ id: String) { self.id = id }

  /// The ID, which any program that reads lines, including `xargs`, reads as one ID.
  ///
  /// - Throws: ``Failure`` for an ID that could be read as several IDs, as an option, or as a terminal command.
  func line() throws -> String {
    guard let problem else { return id }
    throw Failure(
      "cannot list ids: the id \"\(id.printable(to: 80))\" \(problem)",
      hint: "Use --output ndjson, which escapes it, and read it with a JSON parser such as jq.", .badData)
  }

  private var problem: String? {
    if id.isEmpty { return "is empty" }
    if id.unicodeScalars.contains(where: { !$0.isSafeToShow }) { return "has a control character or an invisible one" }
    if id.unicodeScalars.contains(where: \.properties.isWhitespace) { return "has white space, which separates ids" }
    if id.unicodeScalars.contains(where: { "\"'\\".unicodeScalars.contains($0) }) {
      return "has a quotation mark or a backslash, which shells and xargs read as their own"
    }
    return id.hasPrefix("-") ? "begins with \"-\", as options do" : nil
  }
}
