import NovaCore
import NovaCoverage

/// Collects the findings of a survey, and creates the report.
struct ReportBuilder {
  private let registry: RPCRegistry
  private let words: ContractWords
  /// The RPCs to report; nil for all.
  private let selection: Set<String>?
  /// Whether forms that the gateway uses throughout are reported once. One shard does not have all that shows them.
  private let collectsForms: Bool
  private var results: [String: ContractReport.RPCResult] = [:]
  private var found: [String: [ContractDifference]] = [:]
  /// Texts that must not appear in the report, wherever a server puts them.
  private var secrets: Set<String> = []
  private var redactor = SecretRedactor()
  private(set) var requestCount = 0
  private(set) var breakingCount = 0
  /// Why RPCs that were not called are not checked.
  var reasonForRest = "the check ended early"
  /// The same for those of them that have side effects.
  var reasonForWrites: String?
  /// The services that responded with anything other than an unknown path.
  private var presentServices: Set<String> = []
  private var leavesOutAbsentServices = false
  var stop: ContractReport.Stop?
  var leftBehind: [String] = []
  /// Counts what the requests try of the contract.
  var coverage: CoverageRecorder?
  var notCleanedUp: [String] = []
  /// The RPCs that have answered a valid request with a success.
  private var workingRPCs: Set<String> = []
  private var answeredRPCs: Set<String> = []
  private var overloadedRPCs: Set<String> = []
  private var probeCount = 0
  private var ofGateway: [ContractDifference] = []
  private var skippedChecks: [ContractReport.SkippedProbes] = []
  private var skippedProbes: [ContractReport.SkippedProbes] = []

  init(_ registry: RPCRegistry, selection: Set<String>? = nil, collectsForms: Bool = true) {
    self.collectsForms = collectsForms
    self.registry = registry
    words = ContractWords(registry)
    self.selection = selection
  }

  /// Whether an RPC is checked, rather than only called to prepare others.
  func isSelected(_ rpc: String) -> Bool { selection?.contains(rpc) ?? true }

  /// How many RPCs were called, of those that are checked.
  var calledCount: Int { results.values.count { !$0.requests.isEmpty && isSelected($0.rpc) } }

  func wasCalled(_ rpc: String) -> Bool { results[rpc]?.requests.isEmpty == false }

  func isRefused(_ rpc: String) -> Bool { results[rpc]?.isRefused ?? false }

  /// Keeps a text out of the report.
  mutating func hide(_ secret: String) {
    if secrets.insert(secret).inserted {
      redactor = SecretRedactor(secrets.sorted(), keepsName: words.hasField)
    }
  }

  /// Keeps the credentials of a request out of the report; the values in its body may be wrong on purpose.
  mutating func hideCredentials(of request: HTTPRequest) {
    let head = HTTPRequest(method: request.method, url: request.url, headers: request.headers)
    // The malformed token is no secret, and shows what was sent.
    for secret in SecretRedactor.secrets(in: head) where secret != DiscoveredState.malformedToken { hide(secret) }
  }

  /// A response that is safe to quote: findings quote its beginning, which may be part of a secret.
  func masked(_ response: HTTPResponse) -> HTTPResponse { redactor.masked(response) }

  func masked(_ text: String) -> String { redactor.masked(text) }

  mutating func sent(_ request: String, to rpc: String, taking duration: Duration) {
    requestCount += 1
    results[rpc, default: .init(rpc: rpc)].requests.append(request)
    results[rpc]?.duration += duration
  }

  /// Reports why an RPC cannot be checked.
  mutating func skip(_ rpc: String, _ reason: String) {
    results[rpc, default: .init(rpc: rpc)].unchecked = reason
  }

  /// Records that a request had an answer to validate.
  mutating func hadAnswer(_ rpc: String) { answeredRPCs.insert(rpc) }

  /// Records that the gateway was overloaded, three times in a row. One such request proves nothing about an RPC whose
  /// others were answered.
  mutating func overloaded(_ rpc: String) { overloadedRPCs.insert(rpc) }

  /// Whether another request of the RPC had an answer.
  func hasAnswer(_ rpc: String) -> Bool { answeredRPCs.contains(rpc) }

  /// Reports that a valid request was answered with 401 or 403.
  mutating func refuse(_ rpc: String, status: Int) {
    skip(rpc, status == 401 ? "authentication is required (401)" : "the user has no permission (403)")
    results[rpc]?.isRefused = true
  }

  /// Whether the gateway has answered valid requests to an RPC's service, and all of them with 401 or 403.
  func refusesService(of rpc: RPCDescriptor) -> Bool {
    let isOfService = { (id: String) in id.hasPrefix("\(rpc.service).") }
    return results.values.contains { $0.isRefused && isOfService($0.rpc) } && !workingRPCs.contains(where: isOfService)
  }

  /// Records the response to a request that should have succeeded.
  mutating func answered(_ rpc: RPCDescriptor, _ response: HTTPResponse) {
    if !Self.absence.contains(response.status) { presentServices.insert(rpc.service) }
    if response.isSuccess { workingRPCs.insert(rpc.id) }
  }

  /// Whether the RPC has answered a valid request with a success.
  func works(_ rpc: RPCDescriptor) -> Bool { workingRPCs.contains(rpc.id) }

  /// Counts a probe for leaks of an RPC that is reported.
  mutating func probed(_ rpc: RPCDescriptor) { if isSelected(rpc.id) { probeCount += 1 } }

  /// Reports why something was not probed for leaks.
  mutating func skipProbes(_ probes: String, because reason: String) {
    guard let known = skippedProbes.firstIndex(where: { $0.reason == reason }) else {
      return skippedProbes.append(.init(reason: reason, probes: [probes]))
    }
    if !skippedProbes[known].probes.contains(probes) { skippedProbes[known].probes.append(probes) }
  }

  /// The statuses for an unknown path, verb or RPC.
  static let absence: Set<Int> = [404, 405, 501]

  /// Reports services without any working path as missing, rather than each of their RPCs as wrong. If all services are
  /// missing, the gateway is wrong.
  mutating func leaveOutAbsentServices() { leavesOutAbsentServices = !presentServices.isEmpty }

  private func isAbsent(_ rpc: RPCDescriptor) -> Bool {
    leavesOutAbsentServices && !presentServices.contains(rpc.service) && calls(of: rpc.service) > 0
  }

  private func calls(of service: String) -> Int {
    results.values.count { !$0.requests.isEmpty && $0.rpc.hasPrefix("\(service).") }
  }

  mutating func add(
    _ finding: Finding, to rpc: String, _ request: String, evidence: @autoclosure () -> ContractEvidence? = nil
  ) {
    guard isSelected(rpc) else { return }
    if finding.grade == .breaking { breakingCount += 1 }
    // The same difference in the answers to several requests is reported once, with the first request.
    var all = found[rpc, default: []]
    if let known = all.firstIndex(where: { $0.isSame(as: finding) }) {
      all[known].count += finding.count
      if let more = finding.leak {
        all[known].leak?.add(more)
        all[known].found = all[known].leak.map { masked($0.text) } ?? all[known].found
      }
      if !all[known].requests.contains(request) { all[known].requests.append(request) }
    } else {
      all.append(
        ContractDifference(
          rpc: rpc, request: request, requests: [request], path: masked(finding.path), kind: finding.kind,
          grade: finding.grade,
          expected: masked(finding.expected), found: masked(finding.found), count: finding.count,
          evidence: evidence()))
      all[all.count - 1].leak = finding.leak
    }
    found[rpc] = all
  }

  /// Adds a finding in something that is not an RPC of the contract.
  mutating func addToGateway(_ finding: Finding, _ request: String) {
    if finding.grade == .breaking { breakingCount += 1 }
    ofGateway.append(
      ContractDifference(
        rpc: ContractReport.gateway, request: request, requests: [request], path: masked(finding.path),
        kind: finding.kind, grade: finding.grade, expected: masked(finding.expected), found: masked(finding.found),
        count: finding.count, evidence: nil))
  }

  /// Reports checks that a way of calling does not have.
  mutating func skipChecks(_ checks: [String], because reason: String) {
    skippedChecks.append(.init(reason: reason, probes: checks))
  }

  /// Adds the findings in the answer to a request, with both as evidence.
  ///
  /// - Parameter showsBody: false for an answer with data of people who do not know of the check.
  mutating func add(
    _ findings: [Finding], in response: HTTPResponse, to request: HTTPRequest, of rpc: RPCDescriptor,
    as name: String, showsBody: Bool = true
  ) {
    if findings.isEmpty { return }
    let response = masked(response)
    for finding in findings {
      add(finding, to: rpc.id, name, evidence: ContractEvidence(request, response, of: rpc, showsBody: showsBody))
    }
  }

  func report(target: String, isReadOnly: Bool) -> ContractReport {
    var all = registry.rpcs.filter { isSelected($0.id) }.map { rpc -> ContractReport.RPCResult in
      var result = results[rpc.id] ?? .init(rpc: rpc.id)
      if case .notAGateway = stop {
        // Responses of another kind of server are not differences.
        result.unchecked = "the server is not a Nova gateway"
        return result
      }
      if result.requests.isEmpty, result.unchecked == nil {
        let isLeftOut = isReadOnly && rpc.effect != .noSideEffects
        let reason = rpc.effect == .noSideEffects ? reasonForRest : reasonForWrites ?? reasonForRest
        result.unchecked = isLeftOut ? "the check is read-only" : reason
      }
      if overloadedRPCs.contains(rpc.id), !answeredRPCs.contains(rpc.id) {
        result.unchecked = "the gateway was overloaded (429 or 503, three times)"
        result.isOverloaded = true
        return result
      }
      if isAbsent(rpc) {
        result.unchecked = "the gateway does not have the \(rpc.service) service: none of its paths exist"
        result.isRefused = false
        return result
      }
      result.differences = (found[rpc.id] ?? []).enumerated().sorted {
        ($0.element.grade, $0.offset) < ($1.element.grade, $1.offset)
      }.map(\.element)
      for index in result.differences.indices {
        // Some secrets become known only after the response.
        result.differences[index].evidence = result.differences[index].evidence.map { $0.masked(by: redactor) }
      }
      return result
    }
    let forms = collectsForms ? GatewayForms.collect(from: &all) : []
    var report = ContractReport(target: target, isReadOnly: isReadOnly, results: all)
    report.gatewayDifferences = forms + ofGateway
    report.skippedChecks = skippedChecks
    report.stop = stop
    report.probeCount = probeCount
    report.skippedProbes = skippedProbes
    report.leftBehind = leftBehind.map(masked)
    report.coverage = requestCount > 0 ? coverage?.coverage : nil
    report.notCleanedUp = notCleanedUp.map(masked)
    return report
  }
}

extension ContractDifference {
  fileprivate func isSame(as finding: Finding) -> Bool {
    if let leak, let other = finding.leak { return path == finding.path && leak.isSame(as: other) }
    let dependsOnTexts = [.status, .accepted, .leak].contains(kind)
    return path == finding.path && kind == finding.kind && grade == finding.grade
      && (!dependsOnTexts || found == finding.found && expected == finding.expected)
  }
}
