#if Server
  import NovaCore
  import NovaMock
  import NovaWebSocket

  extension WebSocketEndpoint {
    /// What a server opens for a backend: events, or whatever its gateway opens. A recording has no WebSocket connections.
    static func all(of backend: MockBackend) -> [WebSocketEndpoint] {
      switch backend.source {
      case let proxy as GatewayProxy: [.relay(to: proxy)]
      case let replay as ReplaySource where replay.isStrict: []
      default: [.events(of: backend)]
      }
    }

    /// Events over WebSocket: the same as StreamEvents.
    static func events(of backend: MockBackend) -> WebSocketEndpoint {
      WebSocketEndpoint(path: "/api/v1/events/ws", subprotocols: ["nova.events.v1"]) { received in
        let request = HTTPRequest(
          method: .get, url: HTTPURL(received: received.target), headers: received.headers, limits: Application.limits)
        switch try? await backend.answerEventHandshake(request) {
        case .accepted(let subscription, let fault, let bandwidth):
          return .open { socket in
            await EventSession(socket, subscription, fault: fault, bandwidth: bandwidth).run()
          }
        case .refused(let response): return .refuse(response)
        case nil: return .refuse(nil)
        }
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
    private let output: Locked<EventOutput>
    private let bandwidth: EventBandwidth

    init(
      _ socket: WebSocketConnection, _ subscription: EventSubscriber, fault: StreamFault?, bandwidth: EventBandwidth
    ) {
      (self.socket, self.subscription, self.bandwidth) = (socket, subscription, bandwidth)
      output = Locked(EventOutput(socket, fault: fault))
    }

    /// A task that has ended.
    private enum Part {
      /// The connection has ended, or must be closed.
      case messages(WebSocketClosure?)
      /// An event could not be sent, or the connection must be closed.
      case events(WebSocketClosure?)
    }

    func run() async {
      await withTaskGroup(of: Part.self) { group in
        group.addTask { .messages(try? await answerMessages()) }
        group.addTask { .events(try? await sendEvents()) }
        for await part in group {
          switch part {
          case .messages(let closure?), .events(let closure?):
            // The receiver must not be cancelled before: that closes the connection at once.
            await socket.close(closure.code, reason: closure.reason)
          case .messages(nil): break
          // The receiver ends with the connection, after what the client has sent.
          case .events(nil): continue
          }
          group.cancelAll()
        }
      }
    }

    /// - Returns: how to close the connection; nil if the subscription ends otherwise.
    private func sendEvents() async throws -> WebSocketClosure? {
      while let items = try await subscription.next() {
        for item in items {
          switch item {
          case .event(let event):
            let text = "{\"event\":" + String(decoding: event.json, as: UTF8.self) + "}"
            try await waitOutStall()
            try await bandwidth.send(text)
            try await finish(output.withLock { $0.send(text, isEvent: true) })
          case .alive(let place): try await send(place)
          case .end(let reason): return WebSocketClosure(code: WebSocketCloseCode(reason), reason: reason.rawValue)
          }
        }
      }
      return nil
    }

    /// Sends the position up to which the client has everything, so that quiet topics do not lose their place.
    private func send(_ place: EventPlace) async throws {
      try await waitOutStall()
      try await finish(
        output.withLock { output in
          // The answer to a change of topics has its own position.
          guard !place.topics.isEmpty, subscription.isCurrent(place) else { return [] }
          let message = JSONValue.topics("subscribed", place.topics, at: place.position)
          return output.send(String(decoding: message.jsonUTF8, as: UTF8.self), isEvent: false)
        })
    }

    /// - Returns: how to close the connection; nil if the client has closed it.
    private func answerMessages() async throws -> WebSocketClosure? {
      while let message = try await socket.receive() {
        let request: EventRequest
        do throws(EventRequest.Problem) {
          request = try EventRequest(message)
        } catch {
          return WebSocketClosure(code: .badMessage, reason: error.reason)
        }
        try await waitOutStall()
        try await finish(
          output.withLock { output in
            answers(to: request).flatMap { output.send(String(decoding: $0.jsonUTF8, as: UTF8.self), isEvent: false) }
          })
      }
      return nil
    }

    private func waitOutStall() async throws {
      guard let end = output.withLock({ $0.stallEnd }) else { return }
      try await ContinuousClock().sleep(until: end)
    }

    private func finish(_ sendings: [WebSocketSending]) async throws {
      for sending in sendings { try await socket.finish(sending) }
    }

    private func answers(to request: EventRequest) -> [JSONValue] {
      do throws(MockFailure) {
        switch request {
        case .ping: return [["pong": 1]]
        case .unsubscribe(let topics):
          try subscription.unsubscribe(from: topics)
          return []
        case .subscribe(let topics, let after):
          let (position, isReset) = try subscription.subscribe(to: topics, after: after)
          return (isReset ? ["subscribed", "reset"] : ["subscribed"]).map { .topics($0, topics, at: position) }
        }
      } catch {
        return [["error": ["code": .string("\(error.status)"), "message": .string(error.message)]]]
      }
    }
  }

  extension JSONValue {
    fileprivate static func topics(_ name: String, _ topics: [String], at position: String) -> JSONValue {
      [name: .strings(topics), "position": .string(position)]
    }
  }
#endif
