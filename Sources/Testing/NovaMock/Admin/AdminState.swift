import NovaCore

/// The state in the admin API.
struct AdminState {
  let backend: MockBackend

  var json: JSONValue {
    let (state, counts) = backend.withState { ($0, MockCounts($0)) }
    let members = counts.members.map { JSONValue.Member(name: $0.name, value: .number($0.count)) }
    return [
      "seed": .number(String(backend.seed)), "data_set": .string(backend.dataSet.name), "now": .number(Int(state.now)),
      "clock_offset_seconds": .number(Int(state.clockOffset)),
      "request_count": .number(backend.log.withLock { $0.last }), "counts": .object(members),
    ]
  }

  func reset() async throws -> HTTPResponse {
    try await backend.apply(.reset)
    backend.clearFaults()
    backend.removeStubs()
    backend.source?.reset()
    return .json(json)
  }

  func advance(_ body: AdminBody) async throws -> HTTPResponse {
    let seconds = try body.integer("advance_seconds", 0...Int(MockBackend.maximumClockOffset))
    try await backend.apply(.advance(seconds: Int64(seconds)))
    return .json(json)
  }
}
