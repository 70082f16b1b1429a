import Dispatch
import NovaCore

/// A server on a loopback port that runs a byte-level script on every connection, for behavior that a proper HTTP
/// server does not have.
///
/// Every connection has its own thread. ``stop()`` closes all connections and returns when all threads have ended; the
/// port then refuses connections for the lifetime of the server.
package final class RawServer: Sendable {
  /// What to do with one connection; it is closed when the script returns or throws.
  package typealias Script = @Sendable (RawConnection) throws -> Void

  private struct State: Sendable {
    var isStopped = false
    var connections: [Int: RawConnection] = [:]
    var connectionCount = 0
    var requests: [RawRequest] = []
  }

  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: RawSocket
  /// Keeps the port after the server has stopped, so that later callers are refused and no other program answers them.
  private let reservation: ClosedPort
  private let script: Script
  private let state = Watched(State())
  private let threads = DispatchGroup()

  /// Starts listening, or takes a port that refuses connections until ``listen()``.
  package init(listens: Bool = true, _ script: @escaping Script) throws {
    self.script = script
    reservation = try ClosedPort()
    port = reservation.port
    listener = try RawSocket.bound(to: port, sharesPort: true)
    if listens { try listen() }
  }

  /// Accepts connections from now on. It may be called once.
  package func listen() throws {
    guard !state.value.isStopped else { return }
    try listener.listen(backlog: 1024)
    startThread { $0.acceptAll() }
  }

  /// An http URL on this server.
  package func url(_ path: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  /// How many connections were accepted.
  package var connectionCount: Int { state.value.connectionCount }
  /// How many of them are open.
  package var openConnectionCount: Int { state.value.connections.count }
  /// The requests that were read, in order.
  package var requests: [RawRequest] { state.value.requests }

  /// Closes all connections and waits for the threads.
  package func stop() {
    let connections = state.change { state in
      state.isStopped = true
      return Array(state.connections.values)
    }
    for connection in connections { connection.socket.cut() }
    // A connection wakes the accepting thread on every system.
    let last = try? RawSocket.connecting(to: port)
    withExtendedLifetime(last) { threads.wait() }
    listener.cut()
  }

  /// Waits until no connection is open.
  package func waitUntilIdle() async { await wait { $0.connections.isEmpty } }

  /// Returns once `count` connections have been accepted since the start, or when the server stops.
  package func waitForConnections(_ count: Int) async { await wait { $0.isStopped || $0.connectionCount >= count } }

  /// Returns once `count` requests have been read since the start, or when the server stops.
  package func waitForRequests(_ count: Int) async { await wait { $0.isStopped || $0.requests.count >= count } }

  func record(_ request: RawRequest) { state.change { $0.requests.append(request) } }

  private func wait(until isDue: @escaping @Sendable (State) -> Bool) async {
    // A canceled task stops waiting.
    try? await state.wait(until: isDue)
  }

  private func startThread(_ body: @escaping @Sendable (RawServer) -> Void) {
    threads.enter()
    DetachedThread.start {
      body(self)
      self.threads.leave()
    }
  }

  private func acceptAll() {
    while let socket = listener.accept() {
      let id: Int? = state.change { state in
        guard !state.isStopped else { return nil }
        state.connectionCount += 1
        state.connections[state.connectionCount] = RawConnection(socket, number: state.connectionCount, server: self)
        return state.connectionCount
      }
      guard let id else { return }
      startThread { $0.serve(id) }
    }
  }

  private func serve(_ id: Int) {
    guard let connection = state.value.connections[id] else { return }
    // A script throws when its client disconnects, which is often intended.
    try? script(connection)
    state.change { $0.connections[id] = nil }
  }
}
