import NovaCore

/// Snapshots in the admin API.
struct AdminSnapshots {
  let backend: MockBackend

  var json: JSONValue {
    let snapshots = backend.withEngine { $0.snapshots }
    return ["snapshots": .array(snapshots.map(Self.entry))]
  }

  func keep(_ body: AdminBody) async throws -> HTTPResponse {
    let name = try body.name()
    try await backend.apply(.snapshot(name: name))
    guard let snapshot = backend.withEngine({ $0.snapshots.first { $0.name == name } }) else {
      throw MockFailure(.aborted, "snapshot \"\(name.shortened(to: 100))\" was dropped: 16 later snapshots replaced it")
    }
    return .json(Self.entry(snapshot), status: 201)
  }

  func restore(_ body: AdminBody) async throws -> HTTPResponse {
    try await backend.apply(.restore(name: try body.name()))
    return .json(AdminState(backend: backend).json)
  }

  private static func entry(_ snapshot: MockEngine.NamedSnapshot) -> JSONValue {
    ["name": .string(snapshot.name), "time": .string(Timestamp(seconds: snapshot.time).description)]
  }
}
