package import Logging

/// Logs each attempt at debug level: static messages, facts as metadata, never a header's value outside the allow-list,
/// a query, or a body that was not asked for.
package struct LoggingMiddleware: Middleware {
  private let logger: Logger
  private let clock: any CallClock
  private let options: LogOptions

  /// Response headers whose values help and tell nothing secret.
  private static let allowedHeaders = ["Content-Type", "Content-Length", "Retry-After", "Date", "Server"]

  package init(logger: Logger, clock: any CallClock, options: LogOptions = LogOptions()) {
    self.logger = logger
    self.clock = clock
    self.options = options
  }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    guard logger.logLevel <= .debug else { return try await next(request) }
    var logger = logger
    logger[metadataKey: "rpc"] = "\(context.rpc.id)"
    logger[metadataKey: "request_id"] = "\(context.requestID)"
    var metadata: Logger.Metadata = [
      "method": "\(request.method)", "url": "\(request.url.textWithoutQuery)", "bytes": "\(request.body.shownLength)",
    ]
    if let body = body(request, context) { metadata["body"] = "\(body)" }
    logger.debug("Sending request", metadata: metadata)
    let (outcome, duration) = await clock.timed { try await next(request) }
    log(outcome, duration, request, context, to: logger)
    return try outcome.get()
  }

  private func body(_ request: HTTPRequest, _ context: CallContext) -> String? {
    // What is put somewhere for an RPC is somebody's file, be it JSON.
    guard options.bodyBytes > 0, context.isForGateway, request.method == context.rpc.http.method else { return nil }
    let secrets = SecretRedactor(request, context.rpc.requestType.descriptor)
    return body(request.body, request.headers, context.rpc.requestType.descriptor, secrets)
  }

  private func body(
    _ body: HTTPBody, _ headers: HTTPHeaders, _ message: MessageDescriptor, _ secrets: SecretRedactor
  ) -> String? {
    guard options.bodyBytes > 0, headers["Content-Type"]?.lowercased().contains("json") == true else { return nil }
    // Reading a stream here would take it from its reader.
    guard let bytes = body.bytes else { return "not shown: not in memory" }
    return LoggedBody(message, secrets, limit: options.bodyBytes).text(bytes)
  }

  private func log(
    _ outcome: Result<HTTPResponse, any Error>, _ duration: Duration, _ request: HTTPRequest, _ context: CallContext,
    to logger: Logger
  ) {
    let milliseconds: Logger.MetadataValue = "\(duration.milliseconds)"
    switch outcome {
    case .success(let response):
      let secrets = SecretRedactor(request, context.rpc.requestType.descriptor)
      var metadata: Logger.Metadata = [
        "status": "\(response.status)", "duration_ms": milliseconds, "bytes": "\(response.body.shownLength)",
      ]
      for name in Self.allowedHeaders {
        if let value = response.headers[name] { metadata["header.\(name.lowercased())"] = "\(secrets.masked(value))" }
      }
      if let body = body(response.body, response.headers, context.rpc.responseType.descriptor, secrets) {
        metadata["body"] = "\(body)"
      }
      logger.debug("Received response", metadata: metadata)
    case .failure(let error):
      let reason = (error as? TransportError)?.kind.rawValue ?? (error as? APIError)?.code.rawValue
      logger.debug(
        "Request failed",
        metadata: ["error": "\(reason ?? String(describing: type(of: error)))", "duration_ms": milliseconds])
    }
  }
}

extension Duration {
  /// Milliseconds with one digit behind the point.
  package var milliseconds: Double { (self / .microseconds(100)).rounded() / 10 }
}

extension HTTPBody {
  /// The size in bytes, as far as it is known.
  fileprivate var shownLength: String { length.map(String.init) ?? "unknown" }
}
