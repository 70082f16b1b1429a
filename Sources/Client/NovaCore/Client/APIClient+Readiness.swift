extension ClientHolding {
  /// Finds out whether calls can be made: whether the gateway answers, the circuit breaker lets calls through, and the
  /// client was not shut down.
  ///
  /// Cheap enough to be called every second, and by many tasks at once. The state of the breaker and of the client is the
  /// present one. The gateway is asked with a `HEAD` of its base URL, without a token, by one task for all: any response
  /// counts, whatever its status. Over gRPC, `grpc.health.v1.Health` is asked, and any answer counts except that the
  /// server is not serving. While the breaker refuses calls, nothing is sent.
  ///
  /// With a mock backend, the client is ready, and nothing is sent. In offline mode, it is not ready, and nothing is sent.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait for the gateway's answer; if several tasks wait for one answer, the first one's counts.
  ///     Default 1 s.
  ///   - maximumAge: how old an answer may be to be used again. Default 2 s.
  public func readiness(timeout: Duration = .seconds(1), maximumAge: Duration = .seconds(2)) async -> Readiness {
    await client.checkReadiness(timeout: timeout, maximumAge: maximumAge)
  }
}

extension APIClient {
  /// Stops calls to hosts that do not respond; nil if the client was created without one.
  public var breaker: CircuitBreaker? { runner.steps.breaker }

  fileprivate func checkReadiness(timeout: Duration, maximumAge: Duration) async -> Readiness {
    let isMock = isMocked
    if gate.isClosed {
      let problem = Readiness.Problem(kind: .shutDown, message: "the client was shut down")
      return Readiness(problems: [problem], isMock: isMock)
    }
    if isMock { return Readiness(problems: [], isMock: true) }
    let open = openCircuits
    if !open.isEmpty { return Readiness(problems: open, isMock: false) }
    let probe = part(GatewayProbe.self) { GatewayProbe() }
    let problem = await probe.problem(of: self, timeout: timeout, maximumAge: maximumAge)
    return Readiness(problems: problem.map { [$0] } ?? [], isMock: false)
  }

  /// The gateway's circuit, and those of services with a base URL of their own.
  private var openCircuits: [Readiness.Problem] {
    guard let breaker else { return [] }
    let now = clock.now
    var origins = [configuration.baseURL.origin]
    for service in configuration.services.keys.sorted() {
      let origin = configuration.baseURL(for: service).origin
      if !origins.contains(origin) { origins.append(origin) }
    }
    return origins.compactMap { origin in
      guard case .open(let until) = breaker.state(of: origin, at: now) else { return nil }
      return Readiness.Problem(
        kind: .circuitOpen,
        message: "\(origin) has failed \(breaker.failureLimit) times in a row, and is left alone for another "
          + now.duration(to: until).formatted)
    }
  }
}

extension APIClient {
  /// Finds out whether the gateway answers: requests the head of its base URL, or over gRPC the state of all services
  /// (`grpc.health.v1.Health`), without a token and past the middlewares.
  ///
  /// - Parameter timeout: how long to wait for the answer.
  /// - Returns: once there is a response, whatever its status.
  /// - Throws: ``TransportError`` if no response arrives.
  package func reach(timeout: Duration) async throws {
    try gate.enter()
    defer { gate.leave() }
    var limits = configuration.limits
    limits.totalTimeout = min(timeout, limits.totalTimeout)
    #if GRPC
      if configuration.baseURL.origin.usesGRPC {
        return try await GRPCHealth.check(configuration.baseURL, over: runner.steps.transport, limits)
      }
    #endif
    let request = HTTPRequest(method: .head, url: configuration.baseURL, limits: limits)
    _ = try await runner.steps.transport.send(request)
  }
}

/// Asks the gateway whether it answers, at most once at a time.
private final class GatewayProbe: ClientPart {
  private struct Answer {
    let time: ContinuousClock.Instant
    let problem: Readiness.Problem?
  }

  private let flight = SingleFlight<NoKey, Readiness.Problem?>()
  private let last = Locked<Answer?>(nil)

  func problem(
    of client: APIClient, timeout: Duration, maximumAge: Duration
  ) async -> Readiness.Problem? {
    if let answer = answer(at: client.clock.now, maximumAge: maximumAge) { return answer.problem }
    do {
      return try await flight.join { [self] in
        // Another task's may have come in between.
        if let answer = answer(at: client.clock.now, maximumAge: maximumAge) { return answer.problem }
        var problem: Readiness.Problem?
        do { try await client.reach(timeout: timeout) } catch { problem = Readiness.Problem(error) }
        let answer = Answer(time: client.clock.now, problem: problem)
        last.withLock { $0 = answer }
        return problem
      }
    } catch {
      return Readiness.Problem(kind: .unreachable, message: "the check was cancelled")
    }
  }

  private func answer(at now: ContinuousClock.Instant, maximumAge: Duration) -> Answer? {
    last.withLock { last in last.flatMap { $0.time.duration(to: now) < maximumAge ? $0 : nil } }
  }

  func end() async {}
}
