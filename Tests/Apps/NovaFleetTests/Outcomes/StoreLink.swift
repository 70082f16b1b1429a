import Dispatch
import NovaCore
import NovaLibc
import NovaTestSupport
import NovaTesting

/// The network between machines and a store: a Unix socket whose bytes go to that of the server. While it is cut, bytes of
/// both directions and new connections wait, as packets do that are sent again until they arrive.
final class StoreLink: Sendable {
  private let listener: RawSocket
  private let target: String
  private let isCut = Locked(false)
  private let isOver = Locked(false)
  private let sockets = Locked<[RawSocket]>([])

  init(path: String, to target: String) throws {
    self.target = target
    unlink(path)
    listener = try RawSocket.listening(atPath: path)
    DetachedThread.start { [self] in acceptAll() }
  }

  /// Drops what both sides send.
  func cut() { isCut.withLock { $0 = true } }

  func heal() { isCut.withLock { $0 = false } }

  func stop() {
    isOver.withLock { $0 = true }
    listener.cut()
    for socket in sockets.withLock({ $0 }) { socket.cut() }
  }

  private func acceptAll() {
    while let client = listener.accept() {
      waitWhileCut()
      // A server that is down refuses the connection.
      guard let server = try? Self.connected(to: target) else {
        client.cut()
        continue
      }
      sockets.withLock { $0 += [client, server] }
      if isOver.withLock({ $0 }) { stop() }
      DetachedThread.start { [self] in carry(client, to: server) }
      DetachedThread.start { [self] in carry(server, to: client) }
    }
  }

  private func carry(_ source: RawSocket, to target: RawSocket) {
    while true {
      let bytes = source.read()
      waitWhileCut()
      guard !bytes.isEmpty, (try? target.write(bytes)) != nil else { break }
    }
    source.cut()
    target.cut()
  }

  private func waitWhileCut() {
    while isCut.withLock({ $0 }), !isOver.withLock({ $0 }) { usleep(5000) }
  }

  private static func connected(to path: String) throws -> RawSocket {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try RawSocket.check(descriptor, "socket")
    let socket = RawSocket(descriptor)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try RawSocket.check(status, "connect")
    return socket
  }
}
