import NovaCore

extension AdminAPI {
  var stubs: JSONValue { .members(("stubs", .array(backend.stubs.map(\.json)))) }

  func addStub(_ body: AdminBody) throws -> HTTPResponse {
    let stub = try MockStub(body)
    guard backend.stubs.count < MockStub.maximumCount else {
      throw MockFailure(.resourceExhausted, "there are \(MockStub.maximumCount) stubs; remove some first")
    }
    return .json(backend.add(stub).json, status: 201)
  }

  func removeStub(_ id: String) throws(MockFailure) -> HTTPResponse {
    guard backend.removeStub(id) else { throw MockFailure(.notFound, "not found: stub \(id.quoted)") }
    return .json(stubs)
  }

  func removeStubs() -> HTTPResponse {
    backend.removeStubs()
    return .json(stubs)
  }
}
