import NovaCore

/// Identities as the files have them: `user:ada at https://api.nova.social`, or `token:` with a fingerprint; empty for
/// nobody. Files of earlier versions have the same.
extension Identity {
  var storedText: String {
    switch caller {
    case .user(let id): "user:\(id) at \(gateway)"
    case .token(let fingerprint): "token:\(fingerprint) at \(gateway)"
    case .anonymous: ""
    }
  }

  /// Reads what ``storedText`` has written; nil for any other text, and for nobody, who owns nothing that waits.
  init?(storedText text: String) {
    // A gateway has no spaces, and a user may have any.
    let bytes = text.utf8
    guard let end = bytes.lastIndex(of: UInt8(ascii: " ")), let start = bytes[..<end].firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let (kind, name, gateway) = (bytes[..<start], bytes[bytes.index(after: start)..<end], bytes[end...].dropFirst())
    guard name.suffix(3).elementsEqual(" at".utf8), !gateway.isEmpty else { return nil }
    let value = String(Substring(name.dropLast(3)))
    let isUser = kind.elementsEqual("user".utf8)
    guard isUser || kind.elementsEqual("token".utf8) else { return nil }
    self.init(gateway: String(Substring(gateway)), caller: isUser ? .user(value) : .token(fingerprint: value))
  }

  /// Whether a token makes the calls of which no user is known.
  var isOfUnnamedToken: Bool { if case .token = caller { true } else { false } }
}
