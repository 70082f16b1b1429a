import NovaCore
import NovaCoverage

/// The requests of a survey: makes them, sends them at the survey's pace, and collects what the answers show. Ends the
/// survey if the server cannot be reached or is not a gateway of the contract.
struct SurveyCalls {
  let check: ContractCheck
  /// Makes the requests.
  var builder: SurveyRequestBuilder
  /// Collects the findings.
  var report: ReportBuilder
  private let progress: @Sendable (ContractCheck.Progress) -> Void
  private let didExchange: @Sendable (ContractExchange) -> Void
  var pacer: RequestPacer
  private var failuresInARow = 0
  private var recognition = GatewayRecognition()
  private var isGatewayChecked = false
  /// The last response of an overloaded gateway; nil after any other response.
  private(set) var lastOverload: HTTPResponse?

  init(
    _ check: ContractCheck, progress: @escaping @Sendable (ContractCheck.Progress) -> Void,
    didExchange: @escaping @Sendable (ContractExchange) -> Void
  ) {
    (self.check, self.progress, self.didExchange) = (check, progress, didExchange)
    builder = SurveyRequestBuilder(check)
    report = ReportBuilder(
      check.registry, selection: check.reportedRPCs, collectsForms: check.options.shard == nil)
    pacer = RequestPacer(check)
    report.coverage = CoverageRecorder(check.coveragePlan)
  }

  /// Checks a response for signs of another server.
  mutating func recognize(_ response: HTTPResponse, of rpc: RPCDescriptor) {
    recognition.record(response, of: rpc, overGRPC: check.baseURL(rpc.service).origin.usesGRPC)
  }

  /// Sends a request, up to three times if the gateway is overloaded, and returns the answer; nil without an answer to
  /// validate. If the gateway stays overloaded, ``lastOverload`` is its response.
  ///
  /// - Parameter isForRoute: whether the contract has a route for the request: gateways forward others to a backend that
  ///   refuses them, and report that as 503 every time.
  mutating func exchange(
    _ request: HTTPRequest, of rpc: RPCDescriptor, as name: String, untilEvent: Bool = false, isForRoute: Bool = true
  ) async throws -> HTTPResponse? {
    lastOverload = nil
    for attempt in 1...3 {
      report.hideCredentials(of: request)
      let form = check.form(of: rpc.service)
      let (result, duration) = try await pacer.send(request, untilEvent: untilEvent) { response in
        form.reading(of: response, rpc).response ?? response
      }
      // An unreachable storage is no defect of the gateway.
      if case .failure(let error as TransportError) = result, error.isNoConnection, !request.isForStorage {
        throw CheckStopped(reason: .noConnection(message(of: error).shortened(to: 300)))
      }
      report.sent(name, to: rpc.id, taking: duration)
      defer { showProgress(rpc: rpc.id, request: name) }
      if case .success(let response) = result { count(request, of: rpc, answeredBy: response, in: form) }
      guard let received = try received(result, to: request, of: rpc, as: name),
        let response = read(received, by: form, to: request, of: rpc, as: name)
      else { return nil }
      didExchange(ContractExchange(rpc: rpc.id, name: name, request: request, response: response))
      guard response.status == 429 || response.status == 503 && (isForRoute || response.headers["Retry-After"] != nil)
      else {
        if response.status != 503 { report.hadAnswer(rpc.id) }
        return response
      }
      lastOverload = response
      if attempt < 3 { try await pacer.backOff(after: response, attempt: attempt) }
    }
    report.overloaded(rpc.id)
    return nil
  }

  /// Counts what a request tried.
  private mutating func count(
    _ request: HTTPRequest, of rpc: RPCDescriptor, answeredBy response: HTTPResponse, in form: any SurveyForm
  ) {
    guard report.isSelected(rpc.id), request.url.origin == check.baseURL(rpc.service).origin,
      let status = form.reading(of: response, rpc).response?.status,
      let observation = CoverageObservation(request, of: rpc, status: status)
    else { return }
    report.coverage?.add(observation)
  }

  /// Reads a response, and reports what is wrong with its form.
  private mutating func read(
    _ response: HTTPResponse, by form: any SurveyForm, to request: HTTPRequest, of rpc: RPCDescriptor, as name: String
  ) -> HTTPResponse? {
    // The bytes of files have no form, and streams were read with their beginning.
    guard !request.streamsResponse, request.url.origin == check.baseURL(rpc.service).origin else { return response }
    let reading = form.reading(of: response, rpc)
    report.add(reading.findings, in: reading.response ?? response, to: request, of: rpc, as: name)
    return reading.response
  }

  private mutating func received(
    _ result: Result<HTTPResponse, any Error>, to request: HTTPRequest, of rpc: RPCDescriptor, as name: String
  ) throws -> HTTPResponse? {
    guard case .failure(let error) = result else {
      failuresInARow = 0
      return try result.get()
    }
    let redirect = (error as? TransportError).flatMap { $0.kind == .redirectRefused ? $0 : nil }
    if let redirect, !request.isForStorage { recognition.record(redirect, of: rpc) }
    let found = message(of: error).shortened(to: 200).printable(to: 400)
    report.add(
      Finding(.noAnswer, .breaking, expected: "an answer", found: found), to: rpc.id, name,
      evidence: ContractEvidence(request, nil, of: rpc))
    // A redirect is a response: the server can be reached. A proxy can delay streams and nothing else.
    if redirect != nil {
      failuresInARow = 0
    } else if !rpc.isServerStreaming {
      try countFailure(message(of: error))
    }
    return nil
  }

  /// Waits before a request is repeated.
  func pause(for duration: Duration) async throws { try await pacer.pause(for: duration) }

  private func message(of error: any Error) -> String {
    report.masked((error as? TransportError)?.message ?? "\(error)")
  }

  /// - Parameter message: why there was no response.
  private mutating func countFailure(_ message: String) throws {
    failuresInARow += 1
    guard failuresInARow < 3 else {
      throw CheckStopped(reason: .noConnection("three requests in a row had no answer; \(message)".shortened(to: 300)))
    }
  }

  /// Ends the check if the server is not a gateway of the contract. If no response has shown that yet, each other service
  /// is sent one request without side effects.
  mutating func recognizeGateway() async throws {
    guard !isGatewayChecked, !check.options.isForFixtures else { return }
    isGatewayChecked = true
    for probe in GatewayProbe.all where !recognition.isRecognized && !recognition.knows(probe.rpc.service) {
      guard let parts = try? builder.requests(probe.rpc, probe.message).original("", .success) else { continue }
      let request = try await builder.http(parts, of: probe.rpc)
      report.hideCredentials(of: request)
      switch try await pacer.send(request).result {
      case .success(let response):
        failuresInARow = 0
        let form = check.form(of: probe.rpc.service)
        recognize(form.reading(of: response, probe.rpc).response ?? response, of: probe.rpc)
      case .failure(let redirect as TransportError) where redirect.kind == .redirectRefused:
        failuresInARow = 0
        recognition.record(redirect, of: probe.rpc)
      case .failure(let error):
        let message = message(of: error).shortened(to: 300)
        if (error as? TransportError)?.isNoConnection == true { throw CheckStopped(reason: .noConnection(message)) }
        try countFailure(message)
      }
    }
    if let problem = recognition.problem {
      throw CheckStopped(reason: .notAGateway(report.masked(problem).printable(to: 300)))
    }
  }

  private func showProgress(rpc: String, request: String) {
    progress(
      ContractCheck.Progress(
        rpcs: report.calledCount,
        total: check.registry.rpcs.count {
          report.isSelected($0.id) && (!check.options.isReadOnly || $0.effect == .noSideEffects)
        }, requests: report.requestCount,
        breaking: report.breakingCount, rpc: rpc, request: request))
  }
}
