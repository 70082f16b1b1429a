import NovaCore
import NovaEvents

/// Live events in the admin API.
struct AdminEvents {
  let backend: MockBackend

  /// Lists the stored events, oldest first, with the settings.
  func list(_ query: String) throws -> HTTPResponse {
    let query = try AdminQuery(query, names: ["after", "limit"])
    let limit = try query.number("limit", in: 1...10_000, default: 100)
    let after = try query.text("after").map { text throws(MockFailure) in
      guard let position = EventPosition(text) else {
        throw .invalid("after is \(text.quoted); expected the id of an event")
      }
      return position
    }
    let (events, position) = try backend.events.withHistory { history in
      // The latest ones, unless a position says where to begin.
      let start = after.map { $0.epoch == history.epoch ? $0.offset : 0 } ?? max(0, history.last - limit)
      return (history.offsets(.all, after: start, limit: limit).map { history.pending($0).event }, history.position)
    }
    return .json([
      "position": .string(position.description), "events": .array(try events.map { try JSONValue($0) }),
      "streams": .number(backend.eventSubscriberCount), "settings": settingsJSON,
    ])
  }

  /// The maximum number of events of one request.
  private static let maximumEmitted = 1_000

  /// Sends an event that no call caused, or those of a list; then either all or none.
  func emit(_ body: AdminBody) throws -> HTTPResponse {
    let topics = try body.texts("topics")
    do {
      try backend.emit(try Self.events(in: body), topics: topics)
    } catch let error as ProtoJSONError {
      throw MockFailure(error, in: nil, of: "event")
    } catch let error as MockEventError {
      throw MockFailure.invalid(error.description)
    }
    return .json(["position": .string(backend.eventPosition)], status: 201)
  }

  private static func events(in body: AdminBody) throws -> [Event] {
    guard let list = body["events"] else {
      return [try Event(refusingUnknownFieldsIn: body.removing("topics").jsonUTF8)]
    }
    try body.allowOnly(["events", "topics"])
    guard let events = list.elements, (1...maximumEmitted).contains(events.count) else {
      throw MockFailure.invalid("events must be a list of 1 to \(maximumEmitted) events")
    }
    return try events.map { try Event(refusingUnknownFieldsIn: $0.jsonUTF8) }
  }

  /// Changes the settings that the body has.
  func changeSettings(_ body: AdminBody) throws(MockFailure) -> HTTPResponse {
    try body.allowOnly(["history", "heartbeat_seconds", "retry_ms", "maximum_waiting"])
    var settings = backend.eventSettings
    if let count = try body.optionalInteger("history", 1...1_000_000) { settings.history = count }
    if let seconds = try body.optionalInteger("heartbeat_seconds", 0...3600) {
      settings.heartbeat = seconds == 0 ? nil : .seconds(seconds)
    }
    if let count = try body.optionalInteger("retry_ms", 0...3_600_000) { settings.retry = .milliseconds(count) }
    if let count = try body.optionalInteger("maximum_waiting", 0...1_000_000) {
      settings.maximumWaiting = count == 0 ? nil : count
    }
    backend.eventSettings = settings
    return .json(settingsJSON)
  }

  func beginEpoch() -> HTTPResponse {
    backend.beginEventEpoch()
    return .json(["position": .string(backend.eventPosition)])
  }

  func endStreams(_ query: String) throws(MockFailure) -> HTTPResponse {
    let reason = try AdminQuery(query, names: ["reason"]).text("reason") ?? MockEventEnd.restart.rawValue
    guard (1...64).contains(reason.utf8.count) else {
      throw .invalid("reason must have 1 to 64 bytes, not \(reason.utf8.count)")
    }
    let count = backend.eventSubscriberCount
    backend.endEventStreams(MockEventEnd(rawValue: reason))
    return .json(["ended": .number(count)])
  }

  /// Streams all events, regardless of permissions, after `Last-Event-ID`, `after`, or the latest events but `last`.
  func stream(_ request: AdminRequest) throws(MockFailure) -> HTTPResponse {
    let query = try AdminQuery(request.query, names: ["after", "last"])
    let last = try query.number("last", in: 0...10_000, default: 0)
    let latest = try backend.events.withHistory { history in
      history.position(max(history.first - 1, history.last - last)).description
    }
    let subscription = EventSubscriber(backend, .inspector, clock: ContinuousClock())
    let position = request.http.headers["Last-Event-ID"] ?? query.text("after") ?? latest
    let start = try subscription.subscribe(to: [MockTopic.all], after: position)
    return MockBackend.eventStream(
      subscription, start, retry: backend.eventSettings.retry, encode: \.inspectorEvent)
  }

  private var settingsJSON: JSONValue {
    let settings = backend.eventSettings
    let heartbeat = (settings.heartbeat ?? .zero) / .seconds(1)
    return [
      "history": .number(settings.history), "heartbeat_seconds": .number(Int(heartbeat)),
      "retry_ms": .number(Int(settings.retry / .milliseconds(1))),
      "maximum_waiting": .number(settings.maximumWaiting ?? 0),
    ]
  }
}

extension EventItem {
  /// An event with its topics, and without a type of its own: pages cannot receive types that they do not know.
  fileprivate var inspectorEvent: [UInt8] {
    guard case .event(let event) = self else { return serverSentEvent }
    let topics = JSONValue.strings(event.topics)
    var bytes = Array("id: \(event.event.id)\ndata: {\"topics\":".utf8)
    bytes += topics.jsonUTF8
    bytes.append(UInt8(ascii: ","))
    bytes += event.json.dropFirst()
    bytes += Array("\n\n".utf8)
    return bytes
  }
}
