/// UUIDs that are made of what they stand for, and so are the same in every export (RFC 9562, version 8).
enum StableUUID {
  /// The UUID of a text.
  static func of(_ text: String) -> String {
    var bits = hash(text)
    bits = bits & ~(0xF << 76) | 8 << 76
    bits = bits & ~(0x3 << 62) | 2 << 62
    let digits = String(bits, radix: 16)
    let all = Array(String(repeating: "0", count: 32 - digits.count) + digits)
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { String(all[$0]) }.joined(separator: "-")
  }

  /// FNV-1a with 128 bits.
  private static func hash(_ text: String) -> UInt128 {
    text.utf8.reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d) {
      ($0 ^ UInt128($1)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
  }
}
