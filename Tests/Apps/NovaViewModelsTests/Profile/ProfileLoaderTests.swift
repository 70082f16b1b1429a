import NovaContent
import NovaCore
import NovaFixtures
import NovaGraph
import NovaMock
import NovaMockWorlds
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

@Suite struct ProfileLoaderTests {
  private func loader(_ transport: any HTTPTransport, pageSize: Int = 50) throws -> ProfileLoader {
    let client = try APIClient.test(transport, token: nil)
    return ProfileLoader(
      users: UserService(client: client), graph: GraphService(client: client), content: ContentService(client: client),
      social: SocialService(client: client), pageSize: pageSize)
  }

  @Test func aServerNeedsNoMainActor() async throws {
    let loaded = await (try loader(MockTransport(MockBackend()))).load(userId: "mock-user-id", viewerId: "user-0001")
    #expect(try loaded.profile.get().username == "bruce_li")
    #expect(try loaded.followers.get().totalCount == 3021)
    #expect(try loaded.posts.get().items.count == 50)
    #expect(try loaded.isFollowed.get() != nil)
    #expect(loaded.failures.isEmpty)
  }

  /// For every user, the loaded profile is that of the world.
  @Test(arguments: 0..<20) func itLoadsWhatThereIs(_ user: Int) async throws {
    let world = try World(seed: Seed(7), users: 20)
    let loader = try loader(MockTransport(MockBackend(dataSet: .world(world))), pageSize: 100)
    let loaded = await loader.load(userId: world.userID(at: user), viewerId: world.userID(at: 0))
    #expect(try loaded.profile.get() == world.user(at: user))
    #expect(try loaded.followers.get().items == world.followers(ofUserAt: user).map(world.userID))
    #expect(try loaded.following.get().items == world.following(ofUserAt: user).map(world.userID))
    #expect(try loaded.posts.get().items == world.publishedPosts(ofUserAt: user).reversed().map(world.post))
    #expect(try loaded.saved.get().items.map(\.id) == world.bookmarks(ofUserAt: user).map(world.postID))
  }

  @Test func eachPartFailsAlone() async throws {
    let gateway = HeldGateway(MockBackend())
    gateway.open { $0.name == "followers" ? .lost : .answered }
    let loaded = await (try loader(gateway)).load(userId: "mock-user-id")
    #expect(loaded.failures.map(\.part) == [.followers])
    #expect(try loaded.isFollowed.get() == nil, "nobody asked")
  }

  @Test func cancellingEndsAllParts() async throws {
    let gateway = HeldGateway(MockBackend(dataSet: .empty))
    gateway.shut()
    let loader = try loader(gateway)
    let task = Task { await loader.load(userId: "ada", viewerId: "bob") }
    await gateway.waitForCalls(6)
    task.cancel()
    #expect(await task.value.failures.count == 6)
  }

  @Test(arguments: [(0, 1), (-5, 1), (7, 7), (1000, 100)]) func pageSizesAreBounded(_ asked: Int, _ got: Int) throws {
    #expect(try loader(MockTransport(), pageSize: asked).pageSize == got)
  }

  @Test func likedPostsThatAreGoneAreLeftOut() async throws {
    let backend = MockBackend(dataSet: .random(users: 5, followsPerUser: 1, postsPerUser: 4, likesPerPost: 3))
    let loader = try loader(MockTransport(backend), pageSize: 3)
    let page = try await loader.page(of: .liked, userId: "user-1")
    #expect(page.coveredCount <= 3)
    #expect(page.items.count <= page.coveredCount)
  }
}
