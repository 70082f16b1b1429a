internal import CNovaCurl
internal import NovaHTTP
internal import NovaLibc
import NovaSupport

/// One connection. Callers write their commands, in batches if several do so at once; a thread reads the replies and
/// watches the deadlines.
///
/// Replies arrive in the order of the commands. A caller that no longer waits keeps its place in that order, and its
/// reply is dropped. If a deadline passes and nothing has arrived since its command was written, the connection counts
/// as dead.
final class RedisConnection: Sendable {
  struct Limits: Sendable {
    var waiters: Int
    var commandBytes: Int
    var replyBytes: Int
    /// How long commands usually may take.
    var timeout: Duration
  }

  private struct State {
    var waiters: RedisWaiters
    var output = RedisOutput()
    /// Whether a caller or the reader writes.
    var isWriting = false
    /// Whether the reader must continue to write.
    var waitsForRoom = false
    var lastRead = ContinuousClock.now
    /// Until when the reader sleeps; nil for ever.
    var sleepsUntil: ContinuousClock.Instant?
    var sleepsForever = false
    var failure: RedisError?
    /// Called once when the connection has ended.
    var onEnd: (@Sendable (RedisError) -> Void)?

    /// What to write next. If there is nothing, writing has ended.
    mutating func nextPiece() -> RedisOutput.Piece? {
      let piece = output.next()
      if piece == nil { isWriting = false }
      return piece
    }
  }

  private let channel: CurlChannel
  private let limits: Limits
  private let isForMessages: Bool
  private let onPush: @Sendable ([RedisReply]) -> Void
  private let wakeEnds: (read: Int32, write: Int32)
  private let state: Locked<State>

  /// - Parameters:
  ///   - isForMessages: whether messages arrive as arrays in RESP2.
  ///   - onPush: called on the reader's thread.
  init(
    _ channel: CurlChannel, limits: Limits, isForMessages: Bool = false,
    onPush: @escaping @Sendable ([RedisReply]) -> Void = { _ in }
  ) throws(RedisError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Self.lost(SystemError.last.reason) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeEnds = (ends[0], ends[1])
    self.channel = channel
    self.limits = limits
    state = Locked(State(waiters: RedisWaiters(timeout: limits.timeout)))
    self.isForMessages = isForMessages
    self.onPush = onPush
  }

  deinit {
    _ = NovaLibc.close(wakeEnds.read)
    _ = NovaLibc.close(wakeEnds.write)
  }

  /// Starts the reader.
  func start() throws(RedisError) {
    let box = Unmanaged.passRetained(self)
    let status = nova_thread_start(
      { Unmanaged<RedisConnection>.fromOpaque($0).takeRetainedValue().read() }, box.toOpaque())
    guard status != 0 else { return }
    box.release()
    throw Self.lost("no thread could be started (errno \(status))")
  }

  var isOpen: Bool { state.withLock { $0.failure == nil } }

  /// When something arrived last.
  var lastRead: ContinuousClock.Instant { state.withLock { $0.lastRead } }

  /// Sends a command, and waits for its reply.
  ///
  /// - Parameter channel: the channel to which the command subscribes, as a push confirms. Default: nil, for others.
  func send(
    _ command: [UInt8], until deadline: ContinuousClock.Instant, subscribingTo channel: String? = nil
  ) async throws -> RedisReply {
    try Task.checkCancellation()
    let reply = FirstResult<RedisReply>()
    try enqueue(command) { start in
      RedisWaiters.Waiter(reply: reply, deadline: deadline, start: start, channel: channel)
    }
    return try await reply.value()
  }

  /// Sends a command whose reply is a push, without waiting for it.
  func push(_ command: [UInt8]) throws(RedisError) { try enqueue(command) { _ in nil } }

  /// Ends the connection; commands that wait fail.
  func close(_ error: RedisError) {
    let (isFirst, waiters, written) = state.withLock { state in
      defer {
        state.waiters.removeAll()
        state.output.removeAll()
      }
      let isFirst = state.failure == nil
      if isFirst { state.failure = error }
      return (isFirst, state.waiters.all, state.output.written)
    }
    for waiter in waiters { waiter.reply.finish(.failure(error.havingRun(waiter.start < written))) }
    guard isFirst else { return }
    channel.end()
    wake()
    state.withLock { state in
      defer { state.onEnd = nil }
      return state.onEnd
    }?(error)
  }

  /// Sets what to call when the connection has ended; calls it at once if it already has.
  func onEnded(_ body: @escaping @Sendable (RedisError) -> Void) {
    let failure = state.withLock { state in
      if state.failure == nil { state.onEnd = body }
      return state.failure
    }
    if let failure { body(failure) }
  }

  static func lost(_ reason: String?) -> RedisError {
    RedisError(
      .connection, "the connection to Redis was lost", reason: reason, advice: "try again", mayHaveRun: false)
  }

  // MARK: Writing

  /// - Parameter makeWaiter: makes the entry that waits for the reply, from the position of the command; nil for none.
  private func enqueue(
    _ command: [UInt8], _ makeWaiter: (_ start: Int) -> RedisWaiters.Waiter?
  ) throws(RedisError) {
    let (mustWrite, mustWake) = try state.withLock { state throws(RedisError) -> (Bool, Bool) in
      if let failure = state.failure { throw failure.havingRun(false) }
      guard state.waiters.count < limits.waiters, state.output.unwritten + command.count <= limits.commandBytes else {
        throw RedisPoolCore.overloaded
      }
      var mustWake = false
      if let waiter = makeWaiter(state.output.queued) {
        state.waiters.append(waiter)
        mustWake = state.sleepsForever || state.sleepsUntil.map { waiter.deadline < $0 } ?? false
        if mustWake { (state.sleepsForever, state.sleepsUntil) = (false, nil) }
      }
      state.output.append(command)
      defer { state.isWriting = true }
      return (!state.isWriting, mustWake)
    }
    if mustWrite { write() }
    if mustWake { wake() }
  }

  /// Writes until nothing is left, or the system has no room.
  private func write() {
    var next = state.withLock { $0.nextPiece() }
    while let piece = next {
      guard let written = write(piece) else { return }
      next = state.withLock { state in
        state.output.advance(by: written)
        if written > 0 { return state.nextPiece() }
        state.waitsForRoom = true
        return nil
      }
      if written == 0, isOpen { wake() }
    }
  }

  /// - Returns: how many bytes were written, 0 if the system has no room; nil if the connection has ended.
  private func write(_ piece: RedisOutput.Piece) -> Int? {
    piece.batch.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return nil }
      switch channel.write(base + piece.range.lowerBound, count: piece.range.count) {
      case .bytes(let count): return count
      case .mustWait: return 0
      case .ended: return fail(nil)
      case .failed(let code): return fail(code)
      }
    }
  }

  private func fail(_ code: Int32?) -> Int? {
    close(Self.lost(code.map { SystemError(code: $0).reason } ?? "the server closed it"))
    return nil
  }

  private func wake() {
    var byte: UInt8 = 0
    _ = NovaLibc.write(wakeEnds.write, &byte, 1)
  }

  // MARK: Reading

  private static let bufferSize = 64 << 10

  private func read() {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.bufferSize)
    defer { buffer.deallocate() }
    var parser = RESPParser(limit: limits.replyBytes)
    while let (milliseconds, waitsForRoom) = prepareSleep() {
      var files = [
        pollfd(fd: channel.descriptor, events: Int16(POLLIN | (waitsForRoom ? POLLOUT : 0)), revents: 0),
        pollfd(fd: wakeEnds.read, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&files, 2, milliseconds)
      if files[1].revents != 0 { while NovaLibc.read(wakeEnds.read, buffer, 64) > 0 {} }
      if waitsForRoom, files[0].revents & Int16(POLLOUT | POLLERR | POLLHUP) != 0 {
        state.withLock { $0.waitsForRoom = false }
        write()
      }
      if files[0].revents != 0 { readAll(into: &parser, buffer) }
      expire()
    }
  }

  /// How long to sleep; nil at the end.
  private func prepareSleep() -> (milliseconds: Int32, waitsForRoom: Bool)? {
    let now = ContinuousClock.now
    return state.withLock { state in
      guard state.failure == nil else { return nil }
      // Without commands, wakes up once before it sleeps forever: the next command then needs no signal.
      if state.waiters.isEmpty, let last = state.sleepsUntil, last <= now {
        (state.sleepsForever, state.sleepsUntil) = (true, nil)
        return (-1, state.waitsForRoom)
      }
      let end = state.waiters.nextDeadline ?? now.advanced(by: limits.timeout)
      (state.sleepsForever, state.sleepsUntil) = (false, end)
      let wait = now.duration(to: end).clampedNanoseconds
      return (Int32(clamping: max(0, wait / 1_000_000 + 1)), state.waitsForRoom)
    }
  }

  private func readAll(into parser: inout RESPParser, _ buffer: UnsafeMutablePointer<UInt8>) {
    while true {
      switch channel.read(into: buffer, count: Self.bufferSize) {
      case .bytes(let count):
        parser.append(UnsafeBufferPointer(start: buffer, count: count))
        state.withLock { $0.lastRead = .now }
        guard deliver(from: &parser) else { return }
      case .mustWait: return
      case .ended: return close(Self.lost("the server closed it"))
      case .failed(let code): return close(Self.lost(SystemError(code: code).reason))
      }
    }
  }

  private func deliver(from parser: inout RESPParser) -> Bool {
    do throws(RedisError) {
      while let message = try parser.next() {
        switch message {
        case .push(let elements): receive(elements)
        case .reply(.array(let elements)) where isForMessages && Self.isMessage(elements): receive(elements)
        case .reply(let reply): try finishFirst(.success(reply))
        case .failure(let error): try finishFirst(.failure(error))
        }
      }
      return true
    } catch {
      close(error)
      return false
    }
  }

  private func receive(_ elements: [RedisReply]) {
    onPush(elements)
    guard elements.first == "subscribe", elements.count > 1, let channel = elements[1].text else { return }
    let waiter = state.withLock { $0.waiters.firstChannel == channel ? $0.waiters.popFirst() : nil }
    waiter?.reply.finish(.success(.null))
  }

  private static func isMessage(_ elements: [RedisReply]) -> Bool {
    elements.count == 3 && ["message", "subscribe", "unsubscribe"].contains(elements[0])
  }

  private func finishFirst(_ result: Result<RedisReply, RedisError>) throws(RedisError) {
    guard let waiter = state.withLock({ $0.waiters.popFirst() }) else {
      if case .failure(let error) = result {
        throw RedisError(
          .connection, "Redis ended the connection", reason: error.text.reason, advice: error.text.advice,
          mayHaveRun: false)
      }
      throw RedisError(.protocol, "Redis sent a reply without a command", mayHaveRun: true)
    }
    waiter.reply.finish(result.mapError { $0 })
  }

  /// Ends waits whose deadlines have passed, and a connection on which nothing has arrived since then.
  private func expire() {
    let (expired, written) = state.withLock { state in
      (state.waiters.expire(at: .now, lastRead: state.lastRead), state.output.written)
    }
    for waiter in expired.waiters {
      let error = RedisError(
        .timeout, "Redis did not reply in time", advice: "check its load, or raise the timeout",
        mayHaveRun: waiter.start < written)
      waiter.reply.finish(.failure(error))
    }
    if expired.isDead { close(Self.lost("the server did not respond")) }
  }
}
