#if WebSocket
  import NovaCore
  public import NovaEvents

  extension EventService {
    /// Receives events over WebSocket instead of server-sent events, for subscriptions of this client that begin from
    /// now on. They behave the same, except that their topics can change on the open connection.
    ///
    /// Has no effect in mock mode and in offline mode, because neither uses the network.
    ///
    /// ```swift
    /// let nova = try NovaClient()
    /// nova.events.useWebSocket()
    /// ```
    ///
    /// - Parameter limits: the limits of messages and waits.
    public func useWebSocket(limits: WebSocketLimits = WebSocketLimits()) {
      let configuration = client.configuration
      guard !configuration.usesMockData, !configuration.isOffline else { return }
      client.openEventConnections { WebSocketEventConnector(service: $0, limits: limits) }
    }
  }

  /// Receives events over `GET /ws`.
  struct WebSocketEventConnector: EventConnector {
    static let subprotocol = "nova.events.v1"

    let service: EventService
    let limits: WebSocketLimits

    func connect(to topics: [EventTopic], after position: String) async throws -> any EventConnection {
      let client = service.client
      let transport = HandshakeTransport(client: client, limits: limits)
      var options = service.options
      // The subscription itself decides when to connect again.
      options.retry = .standard(attempts: 1)
      options.transport = transport
      // The handshake is a call like any other, with the client's token, middlewares, traces, and errors.
      let request = StreamEventsRequest(topics: topics.map(\.rawValue), after: position)
      let response = try await client.open(EventRPC.streamEvents.descriptor, request, options: options)
      guard let socket = transport.connection else {
        throw APIError.notEvents(
          "an answer in place of a WebSocket connection", rpc: EventRPC.streamEvents.descriptor.id)
      }
      let connection = WebSocketEventConnection(socket) {
        response.masked($0, of: EventRPC.streamEvents.descriptor)
      }
      try await connection.subscribe(to: topics, after: position)
      try await Race.run(
        until: client.clock.now + limits.handshakeTimeout, client.clock,
        timeUp: APIError(.timeout, "the gateway did not accept the topics within \(limits.handshakeTimeout.formatted)")
      ) { try await connection.waitUntilSubscribed() }
      return connection
    }
  }

  /// Opens a WebSocket connection with the headers of one request, and returns the response of the handshake.
  private final class HandshakeTransport: HTTPTransport {
    private let client: APIClient
    private let limits: WebSocketLimits
    private let opened = Locked<WebSocketConnection?>(nil)

    init(client: APIClient, limits: WebSocketLimits) { (self.client, self.limits) = (client, limits) }

    var connection: WebSocketConnection? { opened.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      var headers = request.headers
      headers["Accept"] = nil
      do {
        let socket = try await WebSocketConnection.connect(
          to: request.url.webSocket, headers: headers, subprotocols: [WebSocketEventConnector.subprotocol],
          limits: limits, transport: client.configuration.curlOptions,
          connectTimeout: request.limits.connectTimeout, clock: client.clock)
        opened.withLock { $0 = socket }
        return HTTPResponse(status: 200)
      } catch let refusal as WebSocketRefusal {
        return refusal.response
      }
    }
  }

  extension HTTPURL {
    /// The URL with `/ws` in place of `/stream`, and without the query, because topics are sent on the connection.
    fileprivate var webSocket: HTTPURL {
      let suffix = "/stream"
      return HTTPURL(origin, target: path.hasSuffix(suffix) ? path.dropLast(suffix.count) + "/ws" : path)
    }
  }
#endif
