public import NovaCore

extension MockBackend {
  /// Answers a request as a server would: with what ``faults`` or the request's own `Nova-Fault` header make of it.
  ///
  /// - Parameters:
  ///   - request: only the path and query of its URL count. Its limits end waits and hanging calls.
  ///   - clock: what waits go by. Default: the system's.
  /// - Throws: ``TransportError`` where the fault is that there is no answer; `CancellationError`.
  public func answer(_ request: HTTPRequest, clock: any CallClock = ContinuousClock()) async throws -> HTTPResponse {
    let start = clock.now
    let call = IncomingCall(request)
    let plan: FaultPlan?
    do throws(FaultRuleError) {
      plan = try faultPlan(of: call, at: start)
    } catch {
      let response = MockFailure(.invalidArgument, "the header Nova-Fault: \(error)").response
      record(call, response, nil, duration: .zero, clock)
      return response
    }
    guard let plan else {
      let response = try await performed(call)
      record(call, response, nil, duration: start.duration(to: clock.now), clock)
      return response
    }
    return try await answer(call, plan, start, clock)
  }

  private func faultPlan(
    of call: IncomingCall, at now: ContinuousClock.Instant
  ) throws(FaultRuleError) -> FaultPlan? {
    if let header = call.request.headers["Nova-Fault"] {
      let rule = try FaultRule(ofOneRequest: header)
      return withFaults { $0.plan(rule) }
    }
    let (service, rpc) = (call.service, call.rpc?.id)
    return withFaults { $0.isEmpty ? nil : $0.plan(service: service, rpc: rpc, at: now) }
  }

  /// The answer, once what it tells of is written down for good.
  private func performed(_ call: IncomingCall) async throws -> HTTPResponse {
    let (response, position) = perform(call)
    guard let position, let journal = engine.withLock({ $0.journal }) else { return response }
    do {
      try await journal.waitUntilDurable(position)
      return response
    } catch {
      return MockFailure(.unavailable, "the change may be lost: \(error)").response
    }
  }

  private func answer(
    _ call: IncomingCall, _ plan: FaultPlan, _ start: ContinuousClock.Instant, _ clock: any CallClock
  ) async throws -> HTTPResponse {
    try await wait(plan.wait, call.request.limits, clock)
    var response: HTTPResponse?
    switch plan.outcome {
    case .pass, .dropAfter: response = try await performed(call)
    case .status(let status, let retryAfter):
      response = Self.fault(status, retryAfter, plan, call.request.headers["X-Request-ID"])
    case .drop, .hang: break
    }
    if plan.outcome == .dropAfter { response = nil }
    record(call, response, plan.name, duration: start.duration(to: clock.now), clock)
    if plan.outcome == .hang { try await wait(nil, call.request.limits, clock) }
    guard let response else {
      throw TransportError(
        .connectionLost, "the connection was closed without an answer (fault \(plan.name))", requestMayHaveLeft: true)
    }
    return response
  }

  /// Waits, nil meaning for ever, but no longer than a transport would.
  private func wait(_ duration: Duration?, _ limits: TransferLimits, _ clock: any CallClock) async throws {
    if let duration, duration <= .zero { return }
    let limit = min(limits.idleTimeout, limits.totalTimeout)
    let isWithin = duration.map { $0 < limit } ?? false
    try await clock.sleep(until: clock.now.advanced(by: isWithin ? duration ?? limit : limit), tolerance: nil)
    if isWithin { return }
    throw TransportError(
      limits.idleTimeout < limits.totalTimeout ? .idleTimeout : .totalTimeout, "no answer within \(limit)",
      requestMayHaveLeft: true)
  }

  private static func fault(
    _ status: Int, _ retryAfter: Int?, _ plan: FaultPlan, _ requestID: String?
  ) -> HTTPResponse {
    var response = MockFailure(GRPCStatus(ofHTTP: status), "fault \(plan.name)", httpStatus: status).response
    if status == 304 { response = HTTPResponse(status: status) }
    response.headers["Retry-After"] = retryAfter.map(String.init)
    response.headers["X-Request-ID"] = requestID
    return response
  }
}

extension GRPCStatus {
  /// The code that goes with a status of HTTP.
  fileprivate init(ofHTTP status: Int) {
    let codes: [Int: GRPCStatus] = [
      400: .invalidArgument, 401: .unauthenticated, 403: .permissionDenied, 404: .notFound, 409: .aborted,
      429: .resourceExhausted, 499: .cancelled, 500: .internalError, 501: .unimplemented, 503: .unavailable,
      504: .deadlineExceeded,
    ]
    self = codes[status] ?? .unknown
  }
}
