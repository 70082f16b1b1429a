import NovaAuth
import NovaCore

/// A survey in progress: sends requests one after another, validates the answers, and deletes what it created.
///
/// Its scenarios define what to send: ``valid(_:_:as:isAbsent:)``, ``refused(_:_:as:with:)`` and ``absent(_:_:as:)`` send a
/// request and validate the answer, ``prepare(_:_:as:)`` only sends it. The first valid request of an RPC is followed by
/// the ``DerivedRequests``. ``SurveyCalls`` sends them all.
struct SurveyRun {
  /// What the survey has found on the server, and what it created there.
  var discovered = DiscoveredState()
  /// Sends the requests, and collects the findings.
  var calls: SurveyCalls

  private var check: ContractCheck { calls.check }
  private var leftovers = SurveyLeftovers()
  /// The last request that was validated, and its response.
  private var last: (request: HTTPRequest, response: HTTPResponse)?
  /// The services that were sent a malformed token and an unknown path.
  private var probedServices: Set<String> = []
  /// The lists with several items of which one was asked for.
  private var limitedRPCs: Set<String> = []

  init(
    _ check: ContractCheck, progress: @escaping @Sendable (ContractCheck.Progress) -> Void,
    didExchange: @escaping @Sendable (ContractExchange) -> Void
  ) {
    calls = SurveyCalls(check, progress: progress, didExchange: didExchange)
  }

  /// Runs the scenarios in order, deletes what they created, and returns the report.
  mutating func run(_ scenarios: [ContractScenario]) async -> ContractReport {
    let start = Int(check.clock.unixTime * 1000)
    do {
      for scenario in scenarios {
        guard case .survey(let body) = scenario.body, isNeeded(scenario) else { continue }
        // The first part writes nothing; the others must not write to an unknown server.
        if scenario.services != ["announcements"] { try await calls.recognizeGateway() }
        try await body(&self)
      }
      try await calls.recognizeGateway()
    } catch let stopped as CheckStopped {
      calls.report.stop = stopped.reason
    } catch {
      calls.report.stop = .interrupted
    }
    await cleanUp()
    if check.tokens != nil, discovered.account == nil { calls.report.leaveOutAbsentServices() }
    var report = calls.report.report(target: check.target, isReadOnly: isReadOnly)
    report.start = start
    return report
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
  var isLoggedIn: Bool { calls.builder.ownToken != nil }
  /// The user to look at, if one was named.
  var requestedUser: String? { check.options.user }
  /// The account to write with; nil if nothing may be written or no account could be registered.
  var writer: DiscoveredState.Account? { isReadOnly ? nil : discovered.account }

  /// An id that does not exist.
  var unknownID: String { DiscoveredState.unknownID }

  func makeID() -> String { check.makeID() }

  /// Keeps texts out of the report.
  mutating func hide(_ secrets: String...) { secrets.forEach { calls.report.hide($0) } }

  /// Reports something that was created and cannot be deleted.
  mutating func leaveBehind(_ description: String) { calls.report.leftBehind.append(description) }

  /// The token that requests carry.
  func token() async throws -> AccessToken? { try await calls.builder.token() }

  /// Sends later requests with another token.
  mutating func use(_ token: AccessToken?) { calls.builder.ownToken = token }

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
    try await response(to: message, of: rpc.descriptor, as: name, isAbsent: isAbsent) as? Response
  }

  /// Sends a request that the contract refuses.
  mutating func refused<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String, with refusal: Refusal
  ) async throws {
    try await refused(rpc.descriptor, message, as: name, with: refusal)
  }

  /// Asks for something that does not exist.
  mutating func absent<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String
  ) async throws {
    try await absent(rpc.descriptor, message, as: name)
  }

  // The work itself takes any message: compiled for each RPC, it would be a third of this module.

  private mutating func response(
    to message: any ProtoMessage, of rpc: RPCDescriptor, as name: String, isAbsent: Bool
  ) async throws -> (any ProtoMessage)? {
    if isReadOnly, rpc.effect != .noSideEffects { return nil }
    let isFirst = !calls.report.wasCalled(rpc.id) && calls.report.isSelected(rpc.id)
    // A deletion leaves nothing to refuse.
    let invalidFirst = rpc.method.hasPrefix("Delete")
    let requests = requests(rpc, message, isAbsent: isAbsent)
    if isFirst, invalidFirst { try await sendInvalid(requests) }
    let request = try requests.original(name, requests.expectation)
    let answer = try await send(request, of: rpc)
    if let answer, isClosedRegistration(rpc, answer.status) { return nil }
    try await keepingLast { survey in
      try await survey.checkLimit(requests, after: answer, isFirst: isFirst)
      guard isFirst else { return }
      try await survey.checkPages(requests)
      if !invalidFirst { try await survey.sendInvalid(requests) }
    }
    guard let answer, answer.isSuccess,
      let response = ReadableParts.response(rpc.responseType, from: answer.body.inMemory, rpc.http)
    else { return nil }
    leftovers.remove(deletedBy: request, of: rpc)
    return response
  }

  private func requests(_ rpc: RPCDescriptor, _ message: any ProtoMessage, isAbsent: Bool) -> DerivedRequests {
    var requests = calls.builder.requests(rpc, message)
    if isAbsent { requests.expectation = .absent }
    return requests
  }

  /// Asks once for one item of a list that has several: of a shorter one, no page shows that the limit is ignored.
  private mutating func checkLimit(
    _ requests: DerivedRequests, after answer: HTTPResponse?, isFirst: Bool
  ) async throws {
    let rpc = requests.rpc
    guard !isForFixtures, let answer, let page = requests.pages.first, calls.report.isSelected(rpc.id),
      PageItems.count(in: answer, of: rpc) ?? 0 > 1, limitedRPCs.insert(rpc.id).inserted, !isFirst
    else { return }
    try await send(page, of: rpc)
  }

  /// Sends the other pages, and checks that the second one is not the first one again: the SDK would end there, or return
  /// the same items again and again.
  private mutating func checkPages(_ requests: DerivedRequests) async throws {
    let (pages, rpc) = (requests.pages, requests.rpc)
    var answers: [HTTPResponse?] = []
    for page in pages { answers.append(try await send(page, of: rpc)) }
    if !isForFixtures, let total = answers.first?.flatMap({ PageItems.total(in: $0, of: rpc) }),
      let end = requests.end(ofTotal: total)
    {
      try await send(end, of: rpc)
    }
    guard let offset = requests.offset, pages.count > 1 else { return }
    // The list can change between two requests.
    for _ in 1...2 {
      guard PageItems.areRepeated(answers[0], answers[1], of: rpc) else { return }
      for index in 0...1 { answers[index] = try await send(pages[index], of: rpc) }
    }
    guard PageItems.areRepeated(answers[0], answers[1], of: rpc) else { return }
    reportLast(
      Finding(
        .inconsistent, .breaking, at: offset, expected: "the item behind the first one",
        found: "the first one again: \(offset) is ignored"), of: rpc, as: pages[1].name)
  }

  /// Runs `body`, whose answers are not those in which the caller finds a difference.
  mutating func keepingLast<Result>(
    _ body: (inout SurveyRun) async throws -> Result
  ) async rethrows -> Result {
    let before = last
    defer { last = before }
    return try await body(&self)
  }

  /// Reports a difference in the last answer.
  mutating func reportLast(_ finding: Finding, of rpc: RPCDescriptor, as name: String) {
    calls.report.add(
      finding, to: rpc.id, name, evidence: last.map { ContractEvidence($0.request, $0.response, of: rpc) })
  }

  private mutating func refused(
    _ rpc: RPCDescriptor, _ message: any ProtoMessage, as name: String, with refusal: Refusal
  ) async throws {
    guard check.options.sendsInvalidRequests, calls.report.isSelected(rpc.id),
      !isReadOnly || rpc.effect == .noSideEffects
    else { return }
    try await send(try calls.builder.requests(rpc, message).original(name, .failure(refusal)), of: rpc)
  }

  private mutating func absent(_ rpc: RPCDescriptor, _ message: any ProtoMessage, as name: String) async throws {
    guard calls.report.isSelected(rpc.id) else { return }
    guard rpc.responseType.descriptor.field(named: "found") == nil else {
      _ = try await response(to: message, of: rpc, as: name, isAbsent: true)
      return
    }
    try await refused(rpc, message, as: name, with: .notFound)
  }

  /// Reports why RPCs are not checked, except those that were.
  mutating func skip(_ rpcs: any DescribedRPC..., because reason: String) {
    for rpc in rpcs.map(\.descriptor)
    where !calls.report.wasCalled(rpc.id) && (!isReadOnly || rpc.effect == .noSideEffects) {
      calls.report.skip(rpc.id, reason)
    }
  }

  func wasCalled(_ rpc: any DescribedRPC) -> Bool { calls.report.wasCalled(rpc.descriptor.id) }

  private mutating func sendInvalid(_ requests: DerivedRequests) async throws {
    guard check.options.sendsInvalidRequests else { return }
    let rpc = requests.rpc
    for request in requests.invalid(in: check.registry) { try await send(request, of: rpc) }
    // Only without side effects, in case the server accepts them.
    guard rpc.effect == .noSideEffects, probedServices.insert(rpc.service).inserted else { return }
    for request in requests.misdirected { try await send(request, of: rpc) }
  }

  /// Sends a request that the contract refuses, and whose message may be none.
  mutating func send(invalid request: SurveyRequest, of rpc: RPCDescriptor) async throws {
    guard check.options.sendsInvalidRequests else { return }
    try await send(request, of: rpc)
  }

  @discardableResult
  private mutating func send(_ request: SurveyRequest, of rpc: RPCDescriptor) async throws -> HTTPResponse? {
    let sent = try await calls.builder.http(request, of: rpc)
    let isForRoute = request.expectation.isForRoute
    guard let response = try await calls.exchange(sent, of: rpc, as: request.name, isForRoute: isForRoute) else {
      reportOverload(request, sent, of: rpc)
      return nil
    }
    if case .failure = request.expectation {
    } else {
      calls.report.answered(rpc, response)
      calls.recognize(response, of: rpc)
    }
    if case .success = request.expectation, isClosedRegistration(rpc, response.status) {
      calls.report.skip(rpc.id, "registration is closed (\(response.status))")
      return response
    }
    if response.status == 401 || response.status == 403 {
      switch request.expectation {
      case .success, .absent:
        calls.report.refuse(rpc.id, status: response.status)
        return response
      // Servers may authenticate before they validate.
      case .failure(let refusal)
      where !refusal.statuses.contains(response.status)
        && (calls.report.isRefused(rpc.id) || calls.report.refusesService(of: rpc)):
        calls.report.refuse(rpc.id, status: response.status)
        return response
      case .failure: break
      }
    }
    let check = AnswerCheck(
      registry: check.registry, rpc: rpc, request: request.message, expectation: request.expectation,
      overGRPC: sent.url.origin.usesGRPC)
    let masked = calls.report.masked(response)
    last = (sent, masked)
    calls.report.add(check.findings(masked), in: masked, to: sent, of: rpc, as: request.name)
    if response.isSuccess { lookForRecordsOfOthers(masked, to: sent, of: rpc, as: request.name) }
    return response
  }

  /// Reports a request that an overloaded gateway refused, while it answered others of the RPC. Any gateway may limit
  /// the rate of calls, so this is no defect.
  private mutating func reportOverload(_ request: SurveyRequest, _ sent: HTTPRequest, of rpc: RPCDescriptor) {
    guard let response = calls.lastOverload, response.status == 503, calls.report.hasAnswer(rpc.id) else { return }
    let expected =
      if case .failure(let refusal) = request.expectation { refusal.description } else { "\(rpc.http.successStatus)" }
    let finding = Finding(.status, .breaking, expected: "status \(expected)", found: "status 503, three times")
    calls.report.add([finding], in: response, to: sent, of: rpc, as: request.name)
  }

  /// Looks for records that the token's user may not see.
  private mutating func lookForRecordsOfOthers(
    _ response: HTTPResponse, to sent: HTTPRequest, of rpc: RPCDescriptor, as name: String
  ) {
    guard checksPrivacy, let caller = discovered.caller, sent.headers["Authorization"] != nil else { return }
    var leaks = RecordLeaks(check.registry, caller: caller)
    leaks.check(response, of: rpc)
    discovered.add(privateUsers: leaks.privateUsers)
    // These may be data of real people.
    calls.report.add(leaks.findings, in: response, to: sent, of: rpc, as: name, showsBody: false)
  }

  /// Whether the gateway refuses registrations. With a token, the check continues without it.
  private func isClosedRegistration(_ rpc: RPCDescriptor, _ status: Int) -> Bool {
    guard hasTokens, rpc.id == AuthRPC.register.descriptor.id else { return false }
    return status == 401 || status == 403 || ReportBuilder.absence.contains(status)
  }

  // MARK: Probes

  /// Whether to probe for leaks, beyond looking at all answers.
  var checksPrivacy: Bool { check.options.checksPrivacy && !isForFixtures }

  func isSelected(_ rpc: RPCDescriptor) -> Bool { calls.report.isSelected(rpc.id) }

  /// Whether an RPC is checked by this survey or by another shard. What the RPCs need is prepared in each shard, so that
  /// all of them find the same.
  func isChosen(_ rpc: RPCDescriptor) -> Bool { check.options.rpcs?.contains(rpc.id) ?? true }

  /// Whether a valid request of the RPC has succeeded.
  func works(_ rpc: RPCDescriptor) -> Bool { calls.report.works(rpc) }

  /// Runs `body` as another caller.
  mutating func acting<Result>(
    as caller: SurveyCaller, _ body: (inout SurveyRun) async throws -> Result
  ) async rethrows -> Result {
    let before = calls.builder.caller
    calls.builder.caller = caller
    defer { calls.builder.caller = before }
    return try await body(&self)
  }

  /// Sends a request that prepares others, without validating the answer.
  ///
  /// - Returns: the response as the SDK reads it; nil where it cannot, or after a failure.
  @discardableResult
  mutating func prepare<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String
  ) async throws -> Response? {
    let rpc = rpc.descriptor
    let request = try calls.builder.requests(rpc, message).original(name, .success)
    let sent = try await calls.builder.http(request, of: rpc)
    guard let response = try await calls.exchange(sent, of: rpc, as: name) else { return nil }
    last = (sent, calls.report.masked(response))
    if response.succeeds(rpc) { leftovers.remove(deletedBy: request, of: rpc) }
    return response.message(of: rpc) as? Response
  }

  /// Sends a question whose answer must not contain private data.
  ///
  /// - Parameters:
  ///   - showsAnswer: whether the report may show the answer, because it is about the check's own accounts.
  ///   - findings: returns what to report about the answer.
  /// - Returns: the answer; nil without one.
  mutating func probe(
    _ rpc: RPCDescriptor, _ message: any ProtoMessage, as name: String, showsAnswer: Bool = true,
    reporting findings: (HTTPResponse) -> [Finding]
  ) async throws -> HTTPResponse? {
    // Values that cannot be in a path: the server's ids are not those of the contract.
    guard let request = try? calls.builder.requests(rpc, message).original(name, .success) else { return nil }
    let sent = try await calls.builder.http(request, of: rpc)
    calls.report.probed(rpc)
    let response = try await calls.exchange(sent, of: rpc, as: name, untilEvent: rpc.isServerStreaming)
    if calls.lastOverload != nil { calls.report.skipProbes(name, because: "the gateway was overloaded (429 or 503)") }
    guard let response = response.map(calls.report.masked) else { return nil }
    calls.report.add(findings(response), in: response, to: sent, of: rpc, as: name, showsBody: showsAnswer)
    return response
  }

  /// Reports why something was not probed.
  mutating func skipProbes(_ probes: String, because reason: String) {
    calls.report.skipProbes(probes, because: reason)
  }

  // MARK: Cleanup

  /// Records the request that deletes something that was created, until such a request was sent.
  mutating func created<Request, Response>(
    _ description: String, deletion rpc: RPC<Request, Response>, _ message: Request
  ) async {
    guard let parts = try? calls.builder.requests(rpc.descriptor, message).original("", .success),
      let request = try? await calls.builder.http(parts, of: rpc.descriptor)
    else { return }
    leftovers.add(description, rpc: rpc.descriptor, request: parts, deletion: request)
  }

  /// Deletes what is left, even after the task was canceled.
  mutating func cleanUp() async {
    guard !leftovers.isEmpty else { return }
    calls.report.notCleanedUp += await leftovers.delete(through: check.transport)
    leftovers = SurveyLeftovers()
  }
}
