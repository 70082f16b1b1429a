/// Where values come from: a number for each field of each entity, decided by the seed alone.
struct Entropy: Sendable {
  private let hash: SipHash
  /// What is drawn otherwise than the scheme says; 0, which is no field's tag, for nothing.
  private let changedTag: UInt64

  /// - Parameter changed: a field with other values than the scheme's: for tests that nothing else depends on it.
  init(_ seed: Seed, changing changed: Field? = nil) {
    hash = SipHash(key0: seed.number, key1: UInt64(seed.scheme.rawValue))
    changedTag = changed?.tag ?? 0
  }

  /// - Parameters:
  ///   - field: what is drawn.
  ///   - first: which entity.
  ///   - second: what makes it one of several: the other end of an edge, a place in a list, an attempt.
  @inline(__always)
  func draw(_ field: Field, _ first: Int, _ second: Int = 0) -> Draw {
    let tag = field.tag == changedTag ? ~field.tag : field.tag
    return Draw(bits: hash(tag, UInt64(truncatingIfNeeded: first), UInt64(truncatingIfNeeded: second)))
  }

  /// An order of the numbers below `count`, that of `field`.
  func permutation(_ field: Field, count: Int) -> Permutation {
    Permutation(count: count) { round in draw(field, count, round).bits }
  }
}

/// What a value is drawn for. Its name is part of the scheme: a new name gives new values, and changes no others.
struct Field: Sendable, Hashable {
  let tag: UInt64

  /// FNV-1a of the name.
  init(_ name: StaticString) {
    tag = name.withUTF8Buffer { bytes in
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }
}

/// 64 random bits, and what can be made of them.
struct Draw: Sendable {
  let bits: UInt64

  /// A number from 0 up to, but not including, `bound`; 0 where there is none.
  @inline(__always)
  func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(bits.multipliedFullWidth(by: UInt64(bound)).high) }

  /// Low numbers far more often than high ones.
  @inline(__always)
  func lowBelow(_ bound: Int) -> Int {
    // A number from 0 to 1 in 32 bits, its cube in 64.
    let high = UInt128(bits &>> 32)
    let cube = UInt64(truncatingIfNeeded: (high * high * high) >> 32)
    return Int(cube.multipliedFullWidth(by: UInt64(max(0, bound))).high)
  }

  /// True in so many of a thousand cases.
  @inline(__always)
  func chance(_ permille: Int) -> Bool { below(1000) < permille }

  @inline(__always)
  func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
