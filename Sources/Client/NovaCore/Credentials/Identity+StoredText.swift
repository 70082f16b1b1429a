// Callers and identities as text in the SDK's files: queued writes, the offline store, analytics events, records of uploads.
// Text that was written once must stay readable.

extension Identity.Caller {
  /// `user:ada`, or `token:` with a fingerprint; empty for nobody.
  package var storedText: String {
    switch self {
    case .user(let id): "user:\(id)"
    case .token(let fingerprint): "token:\(fingerprint)"
    case .anonymous: ""
    }
  }

  /// Reads what ``storedText`` has written; nil for any other text.
  package init?(storedText text: String) {
    // Byte by byte: a user's ID may begin with a combining character.
    func value(after prefix: String) -> String? {
      text.utf8.starts(with: prefix.utf8) ? String(Substring(text.utf8.dropFirst(prefix.utf8.count))) : nil
    }
    if text.isEmpty {
      self = .anonymous
    } else if let id = value(after: "user:") {
      self = .user(id)
    } else if let fingerprint = value(after: "token:") {
      self = .token(fingerprint: fingerprint)
    } else {
      return nil
    }
  }
}

extension Identity {
  private static let separator = " at "

  /// `user:ada at https://api.nova.social`, or `token:` with a fingerprint; empty for nobody, whatever the gateway.
  package var storedText: String { isAnonymous ? "" : "\(caller.storedText)\(Self.separator)\(gateway)" }

  /// Reads what ``storedText`` has written; nil for any other text, and for nobody.
  package init?(storedText text: String) {
    // A gateway has no spaces, and a user may have any.
    let bytes = text.utf8
    guard let end = bytes.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let (head, gateway) = (bytes[...end], bytes[end...].dropFirst())
    guard head.suffix(Self.separator.utf8.count).elementsEqual(Self.separator.utf8), !gateway.isEmpty,
      let caller = Caller(storedText: String(Substring(head.dropLast(Self.separator.utf8.count)))),
      caller != .anonymous
    else { return nil }
    self.init(gateway: String(Substring(gateway)), caller: caller)
  }
}
