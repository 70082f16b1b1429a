package import NovaCore

/// The admin API of `nova serve` under `/_nova/`: state, snapshots, clock, faults, stubs, and requests of a backend.
///
/// Faults don't affect it, and it does not list its own requests.
package struct AdminAPI: Sendable {
  let backend: MockBackend

  package init(_ backend: MockBackend) { self.backend = backend }

  /// Whether a URL belongs to the admin API.
  package static func isAdmin(_ url: String) -> Bool {
    let path = url.hasPrefix("/") ? url.prefix { $0 != "?" && $0 != "#" } : HTTPURL(received: url).path[...]
    return path == "/_nova" || path.hasPrefix("/_nova/")
  }

  /// Whether no endpoint has the path and the method of a request, whatever its body is.
  package static func refusesHead(of request: HTTPRequest) -> Bool {
    guard let route = AdminRoute(path: request.url.path) else { return true }
    return !route.endpoint.methods.split(separator: ", ").contains { $0 == request.method.rawValue }
  }

  /// The response to `GET /`, which leads browsers to the inspector.
  package static let pointer = HTTPResponse(
    status: 302,
    headers: ["Location": "/_nova/", "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
    body: Array("The inspector is at /_nova/\n".utf8))

  /// Answers a request.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      let (path, query) = (request.url.path, request.url.query ?? "")
      guard let route = AdminRoute(path: path) else {
        throw MockFailure(.notFound, "not found: \(path.shortened(to: 100)); see /_nova/")
      }
      var response = try await answer(request, at: route, query: query)
      response.headers["Cache-Control"] = "no-store"
      return response
    } catch is CancellationError {
      return MockFailure(.cancelled, "the client has disconnected", httpStatus: 499).response
    } catch {
      return MockBackend.response(to: error)
    }
  }

  private func answer(_ request: HTTPRequest, at route: AdminRoute, query: String) async throws -> HTTPResponse {
    let body = { try AdminBody(request.body.inMemory) }
    return switch (route.endpoint, request.method) {
    case (.page, .get): InspectorPage().response
    case (.contract, .get): .json(Self.contract)
    case (.state, .get): .json(state)
    case (.reset, .post): try await reset()
    case (.snapshots, .get): .json(snapshots)
    case (.snapshot, .post): try await keepSnapshot(try body())
    case (.restore, .post): try await restore(try body())
    case (.clock, .post): try await advance(try body())
    case (.users, .get): try users(query)
    case (.user, .patch): try await updateUser(route.id, try body())
    case (.posts, .get): try posts(query)
    case (.post, .patch): try await updatePost(route.id, try body())
    case (.post, .delete): try await deletePost(route.id)
    case (.analytics, .get): try analytics(query)
    case (.faults, .get): .json(faults)
    case (.faults, .put): try setFaults(try body())
    case (.faults, .delete): removeFaults()
    case (.stubs, .get): .json(stubs)
    case (.stubs, .post): try addStub(try body())
    case (.stubs, .delete): removeStubs()
    case (.stub, .get): try stub(route.id)
    case (.stub, .delete): try removeStub(route.id)
    case (.events, .get): try events(query)
    case (.events, .post): try emitEvent(try body())
    case (.events, .patch): try setEventSettings(try body())
    case (.eventStream, .get): try streamEvents(request, query)
    case (.epoch, .post): beginEventEpoch()
    case (.streams, .delete): try endEventStreams(query)
    case (.requests, .get): try await apart { try requests(query) }
    case (.requests, .delete): try removeRequests()
    case (.request, .get): try await apart { try self.request(route.id) }
    default: MockFailure.wrongMethod(route.endpoint.methods)
    }
  }

  /// The log is masked when it is read, which takes long: not on the thread that runs the connections, and no longer than
  /// the client waits.
  private func apart(_ body: @escaping @Sendable () throws -> HTTPResponse) async throws -> HTTPResponse {
    let task = Task.detached { try body() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

extension HTTPResponse {
  package static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: value.jsonUTF8)
  }
}
