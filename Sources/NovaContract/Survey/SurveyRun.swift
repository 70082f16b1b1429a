import NovaAuth
import NovaCore
import NovaMedia

/// A survey in progress: sends requests one after another, validates the answers, and deletes what it created.
struct SurveyRun {
  /// What the survey has found on the server, and what it created there.
  var discovered = DiscoveredState()

  private let check: ContractCheck
  private let progress: @Sendable (ContractCheck.Progress) -> Void
  private let didExchange: @Sendable (ContractExchange) -> Void
  private var pacer: RequestPacer
  private var report: ReportBuilder
  /// The token of the account that the survey registered.
  private var ownToken: AccessToken?
  /// What must be deleted at the end, in the order of creation.
  private var leftovers: [Leftover] = []
  /// The services that were sent a malformed token and an unknown path.
  private var probedServices: Set<String> = []
  private var failuresInARow = 0
  private var recognition = GatewayRecognition()
  private var isGatewayChecked = false

  private struct Leftover: Sendable {
    let description: String
    let rpc: String
    let target: String
    let body: [UInt8]
    let request: HTTPRequest
  }

  init(
    _ check: ContractCheck, progress: @escaping @Sendable (ContractCheck.Progress) -> Void,
    didExchange: @escaping @Sendable (ContractExchange) -> Void
  ) {
    (self.check, self.progress, self.didExchange) = (check, progress, didExchange)
    pacer = RequestPacer(check)
    report = ReportBuilder(check.registry, selection: check.options.rpcs)
  }

  /// Runs the scenarios in order, deletes what they created, and returns the report.
  mutating func run(_ scenarios: [ContractScenario]) async -> ContractReport {
    do {
      for scenario in scenarios {
        guard case .survey(let body) = scenario.body, isNeeded(scenario) else { continue }
        // The first part writes nothing; the others must not write to an unknown server.
        if scenario.services != ["announcements"] { try await recognizeGateway() }
        try await body(&self)
      }
      try await recognizeGateway()
    } catch let stopped as CheckStopped {
      report.stop = stopped.reason
    } catch {
      report.stop = .interrupted
    }
    await cleanUp()
    if check.tokens != nil, discovered.account == nil { report.leaveOutAbsentServices() }
    return report.report(target: check.target, isReadOnly: isReadOnly)
  }

  /// Whether a part of the survey checks one of the chosen RPCs, or prepares it.
  private func isNeeded(_ scenario: ContractScenario) -> Bool {
    guard let rpcs = check.options.rpcs, let services = scenario.services else { return true }
    return rpcs.contains { rpc in services.contains { rpc.hasPrefix("\($0).") } }
  }

  // MARK: What scenarios may do

  var isReadOnly: Bool { check.options.isReadOnly }
  /// Whether to send only the requests that fixtures are made of.
  var isForFixtures: Bool { check.options.isForFixtures }
  /// Whether the check was given tokens.
  var hasTokens: Bool { check.tokens != nil }
  /// Whether requests carry a token of the account that the survey registered.
  var isLoggedIn: Bool { ownToken != nil }
  /// The user to look at, if one was named.
  var requestedUser: String? { check.options.user }
  /// The account to write with; nil if nothing may be written or no account could be registered.
  var writer: DiscoveredState.Account? { isReadOnly ? nil : discovered.account }

  /// An id that does not exist.
  var unknownID: String { DiscoveredState.unknownID }

  func makeID() -> String { check.makeID() }

  /// Keeps texts out of the report.
  mutating func hide(_ secrets: String...) { secrets.forEach { report.hide($0) } }

  /// Reports something that was created and cannot be deleted.
  mutating func leaveBehind(_ description: String) { report.leftBehind.append(description) }

  /// Sends later requests with another token.
  mutating func use(_ token: AccessToken?) { ownToken = token }

  // MARK: Requests

  /// Sends a request that should succeed, and validates the answer. An RPC's first request is followed by those that
  /// are derived from it: other pages, and requests that the contract refuses.
  ///
  /// - Parameter isAbsent: whether the right answer is that it does not exist.
  /// - Returns: the response as the SDK reads it; nil where it cannot.
  @discardableResult
  mutating func valid<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String, isAbsent: Bool = false
  ) async throws -> Response? {
    let descriptor = rpc.descriptor
    if isReadOnly, descriptor.effect != .noSideEffects { return nil }
    let isFirst = !report.wasCalled(descriptor.id) && report.isSelected(descriptor.id)
    // A deletion leaves nothing to refuse.
    let invalidFirst = descriptor.method.hasPrefix("Delete")
    let requests = DerivedRequests(rpc: descriptor, message: message, binding: binding(descriptor))
    if isFirst, invalidFirst { try await sendInvalid(requests) }
    let request = try requests.original(name, isAbsent ? .absent : .success)
    let answer = try await send(request, of: descriptor)
    if let answer, isClosedRegistration(descriptor, answer.status) { return nil }
    if isFirst {
      for page in requests.pages { try await send(page, of: descriptor) }
      if !invalidFirst { try await sendInvalid(requests) }
    }
    guard let answer, answer.isSuccess,
      let response = try? HTTPTranscoder.response(Response.self, from: answer.body.inMemory, descriptor.http)
    else { return nil }
    leftovers.removeAll { $0.rpc == descriptor.id && $0.target == request.target && $0.body == request.body }
    return response
  }

  /// Sends a request that the contract refuses.
  mutating func refused<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String, with refusal: Refusal
  ) async throws {
    let descriptor = rpc.descriptor
    guard check.options.sendsInvalidRequests, report.isSelected(descriptor.id),
      !isReadOnly || descriptor.effect == .noSideEffects
    else { return }
    let requests = DerivedRequests(rpc: descriptor, message: message, binding: binding(descriptor))
    try await send(try requests.original(name, .failure(refusal)), of: descriptor)
  }

  /// Asks for something that does not exist.
  mutating func absent<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String
  ) async throws {
    guard report.isSelected(rpc.descriptor.id) else { return }
    guard rpc.descriptor.responseType.descriptor.field(named: "found") == nil else {
      _ = try await valid(rpc, message, as: name, isAbsent: true)
      return
    }
    try await refused(rpc, message, as: name, with: .notFound)
  }

  /// Reports why RPCs are not checked, except those that were.
  mutating func skip(_ rpcs: any DescribedRPC..., because reason: String) {
    for rpc in rpcs.map(\.descriptor) where !report.wasCalled(rpc.id) && (!isReadOnly || rpc.effect == .noSideEffects) {
      report.skip(rpc.id, reason)
    }
  }

  func wasCalled(_ rpc: any DescribedRPC) -> Bool { report.wasCalled(rpc.descriptor.id) }

  /// Reports why all RPCs that are not called are not checked.
  mutating func skipRest(because reason: String) { report.reasonForRest = reason }

  /// The same for those of them that have side effects.
  mutating func skipWrites(because reason: String) { report.reasonForWrites = reason }

  private mutating func sendInvalid(_ requests: DerivedRequests) async throws {
    guard check.options.sendsInvalidRequests else { return }
    let rpc = requests.rpc
    for request in requests.invalid(in: check.registry) { try await send(request, of: rpc) }
    // Only without side effects, in case the server accepts them.
    guard rpc.effect == .noSideEffects, probedServices.insert(rpc.service).inserted else { return }
    for request in requests.misdirected { try await send(request, of: rpc) }
  }

  @discardableResult
  private mutating func send(_ request: SurveyRequest, of rpc: RPCDescriptor) async throws -> HTTPResponse? {
    let sent = try await http(request, of: rpc)
    guard let response = try await exchange(sent, of: rpc, as: request.name) else { return nil }
    if case .failure = request.expectation {
    } else {
      report.answered(rpc, status: response.status)
      recognition.record(response, of: rpc)
    }
    if case .success = request.expectation, isClosedRegistration(rpc, response.status) {
      report.skip(rpc.id, "registration is closed (\(response.status))")
      return response
    }
    if response.status == 401 || response.status == 403 {
      switch request.expectation {
      case .success, .absent:
        report.refuse(rpc.id, status: response.status)
        return response
      // Servers may authenticate before they validate.
      case .failure(let refusal) where !refusal.statuses.contains(response.status) && report.isRefused(rpc.id):
        return response
      case .failure: break
      }
    }
    let check = AnswerCheck(
      registry: check.registry, rpc: rpc, request: request.message, expectation: request.expectation)
    let masked = report.masked(response)
    for finding in check.findings(masked) {
      report.add(finding, to: rpc.id, request.name, evidence: ContractEvidence(sent, masked, of: rpc))
    }
    return response
  }

  /// Whether the gateway allows no registration. With a token, the check continues without it.
  private func isClosedRegistration(_ rpc: RPCDescriptor, _ status: Int) -> Bool {
    guard hasTokens, rpc.id == AuthRPC.register.descriptor.id else { return false }
    return status == 401 || status == 403 || ReportBuilder.absence.contains(status)
  }

  private func binding(_ rpc: RPCDescriptor) -> HTTPBinding {
    rpc.http.writing(check.options.requestNames[rpc.service])
  }

  /// The request with the headers that the SDK sends.
  private func http(_ request: SurveyRequest, of rpc: RPCDescriptor) async throws -> HTTPRequest {
    let url = check.baseURL(rpc.service).appending(request.target)
    var headers = try await headers(of: rpc, url: url, hasBody: !request.body.isEmpty)
    if let token = request.token { headers["Authorization"] = "Bearer \(token)" }
    return HTTPRequest(
      method: request.method, url: url, headers: headers, body: request.body, limits: check.options.limits)
  }

  private func headers(of rpc: RPCDescriptor, url: HTTPURL, hasBody: Bool) async throws -> HTTPHeaders {
    let id = check.makeID()
    var headers: HTTPHeaders = ["Accept": "application/json", "X-Request-ID": id]
    if rpc.http.hasBody || hasBody { headers["Content-Type"] = "application/json" }
    if rpc.effect != .noSideEffects { headers["Idempotency-Key"] = id }
    if rpc.requiresAuthentication, let token = try await token(), url.origin.protectsSecrets {
      headers["Authorization"] = "Bearer \(token.secretValue)"
    }
    return headers
  }

  /// The token that requests carry: of the account that the survey registered, or else the one it was given.
  func token() async throws -> AccessToken? {
    if let ownToken { return ownToken }
    guard let tokens = check.tokens else { return nil }
    do {
      return try await tokens.accessToken()
    } catch let error as APIError {
      if error.code == .cancelled { throw CancellationError() }
      throw CheckStopped(reason: error.code == .unauthorized ? .noToken(error.message) : .noConnection(error.message))
    }
  }

  // MARK: Uploads

  /// Sends the bytes of an upload to the place that StartUpload returned, and validates the answer.
  ///
  /// - Returns: whether the place is one that the SDK sends bytes to; nothing is sent to others.
  mutating func put(_ bytes: [UInt8], to url: String, startedAs name: String) async throws -> Bool {
    let rpc = MediaRPC.startUpload.descriptor
    // An absent URL is a finding already.
    guard !url.isEmpty else { return false }
    let place: UploadPlace
    do { place = try UploadPlace(url, gateway: check.baseURL(rpc.service)) } catch {
      let expected = "a path on the gateway, or the URL of a storage over https or on this machine"
      report.add(
        Finding(.outOfRange, .breaking, at: "upload_url", expected: expected, found: error.description), to: rpc.id,
        name)
      return false
    }
    let request = place.put(
      .bytes(bytes),
      headers: [
        "Content-Type": "application/octet-stream", "Content-Range": "bytes 0-\(bytes.count - 1)/\(bytes.count)",
      ], gatewayHeaders: try await headers(of: rpc, url: check.baseURL(rpc.service), hasBody: true),
      limits: check.options.limits)
    let name = "PUT of its bytes"
    guard let response = try await exchange(request, of: rpc, as: name).map({ report.masked($0) }) else { return true }
    var findings = [Finding(.status, .breaking, expected: "status 200 and JSON", found: "status \(response.status)")]
    if response.status == 200, let json = try? JSONValue(keepingRepeatedNames: response.body.inMemory) {
      var check = MessageCheck(check.registry, rpc.http)
      check.check(json["upload"] ?? .null, Upload.descriptor, at: "upload")
      findings = check.findings
    }
    for finding in findings {
      report.add(finding, to: rpc.id, name, evidence: ContractEvidence(request, response, of: rpc))
    }
    return true
  }

  // MARK: Sending

  /// Sends a request, up to three times if the gateway is overloaded, and returns the answer; nil if there is none to
  /// validate.
  private mutating func exchange(
    _ request: HTTPRequest, of rpc: RPCDescriptor, as name: String
  ) async throws -> HTTPResponse? {
    for attempt in 1...3 {
      report.hideCredentials(of: request)
      let (result, duration) = try await pacer.send(request)
      // An unreachable storage is no defect of the gateway.
      if case .failure(let error as TransportError) = result, error.isNoConnection, !request.isForStorage {
        throw CheckStopped(reason: .noConnection(report.masked(error.message).shortened(to: 300)))
      }
      report.sent(name, to: rpc.id, taking: duration)
      defer { showProgress(rpc.id, name) }
      guard let response = try received(result, to: request, of: rpc, as: name) else { return nil }
      didExchange(ContractExchange(rpc: rpc.id, name: name, request: request, response: response))
      guard response.status == 429 || response.status == 503 else { return response }
      if attempt < 3 { try await pacer.backOff(after: response) }
    }
    report.skip(rpc.id, "the gateway was overloaded (429 or 503, three times)")
    return nil
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
    let message = report.masked((error as? TransportError)?.message ?? "\(error)")
    let found = message.shortened(to: 200).printable(to: 400)
    report.add(
      Finding(.noAnswer, .breaking, expected: "an answer", found: found), to: rpc.id, name,
      evidence: ContractEvidence(request, nil, of: rpc))
    // A redirect is a response: the server can be reached.
    if redirect == nil { try countFailure(message) } else { failuresInARow = 0 }
    return nil
  }

  /// - Parameter message: why there was no response.
  private mutating func countFailure(_ message: String) throws {
    failuresInARow += 1
    guard failuresInARow < 3 else {
      throw CheckStopped(reason: .noConnection("three requests in a row had no answer; \(message)".shortened(to: 300)))
    }
  }

  /// Ends the check if the server is no gateway of the contract. If no response has shown it yet, each other service
  /// is sent one request without side effects.
  private mutating func recognizeGateway() async throws {
    guard !isGatewayChecked, !isForFixtures else { return }
    isGatewayChecked = true
    for probe in GatewayProbe.all where !recognition.isRecognized && !recognition.knows(probe.rpc.service) {
      guard
        let parts = try? DerivedRequests(rpc: probe.rpc, message: probe.message, binding: binding(probe.rpc))
          .original("", .success)
      else { continue }
      let request = try await http(parts, of: probe.rpc)
      report.hideCredentials(of: request)
      switch try await pacer.send(request).result {
      case .success(let response):
        failuresInARow = 0
        recognition.record(response, of: probe.rpc)
      case .failure(let redirect as TransportError) where redirect.kind == .redirectRefused:
        failuresInARow = 0
        recognition.record(redirect, of: probe.rpc)
      case .failure(let error):
        let message = report.masked((error as? TransportError)?.message ?? "\(error)").shortened(to: 300)
        if (error as? TransportError)?.isNoConnection == true { throw CheckStopped(reason: .noConnection(message)) }
        try countFailure(message)
      }
    }
    if let problem = recognition.problem {
      throw CheckStopped(reason: .notAGateway(report.masked(problem).printable(to: 300)))
    }
  }

  private func showProgress(_ rpc: String, _ request: String) {
    progress(
      ContractCheck.Progress(
        rpcs: report.calledCount,
        total: check.registry.rpcs.count {
          report.isSelected($0.id) && (!isReadOnly || $0.effect == .noSideEffects)
        }, requests: report.requestCount,
        breaking: report.breakingCount, rpc: rpc, request: request))
  }

  // MARK: Cleanup

  /// Remembers what deletes something that was created, until a request like it has done so.
  mutating func created<Request, Response>(
    _ description: String, deletion rpc: RPC<Request, Response>, _ message: Request
  ) async {
    let requests = DerivedRequests(rpc: rpc.descriptor, message: message, binding: binding(rpc.descriptor))
    guard let parts = try? requests.original("", .success),
      let request = try? await http(parts, of: rpc.descriptor)
    else { return }
    leftovers.append(
      Leftover(
        description: description, rpc: rpc.descriptor.id, target: parts.target, body: parts.body, request: request))
  }

  /// Deletes what is left, the last created first, even after the task was canceled.
  mutating func cleanUp() async {
    let leftovers = Array(leftovers.reversed())
    self.leftovers = []
    guard !leftovers.isEmpty else { return }
    if case .noConnection = report.stop {
      report.notCleanedUp += leftovers.map(\.description)
      return
    }
    report.notCleanedUp += await Task.detached { [transport = check.transport] in
      var kept: [String] = []
      for leftover in leftovers {
        let response = try? await transport.send(leftover.request)
        // What does not exist needs no deletion.
        if response.map({ !$0.isSuccess && $0.status != 404 }) ?? true { kept.append(leftover.description) }
      }
      return kept
    }.value
  }
}

/// An RPC of any types.
protocol DescribedRPC {
  var descriptor: RPCDescriptor { get }
}

extension RPC: DescribedRPC {}
