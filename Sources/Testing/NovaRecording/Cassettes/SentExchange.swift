public import NovaCore

/// A request that was sent, and when.
struct SentExchange: Sendable {
  let request: HTTPRequest
  let sent: SentBody
  let start: Double
  var duration: Duration

  /// The request with what is recorded of its body. Of one that cannot be decompressed, that is only the size.
  func sentRequest(_ decode: Recorder.Decoding?) -> (HTTPRequest, RecordedBody) {
    let copy = sent.copy
    var request = request
    request.body = copy.body
    guard let decode, !copy.isTooLarge, request.headers.isEncoded, copy.count > 0 else {
      return (request, copy.content)
    }
    guard let plain = request.headers.decode(copy.body.inMemory, decode) else {
      request.body = .empty
      return (request, .omitted(count: copy.count))
    }
    request.headers.describePlainBody(count: plain.count)
    request.body = .bytes(plain)
    return (request, RecordedBody(plain))
  }
}

/// What is recorded of a request's body: a copy, or a stream that is copied while the transport reads it.
enum SentBody: Sendable {
  case copied(BodyCopy)
  case passing(PassingBody)

  /// Creates the copy of a body, and returns it with the body to send.
  ///
  /// - Parameter budget: the memory for all copies; nil for no shared limit.
  static func copying(
    _ body: HTTPBody, within budget: CopyBudget? = nil
  ) async throws -> (sent: SentBody, body: HTTPBody) {
    guard case .stream(let stream) = body else { return (.copied(try await BodyCopy(reading: body)), body) }
    let passing = PassingBody(stream, copy: BodyCopy(budget)) { _, _ in }
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

extension Cassette.Outcome {
  /// The outcome with a plain body; a failure if the body cannot be decompressed.
  func decoded(by decode: Recorder.Decoding) -> Cassette.Outcome {
    guard case .response(var response) = self, response.headers.isEncoded else { return self }
    let body = response.body.inMemory
    if body.isEmpty { return self }
    guard let plain = response.headers.decode(body, decode) else { return .failure(.notReadable(response)) }
    response.headers.describePlainBody(count: plain.count)
    response.body = .bytes(plain)
    return .response(response)
  }
}

extension HTTPHeaders {
  /// Decompresses a body with these headers; nil if that fails, or makes it too large for a cassette.
  fileprivate func decode(_ body: [UInt8], _ decode: Recorder.Decoding) -> [UInt8]? {
    var body = body
    for coding in contentCodings.reversed() {
      guard let plain = decode(body, coding), plain.count <= Recorder.largestBody else { return nil }
      body = plain
    }
    return body
  }

  /// Describes the body after decompression.
  fileprivate mutating func describePlainBody(count: Int) {
    self["Content-Encoding"] = nil
    if self["Content-Length"] != nil { self["Content-Length"] = String(count) }
  }
}

extension TransportError {
  /// The replacement for a response whose secrets cannot be found.
  static func notReadable(_ response: HTTPResponse) -> TransportError {
    let codings = response.headers.contentCodings.joined(separator: ", ").printable(to: 60)
    if response.headers.contentCodings.allSatisfy({ ["gzip", "x-gzip"].contains($0) }) {
      return TransportError(
        .notRecorded,
        "the response with status \(response.status) is damaged gzip, or decompressed larger than "
          + "\(Recorder.largestBody) bytes",
        advice: "ask the gateway for no compression", requestMayHaveLeft: true)
    }
    return TransportError(
      .notRecorded,
      "the response with status \(response.status) has the content coding \(codings), and only gzip can be recorded",
      advice: "ask the gateway for gzip, or for no compression", requestMayHaveLeft: true)
  }

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
