internal import CNovaCurl
internal import NovaSupport

/// Time that tests add to a transport's clock, so that hours pass at once.
///
/// The transport reads its clock when something happens. After advancing it, make another request or resume a body.
package final class AddedTime: Sendable, Hashable {
  private let nanoseconds = Locked<Int64>(0)

  package init() {}

  /// Adds to the time that the transport reads from now on.
  package func advance(by duration: Duration) {
    nanoseconds.withLock { $0 = $0.addingClamped(duration.clampedNanoseconds) }
  }

  fileprivate var current: Int64 { nanoseconds.withLock { $0 } }

  package static func == (one: AddedTime, other: AddedTime) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CurlTransport.Options {
  /// The transport's clock, in nanoseconds: the system's monotonic one, plus ``addedTime``.
  var now: Int64 {
    guard let addedTime else { return nova_monotonic_nanoseconds() }
    return nova_monotonic_nanoseconds().addingClamped(addedTime.current)
  }
}
