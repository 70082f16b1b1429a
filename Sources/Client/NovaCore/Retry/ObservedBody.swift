/// A streamed body that reports its first chunk and its end.
final class ObservedBody: AsyncSequence, Sendable {
  /// Exactly one of the other events follows ``firstChunk``, or occurs without it.
  enum Event {
    /// The first bytes arrived.
    case firstChunk
    /// The body was read to its end.
    case finished
    /// Reading it failed.
    case failed(any Error)
    /// The reader dropped it before its end.
    case dropped
  }

  private enum Phase { case unread, reading, over }

  private struct Progress {
    var phase = Phase.unread
    var byteCount = 0
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let observed: ObservedBody
    fileprivate var chunks: HTTPBody.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      do {
        let chunk = try await chunks.next()
        observed.reached(chunk == nil ? .finished : .firstChunk, adding: chunk?.count ?? 0)
        return chunk
      } catch {
        observed.reached(.failed(error))
        throw observed.failure(error)
      }
    }
  }

  private let body: HTTPBody
  private let failure: @Sendable (any Error) -> any Error
  private let observe: @Sendable (_ event: Event, _ byteCount: Int) -> Void
  private let progress = Locked(Progress())

  /// - Parameters:
  ///   - failure: returns the error that the reader gets in place of an error.
  ///   - observe: called with each event, and the number of bytes until then.
  init(
    _ body: HTTPBody, failure: @escaping @Sendable (any Error) -> any Error = { $0 },
    observe: @escaping @Sendable (_ event: Event, _ byteCount: Int) -> Void
  ) {
    self.body = body
    self.failure = failure
    self.observe = observe
  }

  deinit { reached(.dropped) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observed: self, chunks: body.makeAsyncIterator()) }

  private func reached(_ event: Event, adding count: Int = 0) {
    let (isNew, byteCount) = progress.withLock { progress in
      let phase = progress.phase
      progress.byteCount += count
      if case .firstChunk = event {
        if phase == .unread { progress.phase = .reading }
        return (phase == .unread, progress.byteCount)
      }
      progress.phase = .over
      return (phase != .over, progress.byteCount)
    }
    if isNew { observe(event, byteCount) }
  }
}
