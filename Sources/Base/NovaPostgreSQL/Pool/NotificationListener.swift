import NovaSupport

/// Listens for notifications on a connection of its own, and connects again when it is lost.
final class NotificationListener: Sendable {
  private typealias Continuation = AsyncThrowingStream<String, any Error>.Continuation

  private struct State {
    var nextID = 0
    var streams: [String: [Int: Continuation]] = [:]
    /// The channels that the connection listens on.
    var listening: Set<String> = []
    var task: Task<Void, Never>?
    var isClosed = false

    func all(of channel: String) -> [Continuation] { streams[channel].map { Array($0.values) } ?? [] }
  }

  /// Payloads that a slow reader may miss: older ones are dropped.
  private static let bufferSize = 10_000
  /// How often a quiet connection is tried.
  private static let probeInterval = Duration.seconds(30)

  private let target: ConnectionString
  private let options: PostgreSQLPoolOptions
  private let state = Locked(State())
  private let changed = WakeSignal()

  init(_ target: ConnectionString, _ options: PostgreSQLPoolOptions) {
    self.target = target
    self.options = options
  }

  func notifications(on channel: String) -> AsyncThrowingStream<String, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
    guard (1...63).contains(channel.utf8.count), !channel.utf8.contains(0) else {
      continuation.finish(
        throwing: PostgreSQLError.invalidArgument("the name of a channel has 1…63 bytes, none of them NUL"))
      return stream
    }
    let id = state.withLock { state -> Int? in
      if state.isClosed { return nil }
      state.nextID += 1
      state.streams[channel, default: [:]][state.nextID] = continuation
      // The stream learns when listening has begun, even if another one listens already.
      state.listening.remove(channel)
      if state.task == nil { state.task = Task { [weak self] in await Self.run(self) } }
      return state.nextID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id, of: channel) }
    changed.wake()
    return stream
  }

  private func remove(_ id: Int, of channel: String) {
    state.withLock { state in
      state.streams[channel]?[id] = nil
      if state.streams[channel]?.isEmpty ?? false { state.streams[channel] = nil }
    }
    changed.wake()
  }

  func close() { end(nil) }

  private func end(_ error: (any Error)?) {
    let (streams, task) = state.withLock { state in
      if error == nil { state.isClosed = true }
      defer { (state.streams, state.task, state.listening) = ([:], nil, []) }
      return (state.streams.values.flatMap(\.values), state.task)
    }
    task?.cancel()
    for stream in streams { stream.finish(throwing: error) }
  }

  // MARK: The connection

  private static func run(_ listener: NotificationListener?) async {
    var repetition = Repetition(
      Pacing(Backoff(base: .milliseconds(100), maximum: .seconds(5)), floor: .milliseconds(50)))
    while !Task.isCancelled {
      guard let listener else { return }
      do {
        let connection = try await listener.connect()
        defer { connection.close() }
        repetition.works()
        try await listener.serve(connection)
        return
      } catch let error as PostgreSQLError where error.isFinal {
        return listener.end(error)
      } catch {
        listener.state.withLock { $0.listening = [] }
        try? await Task.sleep(for: repetition.failed(at: .now, random: .random(in: 0..<1)))
      }
    }
  }

  private func connect() async throws -> PostgreSQLConnection {
    let first = FirstResult<PostgreSQLConnection>()
    let connection = try PostgreSQLConnection(
      target, limits: options,
      events: PostgreSQLConnection.Events(
        opened: { connection, result in
          if !first.finish(result.map { connection }.mapError { $0 as any Error }) { connection.close() }
        },
        ended: { [changed] _ in changed.wake() },
        notified: { [weak self] channel, payload in self?.deliver(payload, on: channel) }))
    connection.open()
    return try await first.value()
  }

  private func deliver(_ payload: String, on channel: String) {
    for stream in state.withLock({ $0.all(of: channel) }) { stream.yield(payload) }
  }

  /// Listens on all channels until the connection is lost, or until no stream is left.
  private func serve(_ connection: PostgreSQLConnection) async throws {
    while true {
      let (added, removed, isOver) = state.withLock { state in
        let wanted = Set(state.streams.keys)
        if wanted.isEmpty { state.task = nil }
        return (wanted.subtracting(state.listening), state.listening.subtracting(wanted), wanted.isEmpty)
      }
      if isOver { return }
      for channel in removed {
        try await run("UNLISTEN \(channel.quotedIdentifier)", on: connection)
        state.withLock { _ = $0.listening.remove(channel) }
      }
      for channel in added {
        // Before LISTEN, so that a stream that is added before its end takes the mark away again.
        state.withLock { _ = $0.listening.insert(channel) }
        try await run("LISTEN \(channel.quotedIdentifier)", on: connection)
        deliver("", on: channel)
      }
      await changed.wait(until: .now.advanced(by: Self.probeInterval), ContinuousClock())
      try Task.checkCancellation()
      if added.isEmpty && removed.isEmpty || connection.status == .lost { try await run("SELECT 1", on: connection) }
    }
  }

  private func run(_ sql: String, on connection: PostgreSQLConnection) async throws {
    let limit = min(options.queryTimeout, .seconds(10))
    _ = try await connection.run(Statement(sql, deadline: .now.advanced(by: limit)))
  }
}
