import NovaSDK
import Tracing

/// A tracer whose spans go to an exporter, and whose context travels in W3C's headers `traceparent` and `tracestate`.
public struct OTLPTracer: Tracer {
  private let exporter: OTLPExporter

  /// Creates a tracer.
  public init(_ exporter: OTLPExporter) { self.exporter = exporter }

  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> OTLPSpan {
    OTLPSpan(operationName, in: context(), kind: kind, start: instant().nanosecondsSinceEpoch) { [exporter] span in
      exporter.export(span)
    }
  }

  /// Sends what has ended so far, without waiting for it. ``OTLPExporter/flush()`` waits.
  public func forceFlush() { exporter.flushSoon() }

  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let parent = extractor.extract(key: "traceparent", from: carrier) else { return }
    let state = extractor.extract(key: "tracestate", from: carrier)
    guard let place = TraceContext(traceparent: parent, tracestate: state) else { return }
    context.traceContext = place
  }

  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let place = context.traceContext else { return }
    injector.inject(place.traceparent, forKey: "traceparent", into: &carrier)
    if let state = place.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
  }
}
