import Dispatch
import NovaCore

/// A server on a loopback port that runs a script on every connection, down to the bytes: for what a proper HTTP
/// server would never do.
///
/// Every connection has a thread of its own. ``stop()`` cuts all connections and returns when all threads have ended.
package final class RawServer: Sendable {
  /// What to do with one connection; it is closed when the script returns or throws.
  package typealias Script = @Sendable (RawConnection) throws -> Void

  private struct State {
    var isStopped = false
    var connections: [Int: RawConnection] = [:]
    var connectionCount = 0
    var requests: [RawRequest] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: RawSocket
  private let script: Script
  private let state = Locked(State())
  private let threads = DispatchGroup()

  /// Starts listening.
  package convenience init(_ script: @escaping Script) throws {
    try self.init(listens: true, script)
  }

  /// Starts listening, or takes a port that refuses connections until ``listen()``.
  package init(listens: Bool, _ script: @escaping Script) throws {
    self.script = script
    listener = try RawSocket.bound()
    port = try listener.localPort()
    if listens { try listen() }
  }

  /// Accepts connections from now on. It may be called once.
  package func listen() throws {
    guard !state.withLock({ $0.isStopped }) else { return }
    try listener.listen(backlog: 1024)
    startThread { $0.acceptAll() }
  }

  /// An http URL on this server.
  package func url(_ path: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  /// How many connections were accepted.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }
  /// The requests that were read, in order.
  package var requests: [RawRequest] { state.withLock { $0.requests } }

  /// Cuts everything and waits for the threads.
  package func stop() {
    let (connections, waiters) = state.withLock { state in
      state.isStopped = true
      defer { state.waiters = [] }
      return (Array(state.connections.values), state.waiters)
    }
    for connection in connections { connection.socket.cut() }
    for waiter in waiters { waiter.continuation.resume() }
    // One more connection is what wakes the accepting thread on every system.
    let last = try? RawSocket.connecting(to: port)
    withExtendedLifetime(last) { threads.wait() }
    listener.cut()
  }

  /// Returns once no connection is open.
  package func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if !state.connections.isEmpty { state.idleWaiters.append(continuation) }
        return state.connections.isEmpty
      }
      if isIdle { continuation.resume() }
    }
  }

  /// Returns once `count` requests have been read since the start, or when the server stops.
  package func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.isStopped || state.requests.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  func record(_ request: RawRequest) {
    let waiters = state.withLock { state in
      state.requests.append(request)
      let count = state.requests.count
      defer { state.waiters.removeAll { $0.count <= count } }
      return state.waiters.filter { $0.count <= count }
    }
    for waiter in waiters { waiter.continuation.resume() }
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
      let id: Int? = state.withLock { state in
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
    guard let connection = state.withLock({ $0.connections[id] }) else { return }
    // A script that throws has lost its client, which is often the point.
    try? script(connection)
    let waiters = state.withLock { state in
      state.connections[id] = nil
      guard state.connections.isEmpty else { return [CheckedContinuation<Void, Never>]() }
      defer { state.idleWaiters = [] }
      return state.idleWaiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// Runs `body` against a server with `script`, and stops the server whatever happens.
package func withRawServer<Result: Sendable>(
  _ script: @escaping RawServer.Script, _ body: (RawServer) async throws -> Result
) async throws -> Result {
  let server = try RawServer(script)
  defer { server.stop() }
  return try await body(server)
}
