/// Middlewares and the transport behind them as one.
struct MiddlewareChain: Sendable {
  let middlewares: [any Middleware]
  let transport: any HTTPTransport
  let gate: CallGate

  func send(_ request: HTTPRequest, _ context: CallContext) async throws -> HTTPResponse {
    try await send(request, context, from: 0)
  }

  private func send(_ request: HTTPRequest, _ context: CallContext, from index: Int) async throws -> HTTPResponse {
    guard index < middlewares.count else {
      try request.headers.check()
      try gate.pass()
      return try await (context.options.transport ?? transport).send(request)
    }
    return try await middlewares[index].intercept(request, context) { request in
      try await send(request, context, from: index + 1)
    }
  }
}

extension HTTPHeaders {
  /// Refuses what no transport must be given, whatever it would do with it.
  ///
  /// - Throws: ``APIError`` with the code `invalidArgument`, naming the field but never its value.
  func check() throws(APIError) {
    for field in fields {
      if let problem = field.problem { throw APIError(.invalidArgument, "\(problem): nothing was sent") }
    }
  }
}
