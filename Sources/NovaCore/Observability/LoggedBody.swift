/// Bodies as they may stand in a log.
package struct LoggedBody {
  /// Larger ones are not taken apart for a log.
  private static let largestTakenApart = 1 << 20

  /// The names that are secret because the contract says so, as ``SecretText/plain(_:)`` has them.
  private let secretNames: Set<String>
  private let secrets: SecretRedactor
  private let limit: Int

  /// - Parameters:
  ///   - message: what the body is read or written as.
  ///   - secrets: what else may not show, under whatever name.
  ///   - limit: the most bytes to show.
  package init(_ message: MessageDescriptor, _ secrets: SecretRedactor = SecretRedactor(), limit: Int) {
    secretNames = SecretText.names(in: message)
    self.secrets = secrets
    self.limit = limit
  }

  /// The body with its secrets masked, cut to the limit; of what is not JSON from end to end, only the size, because
  /// nobody can tell where its secrets are.
  package func text(_ body: [UInt8]) -> String? {
    if body.isEmpty { return nil }
    guard body.count <= Self.largestTakenApart, let json = try? JSONValue(jsonUTF8: body) else {
      return "\(body.count) bytes, not shown"
    }
    let bytes = secrets.masked(SecretText.masked(json, names: secretNames)).jsonUTF8
    return bytes.count <= limit ? String(decoding: bytes, as: UTF8.self) : Self.cut(bytes, to: limit)
  }

  /// Whole characters only.
  private static func cut(_ bytes: [UInt8], to limit: Int) -> String {
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "… (\(bytes.count) bytes)"
  }
}
