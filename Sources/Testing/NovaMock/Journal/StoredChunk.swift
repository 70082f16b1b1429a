import NovaCore

/// A chunk in a journal: the place of its bytes, and a digest that shows whether they are still those.
struct StoredChunk: Sendable, Hashable {
  /// The name of the file in the folder of uploads.
  let file: String
  let first: Int64
  let count: Int64
  /// The SHA-256 digest of everything in the file up to the end of the chunk.
  let digest: [UInt8]

  var end: Int64 { first + count }

  var members: [JSONValue.Member] {
    [
      .init(name: "file", value: .string(file)), .init(name: "offset", value: .number(String(first))),
      .init(name: "length", value: .number(String(count))),
      .init(name: "sha256", value: .string(Hexadecimal.encode(digest))),
    ]
  }
}

extension StoredChunk {
  /// Returns nil if a member is missing or out of range.
  init?(_ json: JSONValue) {
    guard let file = json["file"]?.stringValue, let first = json["offset"]?.integerValue, first >= 0,
      let count = json["length"]?.integerValue, count > 0, !first.addingReportingOverflow(count).overflow,
      let digest = json["sha256"]?.stringValue.flatMap(Hexadecimal.decode)
    else { return nil }
    self.init(file: file, first: Int64(first), count: Int64(count), digest: digest)
  }
}
