/// SHA-1 (FIPS 180), which Redis uses as the names of scripts. Not for anything that must be secure.
enum SHA1 {
  /// The digest of `bytes`.
  static func digest(of bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let padded = padded(bytes)
    for block in stride(from: 0, to: padded.count, by: 64) { add(padded[block..<block + 64], to: &state) }
    return state.flatMap(bigEndian)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bitCount = UInt64(bytes.count) * 8
    return padded + bigEndian(UInt32(bitCount >> 32)) + bigEndian(UInt32(truncatingIfNeeded: bitCount))
  }

  private static func bigEndian(_ word: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words: [UInt32] = []
    for start in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for index in 16..<80 {
      words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mix, constant) = round(index, b, rest: (c, d))
      let next = rotate(a, by: 5) &+ mix &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func round(_ index: Int, _ b: UInt32, rest: (c: UInt32, d: UInt32)) -> (UInt32, UInt32) {
    let (c, d) = rest
    switch index {
    case ..<20: return ((b & c) | (~b & d), 0x5A82_7999)
    case ..<40: return (b ^ c ^ d, 0x6ED9_EBA1)
    case ..<60: return ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
    default: return (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
