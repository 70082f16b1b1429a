/// How many events wait, and their bytes.
struct WaitingSize: Sendable, Equatable {
  var count = 0
  var bytes = 0

  /// Adds an event of this size.
  mutating func add(_ bytes: Int) { add(WaitingSize(count: 1, bytes: bytes)) }

  mutating func add(_ size: WaitingSize) {
    count += size.count
    bytes += size.bytes
  }
}
