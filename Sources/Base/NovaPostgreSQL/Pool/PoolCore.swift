import NovaSupport

/// The connections of a pool, and the callers that wait for one.
final class PoolCore: Sendable {
  private struct Waiter: Sendable {
    let turn = FirstResult<PostgreSQLConnection>()
    /// When the caller has waited long enough for a server that cannot be reached.
    let outageEnd: ContinuousClock.Instant
  }

  private struct State {
    /// All, also those that are being opened or closed.
    var connections: [ObjectIdentifier: PostgreSQLConnection] = [:]
    /// The one that was used last is the first to be used again, so that others become old.
    var idle: [PostgreSQLConnection] = []
    var waiters = Queue<Waiter>()
    var connecting = 0
    var isClosed = false
    /// The failures in a row to connect.
    var repetition = Repetition(PoolCore.reconnection)
    var lastFailure: PostgreSQLError?
    /// Whether connecting is tried again later.
    var isPaused = false
    var closeWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private static let reconnection = Pacing(
    Backoff(base: .milliseconds(100), factor: 2, maximum: .seconds(2)), floor: .milliseconds(50))

  let options: PostgreSQLPoolOptions
  private let target: ConnectionString
  private let state = Locked(State())

  init(_ target: ConnectionString, _ options: PostgreSQLPoolOptions) {
    (self.target, self.options) = (target, options)
  }

  var connectionCount: Int { state.withLock { $0.connections.count } }

  private static let closed = PostgreSQLError(.closed, "the pool was shut down")

  // MARK: Callers

  /// Returns a connection for one user, who must release it.
  func acquire() async throws -> PostgreSQLConnection {
    try Task.checkCancellation()
    let outageTime = min(options.outageTimeout, options.acquireTimeout)
    let waiter = Waiter(outageEnd: .now.advanced(by: outageTime))
    let ready = try state.withLock { state throws -> PostgreSQLConnection? in
      if state.isClosed { throw Self.closed }
      if let connection = takeIdle(&state) { return connection }
      guard state.waiters.count < options.maximumWaiters else {
        throw PostgreSQLError(.busy, "\(state.waiters.count) callers wait for a connection already")
      }
      state.waiters.append(waiter)
      return nil
    }
    if let ready { return ready }
    openMissing()
    let timer = Task { [options, self] in
      try await Task.sleep(until: waiter.outageEnd)
      if let failure = self.state.withLock({ $0.lastFailure }), !failure.isOfBusyServer {
        return waiter.turn.giveUp(failure)
      }
      try await Task.sleep(for: options.acquireTimeout - outageTime)
      waiter.turn.giveUp(self.state.withLock { $0.lastFailure } ?? self.exhausted)
    }
    defer { timer.cancel() }
    do { return try await waiter.turn.value() } catch {
      state.withLock { state in state.waiters = Queue(state.waiters.all.filter { !$0.turn.isFinished }) }
      throw error
    }
  }

  private var exhausted: PostgreSQLError {
    PostgreSQLError(
      .busy, "all \(options.maximumConnections) connections were in use for \(options.acquireTimeout)")
  }

  /// Takes back a connection, for the next caller, or closes it if it is not idle.
  func release(_ connection: PostgreSQLConnection) {
    guard connection.status == .idle, !isOld(connection) else { return connection.close() }
    offer(connection)
  }

  private func isOld(_ connection: PostgreSQLConnection) -> Bool {
    // Spread by the address, so that not all connections are replaced at once.
    let part = Double(UInt(bitPattern: ObjectIdentifier(connection).hashValue) % 1000) / 10_000
    return connection.start.duration(to: .now) > options.maximumAge * (1 - part)
  }

  /// Gives an idle connection to the first waiter, or keeps it.
  private func offer(_ connection: PostgreSQLConnection) {
    while true {
      let (waiter, isClosed) = state.withLock { state -> (Waiter?, Bool) in
        if state.isClosed { return (nil, true) }
        if let waiter = state.waiters.popFirst() { return (waiter, false) }
        state.idle.append(connection)
        return (nil, false)
      }
      if isClosed { return connection.close() }
      guard let waiter else { return }
      if waiter.turn.finish(.success(connection)) { return }
    }
  }

  private func takeIdle(_ state: inout State) -> PostgreSQLConnection? {
    while let connection = state.idle.popLast() {
      if connection.status == .idle { return connection }
    }
    return nil
  }

  // MARK: Opening

  /// Opens as many connections as waiters need and the limit allows; while the server is down, one at a time.
  private func openMissing() {
    while true {
      let opened: PostgreSQLConnection?
      do throws(PostgreSQLError) { opened = try addConnection() } catch { return failed(nil, error) }
      guard let opened else { return }
      opened.open()
    }
  }

  private func addConnection() throws(PostgreSQLError) -> PostgreSQLConnection? {
    try state.withLock { state throws(PostgreSQLError) in
      let isDown = state.lastFailure != nil
      guard !state.isClosed, !state.isPaused, state.connecting < (isDown ? 1 : state.waiters.count),
        !state.waiters.isEmpty, state.connections.count < options.maximumConnections
      else { return nil }
      let connection = try PostgreSQLConnection(
        target, limits: options,
        events: PostgreSQLConnection.Events(
          opened: { [weak self] in self?.opened($0, $1) ?? $0.close() }, ended: { [weak self] in self?.ended($0) },
          mayEndIdle: { [weak self] in self?.removeIdle($0) ?? true }))
      state.connections[ObjectIdentifier(connection)] = connection
      state.connecting += 1
      return connection
    }
  }

  private func opened(_ connection: PostgreSQLConnection, _ result: Result<Void, PostgreSQLError>) {
    if case .failure(let error) = result { return failed(connection, error) }
    state.withLock { state in
      state.connecting -= 1
      state.repetition.works()
      state.lastFailure = nil
    }
    offer(connection)
    openMissing()
  }

  private func failed(_ connection: PostgreSQLConnection?, _ error: PostgreSQLError) {
    let (isFinal, isOutage) = (error.isFinal, !error.isOfBusyServer)
    let (pause, refused) = state.withLock { state -> (Duration?, [Waiter]) in
      if let connection {
        state.connecting -= 1
        state.connections[ObjectIdentifier(connection)] = nil
      }
      state.lastFailure = error
      let pause = state.repetition.failed(at: .now, random: .random(in: 0..<1))
      let now = ContinuousClock.now
      let isRefused = { (waiter: Waiter) in isFinal || isOutage && waiter.outageEnd <= now }
      let refused = state.waiters.all.filter(isRefused)
      if !refused.isEmpty { state.waiters = Queue(state.waiters.all.filter { !isRefused($0) }) }
      if state.isPaused || state.isClosed { return (nil, refused) }
      state.isPaused = true
      return (pause, refused)
    }
    for waiter in refused { waiter.turn.finish(.failure(error)) }
    finishClosing()
    guard let pause else { return }
    Task { [weak self] in
      try? await Task.sleep(for: pause)
      self?.state.withLock { $0.isPaused = false }
      self?.openMissing()
    }
  }

  private func ended(_ connection: PostgreSQLConnection) {
    state.withLock { state in
      state.connections[ObjectIdentifier(connection)] = nil
      state.idle.removeAll { $0 === connection }
    }
    finishClosing()
    openMissing()
  }

  private func removeIdle(_ connection: PostgreSQLConnection) -> Bool {
    state.withLock { state in
      guard let index = state.idle.firstIndex(where: { $0 === connection }) else { return false }
      state.idle.remove(at: index)
      return true
    }
  }

  // MARK: Closing

  func close() {
    let (idle, waiters) = state.withLock { state in
      state.isClosed = true
      defer { (state.idle, state.waiters) = ([], Queue()) }
      return (state.idle, Array(state.waiters.all))
    }
    for waiter in waiters { waiter.turn.finish(.failure(Self.closed)) }
    for connection in idle { connection.close() }
  }

  func waitUntilEmpty() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.connections.isEmpty { state.closeWaiters.append(continuation) }
        return state.connections.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }

  private func finishClosing() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      guard state.connections.isEmpty else { return [] }
      defer { state.closeWaiters = [] }
      return state.closeWaiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
