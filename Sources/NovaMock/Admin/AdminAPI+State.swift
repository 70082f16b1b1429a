import NovaCore

extension AdminAPI {
  var state: JSONValue {
    let (state, counts) = backend.withState { ($0, MockCounts($0)) }
    let members = counts.members.map { JSONValue.Member(name: $0.name, value: .number(String($0.count))) }
    return .members(
      ("seed", .number(String(backend.seed))), ("data_set", .string(backend.dataSet.name)),
      ("now", .number(String(state.now))), ("clock_offset_seconds", .number(String(state.clockOffset))),
      ("request_count", .number(String(backend.log.withLock { $0.last }))), ("counts", .object(members)))
  }

  func reset() async throws -> HTTPResponse {
    try await backend.change(.reset)
    backend.clearFaults()
    backend.removeStubs()
    return .json(state)
  }

  func advance(_ body: AdminBody) async throws -> HTTPResponse {
    let seconds = try body.integer("advance_seconds", 0...Int(MockBackend.maximumClockOffset))
    try await backend.change(.advance(seconds: Int64(seconds)))
    return .json(state)
  }

  var snapshots: JSONValue {
    let snapshots = backend.withEngine { $0.snapshots }
    return .members(("snapshots", .array(snapshots.map(Self.entry))))
  }

  func keepSnapshot(_ body: AdminBody) async throws -> HTTPResponse {
    let name = try body.name()
    try await backend.change(.snapshot(name: name))
    guard let snapshot = backend.withEngine({ $0.snapshots.first { $0.name == name } }) else {
      throw MockFailure(.aborted, "snapshot \"\(name.shortened(to: 100))\" was dropped: 16 later snapshots replaced it")
    }
    return .json(Self.entry(snapshot), status: 201)
  }

  func restore(_ body: AdminBody) async throws -> HTTPResponse {
    try await backend.change(.restore(name: try body.name()))
    return .json(state)
  }

  private static func entry(_ snapshot: MockEngine.NamedSnapshot) -> JSONValue {
    .members(("name", .string(snapshot.name)), ("time", .string(Timestamp(seconds: snapshot.time).description)))
  }
}

extension MockBackend {
  /// Makes a change that is not an RPC, and returns once the journal has stored it durably.
  func change(_ action: MockChange.Action) async throws {
    let (result, position) = try withEngine { engine in
      try engine.check(action)
      return try engine.performJournaled(MockChange(engine.state, action))
    }
    if let position { try await waitUntilDurable(position) }
    _ = try result.get()
  }
}

extension MockEngine {
  /// Rejects a change that would fail, before the journal stores it.
  fileprivate func check(_ action: MockChange.Action) throws(MockFailure) {
    switch action {
    case .restore(let name): _ = try snapshot(named: name)
    case .advance(let seconds) where seconds > MockBackend.maximumClockOffset - state.clockOffset:
      throw MockFailure(.invalidArgument, "the clock would be more than a hundred years ahead")
    default: break
    }
  }
}
