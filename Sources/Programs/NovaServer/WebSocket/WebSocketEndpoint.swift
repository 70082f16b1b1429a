#if Server
  package import NovaCore
  import NovaMock
  package import NovaWebSocket

  /// A path of a server that opens WebSocket connections.
  package struct WebSocketEndpoint: Sendable {
    /// Serves a connection, which is closed when it returns. Its task is cancelled when the connection ends.
    package typealias Service = @Sendable (WebSocketConnection) async -> Void
    /// Accepts or refuses a request, for example by its token.
    package typealias Opening = @Sendable (ReceivedRequest) async -> Decision

    /// The decision about a request.
    package enum Decision: Sendable {
      case open(Service)
      /// Opens a connection with the subprotocol that another server has chosen; nil for none.
      case relay(subprotocol: String?, Service)
      /// Nil drops the connection.
      case refuse(HTTPResponse?)
    }

    /// The limits for clients of an API, which send small messages and get their answers one after the other.
    package static let defaultLimits = WebSocketLimits(
      maximumFrameBytes: 64 << 10, maximumMessageBytes: 64 << 10, maximumWaitingMessages: 4)

    private let path: String?
    private let subprotocols: [String]
    let limits: WebSocketLimits
    let clock: any CallClock
    private let opening: Opening

    /// - Parameters:
    ///   - path: without a query; nil for every path.
    ///   - subprotocols: those that it can use. Default: none.
    package init(
      path: String?, subprotocols: [String] = [], limits: WebSocketLimits = defaultLimits,
      clock: any CallClock = ContinuousClock(), opening: @escaping Opening
    ) {
      (self.path, self.subprotocols, self.limits, self.clock) = (path, subprotocols, limits, clock)
      self.opening = opening
    }

    func serves(_ request: ReceivedRequest) -> Bool {
      guard let path else { return request.headers.tokens("Upgrade").contains("websocket") }
      return HTTPURL(received: request.target).path == path
    }
  }

  /// What a server sends to a client that it opens a connection for.
  struct WebSocketAcceptance: Sendable {
    let endpoint: WebSocketEndpoint
    let service: WebSocketEndpoint.Service
    /// Nil for none.
    let subprotocol: String?
  }

  extension WebSocketEndpoint {
    /// Checks the handshake (RFC 6455, section 4.2.1) and asks the endpoint.
    func answer(_ request: ReceivedRequest) async -> Answer {
      do throws(MockFailure) {
        try Self.checkHeaders(request)
        let subprotocol = try chosenSubprotocol(request.headers)
        switch await opening(request) {
        case .open(let service):
          return .webSocket(WebSocketAcceptance(endpoint: self, service: service, subprotocol: subprotocol))
        case .relay(let subprotocol, let service):
          return .webSocket(WebSocketAcceptance(endpoint: self, service: service, subprotocol: subprotocol))
        case .refuse(let response): return .response(response)
        }
      } catch {
        return .response(error.response)
      }
    }

    private static func checkHeaders(_ request: ReceivedRequest) throws(MockFailure) {
      let headers = request.headers
      guard request.method == .get, request.needsHost else { throw .invalidHandshake("it must be GET over HTTP/1.1") }
      guard headers.tokens("Upgrade").contains("websocket"), headers.tokens("Connection").contains("upgrade") else {
        throw .noUpgrade
      }
      guard headers.values(for: "Sec-WebSocket-Version") == ["13"] else { throw .unknownVersion }
      let keys = headers.values(for: "Sec-WebSocket-Key")
      guard keys.count == 1, keys[0].utf8.count == 24, let key = Base64.decode(keys[0]), key.count == 16 else {
        throw .invalidHandshake("Sec-WebSocket-Key must be 16 bytes in Base64")
      }
      guard request.body.isEmpty, !request.announcesBody else { throw .invalidHandshake("it must have no body") }
    }

    /// A client that offers none gets none, so that simple tools can connect.
    private func chosenSubprotocol(_ headers: HTTPHeaders) throws(MockFailure) -> String? {
      let offered = headers.list("Sec-WebSocket-Protocol")
      if offered.isEmpty || subprotocols.isEmpty { return nil }
      guard let name = offered.first(where: subprotocols.contains) else {
        throw .invalidHandshake("none of its subprotocols is \(subprotocols.joined(separator: " or "))")
      }
      return name
    }
  }

  extension MockFailure {
    fileprivate static func invalidHandshake(_ reason: String) -> MockFailure {
      .invalid("invalid WebSocket handshake: \(reason)")
    }

    fileprivate static let noUpgrade = MockFailure(
      .invalidArgument, "this path opens WebSocket connections; send Upgrade: websocket", httpStatus: 426,
      headers: ["Upgrade": "websocket"])

    fileprivate static let unknownVersion = MockFailure(
      .invalidArgument, "unknown WebSocket version; send Sec-WebSocket-Version: 13", httpStatus: 426,
      headers: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
  }

  extension ReceivedRequest {
    /// The subprotocols of a WebSocket handshake, in the client's order.
    var offeredSubprotocols: [String] { headers.list("Sec-WebSocket-Protocol") }
  }

  extension HTTPHeaders {
    /// The items of a list, which several fields can contain.
    fileprivate func list(_ name: String) -> [String] {
      values(for: name).flatMap { value in
        value.split(separator: ",").map { String($0.drop { $0 == " " || $0 == "\t" }) }.map { item in
          String(item.prefix { $0 != " " && $0 != "\t" })
        }
      }.filter { !$0.isEmpty }
    }

    fileprivate func tokens(_ name: String) -> [String] { list(name).map { $0.lowercased() } }
  }
#endif
