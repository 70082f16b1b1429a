import NovaFixtureFiles
import NovaFixtures
import NovaMockWorlds
import NovaSDK
import NovaTesting
import Testing

/// Single values: plausible, complete, and the same in every run.
@Suite struct SingleValues {
  @Test func aPostWithAComment() {
    let ada = Fixture.user(seed: Seed(1))
    let post = Fixture.post(by: ada)
    let comment = Fixture.comment(on: post, by: Fixture.user(seed: Seed(2)))
    #expect(post.creatorId == ada.id && comment.postId == post.id)
    #expect(ada.createdAt <= post.createdAt && post.createdAt <= comment.createdAt)
    #expect(Fixture.user(seed: Seed(1)) == ada)
  }
}

/// A whole network, computed from a seed, and a backend that holds it.
@Suite struct AWorld {
  let world: World
  let nova: NovaClient

  init() throws {
    world = try World(seed: Seed(42), users: 200)
    nova = NovaClient.mock(MockBackend(dataSet: .world(world)))
  }

  @Test func whatTheBackendSaysIsWhatTheWorldSays() async throws {
    let star = (0..<200).max { world.user(at: $0).followerCount < world.user(at: $1).followerCount } ?? 0
    let page = try await nova.graph.getFollowers(userId: world.userID(at: star), limit: 5)
    #expect(page.totalCount == world.user(at: star).followerCount)
    #expect(page.userIds == world.followers(ofUserAt: star).prefix(5).map(world.userID))
  }

  @Test func everyPostIsThere() async throws {
    for await post in world.posts where post.status == "published" {
      let found = try await nova.content.getPost(GetPostRequest(postId: post.id))
      #expect(found.post == post)
    }
  }

  /// A test may change what there is; the next one starts anew.
  @Test func changesAreOnTopOfIt() async throws {
    let before = try await nova.graph.getFollowers(userId: "user-1").totalCount
    try await nova.graph.followUser(followerId: "somebody-new", followeeId: "user-1")
    #expect(try await nova.graph.getFollowers(userId: "user-1").totalCount == before + 1)
  }
}

/// What clients tend to get wrong, by name.
@Suite struct Edges {
  @Test(arguments: ["emoji-zwj", "rtl", "control-characters"]) func namesSurvive(_ name: String) throws {
    let edge = try #require(EdgeCase.named(name))
    let profiles = edge.answers.compactMap { ($0.response as? GetUserProfileResponse)?.profile }
    #expect(profiles.allSatisfy { $0.displayName?.isEmpty == false })
  }
}

/// Requests with their answers, for tools that are no Swift.
@Suite struct Exports {
  @Test func stubsForWireMock() async throws {
    let exchanges = try await FixtureExchange.all(of: try World(seed: Seed(42), users: 5))
    let files = FixtureExport.wiremock.files(exchanges)
    #expect(files.contains { $0.path == "mappings/graph.GetFollowers-1.json" })
  }
}
