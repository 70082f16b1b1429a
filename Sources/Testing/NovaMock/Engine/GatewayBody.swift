import NovaCore

/// A response body on its way from a gateway to the client. What passes is copied for the log, up to a limit.
final class GatewayBody: AsyncSequence, Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var count = 0
    var isOver = false
  }

  private let stream: HTTPBodyStream
  private let whenOver: @Sendable (HTTPBody) -> Void
  private let state = Locked(State())

  /// - Parameter whenOver: called once, with the copy: when the body has passed, or when its reader leaves. A body that is
  ///   too large for the log is an empty stream.
  init(_ stream: HTTPBodyStream, whenOver: @escaping @Sendable (HTTPBody) -> Void) {
    (self.stream, self.whenOver) = (stream, whenOver)
  }

  deinit { end() }

  private func take(_ chunk: [UInt8]) {
    let isWhole = state.withLock { state in
      state.count += chunk.count
      if state.count <= LoggedBytes.largest { state.bytes += chunk } else { state.bytes = [] }
      return state.count == stream.length
    }
    // The client may ask for the log as soon as it has the last byte.
    if isWhole { end() }
  }

  private func end() {
    let copy: HTTPBody? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      defer { state.bytes = [] }
      guard state.count > LoggedBytes.largest else { return .bytes(state.bytes) }
      return .stream(HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() }, length: state.count))
    }
    if let copy { whenOver(copy) }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(body: self, chunks: HTTPBody.stream(stream).makeAsyncIterator())
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let body: GatewayBody
    fileprivate var chunks: HTTPBody.AsyncIterator

    mutating func next() async throws -> [UInt8]? {
      guard let chunk = try await chunks.next() else {
        body.end()
        return nil
      }
      body.take(chunk)
      return chunk
    }
  }
}

extension MockBackend {
  /// Logs a call with its response; a response that passes from a gateway, once it has passed. Streams of events are
  /// logged when they begin.
  func record(_ call: IncomingCall, _ response: inout HTTPResponse?) {
    guard call.origin == .gateway, var head = response, case .stream(let stream) = head.body,
      !["text/event-stream", "application/x-ndjson"].contains(ContentTypeName.of(head.headers["Content-Type"] ?? ""))
    else { return log.record(call, response) }
    head.body = .empty
    let body = GatewayBody(stream) { [self, head] copy in
      var whole = head
      whole.body = copy
      log.record(call, whole)
    }
    response?.body = .stream(HTTPBodyStream(body, length: stream.length, trailers: stream.trailers))
  }
}
