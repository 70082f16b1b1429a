/// Repeatable choices that depend on an input: where to cut it, for example.
struct Choices: RandomNumberGenerator {
  private var state: UInt64

  init(_ bytes: [UInt8], salt: UInt64 = 0) {
    // FNV-1a.
    state = bytes.reduce(0xcbf2_9ce4_8422_2325 ^ salt) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  // SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// Cuts `bytes` into pieces, mostly short ones.
  mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let longest = [1, 3, 20, 200, 5000][Int.random(in: 0..<5, using: &self)]
      let piece = rest.prefix(Int.random(in: 1...longest, using: &self))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
