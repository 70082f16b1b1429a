/// A value in the store, with what loading it took.
struct FleetCacheEntry {
  private static let version: UInt8 = 1

  /// The value.
  let value: [UInt8]
  /// How long loading took, in milliseconds.
  let cost: UInt32
  /// How long the store keeps it from now on, in milliseconds, by the store's own clock.
  var remaining: Int64 = 0

  /// The bytes for the store. Those of a user are sealed.
  func encoded(place: [UInt8], sealing: (any FleetCacheSealing)?) throws -> [UInt8] {
    let payload = try sealing?.seal(value, place: place) ?? value
    let costBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self.cost >> UInt32($0)) }
    return [Self.version, sealing == nil ? 0 : 1] + costBytes + payload
  }

  init(_ value: [UInt8], cost: Duration) {
    self.value = value
    self.cost = UInt32(clamping: Int64(cost / .milliseconds(1)))
  }

  /// Decodes what the store has; nil if it is of another version, changed, or sealed with a lost key.
  init?(_ bytes: [UInt8], remaining: Int64, place: [UInt8], sealing: (any FleetCacheSealing)?) {
    guard bytes.count >= 6, bytes[0] == Self.version, bytes[1] == (sealing == nil ? 0 : 1) else { return nil }
    cost = bytes[2..<6].reduce(0) { $0 << 8 | UInt32($1) }
    let payload = Array(bytes[6...])
    if let sealing {
      guard let opened = try? sealing.open(payload, place: place) else { return nil }
      value = opened
    } else {
      value = payload
    }
    self.remaining = remaining
  }
}
