import Testing

@testable import NovaFixtures

@Suite struct BlockTests {
  @Test func aBlockCountsFromBothSides() {
    let graph = FollowGraph(Entropy(Seed(1)), users: 500, followsPerUser: 2)
    var count = 0
    for user in 0..<500 {
      for blocked in graph.blocks.targets(of: user) {
        count += 1
        #expect(graph.isBlockedEitherWay(user, blocked) && graph.isBlockedEitherWay(blocked, user))
      }
    }
    #expect(count > 0)
  }

  @Test func zeroProbabilityNeverOccurs() {
    #expect(!Draw(bits: 0).chance(0) && Draw(bits: .max).chance(1000))
    #expect(Draw(bits: 0).chance(1) && !Draw(bits: .max).chance(999))
  }
}
