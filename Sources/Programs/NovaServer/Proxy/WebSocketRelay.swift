#if Server
  import NovaCore
  import NovaMock
  import NovaWebSocket

  extension WebSocketEndpoint {
    /// Messages that pass can be larger than those of the mock's clients.
    private static let relayLimits = WebSocketLimits(maximumFrameBytes: 16 << 20, maximumMessageBytes: 16 << 20)

    /// Connects every client that opens a WebSocket connection, whatever its path, with the gateway.
    static func relay(to proxy: GatewayProxy) -> WebSocketEndpoint {
      WebSocketEndpoint(path: nil, limits: relayLimits) { received in
        let headers = HTTPHeaders(
          received.headers.forwardedByProxy(isRecorded: false).fields.filter {
            !$0.name.lowercased().hasPrefix("sec-websocket-")
          })
        do {
          let gateway = try await WebSocketConnection.connect(
            to: proxy.url(of: HTTPURL(received: received.target)), headers: headers,
            subprotocols: received.offeredSubprotocols, limits: relayLimits, transport: proxy.transportOptions)
          return .relay(subprotocol: gateway.subprotocol) { client in
            // Not cancelled when the client leaves: what it has sent still passes.
            await Task.detached { await WebSocketRelay(client: client, gateway: gateway).run() }.value
          }
        } catch let refusal as WebSocketRefusal {
          var response = refusal.response
          response.headers = response.headers.withoutConnectionFields()
          response.headers["Content-Length"] = nil
          return .refuse(response)
        } catch let error as TransportError where error.kind != .connectionLost {
          return .refuse(GatewayProxy.noResponse(error))
        } catch let error as APIError {
          return .refuse(MockFailure(.unavailable, "no connection to the gateway: \(error)", httpStatus: 502).response)
        } catch {
          return .refuse(nil)
        }
      }
    }
  }

  /// Two connections whose messages pass in both directions.
  private struct WebSocketRelay {
    let client: WebSocketConnection
    let gateway: WebSocketConnection

    func run() async {
      let (client, gateway) = (client, gateway)
      async let sent: Void = Self.pass(from: client, to: gateway)
      async let received: Void = Self.pass(from: gateway, to: client)
      _ = await (sent, received)
    }

    /// Passes messages until one side ends, and ends the other side in the same way.
    private static func pass(from source: WebSocketConnection, to destination: WebSocketConnection) async {
      do {
        while let message = try await source.receive() { try await destination.send(message) }
        let closure = source.closure ?? WebSocketClosure(code: .normal)
        await destination.close(closure.code, reason: closure.reason)
      } catch {
        source.drop()
        destination.drop()
      }
    }
  }
#endif
