import NovaCore

/// A rule with its progress. Each has its own random numbers, so that adding a rule does not change the others.
///
/// In a scenario, the numbers of a call depend on the call and not on those before it.
struct ActiveFault: Sendable {
  let rule: FaultRule
  private(set) var hits = 0
  private var generator: SeededGenerator
  private var step = 0
  private var hitsOfStep = 0
  private var bucket: TokenBucket?
  /// The line that all calls share; nil if each has its own.
  private let limit: BandwidthLimit?

  /// What a rule does to a call.
  struct Hit {
    let effect: FaultEffect
    let wait: Duration
    let limit: BandwidthLimit?
  }

  init(_ rule: FaultRule, seed: UInt64, place: UInt64) {
    self.rule = rule
    generator = SeededGenerator(seed: seed ^ FNV1a.hash(of: rule.description) &+ place)
    let shared = rule.steps.lazy.compactMap { step -> FaultBandwidth? in
      if case .bandwidth(let bandwidth) = step.effect, bandwidth.isShared { bandwidth } else { nil }
    }.first
    limit = shared.map(BandwidthLimit.init)
  }

  /// The effect on the next affected call; nil once the rule is finished.
  var effect: FaultEffect? { step < rule.steps.count ? rule.steps[step].effect : nil }

  /// The number of calls it still affects; nil if unlimited.
  var remaining: Int? {
    var count = -hitsOfStep
    for step in rule.steps.dropFirst(step) {
      guard let times = step.times else { return nil }
      count += times
    }
    return max(0, count)
  }

  /// Returns the effect on a matching call; nil if the call is unaffected.
  ///
  /// - Parameter choice: what tells the call from others. Nil for a rule whose numbers follow each other.
  mutating func hit(at now: Moment, choice: UInt64? = nil) -> Hit? {
    guard var effect else { return nil }
    guard let wait = draw(effect, choice) else { return nil }
    if case .throttle(let throttle) = effect {
      var bucket = bucket ?? TokenBucket(throttle, at: now)
      let seconds = bucket.retryAfter(throttle, at: now)
      self.bucket = bucket
      guard let seconds else { return nil }
      effect = .status(429, retryAfter: seconds)
    }
    count()
    guard case .bandwidth(let bandwidth) = effect else { return Hit(effect: effect, wait: wait, limit: nil) }
    return Hit(effect: effect, wait: wait, limit: bandwidth.isShared ? limit : BandwidthLimit(bandwidth))
  }

  /// Returns the delay; nil if the rule passes the call by. Numbers are drawn for each call, so that hits depend only on
  /// the number of calls, or on the call.
  private mutating func draw(_ effect: FaultEffect, _ choice: UInt64?) -> Duration? {
    var numbers = generator
    if let choice { numbers = SeededGenerator(seed: numbers.next() ^ choice) }
    defer { if choice == nil { generator = numbers } }
    if rule.probability < 1, numbers.nextUnit() >= rule.probability { return nil }
    return effect.wait(&numbers)
  }

  private mutating func count() {
    hits += 1
    hitsOfStep += 1
    if let times = rule.steps[step].times, hitsOfStep >= times {
      step += 1
      hitsOfStep = 0
      bucket = nil
    }
  }
}
