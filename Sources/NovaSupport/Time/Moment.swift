/// A moment on a ``CallClock``, for everything that calls carry and compare.
///
/// The standard library hides the size of `ContinuousClock.Instant`. A struct with one has no layout before the program
/// runs, and a function with one allocates and copies it by way of tables. This is a number.
package struct Moment: Sendable, Hashable {
  /// Any will do; all moments are counted from this one.
  private static let origin = ContinuousClock.now
  private let sinceOrigin: Duration

  private init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

  /// The moment of an instant.
  @inline(never)
  package init(_ instant: ContinuousClock.Instant) { sinceOrigin = Self.origin.duration(to: instant) }

  /// The same moment for the standard library.
  package var instant: ContinuousClock.Instant {
    @inline(never) get { Self.origin.advanced(by: sinceOrigin) }
  }
}

extension Moment: InstantProtocol {
  package func advanced(by duration: Duration) -> Moment { Moment(sinceOrigin: sinceOrigin + duration) }
  package func duration(to other: Moment) -> Duration { other.sinceOrigin - sinceOrigin }
  package static func < (left: Moment, right: Moment) -> Bool { left.sinceOrigin < right.sinceOrigin }
}

extension CallClock {
  /// The moment it is.
  package var moment: Moment {
    @inline(never) get { Moment(now) }
  }
}
