extension APIError {
  /// The error that callers get for any failure of a call.
  package init(anyFailure error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as TransportError: self.init(error)
    case let error as HTTPURLError: self.init(.invalidURL, error.reason)
    case HTTPBodyError.tooLarge(let limit):
      self.init(.invalidResponse, "the response is larger than \(limit) bytes")
    case let failure as FailureInTrailers:
      self.init(HTTPResponse(status: 200, headers: failure.headers))
    case let error as ServerSentEventError: self.init(.invalidResponse, error.description)
    case let error as HTTPBodyError: self.init(.invalidArgument, error.description)
    case is CancellationError: self = .ofCancellation
    case let error as ProtoJSONError:
      self.init(
        .invalidArgument, "the request does not match the contract", reason: error.withoutPosition, decoding: error)
    default: self.init(.networkError, "the transport failed with \(type(of: error))")
    }
  }

  /// The failure of a call, with the call's RPC, id, and attempts.
  init(_ error: any Error, _ run: CallRun, at now: Moment) {
    self.init(anyFailure: error)
    // The last error does not know about earlier attempts.
    if run.mayHaveLeft {
      transport?.noteEarlierAttempt()
      text.noteEarlierAttempt()
    }
    isOverGRPC = run.context.usesGRPC
    rpc = run.context.rpc.id
    requestID = run.context.requestID
    attempts = run.attempts
    duration = run.began.duration(to: now)
  }

  /// The error of a response that is not what the call requires.
  package init(
    _ code: Code, _ subject: String, reason: String? = nil, advice: String? = nil, rpc: RPCDescriptor,
    response: APIResponse<some Sendable>, server: ServerError? = nil
  ) {
    // A user's implementation of a service may have no id.
    let requestID = response.requestID.isEmpty ? nil : response.requestID
    self.init(
      code, subject, reason: reason, advice: advice, rpc: rpc.id, requestID: requestID, httpStatus: response.status,
      server: server, attempts: response.attempts)
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
      "the server \(done) the record, but without the \(names.conjunction) that \(names.count == 1 ? "was" : "were") sent",
      advice: "correct or delete it, and do not repeat the call: the record exists",
      rpc: rpc, response: response)
    unconfirmedRecord = UnconfirmedRecord(id: record?.recordID, fields: names)
  }

  /// The error for a record without an id, which can be neither read, changed, nor deleted.
  init(withoutID record: MessageDescriptor, _ rpc: RPCDescriptor, _ response: APIResponse<Void>) {
    let problem = "the response has a \(record.shortName) without an id"
    guard rpc.effect == .notIdempotent, record.recordID == nil else {
      self.init(.invalidResponse, problem, rpc: rpc, response: response)
      return
    }
    self.init(
      .unconfirmed, "\(problem), so whether it was created is not certain",
      advice: "look for it before you repeat the call", rpc: rpc, response: response)
  }

  /// The report of the call; nil for an error without a call.
  public var report: CallReport? {
    guard let rpc, let requestID else { return nil }
    return CallReport(
      rpc: rpc, requestID: requestID, duration: duration ?? .zero, failure: code, attempts: attempts)
  }
}

extension ProtoJSONError {
  /// The error for a value that is written, which has no line.
  fileprivate var withoutPosition: String { "\(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found)" }
}
