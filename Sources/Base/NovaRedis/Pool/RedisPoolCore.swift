import NovaSupport

/// The state of a ``RedisPool``. It does not refer to the pool, so that releasing the pool closes the connections.
final class RedisPoolCore: Sendable {
  /// What a place for a connection knows.
  private struct Place {
    var connection: RedisConnection?
    /// The last failure to connect, and until when it counts.
    var failure: (error: RedisError, until: ContinuousClock.Instant)?
    var repetition: Repetition
  }

  private struct State {
    var places: [Place]
    var next = 0
    var waiting = 0
    var isClosed = false
  }

  private let servers: RedisServers
  private let options: RedisPool.Options
  private let clock: any CallClock
  private let state: Locked<State>
  private let dials = SingleFlight<Int, RedisConnection>()
  private let messages: RedisMessages

  init(_ servers: RedisServers, _ options: RedisPool.Options, clock: any CallClock) throws(RedisError) {
    guard (1...64).contains(options.connections), options.timeout > .zero, options.connectTimeout > .zero,
      options.maximumWaiters > 0, options.maximumCommandBytes > 0, options.maximumReplyBytes > 0
    else {
      throw RedisError(
        .configuration, "invalid options of RedisPool", reason: "connections must be 1…64, and limits positive",
        mayHaveRun: false)
    }
    (self.servers, self.options, self.clock) = (servers, options, clock)
    let pacing = Pacing(options.backoff, floor: .milliseconds(10))
    let place = Place(repetition: Repetition(pacing))
    state = Locked(State(places: Array(repeating: place, count: options.connections)))
    messages = RedisMessages(RedisDial(servers: servers, options: options, isForMessages: true), options, clock: clock)
  }

  static let overloaded = RedisError(
    .overloaded, "too many commands wait for Redis", advice: "send fewer at a time, or raise maximumWaiters",
    mayHaveRun: false)

  private static let closed = RedisError(.closed, "the pool of Redis connections was shut down", mayHaveRun: false)

  func send(_ command: [RedisArgument]) async throws -> RedisReply {
    let bytes = RESPCommand.encode(command)
    guard bytes.count <= options.maximumCommandBytes else {
      throw RedisError(
        .overloaded, "the command is too large", reason: "\(bytes.count) bytes", advice: "raise maximumCommandBytes",
        mayHaveRun: false)
    }
    let deadline = ContinuousClock.now.advanced(by: options.timeout)
    var attempt = 0
    while true {
      attempt += 1
      let connection = try await connection(until: deadline)
      do {
        return try await connection.send(bytes, until: deadline)
      } catch let error as RedisError where !error.mayHaveRun && Self.needsOtherConnection(error) {
        // A replica that was the master: its connection is of no use anymore.
        if error.code != nil { connection.close(RedisConnection.lost("the server is no longer the master")) }
        guard attempt < 3, ContinuousClock.now < deadline else { throw error }
      }
    }
  }

  private static func needsOtherConnection(_ error: RedisError) -> Bool {
    error.kind == .connection || error.code == "READONLY"
  }

  private enum Choice {
    case ready(RedisConnection)
    case dial(Int)
  }

  private func connection(until deadline: ContinuousClock.Instant) async throws -> RedisConnection {
    let now = clock.now
    let choice = try state.withLock { state throws(RedisError) -> Choice in
      guard !state.isClosed else { throw Self.closed }
      state.next = (state.next + 1) % state.places.count
      let number = state.next
      if let connection = state.places[number].connection, connection.isOpen { return .ready(connection) }
      if let failure = state.places[number].failure, now < failure.until { throw failure.error }
      guard state.waiting < options.maximumWaiters else { throw Self.overloaded }
      state.waiting += 1
      return .dial(number)
    }
    guard case .dial(let number) = choice else {
      if case .ready(let connection) = choice { return connection }
      throw Self.closed
    }
    defer { state.withLock { $0.waiting -= 1 } }
    let timeUp = RedisError(
      .timeout, "no connection to Redis in time", advice: "check that it can be reached", mayHaveRun: false)
    return try await Race.run(until: deadline, ContinuousClock(), timeUp: timeUp) { [self] in
      try await dials.join(number) { [self] in try await dial(number) }
    }
  }

  private func dial(_ number: Int) async throws -> RedisConnection {
    if let connection = state.withLock({ $0.places[number].connection }), connection.isOpen { return connection }
    do {
      let connection = try await RedisDial(servers: servers, options: options).run()
      let isClosed = state.withLock { state in
        state.places[number].connection = connection
        state.places[number].failure = nil
        state.places[number].repetition.works()
        return state.isClosed
      }
      if isClosed { connection.close(Self.closed) }
      return connection
    } catch {
      let error = error as? RedisError ?? RedisConnection.lost(nil)
      let now = clock.now
      state.withLock { state in
        let wait = state.places[number].repetition.failed(at: now, random: Double.random(in: 0..<1))
        state.places[number].failure = (error.havingRun(false), now.advanced(by: wait))
      }
      throw error.havingRun(false)
    }
  }

  func messages(on channel: String) -> AsyncThrowingStream<[UInt8], any Error> { messages.stream(of: channel) }

  func close() {
    let connections = state.withLock { state in
      state.isClosed = true
      return state.places.compactMap(\.connection)
    }
    for connection in connections { connection.close(Self.closed) }
    messages.close(Self.closed)
  }
}
