/// What a subscription delivers.
public enum EventUpdate: Sendable, Hashable {
  /// Something happened.
  case event(Event)
  /// Events may be missing: read afresh what you show. The events that the gateway still has follow; what you read can
  /// contain the first of them already.
  case resync(ResyncReason)
}

/// Why a subscription cannot say what happened.
public struct ResyncReason: RawRepresentable, Hashable, Sendable {
  /// The reason as text: `position_gone`.
  public let rawValue: String

  /// Creates a reason.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The gateway no longer has the events since the last one: it keeps a limited number, and a restart can lose them.
  public static let positionGone = ResyncReason(rawValue: "position_gone")
}

/// Whether events arrive.
public enum LiveState: String, Sendable, Hashable {
  /// A first connection is being made.
  case connecting
  /// Events arrive as they happen.
  case live
  /// The connection was lost, and another is being made. What happens meanwhile arrives afterward.
  case recovering
  /// There is no connection: there are no subscriptions, the gateway cannot be reached for now, or the client has
  /// disconnected.
  case offline
}
