/// What an ``EventTracker`` has done and still has to send. Counts start with the first use of the directory.
public struct TrackingStatus: Sendable, Equatable {
  /// How many events wait to be sent.
  public var waitingCount = 0
  /// When the oldest waiting event happened, in seconds since 1970; nil if no event waits.
  public var oldestEventTime: Double?
  /// How many events were sent, including those that the gateway already had.
  public var sentCount = 0
  /// How many events were dropped unsent, by reason.
  public var lost: [LossReason: Int] = [:]
  /// How many events the gateway or this SDK rejected, by reason.
  public var rejected: [String: Int] = [:]
  /// How many properties were dropped: their keys are not allowed, or their values look like secrets or personal text.
  public var droppedPropertyCount = 0
  /// Why the last attempt to send failed; nil if it succeeded, or there was none. Contains no secrets.
  public var lastError: String?
  /// Why events are kept in memory only, or the database was recreated; nil if all is well.
  public var storageProblem: String?
  /// Whether the stored events could not be read and are missing from the counts. `storageProblem` has the reason.
  package var isStorageUnusable = false
  /// Whether the user opted out.
  public var isOptedOut = false
  /// Identifies this user of this installation before they sign in. Empty after opting out, and before the first event.
  public var anonymousID = ""
  /// The session that the next event belongs to, unless the session has ended by then.
  public var sessionID = ""
  /// Whether a user is signed in, as far as the tracker knows.
  public var isSignedIn = false

  init() {}

  /// How many events were dropped unsent.
  public var lostCount: Int { lost.values.reduce(0, +) }
  /// How many events were rejected.
  public var rejectedCount: Int { rejected.values.reduce(0, +) }
}

/// Why an event was dropped unsent.
public enum LossReason: String, Sendable, Hashable, CaseIterable {
  /// More events waited than ``TrackingOptions`` allow.
  case full
  /// The event waited for too long.
  case expired
  /// The database was damaged.
  case storage
}
