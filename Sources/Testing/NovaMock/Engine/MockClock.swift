/// Derives a backend's time from the system's: it can be ahead, late, or frozen.
struct MockClock: Sendable, Hashable {
  /// The times to which a clock can be set: the years 1970 to 2999. Lifetimes of tokens can be added without overflow.
  static let times: ClosedRange<Int64> = 0...32_503_679_999

  /// The seconds by which it is ahead of the system's time, negative if it is late. While it is frozen, the value is from
  /// its last change.
  private(set) var offset: Int64
  /// The time at which it is frozen, in Unix seconds; nil while it runs.
  private(set) var frozenAt: Int64?

  /// Creates a clock. Default: one that shows the system's time.
  init(offset: Int64 = 0, frozenAt: Int64? = nil) { (self.offset, self.frozenAt) = (offset, frozenAt) }

  var isFrozen: Bool { frozenAt != nil }

  /// The clock's time, in Unix seconds.
  ///
  /// - Parameter source: the system's time.
  func time(at source: Int64) -> Int64 { frozenAt ?? source + offset }

  /// The clock's time of a moment that was measured with the system's clock.
  func shown(_ source: Double) -> Double { frozenAt.map(Double.init) ?? source + Double(offset) }

  /// Moves it forward, or back with negative seconds, but not out of ``times``.
  mutating func move(by seconds: Int64, from now: Int64) {
    let (sum, overflow) = now.addingReportingOverflow(seconds)
    let target = overflow ? (seconds < 0 ? Self.times.lowerBound : Self.times.upperBound) : sum
    set(to: target, from: now)
  }

  /// Sets its time. A frozen clock stays frozen.
  mutating func set(to time: Int64, from now: Int64) {
    let difference = min(max(time, Self.times.lowerBound), Self.times.upperBound) - now
    offset += difference
    if frozenAt != nil { frozenAt = now + difference }
  }

  mutating func freeze(at now: Int64) { frozenAt = now }

  /// Lets a frozen clock run from its time.
  mutating func resume(at source: Int64) {
    guard let frozenAt else { return }
    (offset, self.frozenAt) = (frozenAt - source, nil)
  }
}

/// How a backend's clock starts, and where a reset takes it back to.
///
/// ```swift
/// let backend = MockBackend(clock: .frozen(at: 1_735_689_600))  // 2025-01-01T00:00:00Z
/// ```
public struct MockClockStart: Sendable, Hashable {
  /// The time at the start, in Unix seconds; nil for the system's time.
  public var time: Int64?
  /// Whether the clock is frozen until it is moved or resumed.
  public var isFrozen: Bool

  /// Creates a start.
  ///
  /// - Parameters:
  ///   - time: the time at the start, in Unix seconds, from 1970 to 2999; other times become the nearest one. Default:
  ///     the system's time.
  ///   - isFrozen: whether the clock is frozen. Default: false.
  public init(at time: Int64? = nil, isFrozen: Bool = false) {
    self.time = time.map { min(max($0, MockClock.times.lowerBound), MockClock.times.upperBound) }
    self.isFrozen = isFrozen
  }

  /// A clock that shows the system's time.
  public static let system = MockClockStart()

  /// A clock that is frozen at a time, in Unix seconds.
  public static func frozen(at time: Int64) -> MockClockStart { MockClockStart(at: time, isFrozen: true) }

  /// A clock that runs from a time, in Unix seconds.
  public static func running(from time: Int64) -> MockClockStart { MockClockStart(at: time) }

  /// The clock that starts now.
  ///
  /// - Parameter source: the system's time.
  func clock(at source: Int64) -> MockClock {
    var clock = MockClock()
    if let time { clock.set(to: time, from: source) }
    if isFrozen { clock.freeze(at: clock.time(at: source)) }
    return clock
  }
}
