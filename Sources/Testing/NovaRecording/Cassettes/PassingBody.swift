import NovaCore

/// A stream that is copied while it is read.
///
/// The copy ends when the stream ends or fails, or when its last reader leaves.
final class PassingBody: AsyncSequence, Sendable {
  /// How a copy ended.
  enum Ending: Sendable {
    /// With the body.
    case whole
    /// Earlier, because of an error.
    case failed(any Error)
    /// Earlier, because it was not read any further.
    case left
  }

  private struct State {
    var copy: BodyCopy
    var isOver = false
  }

  private let stream: HTTPBodyStream
  private let whenOver: @Sendable (BodyCopy, Ending) -> Void
  /// Returns once what ``whenOver`` has started is done; nil if nothing waits for that.
  private let settle: (@Sendable () async -> Void)?
  private let state: Locked<State>

  /// - Parameters:
  ///   - copy: an empty copy. Default: one without a shared limit.
  ///   - settle: called after ``whenOver``; the reader gets the end of the body after it returns. Default: none.
  ///   - whenOver: called once.
  init(
    _ stream: HTTPBodyStream, copy: BodyCopy = BodyCopy(), settle: (@Sendable () async -> Void)? = nil,
    whenOver: @escaping @Sendable (BodyCopy, Ending) -> Void
  ) {
    (self.stream, self.settle, self.whenOver) = (stream, settle, whenOver)
    state = Locked(State(copy: copy))
  }

  deinit { end(.left) }

  /// What has passed so far.
  var copy: BodyCopy { state.withLock { $0.copy } }

  /// Ends the copy. Only the first ending counts.
  func end(_ ending: Ending) {
    let copy: BodyCopy? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state.copy
    }
    if let copy { whenOver(copy, ending) }
  }

  private func take(_ chunk: [UInt8]) { state.withLock { if !$0.isOver { $0.copy.append(chunk) } } }

  /// Ends the copy with the last byte of a known length if something waits for that: a client need not read further.
  private func settleIfWhole() async {
    guard let settle, stream.length == copy.count else { return }
    end(.whole)
    await settle()
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(body: self, chunks: HTTPBody.stream(stream).makeAsyncIterator())
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let body: PassingBody
    fileprivate var chunks: HTTPBody.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      do {
        guard let chunk = try await chunks.next() else {
          body.end(.whole)
          await body.settle?()
          return nil
        }
        body.take(chunk)
        await body.settleIfWhole()
        return chunk
      } catch {
        body.end(error is CancellationError ? .left : .failed(error))
        throw error
      }
    }
  }
}
