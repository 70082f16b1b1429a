/// Reads a request's body for libcurl, on the loop's thread.
final class RequestBody {
  /// What came of reading.
  enum Reading {
    /// So many bytes; 0 at the end of the body.
    case bytes(Int)
    /// Nothing yet: the transfer must pause until it is resumed.
    case wait
    case failed(any Error)
  }

  private let content: CurlCall.Content
  private let resume: @Sendable () -> Void
  /// How many bytes libcurl has taken.
  private var position = 0

  /// - Parameter resume: Lets a transfer continue that waits for a stream.
  init(_ content: CurlCall.Content, resume: @escaping @Sendable () -> Void) {
    self.content = content
    self.resume = resume
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let reading: Reading
    switch content {
    case .bytes(let bytes):
      let rest = bytes[position...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      reading = .bytes(rest.count)
    case .file(let reader, let length):
      if position == length { return .bytes(0) }
      do { reading = .bytes(try reader.read(at: position, into: buffer)) } catch {
        return .failed(TransportError.unreadableBody(error))
      }
    case .stream(let pump, let length): reading = checked(pump.read(into: buffer, resume: resume), length)
    }
    if case .bytes(let count) = reading { position += count }
    return reading
  }

  /// A stream must be as long as it was said to be: the server would wait for the rest, or read it as another request.
  private func checked(_ reading: Reading, _ length: Int?) -> Reading {
    guard let length, case .bytes(let count) = reading else { return reading }
    if count == 0, position < length { return .failed(Self.wrongLength("ended after \(position)", length)) }
    return position + count > length ? .failed(Self.wrongLength("is longer", length)) : reading
  }

  private static func wrongLength(_ what: String, _ length: Int) -> TransportError {
    TransportError(
      .unreadableBody, "the request's body \(what), but its length is \(length) bytes", requestMayHaveLeft: true)
  }

  /// Whether reading can begin again at `offset`: libcurl sends a request again when it did not arrive.
  func rewind(to offset: Int) -> Bool {
    switch content {
    case .bytes(let bytes): guard (0...bytes.count).contains(offset) else { return false }
    case .file(_, let length): guard (0...length).contains(offset) else { return false }
    case .stream: return offset == position
    }
    position = offset
    return true
  }

  /// The transfer is over.
  func stop() { if case .stream(let pump, _) = content { pump.stop() } }
}

/// A streamed request body on its way from its source to the loop's thread. The source is read no faster than libcurl
/// sends.
final class RequestPump: Sendable {
  /// How many bytes wait for libcurl before the source has to wait.
  private static let capacity = 256 << 10

  private struct State {
    var buffer: [UInt8] = []
    /// How much of the buffer was sent.
    var position = 0
    var ending: Result<Void, any Error>?
    var task: Task<Void, Never>?
    var isLoopWaiting = false
    var writer: CheckedContinuation<Bool, Never>?
    var isStopped = false
  }

  private let chunks: HTTPBodyStream
  private let state = Locked(State())

  init(_ chunks: HTTPBodyStream) { self.chunks = chunks }

  // MARK: On the loop's thread

  /// The source is not touched before the first call, when there is a connection.
  ///
  /// - Parameter resume: Lets the transfer continue after it had to wait.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, resume: @escaping @Sendable () -> Void
  ) -> RequestBody.Reading {
    let (reading, writer) = state.withLock { state -> (RequestBody.Reading, CheckedContinuation<Bool, Never>?) in
      let rest = state.buffer[state.position...].prefix(buffer.count)
      guard !rest.isEmpty else {
        switch state.ending {
        case .success?: return (.bytes(0), nil)
        case .failure(let error)?:
          return (.failed((error as? HTTPBodyError).map(TransportError.unreadableBody) ?? error), nil)
        case nil: break
        }
        state.isLoopWaiting = true
        if state.task == nil { state.task = Task { await run(resume) } }
        return (.wait, nil)
      }
      buffer.copyBytes(from: rest)
      state.position += rest.count
      guard state.position == state.buffer.count else { return (.bytes(rest.count), nil) }
      (state.buffer, state.position) = ([], 0)
      defer { state.writer = nil }
      return (.bytes(rest.count), state.writer)
    }
    writer?.resume(returning: true)
    return reading
  }

  func stop() {
    let (task, writer) = state.withLock { state in
      state.isStopped = true
      defer { state.writer = nil }
      return (state.task, state.writer)
    }
    task?.cancel()
    writer?.resume(returning: false)
  }

  // MARK: On the source's task

  private func run(_ resume: @Sendable () -> Void) async {
    var ending: Result<Void, any Error> = .success(())
    do {
      for try await chunk in HTTPBody.stream(chunks) { guard await write(chunk, resume) else { return } }
    } catch {
      ending = .failure(error)
    }
    let isLoopWaiting = state.withLock { state in
      state.ending = ending
      defer { state.isLoopWaiting = false }
      return state.isLoopWaiting
    }
    if isLoopWaiting { resume() }
  }

  /// Returns when there is room for more; false when the transfer is over.
  private func write(_ chunk: [UInt8], _ resume: @Sendable () -> Void) async -> Bool {
    let (isLoopWaiting, isFull, isStopped) = state.withLock { state in
      state.buffer += chunk
      defer { state.isLoopWaiting = false }
      return (state.isLoopWaiting, state.buffer.count >= Self.capacity, state.isStopped)
    }
    if isStopped { return false }
    if isLoopWaiting { resume() }
    guard isFull else { return true }
    return await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if state.isStopped { return false }
        if state.buffer.isEmpty { return true }
        state.writer = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}

extension TransportError {
  static func unreadableBody(_ error: HTTPBodyError) -> TransportError {
    TransportError(.unreadableBody, error.description, requestMayHaveLeft: true)
  }
}
