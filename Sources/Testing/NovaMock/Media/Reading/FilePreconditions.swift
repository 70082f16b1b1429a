import NovaCore

/// The conditions of a request for a file (RFC 9110, 13).
struct FilePreconditions {
  private let headers: HTTPHeaders
  private let file: StoredFile

  init(_ headers: HTTPHeaders, _ file: StoredFile) { (self.headers, self.file) = (headers, file) }

  enum Outcome: Hashable {
    case proceed
    case notModified
    case failed
  }

  /// Evaluates the conditions in the order of section 13.2.2.
  var outcome: Outcome {
    if let tags = combined("If-Match") {
      if !matches(tags, isWeak: false) { return .failed }
    } else if let date = date("If-Unmodified-Since"), file.modified > date {
      return .failed
    }
    if let tags = combined("If-None-Match") { return matches(tags, isWeak: true) ? .notModified : .proceed }
    if let date = date("If-Modified-Since"), file.modified <= date { return .notModified }
    return .proceed
  }

  /// Whether `Range` applies: without `If-Range`, or if the client has a part of these very bytes.
  ///
  /// A date is a strong validator here, because the bytes of a completed upload never change.
  var allowsRange: Bool {
    guard let condition = combined("If-Range")?.trimmed else { return true }
    if condition.hasPrefix("\"") { return condition == file.tag }
    if condition.hasPrefix("W/") { return false }
    return HTTPDate.seconds(condition) == file.modified
  }

  /// The values of all fields with a name, as one list.
  private func combined(_ name: String) -> String? {
    let values = headers.fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ",")
  }

  private func date(_ name: String) -> Int64? { headers[name].flatMap(HTTPDate.seconds) }

  /// Whether a list of entity tags has the file's. Weak comparison ignores `W/`.
  private func matches(_ list: String, isWeak: Bool) -> Bool {
    if list.trimmed == "*" { return true }
    var rest = list[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard !rest.isEmpty else { return false }
      let isWeakTag = rest.hasPrefix("W/")
      if isWeakTag { rest = rest.dropFirst(2) }
      // A malformed list ends here. Tags can contain commas, but no quotes.
      guard rest.hasPrefix("\""), let end = rest.dropFirst().firstIndex(of: "\"") else { return false }
      if rest[...end] == file.tag, isWeak || !isWeakTag { return true }
      rest = rest[rest.index(after: end)...]
    }
  }
}
