import NovaSupport

/// The subscriptions of a pool, which share one connection. It is open while there are any.
final class RedisMessages: Sendable {
  private typealias Continuation = AsyncThrowingStream<[UInt8], any Error>.Continuation

  private struct State {
    var connection: RedisConnection?
    var nextID = 0
    var readers: [String: [Int: Continuation]] = [:]
    /// The channels that the server has confirmed.
    var confirmed: Set<String> = []
    var isClosed = false
  }

  /// How long the connection may be silent until it is checked.
  private static let silence = Duration.seconds(10)

  private let dial: RedisDial
  private let options: RedisPool.Options
  private let clock: any CallClock
  private let state = Locked(State())
  private let dials = SingleFlight<NoKey, RedisConnection>()

  init(_ dial: RedisDial, _ options: RedisPool.Options, clock: any CallClock) {
    (self.dial, self.options, self.clock) = (dial, options, clock)
  }

  func stream(of channel: String) -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(1024)) { continuation in
      let id = state.withLock { state in
        state.nextID += 1
        state.readers[channel, default: [:]][state.nextID] = continuation
        return state.nextID
      }
      let task = Task { [self] in
        do {
          let connection = try await dials.join { [self] in try await connect() }
          let deadline = ContinuousClock.now.advanced(by: options.timeout)
          _ = try await connection.send(
            RESPCommand.encode(["SUBSCRIBE", RedisArgument(channel)]), until: deadline, subscribingTo: channel)
          try await watch(connection)
          // Also if another connection was made since.
          throw RedisConnection.lost(nil)
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { [weak self] _ in
        task.cancel()
        self?.leave(channel, id)
      }
    }
  }

  /// Checks the connection while it is silent, until it ends.
  private func watch(_ connection: RedisConnection) async throws {
    while connection.isOpen {
      try await clock.sleep(until: clock.now.advanced(by: Self.silence), tolerance: nil)
      guard connection.lastRead.duration(to: .now) >= Self.silence else { continue }
      let deadline = ContinuousClock.now.advanced(by: options.timeout)
      do { _ = try await connection.send(RESPCommand.encode(["PING"]), until: deadline) } catch is RedisError {
        connection.close(RedisConnection.lost("the server did not respond"))
      }
    }
  }

  private func connect() async throws -> RedisConnection {
    if let connection = state.withLock({ $0.connection }), connection.isOpen { return connection }
    var dial = dial
    dial.onPush = { [weak self] in self?.receive($0) }
    let connection = try await dial.run()
    connection.onEnded { [weak self] error in self?.end(connection, error) }
    let isClosed = state.withLock { state in
      (state.connection, state.confirmed) = (connection, [])
      return state.isClosed
    }
    if isClosed { connection.close(RedisConnection.lost(nil)) }
    return connection
  }

  private func receive(_ elements: [RedisReply]) {
    guard elements.count == 3, let channel = elements[1].text else { return }
    let (readers, connection) = state.withLock { state in
      if elements[0] == "subscribe" { state.confirmed.insert(channel) }
      if elements[0] == "unsubscribe" { state.confirmed.remove(channel) }
      return (Array((state.readers[channel] ?? [:]).values), state.connection)
    }
    switch elements[0] {
    // Streams ended, and others began, while these commands were on their way.
    case "unsubscribe" where !readers.isEmpty: Self.push("SUBSCRIBE", channel, to: connection)
    case "subscribe" where readers.isEmpty: Self.push("UNSUBSCRIBE", channel, to: connection)
    case "subscribe": for reader in readers { Self.pass([], to: reader) }
    case "message": for reader in readers { Self.pass(elements[2].bytes ?? [], to: reader) }
    default: break
    }
  }

  /// Ends a stream that would lose a message, because its reader must know.
  private static func pass(_ message: [UInt8], to reader: Continuation) {
    guard case .dropped = reader.yield(message) else { return }
    reader.finish(
      throwing: RedisError(
        .overloaded, "messages of Redis were lost", reason: "1,024 were not read", advice: "subscribe again",
        mayHaveRun: false))
  }

  private func leave(_ channel: String, _ id: Int) {
    let connection = state.withLock { state -> RedisConnection? in
      guard state.readers[channel]?.removeValue(forKey: id) != nil else { return nil }
      guard state.readers[channel]?.isEmpty == true else { return nil }
      state.readers[channel] = nil
      // A subscription that was refused cannot be ended, and one that is not confirmed yet ends then.
      return state.confirmed.remove(channel) == nil ? nil : state.connection
    }
    Self.push("UNSUBSCRIBE", channel, to: connection)
    // It has no readers anymore.
    let unused = state.withLock { state -> RedisConnection? in
      guard state.readers.isEmpty else { return nil }
      defer { state.connection = nil }
      return state.connection
    }
    unused?.close(RedisConnection.lost(nil))
  }

  private static func push(_ command: RedisArgument, _ channel: String, to connection: RedisConnection?) {
    try? connection?.push(RESPCommand.encode([command, RedisArgument(channel)]))
  }

  private func end(_ connection: RedisConnection, _ error: RedisError) {
    let readers = state.withLock { state -> [Continuation] in
      guard state.connection === connection else { return [] }
      defer { (state.connection, state.readers) = (nil, [:]) }
      return state.readers.values.flatMap(\.values)
    }
    for reader in readers { reader.finish(throwing: error) }
  }

  func close(_ error: RedisError) {
    let (connection, readers) = state.withLock { state in
      state.isClosed = true
      defer { (state.connection, state.readers) = (nil, [:]) }
      return (state.connection, state.readers.values.flatMap(\.values))
    }
    for reader in readers { reader.finish(throwing: error) }
    connection?.close(error)
  }
}
