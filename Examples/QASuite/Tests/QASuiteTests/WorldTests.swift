import NovaFixtures
import NovaMockWorlds
import NovaSDK
import Testing

/// Many plausible networks: what holds for one user must hold for all.
@Suite struct Worlds {
  @Test(arguments: [1, 42, 2_025]) func totalsMatchLists(_ seed: UInt64) async throws {
    let world = try World(seed: Seed(seed), users: 60)
    let nova = NovaClient.mock(MockBackend(dataSet: .world(world)))
    for index in 0..<60 {
      let user = world.user(at: index)
      let page = try await nova.graph.getFollowers(userId: user.id, limit: 1_000)
      #expect(page.userIds == world.followers(ofUserAt: index).map(world.userID))
      #expect(page.totalCount == user.followerCount, "a failure is reproducible: seed \(seed), user \(user.id)")
    }
  }

  /// Names that clients tend to cut, mirror or reject.
  @Test(arguments: EdgeCase.all.map(\.name)) func edgeCasesAreReadable(_ name: String) throws {
    let edge = try #require(EdgeCase.named(name))
    #expect(!edge.answers.isEmpty && !edge.summary.isEmpty)
  }
}
