#if Server
  import NovaCore
  import NovaMock
  import NovaWebSocket

  extension WebSocketEndpoint {
    /// Events over WebSocket: the same as StreamEvents.
    static func events(of backend: MockBackend) -> WebSocketEndpoint {
      WebSocketEndpoint(path: "/api/v1/events/ws", subprotocols: ["nova.events.v1"]) { request in
        do throws(EventRefusal) {
          _ = try backend.subscription(headers: request.headers)
          return nil
        } catch {
          return error.response
        }
      } service: { socket, request in
        guard let subscription = try? backend.subscription(headers: request.headers) else {
          return await socket.close(.tokenRefused)
        }
        await EventSession(socket, subscription).run()
      }
    }
  }

  extension WebSocketCloseCode {
    fileprivate static let badMessage = Self(rawValue: 4400)
    fileprivate static let tokenRefused = Self(rawValue: 4401)
    fileprivate static let tooSlow = Self(rawValue: 4429)

    fileprivate init(_ end: MockEventEnd) {
      switch end {
      case .tokenExpired: self = .tokenRefused
      case .tooSlow: self = .tooSlow
      default: self = .restart
      }
    }
  }

  /// One client that receives events: answers what it sends, while events are sent.
  private struct EventSession: Sendable {
    private let socket: WebSocketConnection
    private let subscription: EventSubscriber
    /// Held while topics change and while messages are begun, so that no event comes before the answer that adds its
    /// topic.
    private let order = Locked(())

    init(_ socket: WebSocketConnection, _ subscription: EventSubscriber) {
      (self.socket, self.subscription) = (socket, subscription)
    }

    func run() async {
      // The other one ends with the connection.
      await withTaskGroup(of: Void.self) { group in
        group.addTask { try? await answerMessages() }
        group.addTask { try? await sendEvents() }
        await group.next()
        group.cancelAll()
      }
    }

    private func sendEvents() async throws {
      while let items = try await subscription.next() {
        for item in items {
          switch item {
          case .event(let event):
            let text = "{\"event\":" + String(decoding: event.json, as: UTF8.self) + "}"
            try await socket.finish(order.withLock { _ in socket.begin(.text(text)) })
          case .end(let reason): return await socket.close(WebSocketCloseCode(reason), reason: reason.rawValue)
          // The connection has pings of its own.
          case .alive: break
          }
        }
      }
    }

    private func answerMessages() async throws {
      while let message = try await socket.receive() {
        guard let request = EventRequest(message) else {
          return await socket.close(.badMessage, reason: "expected a JSON object with subscribe, unsubscribe, or ping")
        }
        let sendings = order.withLock { _ in
          answers(to: request).map { socket.begin(.text(String(decoding: $0.jsonUTF8, as: UTF8.self))) }
        }
        for sending in sendings { try await socket.finish(sending) }
      }
    }

    private func answers(to request: EventRequest) -> [JSONValue] {
      do throws(EventRefusal) {
        switch request {
        case .ping: return [.members(("pong", .number("1")))]
        case .unsubscribe(let topics):
          try subscription.unsubscribe(from: topics)
          return []
        case .subscribe(let topics, let after):
          let (position, isReset) = try subscription.subscribe(to: topics, after: after)
          return (isReset ? ["subscribed", "reset"] : ["subscribed"]).map { name in
            .members((name, .array(topics.map { .string($0) })), ("position", .string(position)))
          }
        }
      } catch {
        return [.members(("error", .members(("code", .string(error.code)), ("message", .string(error.message)))))]
      }
    }
  }

  /// What a client sends.
  private enum EventRequest {
    case subscribe([String], after: String)
    case unsubscribe([String])
    case ping

    /// Nil if it is nothing that clients send.
    init?(_ message: WebSocketMessage) {
      guard case .text(let text) = message, let json = try? JSONValue(jsonUTF8: Array(text.utf8)) else { return nil }
      if let topics = json["subscribe"]?.strings {
        self = .subscribe(topics, after: json["after"]?.stringValue ?? "")
      } else if let topics = json["unsubscribe"]?.strings {
        self = .unsubscribe(topics)
      } else if json["ping"] != nil {
        self = .ping
      } else {
        return nil
      }
    }
  }

  extension JSONValue {
    /// The elements if all of them are texts.
    fileprivate var strings: [String]? {
      guard let elements else { return nil }
      let strings = elements.compactMap(\.stringValue)
      return strings.count == elements.count ? strings : nil
    }
  }
#endif
