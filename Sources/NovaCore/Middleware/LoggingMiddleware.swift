package import Logging

/// Logs each attempt at debug level: static messages, facts as metadata, never a header's value outside the allow-list,
/// a query or a body.
package struct LoggingMiddleware: Middleware {
  private let logger: Logger
  private let clock: any CallClock

  /// Response headers whose values help and tell nothing secret.
  private static let allowedHeaders = ["Content-Type", "Content-Length", "Retry-After", "Date", "Server"]

  package init(logger: Logger, clock: any CallClock) {
    self.logger = logger
    self.clock = clock
  }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    var logger = logger
    logger[metadataKey: "rpc"] = "\(context.rpc.id)"
    logger[metadataKey: "request_id"] = "\(context.requestID)"
    logger.debug(
      "Sending request",
      metadata: [
        "method": "\(request.method)", "url": "\(BaseURL.withoutQuery(request.url))",
        "bytes": "\(request.body.count)",
      ])
    var outcome: Result<HTTPResponse, any Error> = .failure(CancellationError())
    let duration = await clock.measure {
      do { outcome = .success(try await next(request)) } catch { outcome = .failure(error) }
    }
    log(outcome, duration, to: logger)
    return try outcome.get()
  }

  private func log(_ outcome: Result<HTTPResponse, any Error>, _ duration: Duration, to logger: Logger) {
    let milliseconds: Logger.MetadataValue = "\(duration.milliseconds)"
    switch outcome {
    case .success(let response):
      var metadata: Logger.Metadata = [
        "status": "\(response.status)", "duration_ms": milliseconds, "bytes": "\(response.body.count)",
      ]
      for name in Self.allowedHeaders {
        if let value = response.headers[name] { metadata["header.\(name.lowercased())"] = "\(value)" }
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
