import NovaCore

/// A route of the admin API: a method, a path below `/_nova/`, and what responds.
struct AdminRoute: Sendable {
  let method: HTTPMethod
  /// The path, with `{id}` in place of an id: `users/{id}`.
  let pattern: String
  let respond: @Sendable (MockBackend, AdminRequest) async throws -> HTTPResponse

  init(
    _ method: HTTPMethod, _ pattern: String,
    respond: @escaping @Sendable (MockBackend, AdminRequest) async throws -> HTTPResponse
  ) {
    (self.method, self.pattern, self.respond) = (method, pattern, respond)
  }
}

/// A path of the admin API as the pattern of a route and an id.
struct AdminPath {
  let pattern: String
  /// The last part of a path like `/_nova/users/user-1`; empty for other paths.
  let id: String

  /// Returns nil for an id that is empty or encoded wrongly.
  init?(_ path: String) {
    var name = path.dropFirst("/_nova".count)
    if name.hasPrefix("/") { name = name.dropFirst() }
    guard let slash = name.firstIndex(of: "/") else {
      (pattern, id) = (String(name), "")
      return
    }
    guard let id = PercentEncoding.decode(String(name[name.index(after: slash)...])), !id.isEmpty else { return nil }
    (pattern, self.id) = ("\(name[..<slash])/{id}", id)
  }
}

/// A request to a route of the admin API.
struct AdminRequest: Sendable {
  let http: HTTPRequest
  /// The id in the path; empty for a route without one.
  let id: String

  var query: String { http.url.query ?? "" }

  var body: AdminBody { get throws(MockFailure) { try AdminBody(http.body.inMemory) } }
}
