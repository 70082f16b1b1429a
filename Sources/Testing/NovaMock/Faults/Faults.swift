import NovaCore

/// The faults of a backend: rules in order, a random seed, and the progress of each rule.
///
/// The same rules and seed have the same effects on the same sequence of calls. All matching latencies add up; of the
/// other faults, the first that applies decides.
///
/// ```swift
/// let backend = MockBackend(faults: try Faults(["latency 50ms±20", "social.CreateLike=503x2"], seed: 7))
/// ```
public struct Faults: Sendable {
  /// The maximum number of rules.
  public static let maximumCount = 1000
  /// No faults.
  public static var none: Faults { Faults(rules: []) }

  /// The random seed.
  public let seed: UInt64
  private var active: [ActiveFault]
  private var headerGenerator: SeededGenerator

  /// Creates faults from rules.
  ///
  /// - Parameters:
  ///   - rules: the rules in order of precedence. Rules beyond ``maximumCount`` are ignored.
  ///   - seed: the random seed. Default: 1.
  public init(rules: [FaultRule], seed: UInt64 = 1) {
    self.seed = seed
    active = rules.prefix(Self.maximumCount).enumerated().map { ActiveFault($1, seed: seed, place: UInt64($0)) }
    headerGenerator = SeededGenerator(seed: ~seed)
  }

  /// Parses rules; see ``FaultRule`` for the syntax.
  ///
  /// - Throws: ``FaultRuleError`` for the first invalid rule.
  public init(_ texts: [String], seed: UInt64 = 1) throws(FaultRuleError) {
    self.init(rules: try texts.map(FaultRule.init(_:)), seed: seed)
  }

  /// A rule with its progress.
  public struct Progress: Sendable, Hashable {
    /// The rule.
    public let rule: FaultRule
    /// The number of calls it has affected.
    public let hits: Int
    /// The number of calls it still affects; nil if unlimited.
    public let remaining: Int?
  }

  /// The rules in order, with their progress.
  public var progress: [Progress] {
    active.map { Progress(rule: $0.rule, hits: $0.hits, remaining: $0.remaining) }
  }

  /// The same rules without progress.
  public var restarted: Faults { Faults(rules: active.map(\.rule), seed: seed) }

  var isEmpty: Bool { active.isEmpty }

  /// Returns the effect on a call; nil for none.
  mutating func plan(service: String?, rpc: String?, at now: Moment) -> FaultPlan? {
    var plan = FaultPlan()
    for index in active.indices { plan.apply(&active[index], to: (service, rpc), at: now) }
    return plan.names.isEmpty ? nil : plan
  }

  /// Whether a rule limits the bandwidth of requests.
  var limitsUploads: Bool { active.contains { $0.rule.limitsUploads } }

  /// Returns the effect on a request with its own fault.
  mutating func plan(_ rule: FaultRule) -> FaultPlan {
    var plan = FaultPlan()
    guard let effect = rule.steps.first?.effect else { return plan }
    let limit = if case .bandwidth(let bandwidth) = effect { BandwidthLimit(bandwidth) } else { BandwidthLimit?.none }
    plan.add(.init(effect: effect, wait: effect.wait(&headerGenerator), limit: limit), rule)
    return plan
  }
}

/// The combined effect of all rules on one call.
struct FaultPlan: Sendable {
  private(set) var wait = Duration.zero
  private(set) var outcome = FaultEffect.pass
  private(set) var isDecided = false
  private(set) var names: [String] = []
  /// The limits of bandwidth, all of which apply.
  private(set) var limits: [BandwidthLimit] = []

  /// The names of the faults in the rules.
  var name: String { names.joined(separator: ", ") }

  mutating func add(_ hit: ActiveFault.Hit, _ rule: FaultRule) {
    names.append(rule.fault)
    wait += hit.wait
    if let limit = hit.limit { limits.append(limit) }
    if hit.effect.isOutcome { (outcome, isDecided) = (hit.effect, true) }
  }

  /// Adds what a rule does to a call. Once the outcome is decided, rules of outcomes do not advance; waits still add up.
  mutating func apply(
    _ fault: inout ActiveFault, to call: (service: String?, rpc: String?), at now: Moment, choice: UInt64? = nil
  ) {
    guard fault.rule.target.matches(call.service, call.rpc), let effect = fault.effect,
      !(effect.isOutcome && isDecided), let hit = fault.hit(at: now, choice: choice)
    else { return }
    add(hit, fault.rule)
  }
}

extension FaultPlan {
  /// Damages the response to a call on its way.
  func damage(_ response: inout HTTPResponse, of call: IncomingCall) {
    switch outcome {
    case .corrupt: if call.isDownload { response.damageBody() }
    case .cut(let count): response.cutBody(after: count, fault: name)
    default: if let fault = outcome.ofStream { response.damageStream(fault, clock: call.clock) }
    }
  }

  /// The response with the status of a fault.
  func response(status: Int, retryAfter: Int?, requestID: String?) -> HTTPResponse {
    var response = MockFailure(GRPCStatus(ofHTTP: status), "fault \(name)", httpStatus: status).response
    if !HTTPResponse.hasBody(status: status) { response = HTTPResponse(status: status) }
    response.headers["Retry-After"] = retryAfter.map(String.init)
    response.headers["X-Request-ID"] = requestID
    return response
  }

  /// The error of a call that gets no response.
  var connectionLost: TransportError {
    TransportError(
      .connectionLost, "the connection was closed without an answer (fault \(name))", requestMayHaveLeft: true)
  }
}
