import NovaAnalytics
import NovaCore

/// The caller that an event belongs to. It is stored with the event, which is sent only with this caller's token.
enum AnalyticsCaller: Sendable, Hashable {
  /// A user, the holder of a token whose user is unknown, or no user yet: `anonymous`. An anonymous event will belong to
  /// the user who signs in next.
  case known(Identity.Caller)
  /// No user yet at a ``TokenProvider`` of the call options, identified by a random name: the event will belong to that
  /// provider's next user.
  case provider(String)

  static let anonymous = AnalyticsCaller.known(.anonymous)

  static func user(_ id: String) -> AnalyticsCaller { .known(.user(id)) }

  /// The user's ID; nil for other callers.
  var user: String? { if case .known(.user(let id)) = self { id } else { nil } }

  /// Distinguishes the caller from others in a sample; nil for `anonymous`.
  var name: String? { self == .anonymous ? nil : user ?? stored }

  /// The caller as whom the events are sent.
  var identity: Identity.Caller { if case .known(let caller) = self { caller } else { .anonymous } }

  // MARK: On the disk

  private static let provider = "provider:"

  /// The value in the database; empty for `anonymous`.
  var stored: String {
    if case .provider(let name) = self { Self.provider + name } else { identity.storedText }
  }

  /// Reads a value of the database. Events with an unknown value are never sent.
  init(stored: String) {
    if let caller = Identity.Caller(storedText: stored) {
      self = .known(caller)
    } else {
      let isProvider = stored.utf8.starts(with: Self.provider.utf8)
      self = .provider(isProvider ? String(Substring(stored.utf8.dropFirst(Self.provider.utf8.count))) : stored)
    }
  }
}

/// An event with its caller, and what is known about it before it is stored.
struct TrackedEvent: Sendable {
  var event: AnalyticsEvent
  var caller = AnalyticsCaller.anonymous
  /// When the event was tracked, on a clock that cannot be set.
  var uptime = Uptime()
  /// Whether the caller is only the last known user of the client, who must be looked up.
  var isProvisional = false
  /// Whether the gateway may have seen the event.
  var isAttempted = false
  /// The token in use when the event was tracked, which must not be recorded.
  var token: AccessToken?
}
