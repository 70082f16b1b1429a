#if WebSocket
  import NIOCore
  import NIOHTTP1
  import NIOWebSocket
  import NovaCore

  /// The request that opens a connection, and the check of its response.
  struct ClientHandshake: Sendable {
    private static let ownHeaders = [
      "Host", "Upgrade", "Connection", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
      "Sec-WebSocket-Extensions", "Content-Length", "Transfer-Encoding",
    ]

    private let url: HTTPURL
    private let headers: NovaCore.HTTPHeaders
    private let subprotocols: [String]
    private let key: String

    /// - Throws: `TransportError.invalidHeader`; `APIError.insecureConnection` if a token would be sent unencrypted.
    init(
      _ url: HTTPURL, headers: NovaCore.HTTPHeaders, subprotocols: [String],
      key: String = NIOWebSocketClientUpgrader.randomRequestKey()
    ) throws {
      for field in headers {
        if let problem = field.problem { throw Self.invalidHeader(problem) }
        if let own = Self.ownHeaders.first(where: field.name.equalsIgnoringASCIICase) {
          throw Self.invalidHeader("the header \(own) belongs to the WebSocket handshake")
        }
      }
      for name in subprotocols where NovaCore.HTTPHeaders.Field(name: name, value: "").problem != nil {
        throw Self.invalidHeader("a subprotocol is empty or has a forbidden character")
      }
      if headers["Authorization"] != nil { try url.origin.requireProtection() }
      (self.url, self.headers, self.subprotocols, self.key) = (url, headers, subprotocols, key)
    }

    private static func invalidHeader(_ problem: String) -> TransportError {
      TransportError(.invalidHeader, problem, sent: .nothing, requestMayHaveLeft: false)
    }

    var request: HTTPRequestHead {
      var fields = NIOHTTP1.HTTPHeaders()
      fields.add(name: "Host", value: String(url.origin.text.drop { $0 != "/" }.dropFirst(2)))
      fields.add(name: "Upgrade", value: "websocket")
      fields.add(name: "Connection", value: "Upgrade")
      fields.add(name: "Sec-WebSocket-Key", value: key)
      fields.add(name: "Sec-WebSocket-Version", value: "13")
      if !subprotocols.isEmpty {
        fields.add(name: "Sec-WebSocket-Protocol", value: subprotocols.joined(separator: ", "))
      }
      for field in headers { fields.add(name: field.name, value: field.value) }
      let target = url.target.hasPrefix("/") ? url.target : "/" + url.target
      return HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: fields)
    }

    /// Checks a 101 response.
    ///
    /// - Returns: the protocol that the server chose; nil if it chose no protocol.
    func subprotocol(of response: HTTPResponseHead) throws(TransportError) -> String? {
      let headers = response.headers
      guard response.version == .http1_1 else { throw malformed("its version is not HTTP/1.1") }
      guard headers["Upgrade"].map({ $0.lowercased() }) == ["websocket"] else {
        throw malformed("Upgrade is not websocket")
      }
      guard headers[canonicalForm: "Connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
        throw malformed("Connection does not contain upgrade")
      }
      guard isAccepted(response) else { throw malformed("Sec-WebSocket-Accept does not belong to the request's key") }
      guard headers["Sec-WebSocket-Extensions"].isEmpty else {
        throw malformed("it has an extension that was not offered")
      }
      let chosen = headers["Sec-WebSocket-Protocol"]
      guard let name = chosen.first else { return nil }
      guard chosen.count == 1, subprotocols.contains(name) else {
        throw malformed("it has a subprotocol that was not offered")
      }
      return name
    }

    private func isAccepted(_ response: HTTPResponseHead) -> Bool {
      let upgrader = NIOWebSocketClientUpgrader(requestKey: key) { channel, _ in
        channel.eventLoop.makeSucceededVoidFuture()
      }
      return upgrader.shouldAllowUpgrade(upgradeResponse: response)
    }

    func malformed(_ reason: String) -> TransportError {
      TransportError(
        .malformedResponse, "the WebSocket handshake of \(url.origin.place) is invalid", reason: reason,
        requestMayHaveLeft: true)
    }
  }
#endif
