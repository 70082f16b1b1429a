import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaOffline
@testable import NovaViewModels

/// Ada's program with an offline store, and its backend, on which Bob has three posts.
@MainActor final class OfflineStage {
  var offline: OfflineAccess { get throws { try OfflineAccess(store, client: client) } }

  struct User {
    let id: String
    let token: String
  }

  let clock = ManualClock(unixTime: Double(MockCaller.start))
  let mock = MockCaller()
  let gateway: HeldGateway
  let ada: User
  let bob: User
  /// Bob's posts, newest first.
  let posts: [String]
  private let folder: TemporaryFolder
  private let token: StoredToken
  private(set) var store: OfflineStore
  private(set) var client: APIClient
  private(set) var model: UserProfileViewModel
  private(set) var capture: CaptureViewModel
  private let pageSize: Int
  private let options: OfflineOptions

  init(pageSize: Int = 50, options: OfflineOptions = OfflineOptions()) async throws {
    self.pageSize = pageSize
    self.options = options
    let mock = mock
    func newUser(_ name: String) throws -> User {
      let request = RegisterRequest(email: "\(name)@nova.example", username: name, password: "correct horse")
      let response = try mock.call(AuthRPC.register, request)
      return User(id: response.userId, token: response.token)
    }
    ada = try newUser("ada")
    bob = try newUser("bob")
    let bob = bob
    posts = try (1...3).map { number in
      mock.advance(seconds: 1)
      let request = CreatePostRequest(creatorId: bob.id, content: "post \(number)")
      return try #require(mock.call(ContentRPC.createPost, request, token: bob.token).post).id
    }.reversed()
    gateway = HeldGateway(mock.backend)
    gateway.open()
    folder = try TemporaryFolder()
    token = StoredToken(try AccessToken(ada.token))
    store = OfflineStore(directory: folder.path, options: options, clock: clock)
    client = try Self.client(of: gateway, token: token, store: store, clock: clock)
    model = UserProfileViewModel(ada.id, client, pageSize: pageSize)
    capture = CaptureViewModel(service: CaptureService(client: client), clock: clock)
  }

  private static func client(
    of gateway: HeldGateway, token: StoredToken, store: any CallStore, clock: ManualClock, isOffline: Bool = false
  ) throws -> APIClient {
    var overrides = ConfigurationOverrides(recognizesIdempotencyKeys: true)
    overrides.isOffline = isOffline
    return try APIClient.test(gateway, overrides: overrides, tokens: token, store: store, clock: clock)
  }

  /// Ends the program, and starts it again with the same directory.
  ///
  /// - Parameter isOffline: whether to start it in offline mode.
  func restart(isOffline: Bool = false) async throws {
    await store.end()
    store = OfflineStore(directory: folder.path, options: options, clock: clock)
    client = try Self.client(of: gateway, token: token, store: store, clock: clock, isOffline: isOffline)
    model = UserProfileViewModel(ada.id, client, pageSize: pageSize)
    capture = CaptureViewModel(service: CaptureService(client: client), clock: clock)
  }

  /// Makes the gateway unreachable.
  func goOffline() { gateway.open { _ in .lost } }

  /// Makes the gateway reachable, and returns when the queued writes have been sent.
  @discardableResult
  func goOnline() async throws -> OutboxSummary {
    gateway.open()
    let summary = try await offline.outbox.flush()
    // Updates what the store shows of the outbox, without waiting for the outbox to announce its change.
    await (try? store.engine)?.writes.showWaiting(nil)
    return summary
  }

  func advance(seconds: Int64) {
    clock.advance(by: .seconds(seconds))
    mock.advance(seconds: seconds)
  }

  /// Loads a profile, and the likes of its posts.
  func load(_ user: User) async {
    await model.loadUserProfile(userId: user.id)
    await model.waitForLikes()
  }

  /// Waits until a condition is true, or the test's time is up.
  func wait(_ isSo: () -> Bool) async { while !isSo(), !Task.isCancelled { await Task.yield() } }

  /// A view model of another program of Ada's, with another store.
  func model(storingIn store: any CallStore) throws -> UserProfileViewModel {
    UserProfileViewModel(
      ada.id, try Self.client(of: gateway, token: token, store: store, clock: clock), pageSize: pageSize)
  }

  /// A view model whose services have their own cache policy.
  func model(_ policy: CachePolicy) -> UserProfileViewModel {
    UserProfileViewModel(
      currentUserId: ada.id, graph: graph.with { $0.cache = policy }, social: social.with { $0.cache = policy },
      content: content.with { $0.cache = policy }, media: MediaService(client: client),
      users: users.with { $0.cache = policy }, pageSize: pageSize)
  }

  /// Removes the store's directory.
  func removeFolder() throws { try folder.remove() }

  var users: UserService { UserService(client: client) }
  var graph: GraphService { GraphService(client: client) }
  var content: ContentService { ContentService(client: client) }
  var social: SocialService { SocialService(client: client) }

  // MARK: At the gateway

  func like(_ post: String, by user: User) throws {
    _ = try mock.call(SocialRPC.createLike, CreateLikeRequest(userId: user.id, postId: post), token: user.token)
  }

  func newPostOfBob(_ content: String) throws {
    mock.advance(seconds: 1)
    _ = try mock.call(
      ContentRPC.createPost, CreatePostRequest(creatorId: bob.id, content: content), token: bob.token)
  }

  func followersOfBob() throws -> [String] {
    try mock.call(GraphRPC.getFollowers, GetFollowersRequest(userId: bob.id, limit: 50), token: bob.token).userIds
  }

  func likeCount(_ post: String) throws -> Int64 {
    try mock.call(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post), token: bob.token).count
  }

  func bookmarksOfAda() throws -> [String] {
    try mock.call(ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: ada.id, limit: 50), token: ada.token)
      .posts.map(\.id)
  }

  func capturesOfAda() throws -> [String?] {
    try mock.call(CaptureRPC.listSomethings, ListSomethingsRequest(skip: 0, limit: 50), token: ada.token)
      .somethings.map(\.content)
  }
}
