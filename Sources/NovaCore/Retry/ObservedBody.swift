/// The chunks of a streamed body, and what becomes of them.
final class ObservedBody: AsyncSequence, Sendable {
  /// Exactly one event follows ``firstChunk``, or comes without it.
  enum Event {
    /// The first bytes are there.
    case firstChunk
    /// The body was read to its end.
    case finished
    /// It broke off.
    case failed(any Error)
    /// Nobody reads it any more.
    case dropped
  }

  private enum Progress { case unread, begun, over }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let observed: ObservedBody
    fileprivate var chunks: HTTPBody.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      do {
        let chunk = try await chunks.next()
        observed.reached(chunk == nil ? .finished : .firstChunk)
        return chunk
      } catch {
        observed.reached(.failed(error))
        throw observed.failure(error)
      }
    }
  }

  private let body: HTTPBody
  private let failure: @Sendable (any Error) -> any Error
  private let observe: @Sendable (Event) -> Void
  private let progress = Locked(Progress.unread)

  /// - Parameters:
  ///   - failure: what the reader gets in place of an error.
  ///   - observe: called with each event.
  init(
    _ body: HTTPBody, failure: @escaping @Sendable (any Error) -> any Error = { $0 },
    observe: @escaping @Sendable (Event) -> Void
  ) {
    self.body = body
    self.failure = failure
    self.observe = observe
  }

  deinit { reached(.dropped) }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observed: self, chunks: body.makeAsyncIterator()) }

  private func reached(_ event: Event) {
    let isNew = progress.withLock { progress in
      defer { if case .firstChunk = event { if progress == .unread { progress = .begun } } else { progress = .over } }
      if case .firstChunk = event { return progress == .unread }
      return progress != .over
    }
    if isNew { observe(event) }
  }
}
