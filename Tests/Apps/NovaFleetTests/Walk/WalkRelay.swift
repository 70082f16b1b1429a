import Dispatch
import NovaCore
import NovaLibc
import NovaTestSupport
import NovaTesting

#if os(Linux)
  /// Carries the connections to a port of one address to a port of another one, or to a Unix socket.
  final class WalkRelay: Sendable {
    enum Target: Sendable {
      case port(Int, on: String)
      case socket(String)
    }

    private struct State: Sendable {
      var sockets: [RawSocket] = []
      var isStopped = false
    }

    let port: Int
    private let listener: RawSocket
    private let state = Locked(State())

    /// - Parameters:
    ///   - port: where it listens. Default: one that the system chooses.
    ///   - namespace: a file of the network in which it listens, and connects. Default: that of this process.
    init(_ address: String, port: Int = 0, in namespace: String? = nil, to target: Target) throws {
      let made = Locked<Result<RawSocket, any Error>?>(nil)
      let isMade = DispatchSemaphore(value: 0)
      // A thread is in a network, with the sockets that it makes.
      DetachedThread.start { [state] in
        let listener = Result {
          if let namespace { try Self.enter(namespace) }
          return try Self.listening(address, port)
        }
        made.withLock { $0 = listener }
        isMade.signal()
        while let listener = try? listener.get(), let client = listener.accept() {
          guard let server = try? Self.connected(to: target) else { continue }
          let isStopped = state.withLock { state in
            state.sockets += [client, server]
            return state.isStopped
          }
          if isStopped { return }
          DetachedThread.start { RawRelay.carry(client, to: server) }
          DetachedThread.start { RawRelay.carry(server, to: client) }
        }
      }
      isMade.wait()
      guard let result = made.withLock({ $0 }) else { throw WalkProblem("the relay did not start") }
      listener = try result.get()
      self.port = try listener.localPort()
    }

    deinit { stop() }

    func stop() {
      listener.cut()
      let sockets = state.withLock { state in
        state.isStopped = true
        return state.sockets
      }
      for socket in sockets { socket.cut() }
    }

    // MARK: Sockets

    private static func enter(_ namespace: String) throws {
      let descriptor = open(namespace, O_RDONLY)
      try RawSocket.check(descriptor, "open \(namespace)")
      defer { close(descriptor) }
      // Swift does not see it.
      guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "setns") else { throw WalkProblem("there is no setns") }
      let setns = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
      let network: Int32 = 0x4000_0000
      try RawSocket.check(setns(descriptor, network), "setns")
    }

    private static func listening(_ address: String, _ port: Int) throws -> RawSocket {
      let socket = try RawSocket.make()
      var place = place(address, port)
      try withPointer(to: &place) { try RawSocket.check(bind(socket.descriptor, $0, $1), "bind to \(address)") }
      try socket.listen(backlog: 1024)
      return socket
    }

    private static func connected(to target: Target) throws -> RawSocket {
      switch target {
      case .port(let port, let address):
        let socket = try RawSocket.make()
        var place = place(address, port)
        try withPointer(to: &place) { try RawSocket.check(connect(socket.descriptor, $0, $1), "connect") }
        return socket
      case .socket(let path):
        let descriptor = NovaLibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try RawSocket.check(descriptor, "socket")
        let socket = RawSocket(descriptor)
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        try withPointer(to: &place) { try RawSocket.check(connect(descriptor, $0, $1), "connect to \(path)") }
        return socket
      }
    }

    private static func place(_ address: String, _ port: Int) -> sockaddr_in {
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_addr.s_addr = inet_addr(address)
      place.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
      return place
    }

    private static func withPointer<Address>(
      to address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
      try withUnsafePointer(to: &address) {
        try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try body($0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }
  }
#endif
