/// A point in time of a ``CallClock``, in the form that calls store and compare.
///
/// The standard library hides the layout of `ContinuousClock.Instant`: a struct that contains one has no static layout,
/// and functions allocate and copy it through witness tables. This type is a number.
package struct Moment: Sendable, Hashable {
  /// The origin of all moments; any instant will do.
  private static let origin = ContinuousClock.now
  private let sinceOrigin: Duration

  private init(sinceOrigin: Duration) { self.sinceOrigin = sinceOrigin }

  /// The moment of an instant.
  @inline(never)
  package init(_ instant: ContinuousClock.Instant) { sinceOrigin = Self.origin.duration(to: instant) }

  /// The moment as the standard library's type.
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
  /// The instant as a moment.
  package var moment: Moment {
    @inline(never) get { Moment(now) }
  }
}
