import NovaCore

/// A rule with its progress. Each has its own random numbers, so that adding a rule does not change the others.
struct ActiveFault: Sendable {
  let rule: FaultRule
  private(set) var hits = 0
  private var generator: SeededGenerator
  private var step = 0
  private var hitsOfStep = 0
  private var bucket: TokenBucket?

  init(_ rule: FaultRule, seed: UInt64, place: UInt64) {
    self.rule = rule
    generator = SeededGenerator(seed: seed ^ FNV1a.hash(of: rule.description) &+ place)
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
  mutating func hit(at now: Moment) -> (effect: FaultEffect, wait: Duration)? {
    guard var effect else { return nil }
    // Draw a number for each call, so that hits depend only on the number of calls.
    if rule.probability < 1, generator.nextUnit() >= rule.probability { return nil }
    let wait = effect.wait(&generator)
    if case .throttle(let throttle) = effect {
      var bucket = bucket ?? TokenBucket(throttle, at: now)
      let seconds = bucket.retryAfter(throttle, at: now)
      self.bucket = bucket
      guard let seconds else { return nil }
      effect = .status(429, retryAfter: seconds)
    }
    count()
    return (effect, wait)
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
