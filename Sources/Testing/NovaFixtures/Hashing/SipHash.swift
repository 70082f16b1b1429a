/// SipHash-2-4 of three words with a key of two (Aumasson, Bernstein 2012): fast on short input, the same on every
/// machine, and available in other languages.
struct SipHash: Sendable {
  private let key: (UInt64, UInt64)

  init(key0: UInt64, key1: UInt64) { key = (key0, key1) }

  @inline(__always)
  func callAsFunction(_ words: (UInt64, UInt64, UInt64)) -> UInt64 {
    var state = State(key.0, key.1)
    state.absorb(words.0)
    state.absorb(words.1)
    state.absorb(words.2)
    // The last word is the length in its top byte: 24 bytes, and none left over.
    state.absorb(24 << 56)
    return state.finish()
  }

  private struct State {
    private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)

    @inline(__always)
    init(_ key0: UInt64, _ key1: UInt64) {
      v0 = key0 ^ 0x736f_6d65_7073_6575
      v1 = key1 ^ 0x646f_7261_6e64_6f6d
      v2 = key0 ^ 0x6c79_6765_6e65_7261
      v3 = key1 ^ 0x7465_6462_7974_6573
    }

    @inline(__always)
    mutating func absorb(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
      v2 ^= 0xff
      round()
      round()
      round()
      round()
      return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func round() {
      v0 &+= v1
      v1 = v1.rotated(13) ^ v0
      v0 = v0.rotated(32)
      v2 &+= v3
      v3 = v3.rotated(16) ^ v2
      v0 &+= v3
      v3 = v3.rotated(21) ^ v0
      v2 &+= v1
      v1 = v1.rotated(17) ^ v2
      v2 = v2.rotated(32)
    }
  }
}

extension UInt64 {
  @inline(__always)
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { self &<< bits | self &>> (64 &- bits) }
}
