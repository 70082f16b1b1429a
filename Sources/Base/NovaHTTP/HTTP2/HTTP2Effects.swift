#if GRPC
  /// What a change of the engine's state leads to. It is done after the lock is released, so that other tasks do not wait for it.
  struct HTTP2Effects {
    private enum Resumption {
      case call(CheckedContinuation<HTTP2Outcome, any Error>, Result<HTTP2Outcome, any Error>)
      case chunk(CheckedContinuation<[UInt8]?, any Error>, Result<[UInt8]?, any Error>)
      case end(CheckedContinuation<Void, Never>)
    }

    /// The connections whose output this thread has to write.
    var writes: [HTTP2Connection] = []
    /// The connections to make.
    var dials: [HTTP2Dial] = []
    /// The names to look up.
    var lookups: [HTTP2Lookup] = []
    /// Whether the reader must look at its deadlines.
    var mustWakeReader = false
    /// What may take time to release.
    var released: [AnyObject] = []
    private var resumptions: [Resumption] = []

    var isEmpty: Bool {
      resumptions.isEmpty && writes.isEmpty && dials.isEmpty && lookups.isEmpty && released.isEmpty && !mustWakeReader
    }

    mutating func resume(
      _ continuation: CheckedContinuation<HTTP2Outcome, any Error>, with result: Result<HTTP2Outcome, any Error>
    ) {
      resumptions.append(.call(continuation, result))
    }

    mutating func resume(
      _ continuation: CheckedContinuation<[UInt8]?, any Error>, with result: Result<[UInt8]?, any Error>
    ) {
      resumptions.append(.chunk(continuation, result))
    }

    mutating func resume(_ continuation: CheckedContinuation<Void, Never>) { resumptions.append(.end(continuation)) }

    func resumeAll() {
      for resumption in resumptions {
        switch resumption {
        case .call(let continuation, let result): continuation.resume(with: result)
        case .chunk(let continuation, let result): continuation.resume(with: result)
        case .end(let continuation): continuation.resume()
        }
      }
    }
  }
#endif
