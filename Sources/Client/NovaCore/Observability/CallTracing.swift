package import Tracing

/// Makes spans through swift-distributed-tracing; docs/observability.md lists their attributes.
///
/// Nothing is made while the program has set up no tracer.
package struct CallTracing: Sendable {
  /// Nil for the one the program has set up.
  private let instrument: (any Instrument)?

  /// - Parameter instrument: creates spans, if it is a tracer, and propagates them to servers. Default: the
  ///   program's, at the time of each call.
  package init(instrument: (any Instrument)? = nil) { self.instrument = instrument }

  /// Whether the program has set up anything that makes spans or propagates them.
  ///
  /// Much faster than looking for a tracer, which most programs do not have.
  static var isSetUp: Bool { type(of: InstrumentationSystem.instrument) != NoOpInstrument.self }

  /// Runs a whole call, with all its attempts and waits, in a span of its own.
  package func withCallSpan<Result>(
    _ context: CallContext, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    guard let tracer = currentTracer else { return try await body() }
    let span = tracer.startAnySpan(context.rpc.id, ofKind: .internal)
    defer { span.end() }
    if span.isRecording { span.updateAttributes { $0.describe(context) } }
    return try await Self.run(body, in: span)
  }

  /// Runs one attempt in a span of its own. `body` gets a request with the headers that propagate it.
  package func withAttemptSpan(
    _ request: HTTPRequest, in context: CallContext, _ body: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let tracer = currentTracer else {
      // Without a tracer, an instrument can still propagate the caller's context.
      guard let caller = ServiceContext.current else { return try await body(request) }
      return try await body(injecting(caller, into: request, context))
    }
    let span = tracer.startAnySpan(context.rpc.id, ofKind: .client)
    defer { span.end() }
    if span.isRecording {
      span.updateAttributes {
        $0.describe(context)
        $0.describe(request, isMock: context.isMock)
        if context.attempt > 1 { $0["http.request.resend_count"] = context.attempt - 1 }
      }
    }
    let request = injecting(span.context, into: request, context)
    return try await Self.run(
      {
        let response = try await body(request)
        span.attributes["http.response.status_code"] = response.status
        if response.status >= 400 { span.fail(String(response.status)) }
        return response
      }, in: span)
  }

  private var currentTracer: (any Tracer)? {
    if let instrument { return instrument as? any Tracer }
    let tracer = InstrumentationSystem.tracer
    return tracer is NoOpTracer ? nil : tracer
  }

  private static func run<Result>(
    _ body: () async throws -> Result, in span: any Span, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    do {
      return try await ServiceContext.$current.withValue(span.context) { try await body() }
    } catch {
      // Its kind alone: the message may contain text of a server or the program.
      span.fail(error.errorType)
      throw error
    }
  }

  /// Only the gateway gets the headers: a storage server is not part of the caller's trace.
  private func injecting(
    _ serviceContext: ServiceContext, into request: HTTPRequest, _ context: CallContext
  ) -> HTTPRequest {
    guard context.isForGateway else { return request }
    let instrument = instrument ?? InstrumentationSystem.instrument
    var request = request
    instrument.inject(serviceContext, into: &request.headers, using: HeaderInjector())
    return request
  }
}

/// Adds `traceparent` and similar headers to a request, and replaces none.
private struct HeaderInjector: Injector {
  func inject(_ value: String, forKey name: String, into headers: inout HTTPHeaders) {
    // Headers that cannot be sent are left out: a trace must not make a call fail.
    guard headers[name] == nil, HTTPHeaders.Field(name: name, value: value).problem == nil else { return }
    headers.append(name: name, value: value)
  }
}

extension Span {
  fileprivate func fail(_ kind: String) {
    attributes["error.type"] = kind
    setStatus(SpanStatus(code: .error))
  }
}

// The names of OpenTelemetry's conventions for HTTP and RPC clients.
extension SpanAttributes {
  fileprivate mutating func describe(_ context: CallContext) {
    self["rpc.system"] = "grpc_gateway"
    self["rpc.service"] = context.rpc.package
    self["rpc.method"] = context.rpc.method
    self["nova.request_id"] = context.requestID
  }

  fileprivate mutating func describe(_ request: HTTPRequest, isMock: Bool) {
    self["http.request.method"] = request.method.rawValue
    if isMock { return }
    self["server.address"] = request.url.origin.host
    self["server.port"] = request.url.origin.port
  }
}

extension Error {
  /// What kind of failure it is, in a word: OpenTelemetry's `error.type`.
  var errorType: String {
    switch self {
    case let error as APIError: error.code.rawValue
    case let error as TransportError: error.kind.rawValue
    case is CancellationError: "cancelled"
    default: String(describing: type(of: self))
    }
  }
}
