package import Logging

/// Logs each attempt at debug level: static messages, details as metadata. Never logs the value of a header outside the
/// allow-list, a query, or a body that was not requested.
package struct LoggingMiddleware: Middleware {
  private let logger: Logger
  private let clock: any CallClock
  private let options: LogOptions

  /// Response headers whose values are useful and never secret.
  private static let allowedHeaders = ["Content-Type", "Content-Length", "Retry-After", "Date", "Server"]

  package init(logger: Logger, clock: any CallClock, options: LogOptions = LogOptions()) {
    self.logger = logger
    self.clock = clock
    self.options = options
  }

  /// Whether anything is logged at the logger's present level.
  var isEnabled: Bool { logger.logLevel <= .debug }

  package func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    guard isEnabled else { return try await next(request) }
    var logger = logger
    logger[metadataKey: "rpc"] = "\(context.rpc.id)"
    logger[metadataKey: "request_id"] = "\(context.requestID)"
    let secrets = SecretRedactor(request, context.rpc)
    var details = [
      "method": request.method.rawValue, "url": secrets.masked(request.url.shown(isMock: context.isMock)),
      "bytes": request.body.shownLength,
    ]
    if let body = body(request, context, without: secrets) { details.add(body, named: "body") }
    Self.log("Sending request", details, to: logger)
    let (outcome, duration) = await clock.timed { try await next(request) }
    log(outcome, after: duration, of: request, in: context, to: logger)
    return try outcome.get()
  }

  private func body(_ request: HTTPRequest, _ context: CallContext, without secrets: SecretRedactor) -> String? {
    // Bytes that are put somewhere for an RPC are user content, even if they are JSON.
    guard options.bodyBytes > 0, context.isForGateway else { return nil }
    let (rpc, http) = (context.rpc, context.rpc.http)
    #if GRPC
      if context.usesGRPC {
        return text(ofMessage: request.body.bytes?.dropFirst(GRPCPrefix.length), rpc.requestType, without: secrets)
      }
    #endif
    guard request.method == http.method else { return nil }
    return text(
      of: request.body, headers: request.headers, rpc.requestType, field: http.bodyField, without: secrets)
  }

  private func text(
    of body: HTTPBody, headers: HTTPHeaders, _ message: any ProtoMessage.Type, field: String?,
    without secrets: SecretRedactor
  ) -> String? {
    guard options.bodyBytes > 0, headers.contentTypeName.contains("json") else { return nil }
    // Reading a stream here would take it from its reader.
    guard let bytes = body.bytes else { return "not shown: not in memory" }
    return LoggedBody(message, field: field, secrets, limit: options.bodyBytes).text(bytes)
  }

  #if GRPC
    /// A message in protobuf's binary format, as JSON.
    private func text(
      ofMessage body: ArraySlice<UInt8>?, _ type: any ProtoMessage.Type, without secrets: SecretRedactor
    ) -> String? {
      guard options.bodyBytes > 0 else { return nil }
      guard let body else { return "not shown: not in memory" }
      guard let json = try? type.init(protobuf: Array(body)).jsonUTF8() else { return "\(body.count) bytes, not shown" }
      return LoggedBody(type, secrets, limit: options.bodyBytes).text(json)
    }
  #endif

  private func body(
    _ response: HTTPResponse, _ context: CallContext, without secrets: SecretRedactor
  ) -> String? {
    let rpc = context.rpc
    #if GRPC
      if context.usesGRPC, response.isSuccess {
        return text(ofMessage: response.body.bytes?[...], rpc.responseType, without: secrets)
      }
    #endif
    return text(
      of: response.body, headers: response.headers, rpc.responseType, field: rpc.http.responseField, without: secrets)
  }

  private func log(
    _ outcome: Result<HTTPResponse, any Error>, after duration: Duration, of request: HTTPRequest,
    in context: CallContext, to logger: Logger
  ) {
    var details = ["duration_ms": String(duration.milliseconds)]
    switch outcome {
    case .success(let response):
      let secrets = SecretRedactor(request, context.rpc)
      if context.usesGRPC {
        details.add("\(GRPCStatus(rawValue: response.headers.failedGRPCStatus ?? 0))", named: "grpc_status")
      } else {
        details.add(String(response.status), named: "status")
      }
      details.add(response.body.shownLength, named: "bytes")
      for name in Self.allowedHeaders {
        if let value = response.headers[name] {
          details.add(secrets.masked(value), named: "header.\(name.lowercased())")
        }
      }
      if let body = body(response, context, without: secrets) { details.add(body, named: "body") }
      Self.log("Received response", details, to: logger)
    case .failure(let error):
      let reason = (error as? TransportError)?.kind.rawValue ?? (error as? APIError)?.code.rawValue
      details.add(reason ?? String(describing: type(of: error)), named: "error")
      Self.log("Request failed", details, to: logger)
    }
  }

  @inline(never)
  private static func log(_ message: Logger.Message, _ details: [String: String], to logger: Logger) {
    logger.debug(message, metadata: details.mapValues { .string($0) })
  }
}

extension Duration {
  /// Milliseconds with one decimal place.
  package var milliseconds: Double { (self / .microseconds(100)).rounded() / 10 }
}

extension HTTPURL {
  /// The URL without its query; `mock:` and the path if the request does not go to it.
  package func shown(isMock: Bool) -> String {
    let text = textWithoutQuery
    return isMock && text.hasPrefix(origin.text) ? "mock:\(text.dropFirst(origin.text.count))" : text
  }
}

extension HTTPBody {
  /// The size in bytes, as far as it is known.
  fileprivate var shownLength: String { length.map(String.init) ?? "unknown" }
}
