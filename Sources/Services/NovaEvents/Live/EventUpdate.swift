/// What a subscription delivers.
public enum EventUpdate: Sendable, Hashable {
  /// Something happened.
  case event(Event)
  /// Events may be missing: read what you show again. Events continue from the oldest one the gateway still has; your
  /// fresh read may already include some of them.
  case resync(ResyncReason)
}

/// Why events may be missing.
public struct ResyncReason: RawRepresentable, Hashable, Sendable {
  /// The reason as text: `position_gone`.
  public let rawValue: String

  /// Creates a reason.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The gateway no longer has the events after the last one. It keeps a limited number, and may lose them in a
  /// restart.
  public static let positionGone = ResyncReason(rawValue: "position_gone")
}

/// Whether events arrive.
public enum LiveState: String, Sendable, Hashable {
  /// The first connection is being opened.
  case connecting
  /// Events arrive as they happen.
  case live
  /// The connection was lost, and another one is being opened. Events from in between arrive after that.
  case recovering
  /// No connection is open: there are no subscriptions, the gateway cannot be reached for now, or the client has
  /// disconnected.
  case offline
}
