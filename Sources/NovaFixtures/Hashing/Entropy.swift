/// Where values come from: a number for each field of each entity, decided by the seed alone.
struct Entropy: Sendable {
  private let hash: SipHash

  init(_ seed: Seed) { hash = SipHash(key0: seed.number, key1: UInt64(seed.scheme.rawValue)) }

  /// - Parameters:
  ///   - field: what is drawn.
  ///   - first: which entity.
  ///   - second: what makes it one of several: the other end of an edge, a place in a list, an attempt.
  @inline(__always)
  func draw(_ field: Field, _ first: Int, _ second: Int = 0) -> Draw {
    Draw(bits: hash(field.tag, UInt64(truncatingIfNeeded: first), UInt64(truncatingIfNeeded: second)))
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
    let high = UInt128(bits &>> 32)
    return Int(high * high * high * UInt128(max(0, bound)) >> 96)
  }

  /// True in so many of a thousand cases.
  @inline(__always)
  func chance(_ permille: Int) -> Bool { below(1000) < permille }

  @inline(__always)
  func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
