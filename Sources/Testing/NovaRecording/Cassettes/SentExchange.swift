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

/// What is recorded of a request's body: a copy, or a stream that is copied while the transport reads it.
enum SentBody: Sendable {
  case copied(BodyCopy)
  case passing(PassingBody)

  /// Creates the copy of a body, and returns it with the body to send.
  static func copying(_ body: HTTPBody) async throws -> (sent: SentBody, body: HTTPBody) {
    guard case .stream(let stream) = body else { return (.copied(try await BodyCopy(reading: body)), body) }
    let passing = PassingBody(stream) { _, _ in }
    return (.passing(passing), .stream(HTTPBodyStream(passing, length: stream.length)))
  }

  /// What was sent: of a stream, what was read.
  var copy: BodyCopy {
    switch self {
    case .copied(let copy): copy
    case .passing(let body): body.copy
    }
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
