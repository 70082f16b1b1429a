import NovaCore

/// Counts of what has become of events, to be added to those in the database.
struct TrackingCounts: Sendable, Equatable {
  private(set) var lost: [LossReason: Int] = [:]
  private(set) var rejected: [String: Int] = [:]
  var sent = 0
  var droppedProperties = 0

  /// The maximum number of reasons that are counted separately. Limited because servers choose the reasons.
  static let mostReasons = 20
  static let otherReason = "other reasons"

  var isEmpty: Bool { self == TrackingCounts() }

  mutating func addLost(_ reason: LossReason, _ count: Int = 1) {
    if count > 0 { lost[reason, default: 0] += count }
  }

  mutating func addRejected(_ reason: String, _ count: Int = 1) {
    let reason = reason.isEmpty ? Self.otherReason : reason.printable(to: 200)
    let isKnown = rejected[reason] != nil || rejected.count < Self.mostReasons
    rejected[isKnown ? reason : Self.otherReason, default: 0] += count
  }

  mutating func add(_ other: TrackingCounts) {
    for (reason, count) in other.lost { addLost(reason, count) }
    for (reason, count) in other.rejected { addRejected(reason, count) }
    sent += other.sent
    droppedProperties += other.droppedProperties
  }
}
