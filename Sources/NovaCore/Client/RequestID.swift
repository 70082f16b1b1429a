#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ids of calls: random UUIDs of version 4.
package enum RequestID {
  static func random(using generator: inout some RandomNumberGenerator) -> String {
    text(generator.next(), generator.next())
  }

  package static func random() -> String {
    // Both halves with one system call; each costs more than all the rest.
    var words: (UInt64, UInt64) = (0, 0)
    if getentropy(&words, MemoryLayout.size(ofValue: words)) == 0 { return text(words.0, words.1) }
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  private static func text(_ high: UInt64, _ low: UInt64) -> String {
    let high = high & ~0xF000 | 0x4000
    let low = low & ~(3 << 62) | 1 << 63
    return String(unsafeUninitializedCapacity: 36) { bytes in
      var place = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          bytes[place] = UInt8(ascii: "-")
          place += 1
        }
        let value = UInt8(truncatingIfNeeded: (digit < 16 ? high : low) >> UInt64(60 - digit % 16 * 4)) & 0xF
        bytes[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
        place += 1
      }
      return place
    }
  }
}
