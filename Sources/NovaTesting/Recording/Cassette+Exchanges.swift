package import NovaCore

extension Cassette.Interaction {
  /// An interaction that is known from elsewhere and has no secrets.
  ///
  /// - Parameters:
  ///   - rpc: `graph.GetFollowers`.
  ///   - request: what was sent.
  ///   - response: what came of it.
  ///   - startedAt: when, in Unix seconds.
  package init(rpc: String, _ request: HTTPRequest, _ response: HTTPResponse, startedAt: Double) {
    let target = RequestTarget(request.url)
    self.init(
      rpc: rpc, startedAt: startedAt, duration: .zero,
      request: Cassette.Request(
        method: request.method, origin: target.origin, path: target.path, query: target.query,
        headers: request.headers, content: RecordedBody(request.body)),
      outcome: .response(response))
  }
}

extension Cassette.Request {
  /// The URL that it went to.
  package var url: String { origin + path + (query.isEmpty ? "" : "?\(query)") }
}
