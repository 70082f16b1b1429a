import NovaSupport

/// Reads a request's body for libcurl, on the loop's thread.
struct RequestBody {
  /// The result of a read.
  enum Reading {
    /// The number of bytes; 0 at the end of the body.
    case bytes(Int)
    /// No bytes yet: the transfer must pause until it is resumed.
    case wait
    case failed(any Error)
  }

  private let body: HTTPBody
  private var file: HTTPFileReader?
  private var pump: RequestPump?
  /// The number of bytes that libcurl has read.
  private var position = 0

  init(_ body: HTTPBody) { self.body = body }

  /// Prepares a streamed body for reading.
  ///
  /// - Parameter resume: resumes the transfer after it had to wait.
  mutating func prepare(_ stream: HTTPBodyStream, resume: @escaping @Sendable () -> Void) {
    pump = RequestPump(stream, resume: resume)
  }

  /// Opens the file of the body, if it has one.
  mutating func open() throws(HTTPBodyError) {
    if case .file(let region) = body { file = try HTTPFileReader(region) }
  }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let reading: Reading
    switch body {
    case .bytes(let bytes):
      let rest = bytes[position...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      reading = .bytes(rest.count)
    case .file:
      do { reading = .bytes(try file?.read(at: position, into: buffer) ?? 0) } catch {
        reading = .failed(TransportError.unreadableBody(error))
      }
    case .stream: reading = pump?.read(into: buffer) ?? .failed(CancellationError())
    }
    if case .bytes(let count) = reading { position += count }
    return reading
  }

  /// Whether reading can restart at `offset`. libcurl sends a request again if it did not arrive.
  mutating func rewind(to offset: Int) -> Bool {
    if offset == position { return true }
    guard body.isReplayable, let length = body.length, (0...length).contains(offset) else { return false }
    position = offset
    return true
  }

  /// Releases the body at the end of the transfer, which its caller may keep for longer.
  mutating func stop() {
    pump?.stop()
    (pump, file) = (nil, nil)
  }
}

/// Passes a streamed request body from its source to the loop's thread. The source is read no faster than libcurl
/// sends.
final class RequestPump: Sendable {
  /// The number of buffered bytes at which the source has to wait.
  private static let capacity = 256 << 10

  private struct State {
    var buffer: [UInt8] = []
    /// How much of the buffer was sent.
    var position = 0
    /// Whether the buffer ends with the last byte of the announced length. It is kept until the source ends, so that a
    /// body that turns out to be too long is never sent as if it were complete.
    var keepsLastByte = false
    var ending: Result<Void, any Error>?
    var task: Task<Void, Never>?
    var isLoopWaiting = false
    var isStopped = false
  }

  private let stream: HTTPBodyStream
  private let resume: @Sendable () -> Void
  private let state = Locked(State())
  /// Set when the buffer becomes empty, and at the end of the transfer.
  private let drained = WakeSignal()

  /// - Parameter resume: Resumes the transfer after it had to wait.
  init(_ stream: HTTPBodyStream, resume: @escaping @Sendable () -> Void) {
    self.stream = stream
    self.resume = resume
  }

  // MARK: On the loop's thread

  /// Reads buffered bytes. The source starts with the first call, when there is a connection.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> RequestBody.Reading {
    let (reading, isDrained) = state.withLock { state -> (RequestBody.Reading, Bool) in
      if case .failure(let error)? = state.ending { return (.failed(error), false) }
      let rest = state.buffer[state.position...].dropLast(state.keepsLastByte ? 1 : 0).prefix(buffer.count)
      guard !rest.isEmpty else {
        if state.ending != nil { return (.bytes(0), false) }
        state.isLoopWaiting = true
        if state.task == nil { state.task = Task { await run() } }
        return (.wait, false)
      }
      buffer.copyBytes(from: rest)
      state.position += rest.count
      guard state.position == state.buffer.count else { return (.bytes(rest.count), false) }
      (state.buffer, state.position) = ([], 0)
      return (.bytes(rest.count), true)
    }
    if isDrained { drained.wake() }
    return reading
  }

  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    task?.cancel()
    drained.wake()
  }

  // MARK: On the source's task

  private func run() async {
    var count = 0
    var ending: Result<Void, any Error> = .success(())
    do {
      for try await chunk in HTTPBody.stream(stream) {
        count += chunk.count
        guard await write(chunk, isLast: count == stream.length) else { return }
      }
    } catch {
      ending = .failure((error as? HTTPBodyError).map(TransportError.unreadableBody) ?? error)
    }
    let isLoopWaiting = state.withLock { state in
      (state.ending, state.keepsLastByte) = (ending, false)
      defer { state.isLoopWaiting = false }
      return state.isLoopWaiting
    }
    if isLoopWaiting { resume() }
  }

  /// Returns when there is room for more; false if the transfer has ended.
  private func write(_ chunk: [UInt8], isLast: Bool) async -> Bool {
    let (isLoopWaiting, isFull, isStopped) = state.withLock { state in
      state.buffer += chunk
      state.keepsLastByte = isLast
      defer { state.isLoopWaiting = false }
      return (state.isLoopWaiting, state.buffer.count >= Self.capacity, state.isStopped)
    }
    if isStopped { return false }
    if isLoopWaiting { resume() }
    // After the last byte, only the end can follow, which needs no room.
    guard isFull, !isLast else { return true }
    while state.withLock({ !$0.isStopped && !$0.buffer.isEmpty }) { await drained.wait() }
    return state.withLock { !$0.isStopped }
  }
}

extension TransportError {
  static func unreadableBody(_ error: HTTPBodyError) -> TransportError {
    TransportError(.unreadableBody, error.description, requestMayHaveLeft: true)
  }
}
