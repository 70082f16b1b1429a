/// The source of all values: a number for each field of each entity, determined by the seed alone.
struct Entropy: Sendable {
  private let hash: SipHash
  /// The tag of a field with changed values; 0, which no field has, for none.
  private let changedTag: UInt64

  /// - Parameter changed: a field to change, for tests that verify that no other field depends on it.
  init(_ seed: Seed, changing changed: Field? = nil) {
    hash = SipHash(key0: seed.number, key1: UInt64(seed.scheme.rawValue))
    changedTag = changed?.tag ?? 0
  }

  /// - Parameters:
  ///   - field: the field.
  ///   - first: the number of the entity.
  ///   - second: distinguishes several draws: the other end of an edge, an index in a list, an attempt. Default: 0.
  @inline(__always)
  func draw(_ field: Field, for first: Int, _ second: Int = 0) -> Draw {
    let tag = field.tag == changedTag ? ~field.tag : field.tag
    return Draw(bits: hash((tag, UInt64(truncatingIfNeeded: first), UInt64(truncatingIfNeeded: second))))
  }

  /// Returns the permutation of 0..<count for a field.
  func permutation(_ field: Field, count: Int) -> Permutation {
    Permutation(count: count) { round in draw(field, for: count, round).bits }
  }
}

/// A field that values are drawn for. Its name is part of the scheme: a new name gives new values and changes no
/// others.
struct Field: Sendable, Hashable {
  let tag: UInt64

  /// FNV-1a of the name.
  init(_ name: StaticString) {
    tag = name.withUTF8Buffer { bytes in
      bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
  }
}

/// 64 random bits with conversions to other values.
struct Draw: Sendable {
  let bits: UInt64

  /// Returns a number in 0..<bound; 0 if the range is empty.
  @inline(__always)
  func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(bits.multipliedFullWidth(by: UInt64(bound)).high) }

  /// Returns a number in 0..<bound; low numbers are far more frequent than high ones.
  @inline(__always)
  func lowBelow(_ bound: Int) -> Int {
    // A number from 0 to 1 in 32 bits, its cube in 64.
    let high = UInt128(bits &>> 32)
    let cube = UInt64(truncatingIfNeeded: (high * high * high) >> 32)
    return Int(cube.multipliedFullWidth(by: UInt64(max(0, bound))).high)
  }

  /// Returns true with a probability in permille.
  @inline(__always)
  func chance(_ permille: Int) -> Bool { below(1000) < permille }

  @inline(__always)
  func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
