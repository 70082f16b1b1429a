#if GRPC
  /// The chunks of a streamed response. If the last reference is released before the end, the stream is reset.
  final class HTTP2ResponseBody: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate let body: HTTP2ResponseBody

      mutating func next() async throws -> [UInt8]? {
        let (engine, call) = (body.transport.engine, body.call)
        return try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { engine.read(call, $0) }
        } onCancel: {
          engine.cancel(call)
        }
      }
    }

    private let call: HTTP2Call
    /// Kept, because releasing the transport would end its calls.
    private let transport: HTTP2Transport

    init(_ call: HTTP2Call, on transport: HTTP2Transport) {
      self.call = call
      self.transport = transport
    }

    deinit { transport.engine.cancel(call) }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
  }
#endif
