import NovaCore

/// The state in the admin API.
struct AdminState {
  private let backend: MockBackend

  init(_ backend: MockBackend) { self.backend = backend }

  var json: JSONValue {
    let (state, counts) = backend.withState { ($0, MockCounts($0)) }
    let members = counts.members.map { JSONValue.Member(name: $0.name, value: .number(String($0.count))) }
    return .members(
      ("seed", .number(String(backend.seed))), ("data_set", .string(backend.dataSet.name)),
      ("now", .number(String(state.now))), ("clock_offset_seconds", .number(String(state.clockOffset))),
      ("request_count", .number(String(backend.log.withLock { $0.last }))), ("counts", .object(members)))
  }

  func reset() async throws -> HTTPResponse {
    try await backend.apply(.reset)
    backend.clearFaults()
    backend.removeStubs()
    return .json(json)
  }

  func advance(_ body: AdminBody) async throws -> HTTPResponse {
    let seconds = try body.integer("advance_seconds", 0...Int(MockBackend.maximumClockOffset))
    try await backend.apply(.advance(seconds: Int64(seconds)))
    return .json(json)
  }
}
