import NovaAuth
import NovaCore
import NovaMedia

/// A survey in progress: sends requests one after another, validates the answers, and deletes what it created.
struct SurveyRun {
  /// What the survey has found on the server, and what it created there.
  var discovered = DiscoveredState()

  private let check: ContractCheck
  private var builder: SurveyRequestBuilder
  private var sender: SurveySender
  private var report: ReportBuilder
  private var leftovers = SurveyLeftovers()
  /// The last request that was validated, and its response.
  private var last: (request: HTTPRequest, response: HTTPResponse)?
  /// The services that were sent a malformed token and an unknown path.
  private var probedServices: Set<String> = []

  init(
    _ check: ContractCheck, progress: @escaping @Sendable (ContractCheck.Progress) -> Void,
    didExchange: @escaping @Sendable (ContractExchange) -> Void
  ) {
    self.check = check
    builder = SurveyRequestBuilder(check)
    sender = SurveySender(check, progress: progress, didExchange: didExchange)
    report = ReportBuilder(check.registry, selection: check.options.rpcs)
  }

  /// Runs the scenarios in order, deletes what they created, and returns the report.
  mutating func run(_ scenarios: [ContractScenario]) async -> ContractReport {
    do {
      for scenario in scenarios {
        guard case .survey(let body) = scenario.body, isNeeded(scenario) else { continue }
        // The first part writes nothing; the others must not write to an unknown server.
        if scenario.services != ["announcements"] { try await sender.recognizeGateway(builder, &report) }
        try await body(&self)
      }
      try await sender.recognizeGateway(builder, &report)
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
  var isLoggedIn: Bool { builder.ownToken != nil }
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

  /// The token that requests carry.
  func token() async throws -> AccessToken? { try await builder.token() }

  /// Sends later requests with another token.
  mutating func use(_ token: AccessToken?) { builder.ownToken = token }

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
    let isFirst = !report.wasCalled(rpc.id) && report.isSelected(rpc.id)
    // A deletion leaves nothing to refuse.
    let invalidFirst = rpc.method.hasPrefix("Delete")
    let requests = DerivedRequests(rpc: rpc, message: message, binding: builder.binding(rpc))
    if isFirst, invalidFirst { try await sendInvalid(requests) }
    let request = try requests.original(name, isAbsent ? .absent : .success)
    let answer = try await send(request, of: rpc)
    if let answer, isClosedRegistration(rpc, answer.status) { return nil }
    if isFirst {
      try await checkPages(requests)
      if !invalidFirst { try await sendInvalid(requests) }
    }
    guard let answer, answer.isSuccess,
      let response = ReadableParts.response(rpc.responseType, from: answer.body.inMemory, rpc.http)
    else { return nil }
    leftovers.remove(deletedBy: request, of: rpc)
    return response
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

  /// Reports a difference in the last answer.
  mutating func reportLast(_ finding: Finding, of rpc: RPCDescriptor, as name: String) {
    report.add(finding, to: rpc.id, name, evidence: last.map { ContractEvidence($0.request, $0.response, of: rpc) })
  }

  /// Waits before a request is repeated.
  mutating func pause(for duration: Duration) async throws { try await sender.pause(for: duration) }

  private mutating func refused(
    _ rpc: RPCDescriptor, _ message: any ProtoMessage, as name: String, with refusal: Refusal
  ) async throws {
    guard check.options.sendsInvalidRequests, report.isSelected(rpc.id),
      !isReadOnly || rpc.effect == .noSideEffects
    else { return }
    let requests = DerivedRequests(rpc: rpc, message: message, binding: builder.binding(rpc))
    try await send(try requests.original(name, .failure(refusal)), of: rpc)
  }

  private mutating func absent(_ rpc: RPCDescriptor, _ message: any ProtoMessage, as name: String) async throws {
    guard report.isSelected(rpc.id) else { return }
    guard rpc.responseType.descriptor.field(named: "found") == nil else {
      _ = try await response(to: message, of: rpc, as: name, isAbsent: true)
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
    let sent = try await builder.http(request, of: rpc)
    let isForRoute = request.expectation.isForRoute
    guard
      let response = try await sender.exchange(sent, of: rpc, as: request.name, isForRoute: isForRoute, &report)
    else {
      reportOverload(request, sent, of: rpc)
      return nil
    }
    if case .failure = request.expectation {
    } else {
      report.answered(rpc, response)
      sender.recognize(response, of: rpc)
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
      case .failure(let refusal)
      where !refusal.statuses.contains(response.status) && (report.isRefused(rpc.id) || report.refusesService(of: rpc)):
        report.refuse(rpc.id, status: response.status)
        return response
      case .failure: break
      }
    }
    let check = AnswerCheck(
      registry: check.registry, rpc: rpc, request: request.message, expectation: request.expectation)
    let masked = report.masked(response)
    last = (sent, masked)
    for finding in check.findings(masked) {
      report.add(finding, to: rpc.id, request.name, evidence: ContractEvidence(sent, masked, of: rpc))
    }
    if response.isSuccess { lookForRecordsOfOthers(masked, to: sent, of: rpc, as: request.name) }
    return response
  }

  /// Reports a request that an overloaded gateway refused, while it answered others of the RPC. Any gateway may limit
  /// the rate of calls, so this is no defect.
  private mutating func reportOverload(_ request: SurveyRequest, _ sent: HTTPRequest, of rpc: RPCDescriptor) {
    guard let response = sender.lastOverload.map(report.masked), response.status == 503, report.hasAnswer(rpc.id)
    else { return }
    let expected: String
    switch request.expectation {
    case .success, .absent: expected = "status \(rpc.http.successStatus)"
    case .failure(let refusal): expected = "status \(refusal.description)"
    }
    report.add(
      Finding(.status, .breaking, expected: expected, found: "status 503, three times"), to: rpc.id, request.name,
      evidence: ContractEvidence(sent, response, of: rpc))
  }

  /// Looks for records that the token's user may not see.
  private mutating func lookForRecordsOfOthers(
    _ response: HTTPResponse, to sent: HTTPRequest, of rpc: RPCDescriptor, as name: String
  ) {
    guard checksPrivacy, let caller = discovered.caller, sent.headers["Authorization"] != nil else { return }
    var leaks = RecordLeaks(check.registry, caller: caller)
    leaks.check(response, of: rpc)
    discovered.add(privateUsers: leaks.privateUsers)
    for finding in leaks.findings {
      // These may be data of real people.
      report.add(finding, to: rpc.id, name, evidence: ContractEvidence(sent, response, of: rpc, showsBody: false))
    }
  }

  /// Whether the gateway refuses registrations. With a token, the check continues without it.
  private func isClosedRegistration(_ rpc: RPCDescriptor, _ status: Int) -> Bool {
    guard hasTokens, rpc.id == AuthRPC.register.descriptor.id else { return false }
    return status == 401 || status == 403 || ReportBuilder.absence.contains(status)
  }

  // MARK: Probes

  /// Whether to probe for leaks, beyond looking at all answers.
  var checksPrivacy: Bool { check.options.checksPrivacy && !isForFixtures }

  func isSelected(_ rpc: RPCDescriptor) -> Bool { report.isSelected(rpc.id) }

  /// Whether a valid request of the RPC has succeeded.
  func works(_ rpc: RPCDescriptor) -> Bool { report.works(rpc) }

  /// Runs `body` as another caller.
  mutating func acting<Result>(
    as caller: SurveyCaller, _ body: (inout SurveyRun) async throws -> Result
  ) async rethrows -> Result {
    let before = builder.caller
    builder.caller = caller
    defer { builder.caller = before }
    return try await body(&self)
  }

  /// Sends a request that prepares others, without validating the answer.
  ///
  /// - Returns: the response as the SDK reads it; nil where it cannot, or after a failure.
  mutating func prepare<Request, Response>(
    _ rpc: RPC<Request, Response>, _ message: Request, as name: String
  ) async throws -> Response? {
    let (rpc, binding) = (rpc.descriptor, builder.binding(rpc.descriptor))
    let request = try DerivedRequests(rpc: rpc, message: message, binding: binding).original(name, .success)
    let sent = try await builder.http(request, of: rpc)
    guard let response = try await sender.exchange(sent, of: rpc, as: name, &report) else { return nil }
    last = (sent, report.masked(response))
    guard response.isSuccess, APIError(enclosedIn: response, of: rpc) == nil
    else { return nil }
    leftovers.remove(deletedBy: request, of: rpc)
    return try? HTTPTranscoder.response(Response.self, from: response.body.inMemory, rpc.http)
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
    let binding = builder.binding(rpc)
    // Values that cannot be in a path: the server's ids are not those of the contract.
    guard let request = try? DerivedRequests(rpc: rpc, message: message, binding: binding).original(name, .success)
    else { return nil }
    let sent = try await builder.http(request, of: rpc)
    report.probed(rpc)
    let response = try await sender.exchange(sent, of: rpc, as: name, untilEvent: rpc.isServerStreaming, &report)
    if sender.lastOverload != nil { report.skipProbes(name, because: "the gateway was overloaded (429 or 503)") }
    guard let response = response.map(report.masked) else { return nil }
    for finding in findings(response) {
      report.add(
        finding, to: rpc.id, name, evidence: ContractEvidence(sent, response, of: rpc, showsBody: showsAnswer))
    }
    return response
  }

  /// Reads a file as the caller; nil if the gateway does not serve it itself.
  mutating func probeFile(
    _ url: String, as name: String, reporting findings: (HTTPResponse) -> [Finding]
  ) async throws {
    let rpc = MediaRPC.completeUpload.descriptor
    guard let place = try? MediaPlace(url, gateway: check.baseURL(rpc.service)), place.isOnGateway else {
      return report.skipProbes(name, because: "the gateway does not serve the file itself")
    }
    var request = place.get(
      headers: [:], gatewayHeaders: try await builder.headers(of: rpc, url: check.baseURL(rpc.service), hasBody: false),
      limits: check.options.limits)
    request.streamsResponse = false
    report.probed(rpc)
    guard let response = try await sender.exchange(request, of: rpc, as: name, &report) else { return }
    let masked = report.masked(response)
    for finding in findings(response) {
      report.add(finding, to: rpc.id, name, evidence: ContractEvidence(request, masked, of: rpc))
    }
  }

  /// Reports why something was not probed.
  mutating func skipProbes(_ probes: String, because reason: String) { report.skipProbes(probes, because: reason) }

  // MARK: Uploads

  /// Sends the bytes of an upload to the place that StartUpload returned, and validates the answer.
  ///
  /// - Returns: whether the place is one that the SDK sends bytes to; nothing is sent to others.
  mutating func put(_ bytes: [UInt8], to url: String, startedAs name: String) async throws -> Bool {
    let rpc = MediaRPC.startUpload.descriptor
    // An absent URL is a finding already.
    guard !url.isEmpty else { return false }
    let place: MediaPlace
    do { place = try MediaPlace(url, gateway: check.baseURL(rpc.service)) } catch {
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
      ], gatewayHeaders: try await builder.headers(of: rpc, url: check.baseURL(rpc.service), hasBody: true),
      limits: check.options.limits)
    let name = "PUT of its bytes"
    guard let response = try await sender.exchange(request, of: rpc, as: name, &report).map({ report.masked($0) })
    else { return true }
    for finding in AnswerCheck.findings(toBytes: response, check.registry, rpc) {
      report.add(finding, to: rpc.id, name, evidence: ContractEvidence(request, response, of: rpc))
    }
    return true
  }

  /// Reads a completed upload from its URL, whole and in parts, and validates the answers. Nothing is sent to a URL that
  /// the SDK does not read from.
  mutating func readBack(_ bytes: [UInt8], from url: String) async throws {
    let rpc = MediaRPC.completeUpload.descriptor
    // An absent URL is a finding already.
    guard !url.isEmpty, let place = try? MediaPlace(url, gateway: check.baseURL(rpc.service)) else { return }
    let whole = FileRead.whole(bytes)
    guard let response = try await read(whole, from: place, rpc), whole.findings(response).isEmpty else { return }
    for read in FileRead.all(of: bytes, tag: response.headers["ETag"] ?? "") {
      _ = try await self.read(read, from: place, rpc)
    }
  }

  private mutating func read(
    _ read: FileRead, from place: MediaPlace, _ rpc: RPCDescriptor
  ) async throws -> HTTPResponse? {
    var request = place.get(
      headers: read.headers,
      gatewayHeaders: try await builder.headers(of: rpc, url: check.baseURL(rpc.service), hasBody: false),
      limits: check.options.limits)
    request.method = read.method
    request.streamsResponse = false
    guard let response = try await sender.exchange(request, of: rpc, as: read.name, &report) else { return nil }
    let masked = report.masked(response)
    for finding in read.findings(response) {
      report.add(finding, to: rpc.id, read.name, evidence: ContractEvidence(request, masked, of: rpc))
    }
    return response
  }

  // MARK: Cleanup

  /// Records the request that deletes something that was created, until such a request was sent.
  mutating func created<Request, Response>(
    _ description: String, deletion rpc: RPC<Request, Response>, _ message: Request
  ) async {
    let requests = DerivedRequests(rpc: rpc.descriptor, message: message, binding: builder.binding(rpc.descriptor))
    guard let parts = try? requests.original("", .success),
      let request = try? await builder.http(parts, of: rpc.descriptor)
    else { return }
    leftovers.add(description, rpc: rpc.descriptor, request: parts, deletion: request)
  }

  /// Deletes what is left, even after the task was canceled.
  mutating func cleanUp() async {
    guard !leftovers.isEmpty else { return }
    report.notCleanedUp += await leftovers.delete(through: check.transport)
    leftovers = SurveyLeftovers()
  }
}
