import Dispatch
import NovaCore
package import NovaTesting

/// Carries the connections of a Unix socket to a port on 127.0.0.1, as a sidecar does.
package final class RawRelay: Sendable {
  /// The path of the Unix socket.
  package let path: String
  private let listener: RawSocket
  private let port: Int
  private let sockets = Locked<[RawSocket]>([])
  private let threads = DispatchGroup()

  package init(path: String, toPort port: Int) throws {
    self.path = path
    self.port = port
    listener = try RawSocket.listening(atPath: path)
    start { $0.acceptAll() }
  }

  /// How many connections were accepted.
  package var connectionCount: Int { sockets.withLock { $0.count / 2 } }

  /// Closes all connections and waits for the threads. The file of the socket remains.
  package func stop() {
    listener.cut()
    for socket in sockets.withLock({ $0 }) { socket.cut() }
    threads.wait()
  }

  /// Carries bytes in one direction until there are no more.
  package static func carry(_ source: RawSocket, to target: RawSocket) {
    while true {
      let bytes = source.read()
      guard !bytes.isEmpty, (try? target.write(bytes)) != nil else { break }
    }
    source.cut()
    target.cut()
  }

  private func acceptAll() {
    while let client = listener.accept() {
      guard let server = try? RawSocket.connected(to: port) else { continue }
      sockets.withLock { $0 += [client, server] }
      start { _ in Self.carry(client, to: server) }
      start { _ in Self.carry(server, to: client) }
    }
  }

  private func start(_ body: @escaping @Sendable (RawRelay) -> Void) {
    threads.enter()
    DetachedThread.start {
      body(self)
      self.threads.leave()
    }
  }
}

extension RawConnection {
  /// From here on, carries all bytes between the client and a port on 127.0.0.1, as a proxy does for CONNECT.
  package func carry(toPort port: Int) throws {
    let server = try RawSocket.connected(to: port)
    let client = socket
    try server.write(takeBuffered())
    let isDone = DispatchSemaphore(value: 0)
    DetachedThread.start {
      RawRelay.carry(server, to: client)
      isDone.signal()
    }
    RawRelay.carry(client, to: server)
    isDone.wait()
  }
}
