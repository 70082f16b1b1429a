/// Bodies as they are logged.
package struct LoggedBody {
  /// Larger ones are not taken apart for a log.
  private static let largestTakenApart = 1 << 20

  /// The names that the contract declares secret, as ``SecretText/plain(_:)`` has them.
  private let secretNames: Set<String>
  /// Whether the body is the value of a secret field.
  private let isSecret: Bool
  private let secrets: SecretRedactor
  private let limit: Int

  /// - Parameters:
  ///   - message: what the body is read or written as; nil if that is unknown.
  ///   - field: the field of the message that is the whole body. Default: the body is the message.
  ///   - secrets: what else may not show, under whatever name.
  ///   - limit: the most bytes to show.
  package init(
    _ message: (any ProtoMessage.Type)?, field: String? = nil, _ secrets: SecretRedactor = SecretRedactor(), limit: Int
  ) {
    let names = message.map(SecretText.names) ?? []
    secretNames = names
    isSecret = field.map { names.contains(SecretText.plain($0)) || SecretText.isSecret(name: $0) } ?? false
    self.secrets = secrets
    self.limit = limit
  }

  /// The body with its secrets masked, cut to the limit; of invalid JSON only the size, because its secrets
  /// cannot be found.
  package func text(_ body: [UInt8]) -> String? { shown(body)?.text }

  /// The same, and whether it is the whole body.
  package func shown(_ body: [UInt8]) -> (text: String, isWhole: Bool)? {
    if body.isEmpty { return nil }
    guard body.count <= Self.largestTakenApart, let json = try? JSONValue(jsonUTF8: body) else {
      return ("\(body.count) bytes, not shown", false)
    }
    if isSecret { return (SecretText.mask, true) }
    let bytes = secrets.masked(SecretText.masked(json, names: secretNames)).jsonUTF8
    return bytes.count <= limit ? (String(decoding: bytes, as: UTF8.self), true) : (Self.cut(bytes, to: limit), false)
  }

  /// Whole characters only.
  private static func cut(_ bytes: [UInt8], to limit: Int) -> String {
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "… (\(bytes.count) bytes)"
  }
}

/// What is logged of an attempt beyond the facts.
public struct LogOptions: Sendable {
  /// How much of each JSON body is logged, in bytes, secrets masked; 0 (default) for nothing. Other bodies, and bytes
  /// that are uploaded, are never logged.
  public var bodyBytes: Int

  /// Creates options.
  public init(bodyBytes: Int = 0) { self.bodyBytes = bodyBytes }
}
