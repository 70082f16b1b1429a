/// Ids of calls: random UUIDs of version 4.
package enum RequestID {
  static func random(using generator: inout some RandomNumberGenerator) -> String {
    var high = generator.next() as UInt64
    var low = generator.next() as UInt64
    high = high & ~0xF000 | 0x4000
    low = low & ~(3 << 62) | 1 << 63
    let digits = hex(high) + hex(low)
    let ends = [8, 12, 16, 20, 32]
    var parts: [Substring] = []
    var rest = digits[...]
    var taken = 0
    for end in ends {
      parts.append(rest.prefix(end - taken))
      rest = rest.dropFirst(end - taken)
      taken = end
    }
    return parts.joined(separator: "-")
  }

  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  private static func hex(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
