import NovaCore

/// A rule at work. Each has random numbers of its own, so that one rule more does not change what the others do.
struct ActiveFault: Sendable {
  let rule: FaultRule
  private(set) var hits = 0
  private var generator: SeededGenerator
  private var step = 0
  private var hitsOfStep = 0
  private var bucket: FaultBucket?

  init(_ rule: FaultRule, seed: UInt64, place: UInt64) {
    self.rule = rule
    // FNV-1a: the same on every machine, which Hasher is not.
    let hash = rule.description.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    generator = SeededGenerator(seed: seed ^ hash &+ place)
  }

  /// What the next call it hits gets; nil once it has done its part.
  var effect: FaultEffect? { step < rule.steps.count ? rule.steps[step].effect : nil }

  /// How many calls it will still hit; nil for no end.
  var remaining: Int? {
    var count = -hitsOfStep
    for step in rule.steps.dropFirst(step) {
      guard let times = step.times else { return nil }
      count += times
    }
    return max(0, count)
  }

  /// What it does to a call that it is for; nil when it lets it be.
  mutating func hit(at now: ContinuousClock.Instant) -> FaultHit? {
    guard let effect else { return nil }
    // A number is drawn for each call, so that hits depend on the count of calls only.
    if rule.probability < 1, generator.nextUnit() >= rule.probability { return nil }
    var hit = FaultHit(effect, &generator)
    if case .throttle(let throttle) = effect {
      var bucket = bucket ?? FaultBucket(throttle, at: now)
      let wait = bucket.retryAfter(throttle, at: now)
      self.bucket = bucket
      guard let wait else { return nil }
      hit = FaultHit(throttledFor: wait)
    }
    count()
    return hit
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
