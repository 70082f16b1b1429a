#if Server
  import NIOCore
  import NIOHTTP1
  import NIOWebSocket
  import NovaCore
  import NovaWebSocket

  /// Turns a connection whose last request is a WebSocket handshake into a WebSocket connection.
  enum WebSocketUpgrade {
    /// Sends the 101 response, takes HTTP's handlers out, and starts to serve the connection. Called on the event loop.
    static func perform(
      _ acceptance: WebSocketAcceptance, head: HTTPRequestHead, on channel: any Channel, gate: InputGate,
      timer: ConnectionTimer, handler: ConnectionHandler
    ) {
      let bound = NIOLoopBound((gate, timer, handler), eventLoop: channel.eventLoop)
      let upgrader = NIOWebSocketServerUpgrader(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
      // NIO's own upgrader computes the digest of the key: the SDK has no SHA-1.
      upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: [:])
        .flatMap { headers in
          let context = try? channel.pipeline.syncOperations.context(handler: bound.value.2)
          context?.writeAndFlush(
            ConnectionHandler.wrapOutboundOut(.head(acceptance.responseHead(headers))), promise: nil)
          return channel.pipeline.syncOperations.removeHTTP(bound.value.2, on: channel.eventLoop)
        }.flatMapThrowing {
          let (gate, timer, _) = bound.value
          guard channel.isActive else { return }
          serve(try acceptance.open(on: channel), acceptance, until: channel.closeFuture)
          if gate.isStopping { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
          // The bytes that have arrived since then go to the new handlers.
          gate.open()
          gate.drain()
          channel.pipeline.syncOperations.removeHandler(timer, promise: nil)
          channel.pipeline.syncOperations.removeHandler(gate, promise: nil)
        }.whenFailure { _ in channel.close(promise: nil) }
    }

    private static func serve(
      _ connection: WebSocketConnection, _ acceptance: WebSocketAcceptance, until end: EventLoopFuture<Void>
    ) {
      let task = Task {
        await acceptance.service(connection)
        await connection.close()
      }
      end.whenComplete { _ in task.cancel() }
    }
  }

  extension WebSocketAcceptance {
    fileprivate func responseHead(_ headers: NIOHTTP1.HTTPHeaders) -> HTTPResponseHead {
      var headers = headers
      if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
      return HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
    }

    fileprivate func open(on channel: any Channel) throws -> WebSocketConnection {
      try .open(
        on: channel, as: .server, subprotocol: subprotocol, limits: endpoint.limits, clock: endpoint.clock)
    }
  }

  extension ChannelPipeline.SynchronousOperations {
    /// Removes the handlers of HTTP that `MockServer` has added. The future ends when the last one is removed.
    fileprivate func removeHTTP(_ handler: ConnectionHandler, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
      do {
        return .andAllSucceed(
          [
            removeHandler(handler), removeHandler(try self.handler(type: HTTPServerPipelineHandler.self)),
            removeHandler(try self.handler(type: HTTPResponseEncoder.self)),
            removeHandler(try self.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)),
          ], on: eventLoop)
      } catch {
        return eventLoop.makeFailedFuture(error)
      }
    }
  }
#endif
