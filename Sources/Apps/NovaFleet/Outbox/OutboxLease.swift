import NovaCore

/// The right to deliver the writes of one subject, until it ends or is lost.
struct OutboxLease: Sendable, Hashable {
  let subject: String
  /// Another number for each lease. Every change names it.
  let generation: Int64
  /// Whether an earlier lease had not been released.
  var isTakenOver = false
}

/// When a subject is looked at again after its lease is released.
struct OutboxRelease: Sendable {
  let lease: OutboxLease
  /// In how many seconds; nil if nothing waits.
  var dueIn: Double?
  /// Until when, in seconds from now, nothing is sent even if something arrives; 0 for no rest.
  var rest: Double = 0
}

extension Identity {
  /// The subject of the identity's writes. The gateway of an identity that a program has made may lack the last slash.
  var subject: String {
    let start = gateway.firstRange(of: "://")?.upperBound ?? gateway.startIndex
    guard !isAnonymous, start != gateway.startIndex, !gateway[start...].contains("/") else { return storedText }
    return Identity(gateway: "\(gateway)/", caller: caller).storedText
  }
}

/// A clock whose time of day is that of the database, so that all replicas agree on it.
final class DatabaseClock: CallClock {
  private let base: any CallClock
  private let offset = Locked<Double>(0)

  init(_ base: any CallClock) { self.base = base }

  var now: ContinuousClock.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }
  var unixTime: Double { base.unixTime + offset.withLock { $0 } }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  /// The database has reported its time.
  func note(_ time: Double) {
    let difference = time - base.unixTime
    offset.withLock { $0 = difference }
  }
}
