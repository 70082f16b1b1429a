/// How a caller's writes in the outbox are doing.
public struct OutboxState: Sendable, Hashable {
  /// Why nothing is sent although writes wait.
  public enum Pause: Sendable, Hashable {
    /// The gateway cannot be reached. It is probed from time to time.
    case offline
    /// No user is signed in, or the gateway refused the session. Sign in to continue.
    case signedOut
    /// Another process sends the writes of this directory.
    case anotherProcess
    /// The gateway asked to wait.
    case rateLimited
  }

  /// The number of writes that wait, without those that are blocked.
  public var waiting: Int
  /// The number of writes that wait for another one that was refused.
  public var blocked: Int
  /// The number of writes that were refused.
  public var dead: Int
  /// The number of writes in the directory that were made by others; see ``Outbox/otherEntries``.
  public var others: Int
  /// Whether writes are being sent.
  public var isSending: Bool
  /// Why nothing is sent although writes wait; nil if nothing prevents it.
  public var pause: Pause?
  /// When the gateway has asked to be tried again, on the client's clock; nil if it has not. The setting
  /// `retry.max_wait_seconds` bounds it.
  public var retryAt: ContinuousClock.Instant?
  /// Why the last attempt failed; nil after one that succeeded.
  public var lastFailure: OutboxFailure?
  /// What is wrong with the stored outbox itself, as a sentence; nil if nothing is.
  public var problem: String?

  /// Creates a state; the default is that of an empty outbox.
  public init(
    waiting: Int = 0, blocked: Int = 0, dead: Int = 0, others: Int = 0, isSending: Bool = false,
    pause: Pause? = nil, lastFailure: OutboxFailure? = nil, problem: String? = nil
  ) {
    self.waiting = waiting
    self.blocked = blocked
    self.dead = dead
    self.others = others
    self.isSending = isSending
    self.pause = pause
    self.lastFailure = lastFailure
    self.problem = problem
  }
}

/// What ``Outbox/flush()`` has done.
public struct OutboxSummary: Sendable, Hashable {
  /// How many writes took effect.
  public var sent: Int
  /// How many were refused.
  public var refused: Int
  /// How many still wait, with those that are blocked.
  public var waiting: Int
  /// How many were refused and are in ``Outbox/deadLetters``.
  public var dead: Int
  /// Why those that wait were not sent; nil if each of them was tried.
  public var pause: OutboxState.Pause?
  /// Why the last attempt failed; nil after one that succeeded.
  public var lastFailure: OutboxFailure?

  /// Creates a summary.
  public init(
    sent: Int = 0, refused: Int = 0, waiting: Int = 0, dead: Int = 0, pause: OutboxState.Pause? = nil,
    lastFailure: OutboxFailure? = nil
  ) {
    self.sent = sent
    self.refused = refused
    self.waiting = waiting
    self.dead = dead
    self.pause = pause
    self.lastFailure = lastFailure
  }
}

/// What a flush has done, and why not all of it.
package struct OutboxFlushReport: Sendable {
  package var summary = OutboxSummary()
  /// Why a write was refused or still waits, or why the outbox could not be used: the last such failure of this flush,
  /// whatever succeeded after it; nil if nothing failed.
  package var failure: OutboxFailure?
  /// How many of the waiting writes are blocked: they wait for another one that was refused.
  package var blocked = 0

  package init() {}
}
