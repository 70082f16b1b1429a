/// A response that a call accepts.
struct CheckedResponse {
  /// What a comparison with the request has found, if anything.
  var echo: EchoFindings?
  var response: HTTPResponse
}

/// Makes calls: one attempt after the other, until one succeeds or no other is allowed.
///
/// ``run(_:as:decode:)`` is the loop, ``CallRun`` the record of one call. An attempt is sent by ``AttemptSteps``, and its
/// response is read by `check`. After a failure, `prepareNext` waits if another attempt is allowed, and otherwise throws;
/// `objection` returns why no other attempt is allowed.
final class CallRunner: Sendable {
  let steps: AttemptSteps
  let tokens: (any TokenProvider)?
  let policy: RetryPolicy
  let budget: RetryBudget?
  private let metrics = CallMetrics()
  private let withMetrics: [any CallObserver]
  private let withoutMetrics: [any CallObserver]
  /// Whether the gateway recognizes a repetition by its `Idempotency-Key`.
  let serverRecognizesKeys: Bool
  /// The longest wait that a server can request; one that requests more is not asked again.
  let longestWait: Duration
  let clock: any CallClock
  /// 0..<1, for the jitter of waits.
  let random: @Sendable () -> Double

  init(
    _ configuration: APIConfiguration, transport: any HTTPTransport, tokens: (any TokenProvider)?, gate: CallGate,
    options: ClientOptions
  ) {
    steps = AttemptSteps(configuration, transport: transport, tokens: tokens, gate: gate, options: options)
    self.tokens = tokens
    policy = options.resilience.retry ?? .standard(of: configuration)
    budget = options.resilience.budget
    withoutMetrics = [options.observer].compactMap(\.self)
    withMetrics = [metrics] + withoutMetrics
    serverRecognizesKeys = configuration.recognizesIdempotencyKeys
    longestWait = configuration.maximumRetryWait
    clock = options.clock
    random = options.random
  }

  /// The observers of a call that begins now: with metrics only if the program has set them up. Read once in a
  /// call, because it takes a lock, and because an observer that saw the call's beginning must see its end.
  var observers: [any CallObserver] { metrics.isSetUp ? withMetrics : withoutMetrics }

  /// Reads the body of a response, and compares it with the request if that is possible.
  typealias Decoder = ([UInt8]) throws(ProtoJSONError) -> EchoFindings?

  /// Accepts every body. One closure, because the compiler specializes `execute` and all that it calls for each closure.
  static let acceptsAnyBody: @Sendable ([UInt8]) throws(ProtoJSONError) -> EchoFindings? = { _ in nil }

  /// Makes attempts until one succeeds or no other is allowed, and records them in `run`.
  nonisolated(nonsending) func run(
    _ request: HTTPRequest, as run: inout CallRun, decode: Decoder
  ) async throws -> CheckedResponse {
    budget?.earn()
    while true {
      let start = clock.moment
      do {
        let checked = try await attempt(
          request, run.context, timeout: run.attemptTimeout(at: start), acceptance: run.acceptanceTimeout,
          decode: decode)
        run.record(from: start, to: clock.moment, httpStatus: checked.response.status)
        return checked
      } catch {
        let failure = AttemptFailure(error, clock)
        run.record(from: start, to: clock.moment, failure)
        try await prepareNext(failure, of: request, &run)
      }
    }
  }

  private nonisolated(nonsending) func attempt(
    _ request: HTTPRequest, _ context: CallContext, timeout: Duration, acceptance: Duration?, decode: Decoder
  ) async throws -> CheckedResponse {
    try Task.checkCancellation()
    guard timeout > .zero else { throw TransportError.deadlinePassed }
    var attempt = request
    // The steps add headers.
    attempt.headers.reserveCapacity(attempt.headers.fields.count + 8)
    attempt.limits.totalTimeout = timeout
    if context.isForGateway, !request.isOpenEnded {
      attempt.headers.set("Grpc-Timeout", toChecked: Self.grpcTimeout(timeout))
    }
    let response: HTTPResponse
    if let acceptance {
      response = try await accepted(attempt, context, within: acceptance)
    } else {
      response = try await steps.send(consume attempt, context)
    }
    if request.streamsResponse, request.asksFor(status: response.status), response.headers.failedGRPCStatus == nil {
      return CheckedResponse(echo: nil, response: response)
    }
    // Most transports have collected it already.
    if response.body.bytes != nil { return try check(response, to: request, context, decode: decode) }
    var collected = response
    let limit = request.streamsResponse ? SecretRedactor.largestFailure : request.limits.maximumResponseBytes
    collected.body = try await response.body.collected(upTo: limit)
    return try check(collected, to: request, context, decode: decode)
  }

  /// Sends an attempt of a stream, and returns when its head has arrived.
  ///
  /// - Throws: ``TransportError`` `totalTimeout` if it does not arrive in time, so that another attempt can follow.
  private func accepted(
    _ attempt: HTTPRequest, _ context: CallContext, within limit: Duration
  ) async throws -> HTTPResponse {
    let timeUp = TransportError(
      .totalTimeout, "the server did not accept the stream within \(limit.formatted)", requestMayHaveLeft: true)
    return try await Race.run(until: clock.now.advanced(by: limit), clock, timeUp: timeUp) { [steps] in
      try await steps.send(attempt, context)
    }
  }

  /// Reads a response whose body is in memory.
  private func check(
    _ response: HTTPResponse, to request: HTTPRequest, _ context: CallContext, decode: Decoder
  ) throws -> CheckedResponse {
    guard response.isSuccess else {
      var error =
        request.streamsResponse && !request.isOpenEnded
        ? APIError(insteadOfBytes: response, isFromGateway: context.isForGateway)
        : APIError(response, hasServiceForms: context.isForGateway)
      // The text was encoded when the response was masked.
      if response.headers.failedGRPCStatus != nil { error = sentSecrets(context).masked(error) }
      let isUnauthorized = response.status == 401 || error.grpcStatus == .unauthenticated
      throw ResponseFailure(
        error: error, response: response, refusedToken: isUnauthorized ? context.sent.token : nil)
    }
    // Checked before decoding, so that a failure is not reported as an invalid list.
    if !context.usesGRPC, let error = APIError(enclosedIn: response, of: context.rpc) {
      throw ResponseFailure(error: sentSecrets(context).masked(error), response: response)
    }
    let findings: EchoFindings?
    do throws(APIError) {
      findings = try response.decoded(by: decode, of: context.rpc, isBinary: context.usesGRPC)
    } catch {
      throw sentSecrets(context).masked(error, in: response, of: context, decode: decode)
    }
    if let failure = findings?.failure {
      throw ResponseFailure(error: sentSecrets(context).masked(APIError(failure, response)), response: response)
    }
    return CheckedResponse(echo: findings, response: response)
  }

  /// Masks secrets that the server could quote.
  private func sentSecrets(_ context: CallContext) -> SecretRedactor { context.sent.redactor(context.rpc) }

  /// gRPC's way to write a time, as grpc-gateway reads it: at most eight digits and a unit.
  static func grpcTimeout(_ timeout: Duration) -> String {
    let milliseconds = max(1, timeout.clampedNanoseconds / 1_000_000)
    return milliseconds < 100_000_000 ? "\(milliseconds)m" : "\(min(milliseconds / 1000, 99_999_999))S"
  }

  // MARK: After a failure

  /// Returns when it is time for the next attempt.
  ///
  /// - Throws: the call's error if no other attempt is allowed.
  private nonisolated(nonsending) func prepareNext(
    _ failure: AttemptFailure, of request: HTTPRequest, _ run: inout CallRun
  ) async throws {
    if !request.body.isReplayable, !failure.isCancelled {
      run.conclude(.stop(reason: .bodyNotReplayable))
      throw failure.error
    }
    if try await replaceToken(failure, &run) { return }
    let wait = run.policy.wait(after: run.attempts.count, retryAfter: failure.retryAfter, random: random())
    if let objection = objection(to: failure, run, after: wait) {
      run.conclude(.stop(reason: objection))
      throw failure.error
    }
    run.conclude(.retry(wait: wait, reason: failure.retryReason(overGRPC: run.context.usesGRPC)))
    if let attempt = run.attempts.last {
      for observer in run.observers { observer.callWillRetry(run.context.rpc, after: attempt) }
    }
    do {
      if wait > .zero { try await clock.sleep(until: clock.moment.advanced(by: wait).instant, tolerance: nil) }
    } catch {
      run.conclude(.stop(reason: .cancelled))
      throw error
    }
  }

  private func objection(to failure: AttemptFailure, _ run: CallRun, after wait: Duration) -> StopReason? {
    if failure.isCancelled { return .cancelled }
    let now = clock.moment
    let failed = FailedAttempt(
      rpc: run.context.rpc, error: failure.error, number: run.attempts.count, elapsed: run.began.duration(to: now),
      requestMayHaveLeft: failure.requestMayHaveLeft, serverRecognizesKeys: serverRecognizesKeys)
    if let objection = run.policy.objection(to: failed) { return objection }
    if now.advanced(by: wait) >= run.deadline {
      return run.deadline <= now ? .deadlinePassed : .deadlineTooClose(wait: wait)
    }
    if let requested = failure.retryAfter, requested > longestWait {
      return .custom(
        "the server asks to wait for \(requested.formatted), and retry.max_wait_seconds is \(longestWait.formatted)")
    }
    if let budget, !budget.spend() { return .budgetEmpty }
    return nil
  }

  /// Replaces a refused token by another one, once in a call.
  private nonisolated(nonsending) func replaceToken(
    _ failure: AttemptFailure, _ run: inout CallRun
  ) async throws -> Bool {
    let context = run.context
    guard let refused = failure.refusedToken, let tokens = context.options.tokens ?? tokens,
      context.options.token == nil, !run.hasReplacedToken
    else { return false }
    do {
      let timeUp = TransportError.deadlinePassed(waitingFor: "another access token in place of the refused one")
      let token = try await Race.run(until: run.deadline.instant, clock, timeUp: timeUp) {
        try await tokens.replacement(for: refused)
      }
      guard let token, token != refused else { return false }
      try context.withCaller { caller in try caller.replace(by: token) }
    } catch {
      run.conclude(.stop(reason: .noOtherToken))
      throw error
    }
    run.replacedToken()
    return true
  }
}

extension CallRunner {
  /// Waits before an operation of several requests continues; see ``APIClient/waitToContinue``.
  nonisolated(nonsending) func waitToContinue(
    after error: APIError, failures: Int, since progress: Moment, for rpc: RPCDescriptor,
    policy: RetryPolicy, deadline: Moment?
  ) async throws {
    let now = clock.moment
    let failed = FailedAttempt(
      rpc: rpc, error: error, number: failures, elapsed: progress.duration(to: now),
      serverRecognizesKeys: serverRecognizesKeys)
    let requested = error.serverWait.map { min($0, longestWait) }
    let wait = policy.wait(after: failures, retryAfter: requested, random: random())
    guard policy.objection(to: failed) == nil, deadline.map({ now.advanced(by: wait) < $0 }) ?? true else {
      throw error
    }
    // The first failure after progress does not mean that the backend is down.
    if failures > 1, let budget, !budget.spend() { throw error }
    if wait > .zero { try await clock.sleep(until: now.advanced(by: wait).instant, tolerance: nil) }
  }
}
