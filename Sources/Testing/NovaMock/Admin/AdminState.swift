import NovaCore

/// The state in the admin API.
struct AdminState {
  let backend: MockBackend

  var json: JSONValue {
    let (state, counts) = backend.withState { ($0, MockCounts($0)) }
    let (last, refused) = backend.log.withLock { ($0.last, $0.refusedCount) }
    let members = counts.members.map { JSONValue.Member(name: $0.name, value: .number($0.count)) }
    return [
      "seed": .number(String(backend.seed)), "data_set": .string(backend.dataSet.name), "now": .number(Int(state.now)),
      "clock_offset_seconds": AdminClock.offset(state.clock), "clock_frozen": .bool(state.clock.isFrozen),
      "request_count": .number(last - refused), "refused_count": .number(refused), "counts": .object(members),
    ]
  }

  /// Closes all sessions.
  func signOutAll() async throws -> HTTPResponse {
    try await backend.apply(.signOutAll)
    return .json(json)
  }

  func reset() async throws -> HTTPResponse {
    try await backend.apply(.reset)
    backend.clearFaults()
    backend.removeStubs()
    backend.stopScenario()
    backend.source?.reset()
    return .json(json)
  }
}
