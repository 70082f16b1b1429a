extension APIError {
  /// Any failure of a call, as the error that the caller gets.
  package init(anyFailure error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as TransportError:
      self.init(.of(error.kind), error.message, transport: error)
      retryAfter = error.retryAfter
    case let error as HTTPURLError: self.init(.invalidURL, error.reason)
    case HTTPBodyError.tooLarge(let limit):
      self.init(.invalidResponse, "the response is larger than \(limit) bytes")
    case let failure as FailureInTrailers:
      self.init(HTTPResponse(status: 200, headers: failure.headers))
    case let error as ServerSentEventError: self.init(.invalidResponse, error.description)
    case let error as HTTPBodyError: self.init(.invalidArgument, error.description)
    case is CancellationError: self = .ofCancellation
    case let error as ProtoJSONError:
      self.init(.invalidArgument, "the request does not match the contract: \(error.withoutPosition)", decoding: error)
    default: self.init(.networkError, "the transport failed with \(type(of: error))")
    }
  }

  /// The failure of a call, with the call's RPC, id, and attempts.
  init(_ error: any Error, _ run: CallRun, at now: Moment) {
    self.init(anyFailure: error)
    // The last error does not account for earlier attempts.
    if run.mayHaveLeft, transport?.requestMayHaveLeft != true {
      transport = transport.map {
        var corrected = TransportError($0.kind, SentClaim.corrected($0.message), requestMayHaveLeft: true)
        corrected.retryAfter = $0.retryAfter
        return corrected
      }
      message = SentClaim.corrected(message)
    }
    rpc = run.context.rpc.id
    requestID = run.context.requestID
    attempts = run.attempts
    duration = run.began.duration(to: now)
  }

  /// A response that came but is not what was asked for.
  package init(
    _ code: Code, _ message: String, rpc: RPCDescriptor, response: APIResponse<some Sendable>,
    server: ServerError? = nil
  ) {
    // A user's implementation of a service may have no id.
    let requestID = response.requestID.isEmpty ? nil : response.requestID
    self.init(
      code, message, rpc: rpc.id, requestID: requestID, httpStatus: response.status, server: server,
      attempts: response.attempts)
    duration = response.report.duration
    if let sent = response.sent { self = sent.redactor(rpc).masked(self) }
  }

  /// The error for a created or changed record that lacks a value that was sent.
  init(
    losing fields: [FieldDescriptor], of record: (any ProtoMessage)?, _ rpc: RPCDescriptor,
    _ response: APIResponse<Void>
  ) {
    let names = fields.map(\.name)
    let done = rpc.method.hasPrefix("Create") ? "created" : "changed"
    self.init(
      .unconfirmed,
      "the server \(done) the record, but without the \(names.conjunction) that \(names.count == 1 ? "was" : "were") sent; "
        + "correct or delete it, and do not repeat the call: the record exists",
      rpc: rpc, response: response)
    unconfirmedRecord = UnconfirmedRecord(id: record?.recordID, fields: names)
  }

  /// A response whose record has no id, so that it can be neither read, changed, nor deleted.
  init(withoutID record: MessageDescriptor, _ rpc: RPCDescriptor, _ response: APIResponse<Void>) {
    let problem = "the response has a \(record.shortName) without an id"
    guard rpc.effect == .notIdempotent, record.recordID == nil else {
      self.init(.invalidResponse, problem, rpc: rpc, response: response)
      return
    }
    self.init(
      .unconfirmed, "\(problem), so whether it was created is not certain; look for it before you repeat the call",
      rpc: rpc, response: response)
  }

  /// The report of the call; nil for an error without a call.
  public var report: CallReport? {
    guard let rpc, let requestID else { return nil }
    return CallReport(
      rpc: rpc, requestID: requestID, duration: duration ?? .zero, failure: code, attempts: attempts)
  }
}

extension ProtoJSONError {
  /// For values that are written: there is no line to point to.
  fileprivate var withoutPosition: String { "\(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found)" }
}
