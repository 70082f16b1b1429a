public import NovaCore

/// A request that was sent, and when.
struct SentExchange: Sendable {
  let request: HTTPRequest
  let sent: SentBody
  let start: Double
  var duration: Duration

  /// The request with what is recorded of its body.
  var sentRequest: (HTTPRequest, RecordedBody) {
    let copy = sent.copy
    var request = request
    request.body = copy.body
    return (request, copy.content)
  }
}

/// The body of a request, which the transport reads.
final class SentBody: Sendable {
  private struct State {
    var copy = BodyCopy()
    /// A stream that is being read.
    weak var stream: PassingBody?
  }

  private let state = Locked(State())

  /// What was sent: of a stream, what was read.
  var copy: BodyCopy {
    let (copy, stream) = state.withLock { ($0.copy, $0.stream) }
    return stream?.copy ?? copy
  }

  /// Returns the body to send. A stream is copied while it is read.
  func copying(_ body: HTTPBody) async throws -> HTTPBody {
    guard case .stream(let stream) = body else {
      var copy = BodyCopy()
      if let length = body.length, length > Recorder.largestBody {
        copy.skip(length)
      } else {
        for try await chunk in body { copy.append(chunk) }
      }
      state.withLock { [copy] in $0.copy = copy }
      return body
    }
    let passing = PassingBody(stream) { copy, _ in
      self.state.withLock { ($0.copy, $0.stream) = (copy, nil) }
    }
    state.withLock { $0.stream = passing }
    return .stream(HTTPBodyStream(passing, length: stream.length))
  }
}

extension PassingBody.Ending {
  /// Why the body is not whole; nil if it is.
  var failure: TransportError? {
    switch self {
    case .whole: nil
    case .failed(let error as TransportError): error
    case .failed, .left:
      TransportError(
        .connectionLost, "the recording ends here, because the body was not read any further", requestMayHaveLeft: true)
    }
  }
}

extension TransportError {
  /// The replacement for a response that is too large for a cassette.
  static func notRecorded(_ response: HTTPResponse, byteCount: Int) -> TransportError {
    TransportError(
      .notRecorded,
      "the response with status \(response.status) has \(byteCount) bytes, and up to \(Recorder.largestBody) are recorded",
      advice: "record a smaller file", requestMayHaveLeft: true)
  }
}

extension TransportError.Kind {
  /// A cassette does not have the response, because it was too large to be recorded. Never retried.
  public static let notRecorded = TransportError.Kind(rawValue: "notRecorded")
}
