import NovaCore

/// The name under which a caller's position is stored.
struct EventPositionName: Sendable {
  private let given: String
  /// Where the position is stored.
  private(set) var own: String
  /// Where earlier versions stored it, without the user. The first user who comes takes it over.
  private(set) var former: String?

  init(_ name: String) { (given, own) = (name, name) }

  /// Adds the caller, unless it is a program's only one whose user is unknown: then only the name finds the position again
  /// with the next token.
  mutating func belong(to key: EventConnectionKey) {
    if case .client = key.source {
      guard key.identity.user != nil else { return }
      former = given
    }
    own = "\(given) for \(key.identity.caller.positionName) at \(key.identity.gateway)"
  }
}

extension Identity.Caller {
  /// Without spaces within its parts, so that no user's name can look like another's.
  fileprivate var positionName: String {
    switch self {
    case .user(let id): "user \(PercentEncoding.encode(id))"
    case .token(let fingerprint): "token \(fingerprint)"
    case .anonymous: "nobody"
    }
  }
}
