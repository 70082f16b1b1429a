import Testing

@testable import NovaFixtures

@Suite struct HashingTests {
  /// Of 24 bytes 00 01 02 … under the key 00 01 … 0f, from the authors' list of test vectors.
  @Test func itIsSipHash() {
    let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
    #expect(hash((0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908, 0x1716_1514_1312_1110)) == 0xb8ad_50c6_f649_af94)
  }

  @Test func fieldsAreFNV() {
    // The published value of FNV-1a, 64 bits, of "foobar".
    #expect(Field("foobar").tag == 0x8594_4171_f739_67e8)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 100, 127, 128, 129, 1000, 4095, 4097])
  func permutationsAreInvertible(_ count: Int) {
    let order = Entropy(Seed(7)).permutation(Field("test"), count: count)
    let places = (0..<count).map { order($0) }
    #expect(places.sorted() == Array(0..<count))
    #expect(places.map { order.inverse($0) } == Array(0..<count))
  }

  @Test func permutationsDifferBySeedFieldAndCount() {
    func order(_ seed: UInt64, _ field: Field, count: Int) -> [Int] {
      let order = Entropy(Seed(seed)).permutation(field, count: count)
      return (0..<50).map { order($0) }
    }
    let orders = [
      order(1, "a", count: 100), order(2, "a", count: 100), order(1, "b", count: 100), order(1, "a", count: 101),
    ]
    #expect(Set(orders).count == 4)
  }

  /// 1,000 numbers of 16 kinds: each comes up about as often as the others (χ², 15 degrees, p > 0.0001).
  @Test(arguments: 0..<20) func drawsAreEven(_ seed: UInt64) {
    var counts = [Int](repeating: 0, count: 16)
    for entity in 0..<16_000 { counts[Entropy(Seed(seed)).draw("even", for: entity).below(16)] += 1 }
    let chiSquare = counts.reduce(0) { $0 + Double(($1 - 1000) * ($1 - 1000)) / 1000 }
    #expect(chiSquare < 44, "\(counts)")
  }

  @Test func drawsStayInTheirRange() {
    for bits in [0, 1, UInt64.max / 2, UInt64.max] {
      let draw = Draw(bits: bits)
      for bound in [0, 1, 2, 1000, Int.max] {
        #expect(draw.below(bound) >= 0 && draw.below(bound) < max(1, bound))
        #expect(draw.lowBelow(bound) >= 0 && draw.lowBelow(bound) < max(1, bound))
      }
    }
  }

  /// The cube of an even number from 0 to 1 is 1/4 on average, and below 1/8 in half of the cases.
  @Test func lowNumbersComeMoreOftenAndHighOnesToo() {
    let numbers = (0..<10_000).map { Entropy(Seed(3)).draw("low", for: $0).lowBelow(1000) }.sorted()
    #expect((235...265).contains(numbers.reduce(0, +) / numbers.count))
    #expect((110...140).contains(numbers[5000]) && numbers[9_900] > 950 && numbers[50] == 0)
  }
}

extension Field: ExpressibleByStringLiteral {
  public init(stringLiteral value: StaticString) { self.init(value) }
}
