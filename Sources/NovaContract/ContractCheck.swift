public import NovaCore
import NovaRegistry

/// Sends every RPC's requests to a gateway and holds what comes back against the contract.
///
/// ```swift
/// let check = ContractCheck(transport: MockTransport(), target: "the mock") { _ in "http://localhost" }
/// let report = await check.run()
/// print(report.count(.breaking))
/// ```
///
/// Answers are looked at as they come, before the SDK makes anything of them, and nothing is tried again but what was
/// throttled. Cancelling the task ends the check; what was found so far is in the report.
public struct ContractCheck: Sendable {
  /// What a check may do.
  public struct Options: Sendable {
    /// Whether only RPCs without side effects are called. Default `true`.
    public var isReadOnly = true
    /// Whether requests are sent that the contract refuses, too. Default `true`.
    public var sendsInvalidRequests = true
    /// How many requests are sent in a second at most; nil for as many as the gateway answers. Default 10.
    public var requestsPerSecond: Double? = 10
    /// How many requests are sent at most. Default 2000.
    public var maximumRequests = 2000
    /// How long the check may take. Default 10 minutes.
    public var maximumTime = Duration.seconds(600)
    /// The bounds of a request. Default: 30 s in all, answers up to 16 MiB.
    public var limits = TransferLimits(totalTimeout: .seconds(30), maximumResponseBytes: 16 << 20)
    /// A user to look at. Default: whose token it is, or else whom a search finds.
    public var user: String?
    /// The style of field names in requests, by the services' short names. Default: the contract's style.
    public var requestNames: [String: JSONNameStyle] = [:]
    /// Whether to send only the requests that fixtures are made of, whose bytes must not change. Default `false`.
    package var isForFixtures = false

    /// Creates options; every one has a default.
    public init() {}
  }

  /// How far a check is.
  public struct Progress: Sendable, Hashable {
    /// How many RPCs were called so far.
    public let rpcs: Int
    /// How many there are to call.
    public let total: Int
    /// How many requests were sent so far.
    public let requests: Int
    /// How many breaking differences were found so far.
    public let breaking: Int
    /// The RPC that is called now.
    public let rpc: String
    /// What the request that was just sent is called in the report: `limit 2, offset 1`.
    public let request: String

    /// Creates a progress.
    package init(rpcs: Int, total: Int, requests: Int, breaking: Int, rpc: String, request: String = "") {
      self.rpcs = rpcs
      self.total = total
      self.requests = requests
      self.breaking = breaking
      self.rpc = rpc
      self.request = request
    }
  }

  let transport: any HTTPTransport
  let target: String
  let baseURL: @Sendable (String) -> String
  let tokens: (any TokenProvider)?
  let options: Options
  let clock: any CallClock
  let makeID: @Sendable () -> String
  let registry = RPCRegistry.nova

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - transport: what carries requests.
  ///   - target: what is checked, for the report.
  ///   - tokens: where bearer tokens come from. Default: none. Writes come from an account that the check opens.
  ///   - options: what the check may do.
  ///   - clock: measures, and waits between requests.
  ///   - baseURL: where a service's calls go, by its short name; without a slash at the end.
  public init(
    transport: any HTTPTransport, target: String, tokens: (any TokenProvider)? = nil, options: Options = Options(),
    clock: any CallClock = ContinuousClock(), baseURL: @escaping @Sendable (String) -> String
  ) {
    self.init(
      transport: transport, target: target, tokens: tokens, options: options, clock: clock,
      makeID: { RequestID.random() }, baseURL: baseURL)
  }

  package init(
    transport: any HTTPTransport, target: String, tokens: (any TokenProvider)?, options: Options,
    clock: any CallClock, makeID: @escaping @Sendable () -> String, baseURL: @escaping @Sendable (String) -> String
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
  /// - Parameter progress: told after each request.
  public func run(progress: @escaping @Sendable (Progress) -> Void = { _ in }) async -> ContractReport {
    var run = CheckRun(self, progress)
    do {
      try await run.checkAll()
    } catch let stop as StoppedCheck {
      run.recorder.stop = stop.reason
    } catch {
      run.recorder.stop = .interrupted
    }
    await run.cleanUp()
    if tokens != nil, run.facts.account == nil { run.recorder.leaveOutAbsentServices() }
    return run.recorder.report(target: target, isReadOnly: options.isReadOnly)
  }
}

/// The check cannot go on.
struct StoppedCheck: Error {
  let reason: ContractReport.Stop
}
