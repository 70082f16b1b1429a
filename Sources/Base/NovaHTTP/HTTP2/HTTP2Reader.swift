#if GRPC
  internal import CNovaHTTP2

  /// The thread that waits for the sockets and the deadlines of a transport.
  struct HTTP2Reader {
    private static let bufferSize = 128 << 10
    private static let eventCount = 64

    private let engine: HTTP2Engine

    init(_ engine: HTTP2Engine) { self.engine = engine }

    func run() {
      let events = UnsafeMutablePointer<nova_h2_event>.allocate(capacity: Self.eventCount)
      let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.bufferSize)
      defer {
        events.deallocate()
        buffer.deallocate()
      }
      while let (poller, milliseconds) = engine.locked({ core in core.prepareSleep().map { (core.poller, $0) } }) {
        guard let poller else { break }
        let count = nova_h2_poller_wait(poller, events, Int32(Self.eventCount), milliseconds)
        engine.locked { core in core.endSleep() }
        for index in 0..<Int(count) { handle(events[index], buffer) }
      }
      // The poller is not used anymore: all connections are removed.
      if let poller = engine.locked({ core in core.readerHasEnded() }) { nova_h2_poller_free(poller) }
    }

    private func handle(_ event: nova_h2_event, _ buffer: UnsafeMutablePointer<UInt8>) {
      guard let connection = engine.locked({ core in core.connections[event.token] }) else { return }
      if event.writable, engine.locked({ _ in connection.resumeWriting() }) { engine.write(connection) }
      guard event.readable else { return }
      var goesOn = true
      while goesOn {
        let progress = connection.socket.read(into: buffer, count: Self.bufferSize)
        goesOn = engine.locked { core in
          core.readClock()
          return connection.hasRead(progress, buffer)
        }
        // Bytes of TLS can wait inside the library, where the poller does not see them.
        if case .bytes(let count) = progress, count < Self.bufferSize, !connection.isSecure { return }
      }
    }
  }
#endif
