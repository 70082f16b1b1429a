package import NovaCore

/// The admin API of `nova serve` under `/_nova/`: state, snapshots, clock, faults, and requests of a backend.
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

  /// Answers a request.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      let (path, query) = (request.url.path, request.url.query ?? "")
      guard let endpoint = AdminEndpoint(path: path) else {
        throw MockFailure(.notFound, "not found: \(path.shortened(to: 100)); see /_nova/")
      }
      var response = try await answer(request, at: endpoint, query: query)
      response.headers["Cache-Control"] = "no-store"
      return response
    } catch {
      return MockBackend.response(to: error)
    }
  }

  private func answer(
    _ request: HTTPRequest, at endpoint: AdminEndpoint, query: String
  ) async throws -> HTTPResponse {
    switch (endpoint, request.method) {
    case (.page, .get): page
    case (.state, .get): .json(state)
    case (.reset, .post): try await reset()
    case (.snapshots, .get): .json(snapshots)
    case (.snapshot, .post): try await keepSnapshot(try AdminBody(request.body.inMemory))
    case (.restore, .post): try await restore(try AdminBody(request.body.inMemory))
    case (.clock, .post): try await advance(try AdminBody(request.body.inMemory))
    case (.faults, .get): .json(faults)
    case (.faults, .put): try setFaults(try AdminBody(request.body.inMemory))
    case (.faults, .delete): removeFaults()
    case (.requests, .get): try requests(query)
    default: MockFailure.wrongMethod(endpoint.methods)
    }
  }

  /// The inspector page. Its policy allows only the page's own script and style.
  private var page: HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy":
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      ], body: Array(InspectorPage.html.utf8))
  }
}

/// The paths of the admin API.
enum AdminEndpoint: String, CaseIterable, Sendable {
  case page = ""
  case state, reset, snapshots, snapshot, restore, clock, faults, requests

  init?(path: String) {
    var name = path.dropFirst("/_nova".count)
    if name.hasPrefix("/") { name = name.dropFirst() }
    self.init(rawValue: String(name))
  }

  /// The allowed methods, as the `Allow` header lists them.
  var methods: String {
    switch self {
    case .page, .state, .snapshots, .requests: "GET"
    case .reset, .snapshot, .restore, .clock: "POST"
    case .faults: "GET, PUT, DELETE"
    }
  }
}

extension HTTPResponse {
  package static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: value.jsonUTF8)
  }
}
