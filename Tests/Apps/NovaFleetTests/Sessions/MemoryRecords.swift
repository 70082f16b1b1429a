import NovaCore

@testable import NovaFleet

/// Sessions in memory, with failures, for tests of what is above the engines.
final class MemoryRecords: SessionRecords {
  struct Away: Error {}

  private struct State {
    var records: [String: SessionRecord] = [:]
    var writes: [String: String] = [:]
    var leases: [String: (owner: String, end: ContinuousClock.Instant)] = [:]
    var isAway = false
    var ahead = 0.0
  }

  private let state = Locked(State())

  var engine: String { "memory" }

  /// Whether every command fails.
  var isAway: Bool {
    get { state.withLock { $0.isAway } }
    set { state.withLock { $0.isAway = newValue } }
  }

  /// How far the store's clock is ahead, in seconds.
  var ahead: Double {
    get { state.withLock { $0.ahead } }
    set { state.withLock { $0.ahead = newValue } }
  }

  /// Loses everything, as `FLUSHALL` does.
  func flush() { state.withLock { ($0.records, $0.leases, $0.writes) = ([:], [:], [:]) } }
  /// Loses only the leases.
  func loseLeases() { state.withLock { $0.leases = [:] } }
  /// Goes back to an earlier content, as a failover to a replica that was behind does.
  func restore(_ records: [String: SessionRecord]) { state.withLock { ($0.records, $0.leases) = (records, [:]) } }
  var contents: [String: SessionRecord] { state.withLock { $0.records } }

  /// A record, with the time.
  private static func timed(_ record: SessionRecord?, _ ahead: Double) -> SessionRecord {
    var record = record ?? SessionRecord(generation: 0)
    record.time = ContinuousClock().unixTime + ahead
    return record
  }

  private func run<Result: Sendable>(_ body: @Sendable (inout State) -> Result) throws -> Result {
    try state.withLock { state in
      if state.isAway { throw Away() }
      return body(&state)
    }
  }

  func read(_ name: String) async throws -> SessionRecord {
    try run { Self.timed($0.records[name], $0.ahead) }
  }

  func acquire(_ name: String, owner: String, for duration: Duration) async throws -> LeaseAnswer {
    try run { state in
      let record = Self.timed(state.records[name], state.ahead)
      let now = ContinuousClock.now
      if let lease = state.leases[name], lease.owner != owner, lease.end > now {
        return .busy(record, remaining: now.duration(to: lease.end))
      }
      state.leases[name] = (owner, now.advanced(by: duration))
      return .acquired(record)
    }
  }

  func renew(_ name: String, owner: String, for duration: Duration) async throws -> Bool {
    try run { state in
      guard state.leases[name]?.owner == owner else { return false }
      state.leases[name]?.end = .now.advanced(by: duration)
      return true
    }
  }

  func release(_ name: String, owner: String) async throws {
    try run { state in if state.leases[name]?.owner == owner { state.leases[name] = nil } }
  }

  func replace(_ name: String, with record: SessionRecord, expected: Int64?, write: String) async throws -> Bool {
    try run { state in
      if state.writes[name] == write { return true }
      let generation = state.records[name]?.generation ?? 0
      guard expected.map({ $0 == generation }) ?? (generation < record.generation) else { return false }
      (state.records[name], state.writes[name]) = (record, write)
      return true
    }
  }

  func changes(of name: String) -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
