import Testing

@testable import NovaFixtures

@Suite struct RankDistributionTests {
  @Test(arguments: [(1, 0), (1, 1), (1, 50), (3, 2), (10, 100), (100, 10), (1000, 20_000)])
  func everyItemHasOneOwner(_ owners: Int, _ items: Int) {
    for skew in [RankDistribution.Skew.none, .mild, .strong] {
      let distribution = RankDistribution(owners: owners, items: items, skew)
      let ranges = (0..<owners).map { distribution.items(of: $0) }
      #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == items)
      for rank in 0..<owners {
        if rank > 0 { #expect(ranges[rank].lowerBound == ranges[rank - 1].upperBound) }
        #expect(ranges[rank].allSatisfy { distribution.owner(of: $0) == rank }, "\(owners) \(items) \(skew) \(rank)")
      }
    }
  }

  @Test func degreesFallWithTheRank() {
    let distribution = RankDistribution(owners: 1_000_000, items: 10_000_000, .strong)
    #expect(distribution.items(of: 0).count == 100_000)
    #expect(distribution.items(of: 999_999).count == 3 || distribution.items(of: 999_999).count == 4)
  }

  @Test func theLargestFit() {
    let distribution = RankDistribution(owners: 100_000_000, items: 1 << 31, .strong)
    #expect(distribution.owner(of: (1 << 31) - 1) == 99_999_999)
    #expect(distribution.items(of: 99_999_999).upperBound == 1 << 31)
  }
}
