public import NovaCore

extension MockBackend {
  /// Responds to a request like a server, applying ``faults`` or the fault in the request's `Nova-Fault` header.
  ///
  /// - Parameters:
  ///   - request: the request. Only the path and query of its URL matter. Its limits end waits and hanging calls.
  ///   - clock: the clock for waits. Default: the system's.
  /// - Returns: the response. The body of a stored file is a region of the file.
  /// - Throws: ``TransportError`` if a fault prevents a response; `CancellationError`.
  public nonisolated(nonsending) func answer(
    _ request: consuming HTTPRequest, clock: any CallClock = ContinuousClock()
  ) async throws -> HTTPResponse {
    let chunk = incomingChunk(request)
    if let chunk {
      for try await piece in request.body { chunk.append(piece) }
      request.body = .empty
    } else if request.body.bytes == nil {
      request.body = try await request.body.collected(upTo: Self.largestBody)
    }
    return try await answer(IncomingCall(request, chunk: chunk), clock: clock)
  }

  /// Responds to the bytes of an upload, which have arrived.
  package nonisolated(nonsending) func answer(
    _ request: HTTPRequest, chunk: IncomingChunk, clock: any CallClock = ContinuousClock()
  ) async throws -> HTTPResponse {
    try await answer(IncomingCall(request, chunk: chunk), clock: clock)
  }

  private nonisolated(nonsending) func answer(
    _ call: IncomingCall, clock: any CallClock
  ) async throws -> HTTPResponse {
    let start = clock.moment
    let plan: FaultPlan?
    do throws(FaultRuleError) {
      plan = try faultPlan(of: call, at: start)
    } catch {
      let response = Self.unreadableFault(error)
      record(call, response, fault: nil, duration: .zero, clock: clock)
      return response
    }
    guard let plan else {
      let (response, stub) = try await handle(call, fault: nil, start: start, clock: clock)
      record(call, response, fromStub: stub, fault: nil, duration: start.duration(to: clock.moment), clock: clock)
      return response
    }
    return try await answer(call, plan: plan, start: start, clock: clock)
  }

  func faultPlan(
    of call: IncomingCall, at now: Moment
  ) throws(FaultRuleError) -> FaultPlan? {
    if let header = call.request.headers["Nova-Fault"] {
      let rule = try FaultRule(ofOneRequest: header)
      return withFaults { $0.plan(rule) }
    }
    return withFaults { $0.isEmpty ? nil : $0.plan(service: call.service, rpc: call.name, at: now) }
  }

  /// Returns the response of a stub with its id, or that of the backend.
  private nonisolated(nonsending) func handle(
    _ call: IncomingCall, fault: String?, start: Moment, clock: any CallClock
  ) async throws -> (response: HTTPResponse, stub: String?) {
    guard let stub = matchingStub(call) else { return (await performed(call, clock: clock), nil) }
    do {
      try await wait(for: stub.delay, limits: call.request.limits, clock: clock)
    } catch {
      record(
        call, nil, fromStub: stub.id, fault: fault, duration: start.duration(to: clock.moment), clock: clock)
      throw error
    }
    return (stub.response(to: call.request), stub.id)
  }

  /// Performs a call, and returns the response once the journal has stored the change durably.
  private nonisolated(nonsending) func performed(_ call: IncomingCall, clock: any CallClock) async -> HTTPResponse {
    let (response, position) = perform(call, clock: clock)
    guard let position else { return response }
    do throws(MockFailure) {
      try await waitUntilDurable(position)
      return response
    } catch {
      return error.response
    }
  }

  /// Returns once the journal has stored a change durably.
  func waitUntilDurable(_ position: Int64) async throws(MockFailure) {
    do {
      try await engine.withLock { $0.journal }?.waitUntilDurable(position)
    } catch {
      throw MockFailure(.unavailable, "the change may be lost: \(error)")
    }
  }

  private func answer(
    _ call: IncomingCall, plan: FaultPlan, start: Moment, clock: any CallClock
  ) async throws -> HTTPResponse {
    do {
      try await wait(for: plan.wait, limits: call.request.limits, clock: clock)
    } catch {
      record(call, nil, fault: plan.name, duration: start.duration(to: clock.moment), clock: clock)
      throw error
    }
    var response: HTTPResponse?
    var stub: String?
    switch plan.outcome {
    case .drop, .hang: break
    case .status(let status, let retryAfter):
      response = Self.fault(status, retryAfter: retryAfter, plan: plan, requestID: call.requestID)
    case .corrupt:
      call.chunk?.damage()
      (response, stub) = try await handle(call, fault: plan.name, start: start, clock: clock)
      if call.isDownload { response?.damageBody() }
    case .cut(let count):
      (response, stub) = try await handle(call, fault: plan.name, start: start, clock: clock)
      response?.cutBody(after: count, fault: plan.name)
    case .newEpoch:
      if call.rpc?.isServerStreaming == true { beginEventEpoch() }
      (response, stub) = try await handle(call, fault: plan.name, start: start, clock: clock)
    default:
      (response, stub) = try await handle(call, fault: plan.name, start: start, clock: clock)
      if let fault = plan.outcome.ofStream { response?.damageStream(fault, clock: clock) }
    }
    if plan.outcome == .dropAfter { response = nil }
    record(call, response, fromStub: stub, fault: plan.name, duration: start.duration(to: clock.moment), clock: clock)
    if plan.outcome == .hang { try await wait(for: nil, limits: call.request.limits, clock: clock) }
    guard let response else { throw Self.dropped(plan) }
    return response
  }

  static func dropped(_ plan: FaultPlan) -> TransportError {
    TransportError(
      .connectionLost, "the connection was closed without an answer (fault \(plan.name))", requestMayHaveLeft: true)
  }

  static func unreadableFault(_ error: FaultRuleError) -> HTTPResponse {
    MockFailure(.invalidArgument, "the header Nova-Fault: \(error)").response
  }

  /// Waits for a duration (nil: forever), but no longer than the request's limits.
  func wait(for duration: Duration?, limits: TransferLimits, clock: any CallClock) async throws {
    if let duration, duration <= .zero { return }
    let limit = min(limits.idleTimeout, limits.totalTimeout)
    let isWithin = duration.map { $0 < limit } ?? false
    try await clock.sleep(
      until: clock.moment.advanced(by: isWithin ? duration ?? limit : limit).instant, tolerance: nil)
    if isWithin { return }
    throw TransportError(
      limits.idleTimeout < limits.totalTimeout ? .idleTimeout : .totalTimeout, "no answer within \(limit)",
      requestMayHaveLeft: true)
  }

  static func fault(
    _ status: Int, retryAfter: Int?, plan: FaultPlan, requestID: String?
  ) -> HTTPResponse {
    var response = MockFailure(GRPCStatus(ofHTTP: status), "fault \(plan.name)", httpStatus: status).response
    if !HTTPResponse.hasBody(status: status) { response = HTTPResponse(status: status) }
    response.headers["Retry-After"] = retryAfter.map(String.init)
    response.headers["X-Request-ID"] = requestID
    return response
  }
}

extension GRPCStatus {
  /// Creates the code that corresponds to an HTTP status.
  init(ofHTTP status: Int) {
    let codes: [Int: GRPCStatus] = [
      400: .invalidArgument, 401: .unauthenticated, 403: .permissionDenied, 404: .notFound, 409: .aborted,
      429: .resourceExhausted, 499: .cancelled, 500: .internalError, 501: .unimplemented, 503: .unavailable,
      504: .deadlineExceeded,
    ]
    self = codes[status] ?? .unknown
  }
}
