import NovaCore

/// Stubs in the admin API.
struct AdminStubs {
  let backend: MockBackend

  /// All stubs; what is large is left out.
  var json: JSONValue { ["stubs": .array(backend.stubs.map { $0.json(isShort: true) })] }

  func stub(_ id: String) throws(MockFailure) -> HTTPResponse {
    guard let stub = backend.stubs.first(where: { $0.id == id }) else { throw .missing("stub", id) }
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
    guard backend.removeStub(id) else { throw .missing("stub", id) }
    return .json(json)
  }

  func removeAll() -> HTTPResponse {
    backend.removeStubs()
    return .json(json)
  }
}

extension MockBackend.ActiveStub {
  /// In a list, larger bodies, matchers, and headers are null.
  private static let largestInList = 1024

  /// The stub as the admin API returns it. Secrets are masked.
  fileprivate func json(isShort: Bool = false) -> JSONValue {
    func listed(_ json: JSONValue, size: Int) -> JSONValue { isShort && size > Self.largestInList ? .null : json }
    let bytes = stub.response.body.inMemory
    let body =
      isShort && bytes.count > Self.largestInList
      ? nil
      : (try? JSONValue(jsonUTF8: bytes)).map {
        SecretText.masked($0, names: SecretText.names(in: stub.descriptor.responseType))
      }
    let headers = stub.response.headers.fields.filter { !$0.name.equalsIgnoringASCIICase("Content-Type") }
      .map {
        JSONValue.Member(
          name: $0.name, value: .string(SecretText.isSecret(name: $0.name) ? SecretText.mask : $0.value.withoutTokens))
      }
    let request = SecretText.masked(
      stub.matcher.json, names: SecretText.names(in: stub.descriptor.requestType))
    return [
      "id": .string(id), "rpc": .string(stub.rpc), "request": listed(request, size: stub.size - bytes.count),
      "status": .number(stub.response.status), "body": body ?? .null, "body_size": .number(bytes.count),
      "headers": listed(.object(headers), size: stub.size - bytes.count),
      "delay_ms": .number(Int(delay / .milliseconds(1))), "hits": .number(hits),
    ]
  }
}
