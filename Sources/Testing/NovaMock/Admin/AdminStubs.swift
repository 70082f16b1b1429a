import NovaCore

/// Stubs in the admin API.
struct AdminStubs {
  private let backend: MockBackend

  init(_ backend: MockBackend) { self.backend = backend }

  /// All stubs; what is large is left out.
  var json: JSONValue { .members(("stubs", .array(backend.stubs.map { $0.json(isShort: true) }))) }

  func stub(_ id: String) throws(MockFailure) -> HTTPResponse {
    guard let stub = backend.stubs.first(where: { $0.id == id }) else {
      throw MockFailure(.notFound, "not found: stub \(id.quoted)")
    }
    return .json(stub.json())
  }

  func add(_ body: AdminBody) throws -> HTTPResponse {
    let stub = try MockStub(body)
    let added = try backend.activeStubs.withLock { stubs in
      guard stubs.all.count < MockStub.maximumCount else {
        throw MockFailure(.resourceExhausted, "there are \(MockStub.maximumCount) stubs; remove some first")
      }
      guard stubs.bytes + stub.size <= MockStub.maximumBytes else {
        throw MockFailure(
          .resourceExhausted, "all stubs would exceed \(MockStub.maximumBytes >> 20) MiB; remove some first")
      }
      return stubs.add(stub)
    }
    return .json(added.json(), status: 201)
  }

  func remove(_ id: String) throws(MockFailure) -> HTTPResponse {
    guard backend.removeStub(id) else { throw MockFailure(.notFound, "not found: stub \(id.quoted)") }
    return .json(json)
  }

  func removeAll() -> HTTPResponse {
    backend.removeStubs()
    return .json(json)
  }
}
