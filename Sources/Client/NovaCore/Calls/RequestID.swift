import NovaLibc

/// Ids of calls: random UUIDs of version 4.
package enum RequestID {
  static func random(using generator: inout some RandomNumberGenerator) -> String {
    text(generator.next(), generator.next())
  }

  package static func random() -> String {
    let (high, low) = supply.withLock { ($0.next(), $0.next()) }
    return text(high, low)
  }

  /// Random bytes of the system for 16 ids at once: a system call costs more than all the rest of an id.
  private struct Supply: RandomNumberGenerator {
    private var words: [UInt64] = []

    mutating func next() -> UInt64 {
      if words.isEmpty { refill() }
      return words.popLast() ?? 0
    }

    @inline(never)
    private mutating func refill() {
      words = Array(repeating: 0, count: 32)
      let status = words.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { getentropy($0, bytes.count) } ?? -1
      }
      guard status != 0 else { return }
      var generator = SystemRandomNumberGenerator()
      for index in words.indices { words[index] = generator.next() }
    }
  }

  private static let supply = Locked(Supply())

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    let high = high & ~0xF000 | 0x4000
    let low = low & ~(3 << 62) | 1 << 63
    return String(unsafeUninitializedCapacity: 36) { bytes in
      let digits: StaticString = "0123456789abcdef"
      var place = 0
      for index in 0..<16 {
        if index == 4 || index == 6 || index == 8 || index == 10 {
          bytes[place] = UInt8(ascii: "-")
          place += 1
        }
        let byte = Int(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - index % 8 * 8)) & 0xFF
        bytes[place] = digits.utf8Start[byte >> 4]
        bytes[place + 1] = digits.utf8Start[byte & 0xF]
        place += 2
      }
      return place
    }
  }
}
