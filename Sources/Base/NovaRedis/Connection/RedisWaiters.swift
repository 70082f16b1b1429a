import NovaSupport

/// The callers that wait for replies, in the order of their commands. One whose deadline has passed keeps its place, so
/// that its reply is not taken for another one's.
struct RedisWaiters: Sendable {
  struct Waiter: Sendable {
    let reply: FirstResult<RedisReply>
    let deadline: ContinuousClock.Instant
    /// The position of its first byte in all that is written.
    let start: Int
    /// The channel to which the command subscribes: a push confirms it, and only an error is a reply. Nil for other commands.
    let channel: String?
  }

  /// How long commands usually may take.
  private let timeout: Duration
  private var waiters = Queue<Waiter>()
  /// How many at the front do not wait anymore.
  private var expiredCount = 0
  /// When the connection is dead unless something has arrived until then. Nil unless one has expired.
  private var check: ContinuousClock.Instant?

  init(timeout: Duration) { self.timeout = timeout }

  var count: Int { waiters.count }
  var isEmpty: Bool { waiters.isEmpty }
  var all: [Waiter] { Array(waiters.all) }
  /// The channel to which the first command subscribes.
  var firstChannel: String? { waiters.first?.channel }

  /// The next time to call ``expire(at:lastRead:)``; nil if no caller waits.
  var nextDeadline: ContinuousClock.Instant? {
    let next = expiredCount < waiters.count ? waiters[expiredCount].deadline : nil
    return [next, check].compactMap(\.self).min()
  }

  mutating func append(_ waiter: Waiter) { waiters.append(waiter) }

  mutating func popFirst() -> Waiter? {
    if expiredCount > 0 { expiredCount -= 1 }
    if expiredCount == 0 { check = nil }
    return waiters.popFirst()
  }

  mutating func removeAll() { self = RedisWaiters(timeout: timeout) }

  /// Ends waits.
  ///
  /// - Parameter lastRead: when something arrived last.
  /// - Returns: those whose deadlines have passed now; whether nothing has arrived since the command of one of them, so that
  ///   the connection is dead.
  mutating func expire(
    at now: ContinuousClock.Instant, lastRead: ContinuousClock.Instant
  ) -> (waiters: [Waiter], isDead: Bool) {
    var expired: [Waiter] = []
    var isDead = false
    if let check, check <= now {
      isDead = lastRead <= check - timeout
      self.check = now + timeout
    }
    while expiredCount < waiters.count, waiters[expiredCount].deadline <= now {
      let waiter = waiters[expiredCount]
      if lastRead <= waiter.deadline - timeout { isDead = true }
      expired.append(waiter)
      expiredCount += 1
    }
    if expiredCount > 0, check == nil { check = now + timeout }
    return (expired, isDead)
  }
}
