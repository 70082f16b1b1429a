import NovaAnalytics
import NovaCore

/// Whose an event is. Events are stored with it, and sent with this caller's token only.
enum AnalyticsCaller: Sendable, Hashable {
  /// Nobody yet: the event goes with the user who signs in next.
  case nobody
  /// A user, by ID.
  case user(String)
  /// The holder of a token whose user is unknown, by the token's fingerprint.
  case token(String)
  /// Nobody yet, at a ``TokenProvider`` of the options, by a random name: the event goes with the provider's next user.
  case provider(String)

  // A user is known by the bytes of the ID, see ``Identity/Caller``.
  static func == (left: AnalyticsCaller, right: AnalyticsCaller) -> Bool {
    switch (left, right) {
    case (.nobody, .nobody): true
    case (.user(let left), .user(let right)), (.token(let left), .token(let right)),
      (.provider(let left), .provider(let right)):
      left.hasSameBytes(as: right)
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .nobody: hasher.combine(0)
    case .user(let text), .token(let text), .provider(let text): hasher.combine(bytesOf: text)
    }
  }

  init(_ caller: Identity.Caller) {
    self =
      switch caller {
      case .user(let id): .user(id)
      case .token(let fingerprint): .token(fingerprint)
      case .anonymous: .nobody
      }
  }

  /// The user's ID, for the event.
  var user: String? { if case .user(let id) = self { id } else { nil } }

  /// What tells the caller from others in a sample; nil for nobody.
  var name: String? { self == .nobody ? nil : user ?? stored }

  /// The caller of calls that send the events.
  var identity: Identity.Caller {
    switch self {
    case .user(let id): .user(id)
    case .token(let fingerprint): .token(fingerprint: fingerprint)
    case .nobody, .provider: .anonymous
    }
  }

  // MARK: On the disk

  private static let provider = "provider:"

  /// The value of the column; empty for nobody.
  var stored: String {
    if case .provider(let name) = self { Self.provider + name } else { identity.storedText }
  }

  /// What an unknown value stands for is never sent.
  init(stored: String) {
    if let caller = Identity.Caller(storedText: stored) {
      self.init(caller)
    } else {
      let isProvider = stored.utf8.starts(with: Self.provider.utf8)
      self = .provider(isProvider ? String(Substring(stored.utf8.dropFirst(Self.provider.utf8.count))) : stored)
    }
  }
}

/// An event, and whose it is.
struct TrackedEvent: Sendable {
  var event: AnalyticsEvent
  var caller = AnalyticsCaller.nobody
  /// When it was tracked on the clock that nobody sets.
  var uptime = Uptime()
  /// Whether the caller is only the latest that was known of the client's tokens, which must be asked.
  var isProvisional = false
  /// Whether the gateway may have seen the event.
  var isAttempted = false
  /// The token in use when the event was tracked, which it must not contain.
  var token: AccessToken?
}
