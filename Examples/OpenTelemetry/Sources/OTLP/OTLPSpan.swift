import NovaSDK
import Synchronization
import Tracing

/// A span that is exported when it ends.
public final class OTLPSpan: Tracing.Span {
  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var events: [SpanEvent] = []
    var links: [SpanLink] = []
    var droppedEvents = 0
    var droppedLinks = 0
    var status: SpanStatus?
    var hasEnded = false
  }

  /// The most events and links of a span, as OpenTelemetry's SDKs have it.
  static let maximumCount = 128

  public let context: ServiceContext
  private let place: TraceContext
  private let parent: TraceContext?
  private let kind: SpanKind
  private let start: UInt64
  private let state: Mutex<State>
  private let onEnd: @Sendable (JSONValue) -> Void

  init(
    _ name: String, in context: ServiceContext, kind: SpanKind, start: UInt64,
    onEnd: @escaping @Sendable (JSONValue) -> Void
  ) {
    parent = context.traceContext
    place = TraceContext(childOf: parent)
    var own = context
    own.traceContext = place
    (self.context, self.kind, self.start, self.onEnd) = (own, kind, start, onEnd)
    state = Mutex(State(name: name))
  }

  /// False in a trace that its first process does not record: its context is still passed on.
  public var isRecording: Bool { place.isSampled && state.withLock { !$0.hasEnded } }

  public var operationName: String {
    get { state.withLock { $0.name } }
    set { change { $0.name = newValue } }
  }

  public var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { change { $0.attributes = newValue } }
  }

  /// Sets the status. Once it is `ok`, it stays, as OpenTelemetry has it.
  public func setStatus(_ status: SpanStatus) {
    change { if $0.status?.code != .ok { $0.status = status } }
  }

  public func addEvent(_ event: SpanEvent) {
    change {
      if $0.events.count < Self.maximumCount { $0.events.append(event) } else { $0.droppedEvents += 1 }
    }
  }

  public func addLink(_ link: SpanLink) {
    change { if $0.links.count < Self.maximumCount { $0.links.append(link) } else { $0.droppedLinks += 1 } }
  }

  /// Adds an event with the type of an error. Its message is left out: it may contain text of a server or a user.
  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    var attributes = attributes
    attributes["exception.type"] = String(reflecting: type(of: error))
    addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
  }

  /// Ends the span, and exports it. A second end has no effect.
  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let ended = state.withLock { state -> State? in
      defer { state.hasEnded = true }
      return state.hasEnded ? nil : state
    }
    guard let ended, place.isSampled else { return }
    onEnd(encoded(ended, end: instant().nanosecondsSinceEpoch))
  }

  private func change(_ change: (inout State) -> Void) {
    state.withLock { state in
      if place.isSampled, !state.hasEnded { change(&state) }
    }
  }

  /// The span as a `Span` of OTLP.
  private func encoded(_ state: State, end: UInt64) -> JSONValue {
    let (attributes, dropped) = state.attributes.encoded
    // The lower 8 bits are W3C's flags; the others report whether the parent is in another process.
    let flags = 0x1 | 0x100 | (parent?.isRemote == true ? 0x200 : 0)
    return [
      "traceId": .string(place.traceID), "spanId": .string(place.spanID),
      "parentSpanId": parent.map { .string($0.spanID) }, "traceState": place.state.map { .string($0) },
      "flags": .number("\(flags)"), "name": .string(state.name), "kind": .number(kind.otlp),
      "startTimeUnixNano": .int64(start), "endTimeUnixNano": .int64(max(start, end)),
      "attributes": attributes, "droppedAttributesCount": .number("\(dropped)"),
      "events": .array(state.events.map(\.encoded)), "droppedEventsCount": .number("\(state.droppedEvents)"),
      "links": .array(state.links.compactMap(\.encoded)), "droppedLinksCount": .number("\(state.droppedLinks)"),
      "status": state.status.map(\.encoded),
    ]
  }
}

extension SpanEvent {
  fileprivate var encoded: JSONValue {
    let (attributes, dropped) = attributes.encoded
    return [
      "timeUnixNano": .int64(nanosecondsSinceEpoch), "name": .string(name), "attributes": attributes,
      "droppedAttributesCount": .number("\(dropped)"),
    ]
  }
}

extension SpanLink {
  fileprivate var encoded: JSONValue? {
    guard let place = context.traceContext else { return nil }
    return [
      "traceId": .string(place.traceID), "spanId": .string(place.spanID),
      "attributes": attributes.encoded.0,
    ]
  }
}

extension SpanStatus {
  fileprivate var encoded: JSONValue {
    switch code {
    case .ok: ["code": 1]
    case .error: ["code": 2, "message": message.map { .string($0) }]
    }
  }
}

extension SpanKind {
  /// The number of the enumeration `SpanKind`.
  fileprivate var otlp: String {
    switch self {
    case .internal: "1"
    case .server: "2"
    case .client: "3"
    case .producer: "4"
    case .consumer: "5"
    }
  }
}
