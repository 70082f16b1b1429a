import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaMock
import NovaMockWorlds
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

/// A view model with its gateway, and services with which a test reads the backend directly.
@MainActor struct Stage {
  let gateway: HeldGateway
  let model: UserProfileViewModel
  let graph: GraphService
  let social: SocialService
  let content: ContentService
  let users: UserService

  /// - Parameters:
  ///   - viewer: the viewer's ID.
  ///   - pageSize: the page size of the view model.
  init(
    viewer: String? = "user-1", pageSize: Int = 50,
    dataSet: MockDataSet = .random(users: 12, followsPerUser: 4, postsPerUser: 7, likesPerPost: 3), seed: UInt64 = 1
  ) throws {
    let backend = MockBackend.seeded(seed, dataSet: dataSet)
    gateway = HeldGateway(backend)
    model = UserProfileViewModel(viewer, try APIClient.test(gateway, token: nil), pageSize: pageSize)
    let client = try APIClient.test(MockTransport(backend), token: nil)
    graph = GraphService(client: client)
    social = SocialService(client: client)
    content = ContentService(client: client)
    users = UserService(client: client)
  }

  /// Loads a profile, and the likes of its posts.
  func load(_ userId: String) async {
    await model.loadUserProfile(userId: userId)
    await model.waitForLikes()
  }

  /// The ID of a user whom user-1 does not follow.
  func stranger() async throws -> String {
    let following = try await graph.getFollowing(userId: "user-1", limit: 100).userIds
    return try #require((2...12).map { "user-\($0)" }.first { !following.contains($0) })
  }

  /// Waits until all tasks that can continue have done so.
  func settle() async { for _ in 0..<20 { await Task.yield() } }
}

extension UserProfileViewModel {
  /// A view model whose services all use one client.
  convenience init(_ viewer: String?, _ client: APIClient, pageSize: Int = 50) {
    self.init(
      currentUserId: viewer, graph: GraphService(client: client), social: SocialService(client: client),
      content: ContentService(client: client), media: MediaService(client: client), users: UserService(client: client),
      pageSize: pageSize)
  }
}
