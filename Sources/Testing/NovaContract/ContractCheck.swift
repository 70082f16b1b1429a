public import NovaCore
import NovaRegistry

/// Calls every RPC of a gateway with valid and invalid requests, and validates the raw answers against the contract.
///
/// ```swift
/// let check = ContractCheck(transport: MockTransport(), target: "the mock") { _ in "http://localhost" }
/// let report = await check.run()
/// print(report.count(.breaking))
/// ```
///
/// Answers are validated as they arrive, before the SDK interprets them. Requests are retried only if the gateway is
/// overloaded (429 or 503). Canceling the task ends the check; the report has what was found so far.
public struct ContractCheck: Sendable {
  /// The bounds of a check, and what it sends.
  public struct Options: Sendable {
    /// Whether to call only RPCs without side effects. Default `true`.
    public var isReadOnly = true
    /// Whether to also send requests that the contract refuses. Default `true`.
    public var sendsInvalidRequests = true
    /// The maximum number of requests per second; nil for as many as the gateway answers. Default 10.
    public var requestsPerSecond: Double? = 10
    /// The maximum number of requests. Default 2000.
    public var maximumRequests = 2000
    /// The maximum duration of the check. Default 10 minutes.
    public var maximumTime = Duration.seconds(600)
    /// The limits of each request. Default: 30 s in total, responses up to 16 MiB.
    public var limits = TransferLimits(totalTimeout: .seconds(30), maximumResponseBytes: 16 << 20)
    /// The id of the user whose data to read. Default: the token's user, or else the first one that a search finds.
    public var user: String?
    /// The ids of the RPCs to check: `graph.GetFollowers`. Default: nil, for all. Others are called only to prepare
    /// these, and are not reported.
    public var rpcs: Set<String>?
    /// Whether to look for what the gateway shows to callers who may not see it. Default `true`. If the check may write,
    /// it registers a third account for that, and sends about 350 requests.
    public var checksPrivacy = true
    /// The style of field names in requests, by the services' short names. Default: the contract's style.
    public var requestNames: [String: JSONNameStyle] = [:]
    /// The gateway beside services that are called over gRPC, for the bytes of files. Default: none, so that they are not
    /// checked.
    public var gatewayURL: HTTPURL?
    /// How long to wait for the beginning of a stream that was accepted. Nothing may happen for longer.
    package var quietStream = Duration.seconds(2)
    /// Whether to send only the requests that fixtures are made of, whose bytes must not change.
    var isForFixtures = false
    /// The part to check and report; nil for all.
    var shard: WorkShard?

    /// Creates options; every one has a default.
    public init() {}
  }

  /// The state of a check in progress.
  public struct Progress: Sendable, Hashable {
    /// The number of RPCs called so far.
    public let rpcs: Int
    /// The number of RPCs to call.
    public let total: Int
    /// The number of requests sent so far.
    public let requests: Int
    /// The number of breaking differences found so far.
    public let breaking: Int
    /// The RPC that was just called.
    public let rpc: String
    /// The name of the request that was just sent, as in the report: `limit 2, offset 1`.
    public let request: String

    /// Creates a progress.
    package init(rpcs: Int, total: Int, requests: Int, breaking: Int, rpc: String, request: String = "") {
      (self.rpcs, self.total, self.requests, self.breaking) = (rpcs, total, requests, breaking)
      (self.rpc, self.request) = (rpc, request)
    }
  }

  let transport: any HTTPTransport
  let target: String
  let baseURL: @Sendable (String) -> HTTPURL
  let tokens: (any TokenProvider)?
  var options: Options
  let clock: any CallClock
  let makeID: @Sendable () -> String
  let registry = RPCRegistry.nova

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - target: the name of the gateway in the report.
  ///   - tokens: provides bearer tokens. Default: none. Writes are made with an account that the check registers.
  ///   - options: the bounds of the check, and what it sends.
  ///   - clock: measures, and waits between requests.
  ///   - baseURL: the base URL of a service by its short name.
  public init(
    transport: any HTTPTransport, target: String, tokens: (any TokenProvider)? = nil, options: Options = Options(),
    clock: any CallClock = ContinuousClock(), baseURL: @escaping @Sendable (String) -> HTTPURL
  ) {
    self.init(
      transport: transport, target: target, tokens: tokens, options: options, clock: clock,
      makeID: { RequestID.random() }, baseURL: baseURL)
  }

  package init(
    transport: any HTTPTransport, target: String, tokens: (any TokenProvider)?, options: Options,
    clock: any CallClock, makeID: @escaping @Sendable () -> String, baseURL: @escaping @Sendable (String) -> HTTPURL
  ) {
    self.transport = transport
    self.target = target
    self.tokens = tokens
    self.options = options
    self.clock = clock
    self.makeID = makeID
    self.baseURL = baseURL
  }

  /// Checks every RPC.
  ///
  /// - Parameter progress: called after each request.
  public func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async -> ContractReport {
    var survey = SurveyRun(self, progress: progress) { _ in }
    return await survey.run(ContractScenario.survey)
  }

  /// Sends the requests that fixtures are made of, and returns them with their responses, in order.
  package func exchangesForFixtures() async -> [ContractExchange] {
    var check = self
    check.options.isForFixtures = true
    let exchanges = Locked<[ContractExchange]>([])
    var survey = SurveyRun(check, progress: { _ in }) { exchange in exchanges.withLock { $0.append(exchange) } }
    _ = await survey.run(ContractScenario.survey)
    return exchanges.withLock { $0 }
  }

  /// Validates one answer of an RPC that should succeed.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - rpc: the RPC.
  ///   - request: the request message; nil if it is unknown.
  ///   - name: the name of the request in the differences.
  /// - Returns: where the answer differs from the contract.
  package static func differences(
    in response: HTTPResponse, of rpc: RPCDescriptor, to request: (any ProtoMessage)?, named name: String
  ) -> [ContractDifference] {
    let check = AnswerCheck(registry: .nova, rpc: rpc, request: request, expectation: .success)
    var report = ReportBuilder(.nova)
    let sent = HTTPRequest(
      method: rpc.http.method, url: "http://localhost", body: (try? request?.jsonUTF8(.response)) ?? [])
    for secret in SecretRedactor.secrets(in: sent, rpc) { report.hide(secret) }
    for finding in check.findings(report.masked(response)) { report.add(finding, to: rpc.id, name) }
    return report.report(target: name, isReadOnly: true).differences
  }
}

/// A request of the catalog and the response to it.
package struct ContractExchange: Sendable {
  /// The RPC: `graph.GetFollowers`.
  package let rpc: String
  /// The name of the request: `limit 2, offset 1`.
  package let name: String
  package let request: HTTPRequest
  package let response: HTTPResponse
}
