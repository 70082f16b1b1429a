import InMemoryTracing
import NovaCore
import NovaGraph
import NovaTestSupport
import Testing
import Tracing

/// Against swift-distributed-tracing's own tracer in memory.
@Suite struct CallTracingTests {
  private let tracer = InMemoryTracer()
  private var tracing: CallTracing { CallTracing(instrument: tracer) }

  private func context(_ options: CallOptions = CallOptions(), isForGateway: Bool = true) -> CallContext {
    CallContext(
      rpc: GraphRPC.isMuted.descriptor, requestID: "r-1", options: options, isForGateway: isForGateway)
  }

  private func call(
    _ transport: any HTTPTransport, _ tracing: CallTracing, attempts: Int = 1, context: CallContext? = nil,
    headers: HTTPHeaders = [:]
  ) async throws -> HTTPResponse {
    let context = context ?? self.context()
    let request = HTTPRequest(method: .post, url: "https://api.nova.social/x?secret=canary", headers: headers)
    return try await tracing.withCallSpan(context) {
      for _ in 1..<attempts {
        _ = try? await tracing.withAttemptSpan(request, in: context) { try await transport.send($0) }
      }
      return try await tracing.withAttemptSpan(request, in: context) { try await transport.send($0) }
    }
  }

  @Test func aCallIsASpanAroundThoseOfItsAttempts() async throws {
    let transport = RecordingTransport { number, _ in HTTPResponse(status: number == 0 ? 503 : 200) }
    _ = try await call(transport, tracing, attempts: 2)
    let spans = tracer.finishedSpans
    #expect(spans.map(\.operationName) == Array(repeating: "graph.IsMuted", count: 3))
    #expect(spans.map(\.kind) == [.client, .client, .internal])
    let whole = try #require(spans.last)
    #expect(whole.parentSpanID == nil)
    #expect(whole.status == nil)
    #expect(spans.dropLast().allSatisfy { $0.parentSpanID == whole.spanID && $0.traceID == whole.traceID })
    #expect(spans[0].status?.code == .error)
    #expect(spans[1].status == nil)
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func attributesFollowTheConventions() async throws {
    _ = await apiError { try await call(RecordingTransport(status: 503, ""), tracing) }
    let attributes = try #require(tracer.finishedSpans.first).attributes
    for (name, value) in [
      ("rpc.system", "grpc_gateway"), ("rpc.service", "nova.graph_service.v1.GraphService"), ("rpc.method", "IsMuted"),
      ("http.request.method", "POST"), ("server.address", "api.nova.social"), ("error.type", "503"),
      ("nova.request_id", "r-1"),
    ] { #expect(attributes[name]?.toSpanAttribute() == .string(value), "\(name)") }
    #expect(attributes["server.port"]?.toSpanAttribute() == .int64(443))
    #expect(attributes["http.response.status_code"]?.toSpanAttribute() == .int64(503))
    #expect(attributes["http.request.resend_count"] == nil)
    var all = ""
    attributes.forEach { name, value in all += "\(name)=\(value) " }
    #expect(!all.contains("canary"))
  }

  @Test(arguments: [
    (TransportError(.connectionRefused, "canary", requestMayHaveLeft: false) as any Error, "connectionRefused"),
    (APIError(.unauthorized, "canary"), "unauthorized"), (CancellationError(), "cancelled"),
  ])
  func failuresAreToldByKindAlone(error: any Error, kind: String) async throws {
    let transport = RecordingTransport { _, _ in throw error }
    await #expect(throws: (any Error).self) { try await call(transport, tracing) }
    #expect(tracer.finishedSpans.count == 2)
    for span in tracer.finishedSpans {
      #expect(span.status?.code == .error)
      #expect(span.status?.message == nil)
      #expect(span.errors.isEmpty)
      #expect(span.attributes["error.type"]?.toSpanAttribute() == .string(kind))
    }
  }

  @Test func theGatewayIsToldOfTheAttemptsSpan() async throws {
    let transport = RecordingTransport("{}")
    _ = try await call(transport, tracing)
    let attempt = try #require(tracer.finishedSpans.first)
    #expect(transport.requests.last?.headers[InMemoryTracer.spanIDKey] == attempt.spanID)
    #expect(transport.requests.last?.headers[InMemoryTracer.traceIDKey] == attempt.traceID)
  }

  @Test func theSpanIsTheCallersChild() async throws {
    let transport = RecordingTransport("{}")
    try await tracer.withSpan("caller") { caller in
      _ = try await call(transport, tracing)
      #expect(tracer.finishedSpans.last?.parentSpanID == caller.spanID)
    }
  }

  @Test func anotherServerIsNotTold() async throws {
    let transport = RecordingTransport("{}")
    _ = try await call(transport, tracing, context: context(isForGateway: false))
    #expect(transport.requests.last?.headers.fields.isEmpty == true)
    #expect(tracer.finishedSpans.count == 2)
  }

  /// An instrument that makes no spans, but sends what the caller's context holds.
  private struct Propagator: Instrument {
    enum Key: ServiceContextKey { typealias Value = String }
    var header = "traceparent"

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      if let value = context[Key.self] { injector.inject(value, forKey: header, into: &carrier) }
    }
  }

  private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  private func send(
    _ value: String?, through propagator: Propagator, headers: HTTPHeaders = [:]
  ) async throws -> HTTPHeaders? {
    let transport = RecordingTransport("{}")
    var service = ServiceContext.topLevel
    service[Propagator.Key.self] = value
    _ = try await ServiceContext.$current.withValue(service) {
      try await call(transport, CallTracing(instrument: propagator), headers: headers)
    }
    return transport.requests.last?.headers
  }

  @Test func theCallersContextTravelsWithoutATracerToo() async throws {
    #expect(try await send(Self.trace, through: Propagator())?["traceparent"] == Self.trace)
    #expect(try await send(nil, through: Propagator())?.fields.isEmpty == true)
    let transport = RecordingTransport("{}")
    _ = try await call(transport, CallTracing(instrument: Propagator()))
    #expect(transport.requests.last?.headers.fields.isEmpty == true)
  }

  /// No trace is worth a call, and none replaces a header that is there.
  @Test func whatCannotBeSentIsLeftOut() async throws {
    #expect(try await send("a\r\nX-Evil: 1", through: Propagator())?.fields.isEmpty == true)
    #expect(try await send("a", through: Propagator(header: "b c"))?.fields.isEmpty == true)
    let own = try await send("theirs", through: Propagator(header: "authorization"), headers: ["Authorization": "own"])
    #expect(own?.values(for: "Authorization") == ["own"])
  }
}
