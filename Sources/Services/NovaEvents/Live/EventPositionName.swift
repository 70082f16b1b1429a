import NovaCore

/// The name under which a caller's position is stored.
struct EventPositionName: Sendable {
  private let given: String
  /// Where the position is stored.
  private(set) var own: String
  /// Where earlier versions stored the position, without the user. The first user to subscribe takes it over.
  private(set) var former: String?

  init(_ name: String) { (given, own) = (name, name) }

  /// Adds the caller to the name, unless it is the client's own caller and its user is unknown. In that case, the next
  /// token could not find the position under a name with a caller.
  mutating func belong(to key: EventConnectionKey) {
    if case .client = key.source {
      guard key.identity.user != nil else { return }
      former = given
    }
    own = "\(given) for \(key.identity.caller.positionName) at \(key.identity.gateway)"
  }
}

extension Identity.Caller {
  /// The caller as text. No part contains a space, so that different callers never have the same text.
  fileprivate var positionName: String {
    switch self {
    case .user(let id): "user \(PercentEncoding.encode(id))"
    case .token(let fingerprint): "token \(fingerprint)"
    case .anonymous: "nobody"
    }
  }
}
