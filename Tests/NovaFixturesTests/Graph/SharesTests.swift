import Testing

@testable import NovaFixtures

@Suite struct SharesTests {
  @Test(arguments: [(1, 0), (1, 1), (1, 50), (3, 2), (10, 100), (100, 10), (1000, 20_000)])
  func everyStubHasOneOwner(_ owners: Int, _ stubs: Int) {
    for skew in [Shares.Skew.none, .mild, .strong] {
      let shares = Shares(owners: owners, stubs: stubs, skew)
      let ranges = (0..<owners).map { shares.stubs(of: $0) }
      #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == stubs)
      for rank in 0..<owners {
        if rank > 0 { #expect(ranges[rank].lowerBound == ranges[rank - 1].upperBound) }
        #expect(ranges[rank].allSatisfy { shares.owner(of: $0) == rank }, "\(owners) \(stubs) \(skew) \(rank)")
      }
    }
  }

  @Test func degreesFallWithTheRank() {
    let shares = Shares(owners: 1_000_000, stubs: 10_000_000, .strong)
    #expect(shares.stubs(of: 0).count == 100_000)
    #expect(shares.stubs(of: 999_999).count == 3 || shares.stubs(of: 999_999).count == 4)
  }

  @Test func theLargestFit() {
    let shares = Shares(owners: 100_000_000, stubs: 1 << 31, .strong)
    #expect(shares.owner(of: (1 << 31) - 1) == 99_999_999)
    #expect(shares.stubs(of: 99_999_999).upperBound == 1 << 31)
  }
}
