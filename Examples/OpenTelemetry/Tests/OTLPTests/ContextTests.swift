import CoreMetrics
import NovaSDK
import NovaTesting
import OTLP
import Testing
import Tracing

/// W3C's Trace Context, and the limits of the exporter.
@Suite struct Contexts {
  private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

  @Test(arguments: [
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", true),
    // A later version may have more.
    ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", true),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", false),
    ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
    ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
    ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
    ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", false),
    ("", false),
  ])
  func traceparentIsReadStrictly(_ text: String, _ isValid: Bool) {
    #expect((TraceContext(traceparent: text) != nil) == isValid)
  }

  @Test func aSpanContinuesTheTraceOfARequest() async throws {
    try await withCollector { collector, tracer, exporter in
      var context = ServiceContext.topLevel
      let headers = ["traceparent": Self.parent, "tracestate": "vendor=1"]
      tracer.extract(headers, into: &context, using: Dictionaries())
      let span = tracer.startSpan("work", context: context, ofKind: .server)
      span.addEvent("half")
      span.setStatus(SpanStatus(code: .ok))
      span.setStatus(SpanStatus(code: .error))
      var sent: [String: String] = [:]
      tracer.inject(span.context, into: &sent, using: Dictionaries())
      span.end()
      span.end()
      await exporter.shutdown()
      let spans = try Received(collector).spans
      #expect(spans.count == 1)
      #expect(spans[0].text("traceId") == "0af7651916cd43dd8448eb211c80319c")
      #expect(spans[0].text("parentSpanId") == "b7ad6b7169203331")
      #expect(spans[0].text("traceState") == "vendor=1")
      #expect(spans[0]["flags"] == 769, "recorded, and its parent is in another process")
      #expect(spans[0]["status"]?["code"] == 1)
      #expect(spans[0].items("events").map { $0.text("name") } == ["half"])
      let id = spans[0].text("spanId") ?? ""
      #expect(sent == ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-\(id)-01", "tracestate": "vendor=1"])
    }
  }

  @Test func whatIsNotRecordedIsStillPassedOn() async throws {
    try await withCollector { collector, tracer, exporter in
      var context = ServiceContext.topLevel
      tracer.extract(["traceparent": String(Self.parent.dropLast()) + "0"], into: &context, using: Dictionaries())
      let span = tracer.startSpan("work", context: context)
      #expect(!span.isRecording)
      #expect(span.context.traceContext?.traceparent.hasSuffix("-00") == true)
      span.end()
      await exporter.shutdown()
      #expect(collector.requestCount == 0)
    }
  }

  @Test func aFullQueueDropsSpans() async throws {
    try await withCollector(change: { $0.maximumQueue = 3 }) { collector, tracer, exporter in
      for index in 0..<5 { tracer.startSpan("span \(index)").end() }
      #expect(exporter.droppedSpans == 2)
      await exporter.shutdown()
      let spans = try Received(collector).spans
      #expect(spans.map { $0.text("name") } == ["span 0", "span 1", "span 2"])
      tracer.startSpan("late").end()
      #expect(exporter.droppedSpans == 3)
    }
  }

  @Test func aRefusedRequestIsNotRepeated() async throws {
    try await withCollector([.answer(status: 400)]) { collector, tracer, exporter in
      tracer.startSpan("span").end()
      await exporter.shutdown()
      #expect(collector.requestCount == 1 && exporter.droppedSpans == 1)
    }
  }

  @Test func labelsOfUserDataAreBounded() {
    let metrics = OTLPMetricsFactory()
    for index in 0..<OTLPMetricsFactory.maximumSeries + 5 {
      Counter(label: "visits", dimensions: [("user", "\(index)")], factory: metrics).increment()
    }
    #expect(metrics.refusedCount == 5)
  }

  @Test(arguments: ["a", "=b", "a=%zz", "a=%2"]) func invalidVariablesAreNamed(_ text: String) {
    let error = #expect(throws: TelemetryError.self) {
      try ExportOptions(environment: ["OTEL_EXPORTER_OTLP_HEADERS": text])
    }
    #expect("\(error!)".hasPrefix("OTEL_EXPORTER_OTLP_HEADERS is invalid"))
  }

  private func withCollector(
    _ steps: [FaultServer.Step] = [], change: (inout ExportOptions) -> Void = { _ in },
    _ body: (FaultServer, OTLPTracer, OTLPExporter) async throws -> Void
  ) async throws {
    let collector = try FaultServer(steps)
    defer { collector.stop() }
    var options = ExportOptions(endpoint: collector.url)
    options.spanInterval = .seconds(600)
    change(&options)
    let exporter = OTLPExporter(options, resource: Resource(serviceName: "test"), metrics: OTLPMetricsFactory())
    try await body(collector, OTLPTracer(exporter), exporter)
  }
}

/// Carries headers in a dictionary.
private struct Dictionaries: Injector, Extractor {
  func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
  func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
