#if WebSocket
  import NovaCore
  import NovaEvents

  /// Delivers events over a WebSocket connection, on which each text message is a JSON object.
  final class WebSocketEventConnection: EventConnection {
    private let socket: WebSocketConnection
    /// The messages that arrived before ``read(_:)``.
    private let early = Locked(Queue<EventMessage>())
    /// The number of requests for topics without a response.
    private let unanswered = Locked(0)

    /// Masks secrets of the request that the gateway quotes.
    private let masked: @Sendable (APIError) -> APIError

    init(_ socket: WebSocketConnection, masked: @escaping @Sendable (APIError) -> APIError = { $0 }) {
      (self.socket, self.masked) = (socket, masked)
    }

    var changesTopics: Bool { true }

    func subscribe(to topics: [EventTopic], after position: String) async throws {
      unanswered.withLock { $0 += 1 }
      try await send(.members(("subscribe", .topics(topics)), ("after", .string(position))))
    }

    func unsubscribe(from topics: [EventTopic]) async throws {
      try await send(.members(("unsubscribe", .topics(topics))))
    }

    func ping() async throws { try await send(.members(("ping", .number("1")))) }

    /// Returns once the gateway has accepted the topics.
    ///
    /// - Throws: ``APIError`` if it refuses them.
    func waitUntilSubscribed() async throws {
      while let message = try await receive() {
        if case .refused(let error) = message { throw error }
        early.withLock { $0.append(message) }
        if case .subscribed = message { return }
        if case .end = message { return }
      }
      throw APIError(anyFailure: TransportError.webSocketLost("it was closed before the topics were accepted"))
    }

    func read(_ receive: @Sendable (EventMessage) async throws -> Void) async throws {
      while let message = try await next() {
        try await receive(message)
        if case .end = message { return }
      }
    }

    /// Removes the position from the response to a request. That position is where the new topics start, and earlier
    /// events of other topics may still arrive. In a message without a request, it is the position that all topics have
    /// reached.
    private func answered(_ message: EventMessage) -> EventMessage {
      switch message {
      case .subscribed(let topics, let position):
        return .subscribed(topics, position: takeAnswer() ? "" : position)
      case .refused:
        _ = takeAnswer()
        return message
      default: return message
      }
    }

    /// Takes a request off the count; false if no request is waiting for a response.
    private func takeAnswer() -> Bool {
      unanswered.withLock { count in
        defer { count = max(0, count - 1) }
        return count > 0
      }
    }

    private func send(_ message: JSONValue) async throws {
      try await translatingErrors { try await socket.send(String(decoding: message.jsonUTF8, as: UTF8.self)) }
    }

    /// The next message, beginning with those that arrived early; nil when the connection was closed normally.
    private func next() async throws -> EventMessage? {
      if let message = early.withLock({ $0.popFirst() }) { return message }
      return try await receive()
    }

    private func receive() async throws -> EventMessage? {
      try await translatingErrors {
        if let message = try await socket.receive() { return answered(EventMessage(message).masking(masked)) }
        return try socket.closure.flatMap { try EventMessage($0) }
      }
    }

    private func translatingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
      do { return try await body() } catch let error as CancellationError { throw error } catch {
        throw masked(APIError(anyFailure: error))
      }
    }
  }

  extension EventMessage {
    /// Reads a message. Unknown messages, which later versions may add, count as signs of life.
    fileprivate init(_ message: WebSocketMessage) {
      guard case .text(let text) = message, let json = try? JSONValue(jsonUTF8: Array(text.utf8)) else {
        self = .alive
        return
      }
      let position = json["position"]?.stringValue ?? ""
      if let value = json["event"] {
        self = Self.event(value)
      } else if let topics = json["subscribed"]?.topics {
        self = .subscribed(topics, position: position)
      } else if let value = json["reset"] {
        self = .reset(value.topics, position: position)
      } else if json["error"] != nil {
        self = .refused(Self.refusal(text))
      } else {
        self = .alive
      }
    }

    /// The message without secrets in its error.
    fileprivate func masking(_ masked: (APIError) -> APIError) -> EventMessage {
      if case .refused(let error) = self { .refused(masked(error)) } else { self }
    }

    private static func event(_ value: JSONValue) -> EventMessage {
      if let event = try? Event(jsonUTF8: value.jsonUTF8) { return .event(event) }
      return .unreadable(position: value["id"]?.stringValue ?? "")
    }

    private static func refusal(_ text: String) -> APIError {
      let response = HTTPResponse(status: 200, body: .bytes(Array(text.utf8)))
      let descriptor = EventRPC.streamEvents.descriptor
      var error =
        APIError(enclosedIn: response, of: descriptor)
        ?? APIError(.invalidResponse, "the gateway refused a request on the event connection")
      error.rpc = descriptor.id
      return error
    }

    /// The meaning of a close frame; nil for a normal end.
    fileprivate init?(_ closure: WebSocketClosure) throws {
      switch closure.code.rawValue {
      case 1000, 1001, 1005: return nil
      case 1012: self = .end(.restart)
      case 4401: self = .end(.tokenExpired)
      case 4429: self = .end(.tooSlow)
      case 4400:
        throw APIError(
          .invalidArgument, "the gateway refused a message on the event connection", reason: closure.reason)
      default:
        throw APIError(
          anyFailure: TransportError.webSocketLost("the gateway closed it with \(closure.code): \(closure.reason)"))
      }
    }
  }

  extension JSONValue {
    fileprivate static func topics(_ topics: [EventTopic]) -> JSONValue { .array(topics.map { .string($0.rawValue) }) }

    fileprivate var topics: [EventTopic]? {
      elements?.compactMap { $0.stringValue.map(EventTopic.init(rawValue:)) }
    }
  }
#endif
