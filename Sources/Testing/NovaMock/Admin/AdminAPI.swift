package import NovaCore

/// The admin API of `nova serve` under `/_nova/`: state, snapshots, clock, faults, stubs, and requests of a backend.
///
/// Faults don't affect it, and it does not list its own requests.
package struct AdminAPI: Sendable {
  private let backend: MockBackend

  package init(_ backend: MockBackend) { self.backend = backend }

  /// All routes. The `Allow` header lists the methods of a path in this order.
  private static let routes: [AdminRoute] = [
    AdminRoute(.get, "") { _, _ in InspectorPage().response },
    AdminRoute(.get, "contract") { _, _ in .json(AdminContract.json) },
    AdminRoute(.get, "state") { backend, _ in .json(AdminState(backend: backend).json) },
    AdminRoute(.post, "reset") { backend, _ in try await AdminState(backend: backend).reset() },
    AdminRoute(.get, "clock") { backend, _ in .json(AdminClock(backend: backend).json) },
    AdminRoute(.post, "clock") { try await AdminClock(backend: $0).change(try $1.body) },
    AdminRoute(.get, "snapshots") { backend, _ in .json(AdminSnapshots(backend: backend).json) },
    AdminRoute(.post, "snapshot") { try await AdminSnapshots(backend: $0).keep(try $1.body) },
    AdminRoute(.post, "restore") { try await AdminSnapshots(backend: $0).restore(try $1.body) },
    AdminRoute(.post, "provider-state") { try await AdminProviderStates(backend: $0).change(try $1.body) },
    AdminRoute(.get, "users") { try AdminUsers(backend: $0).list($1.query) },
    AdminRoute(.patch, "users/{id}") { try await AdminUsers(backend: $0).update($1.id, try $1.body) },
    AdminRoute(.get, "posts") { try AdminPosts(backend: $0).list($1.query) },
    AdminRoute(.patch, "posts/{id}") { try await AdminPosts(backend: $0).update($1.id, try $1.body) },
    AdminRoute(.delete, "posts/{id}") { try await AdminPosts(backend: $0).delete($1.id) },
    AdminRoute(.get, "analytics") { try AdminAnalytics(backend: $0).list($1.query) },
    AdminRoute(.get, "faults") { backend, _ in .json(AdminFaults(backend: backend).json) },
    AdminRoute(.put, "faults") { try AdminFaults(backend: $0).replace(try $1.body) },
    AdminRoute(.delete, "faults") { backend, _ in AdminFaults(backend: backend).removeAll() },
    AdminRoute(.get, "scenario") { backend, _ in .json(AdminScenario(backend: backend).json) },
    AdminRoute(.put, "scenario") { try AdminScenario(backend: $0).start($1.http.body.inMemory) },
    AdminRoute(.post, "scenario") { backend, _ in try AdminScenario(backend: backend).restart() },
    AdminRoute(.delete, "scenario") { backend, _ in AdminScenario(backend: backend).stop() },
    AdminRoute(.delete, "sessions") { backend, _ in try await AdminState(backend: backend).signOutAll() },
    AdminRoute(.get, "stubs") { backend, _ in .json(AdminStubs(backend: backend).json) },
    AdminRoute(.post, "stubs") { try AdminStubs(backend: $0).add(try $1.body) },
    AdminRoute(.delete, "stubs") { backend, _ in AdminStubs(backend: backend).removeAll() },
    AdminRoute(.get, "stubs/{id}") { try AdminStubs(backend: $0).stub($1.id) },
    AdminRoute(.delete, "stubs/{id}") { try AdminStubs(backend: $0).remove($1.id) },
    AdminRoute(.get, "events") { try AdminEvents(backend: $0).list($1.query) },
    AdminRoute(.post, "events") { try AdminEvents(backend: $0).emit(try $1.body) },
    AdminRoute(.patch, "events") { try AdminEvents(backend: $0).changeSettings(try $1.body) },
    AdminRoute(.get, "event-stream") { try AdminEvents(backend: $0).stream($1) },
    AdminRoute(.post, "epoch") { backend, _ in AdminEvents(backend: backend).beginEpoch() },
    AdminRoute(.delete, "streams") { try AdminEvents(backend: $0).endStreams($1.query) },
    AdminRoute(.get, "coverage") { backend, _ in try AdminCoverage(backend: backend).response() },
    AdminRoute(.delete, "coverage") { backend, _ in try AdminCoverage(backend: backend).removeAll() },
    AdminRoute(.get, "requests") { try await AdminRequests(backend: $0).list($1.query) },
    AdminRoute(.delete, "requests") { backend, _ in try await AdminRequests(backend: backend).removeAll() },
    AdminRoute(.get, "counts") { backend, _ in .json(AdminVerify(backend: backend).counts) },
    AdminRoute(.get, "unmatched") { backend, _ in .json(AdminVerify(backend: backend).unmatched) },
    AdminRoute(.post, "verify") { try await AdminVerify(backend: $0).verify(try $1.body) },
    AdminRoute(.get, "requests/{id}") { try await AdminRequests(backend: $0).request($1.id) },
  ]

  /// Whether a URL belongs to the admin API.
  package static func isAdmin(_ url: String) -> Bool {
    let path = url.hasPrefix("/") ? url.prefix { $0 != "?" && $0 != "#" } : HTTPURL(received: url).path[...]
    return path == "/_nova" || path.hasPrefix("/_nova/")
  }

  /// Whether no route has the path and the method of a request, whatever its body is.
  package static func refusesHead(of request: HTTPRequest) -> Bool {
    guard let path = AdminPath(request.url.path) else { return true }
    return !routes.contains { $0.pattern == path.pattern && $0.method == request.method }
  }

  /// The response to `GET /`, which leads browsers to the inspector.
  package static let pointer = HTTPResponse(
    status: 302,
    headers: ["Location": "/_nova/", "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
    body: Array("The inspector is at /_nova/\n".utf8))

  /// Responds to a request.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      let path = AdminPath(request.url.path)
      let routes = Self.routes.filter { $0.pattern == path?.pattern }
      guard let path, !routes.isEmpty else {
        throw MockFailure(.notFound, "not found: \(request.url.path.shortened(to: 100)); see /_nova/")
      }
      var response =
        if let route = routes.first(where: { $0.method == request.method }) {
          try await route.respond(backend, AdminRequest(http: request, id: path.id))
        } else {
          HTTPResponse.wrongMethod(routes.map(\.method.rawValue).joined(separator: ", "))
        }
      response.headers["Cache-Control"] = "no-store"
      return response
    } catch is CancellationError {
      return MockFailure(.cancelled, "the client has disconnected", httpStatus: 499).response
    } catch {
      return HTTPResponse(failure: error)
    }
  }
}
