internal import Foundation

/// A server on a loopback port that runs a script on every connection, down to the bytes: for what a proper HTTP
/// server would never do.
///
/// Every connection has a thread of its own. ``stop()`` cuts all connections and returns when all threads have ended.
public final class RawServer: Sendable {
  /// What to do with one connection; it is closed when the script returns or throws.
  public typealias Script = @Sendable (RawConnection) throws -> Void

  private struct State {
    var isStopped = false
    var connections: [Int: RawConnection] = [:]
    var connectionCount = 0
    var requests: [RawRequest] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// The port on 127.0.0.1.
  public let port: Int
  private let listener: RawSocket
  private let script: Script
  private let state = NSLockedValue(State())
  private let threads = DispatchGroup()

  /// Starts listening.
  public init(_ script: @escaping Script) throws {
    self.script = script
    listener = try RawSocket.listening(backlog: 1024)
    port = try listener.localPort()
    startThread { $0.acceptAll() }
  }

  /// An http URL on this server.
  public func url(_ path: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

  /// How many connections were accepted.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }
  /// The requests that were read, in order.
  public var requests: [RawRequest] { state.withLock { $0.requests } }

  /// Cuts everything and waits for the threads.
  public func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return Array(state.connections.values)
    }
    for connection in connections { connection.socket.cut() }
    // One more connection is what wakes the accepting thread on every system.
    let last = try? RawSocket.connecting(to: port)
    withExtendedLifetime(last) { threads.wait() }
  }

  /// Returns once `count` requests have been read since the start.
  public func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count < count { state.waiters.append((count, continuation)) }
        return state.requests.count >= count
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
    let thread = Thread {
      body(self)
      self.threads.leave()
    }
    thread.stackSize = 512 * 1024
    thread.start()
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
    state.withLock { $0.connections[id] = nil }
  }
}

/// Runs `body` against a server with `script`, and stops the server whatever happens.
public func withRawServer<Result: Sendable>(
  _ script: @escaping RawServer.Script, _ body: (RawServer) async throws -> Result
) async throws -> Result {
  let server = try RawServer(script)
  defer { server.stop() }
  return try await body(server)
}

/// A value behind a lock; the test helpers depend on nothing of the SDK.
final class NSLockedValue<Value>: @unchecked Sendable {
  // Sendable because `value` is only touched under the lock.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
