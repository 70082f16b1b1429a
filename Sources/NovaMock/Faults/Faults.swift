import NovaCore

/// The faults of a backend: rules in order, a seed for what is random, and how far each rule has come.
///
/// A value: the same rules and seed do the same to the same calls in the same order. Every latency that matches adds its
/// wait; of the other faults, the first that hits decides.
///
/// ```swift
/// let backend = MockBackend(faults: try Faults(["latency 50ms±20", "social.CreateLike=503x2"], seed: 7))
/// ```
public struct Faults: Sendable {
  /// The most rules there can be.
  public static let maximumCount = 1000
  /// No faults.
  public static var none: Faults { Faults(rules: []) }

  /// The seed of what is random.
  public let seed: UInt64
  private var active: [ActiveFault]
  private var headerGenerator: SeededGenerator

  /// Creates faults of rules.
  ///
  /// - Parameters:
  ///   - rules: in the order in which they are asked. Those past ``maximumCount`` are left out.
  ///   - seed: decides what is random. Default 1.
  public init(rules: [FaultRule], seed: UInt64 = 1) {
    self.seed = seed
    active = rules.prefix(Self.maximumCount).enumerated().map { ActiveFault($1, seed: seed, place: UInt64($0)) }
    headerGenerator = SeededGenerator(seed: ~seed)
  }

  /// Reads rules; see ``FaultRule`` for how they are written.
  ///
  /// - Throws: ``FaultRuleError`` about the first that cannot be read.
  public init(_ texts: [String], seed: UInt64 = 1) throws(FaultRuleError) {
    var rules: [FaultRule] = []
    for text in texts { rules.append(try FaultRule(text)) }
    self.init(rules: rules, seed: seed)
  }

  /// A rule and how far it has come.
  public struct Progress: Sendable, Hashable {
    /// The rule.
    public let rule: FaultRule
    /// How many calls it has hit.
    public let hits: Int
    /// How many more it will hit; nil for no end.
    public let remaining: Int?
  }

  /// The rules in order, with what they have done.
  public var progress: [Progress] {
    active.map { Progress(rule: $0.rule, hits: $0.hits, remaining: $0.remaining) }
  }

  /// The same rules as if nothing had been hit yet.
  public var restarted: Faults { Faults(rules: active.map(\.rule), seed: seed) }

  var isEmpty: Bool { active.isEmpty }

  /// What happens to a call; nil for nothing.
  mutating func plan(service: String?, rpc: String?, at now: ContinuousClock.Instant) -> FaultPlan? {
    var plan = FaultPlan()
    for index in active.indices {
      // Once the outcome is clear, other rules keep their turns; waits still count.
      guard active[index].rule.target.matches(service, rpc), let effect = active[index].effect,
        !(effect.isOutcome && plan.isDecided), let hit = active[index].hit(at: now)
      else { continue }
      plan.add(hit, active[index].rule)
    }
    return plan.names.isEmpty ? nil : plan
  }

  /// What happens to the one request that brings its own fault.
  mutating func plan(_ rule: FaultRule) -> FaultPlan {
    var plan = FaultPlan()
    if let effect = rule.steps.first?.effect { plan.add(FaultHit(effect, &headerGenerator), rule) }
    return plan
  }
}

/// What is to happen to one call.
struct FaultPlan: Sendable {
  private(set) var wait = Duration.zero
  private(set) var outcome = FaultHit.Outcome.pass
  private(set) var isDecided = false
  private(set) var names: [String] = []

  /// The faults as the rules name them.
  var name: String { names.joined(separator: ", ") }

  mutating func add(_ hit: FaultHit, _ rule: FaultRule) {
    names.append(rule.fault)
    wait += hit.wait
    guard let outcome = hit.outcome else { return }
    self.outcome = outcome
    isDecided = true
  }
}

/// What one rule does to one call.
struct FaultHit: Sendable {
  enum Outcome: Sendable, Hashable {
    case pass
    case status(Int, retryAfter: Int?)
    case drop
    case dropAfter
    case hang
  }

  var wait = Duration.zero
  var outcome: Outcome?

  init(throttledFor seconds: Int) { outcome = .status(429, retryAfter: seconds) }

  init(_ effect: FaultEffect, _ generator: inout SeededGenerator) {
    switch effect {
    case .pass, .throttle: outcome = .pass
    case .status(let status, let retryAfter): outcome = .status(status, retryAfter: retryAfter)
    case .drop: outcome = .drop
    case .dropAfter: outcome = .dropAfter
    case .hang: outcome = .hang
    case .latency(let latency): wait = latency.draw(&generator)
    }
  }
}
