import NovaAuth
import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSQLite
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

@Suite struct OfflineAccountTests {
  let world = OfflineWorld()
  let folder: TemporaryFolder
  let store: OfflineStore
  let sessions: SessionManager
  let client: APIClient
  private let password = "correct horse"

  init() async throws {
    folder = try TemporaryFolder()
    store = OfflineStore(directory: folder.path, clock: world.clock)
    let transport = MockTransport(world.mock.backend)
    let plain = try APIClient.test(transport, token: nil, clock: world.clock)
    sessions = SessionManager(
      store: MemorySessionStore(), auth: AuthService(client: plain), clock: world.clock)
    client = try APIClient.test(transport, tokens: sessions, store: store, clock: world.clock)
    try await sessions.signUp(email: "ada@nova.example", username: "ada", password: password)
  }

  private var offline: OfflineAccess { get throws { try OfflineAccess(store, client: client) } }

  private func stored(_ user: String) async throws -> Bool {
    let request = GetFollowersRequest(userId: user, limit: 5)
    do {
      _ = try await client.respond(GraphRPC.getFollowers, request, options: CallOptions(cache: .cacheOnly))
      return true
    } catch let error as APIError where error.code == .notFound {
      return false
    }
  }

  @Test func forgetsWhatWasReadAtSignOut() async throws {
    let user = try #require(sessions.current?.user.id)
    _ = try await client.respond(GraphRPC.getFollowers, GetFollowersRequest(userId: user, limit: 5))
    #expect(try await stored(user))
    try await sessions.signOut()
    #expect(try await !stored(user))
    try await sessions.signIn(email: "ada@nova.example", password: password)
    #expect(try await !stored(user))
  }

  @Test func sendsWaitingWritesAfterTheNextSignIn() async throws {
    let user = try #require(sessions.current?.user.id)
    let post = CreatePostRequest(creatorId: user, content: "later")
    // Signed out before it is sent.
    try await offline.outbox.stop()
    _ = try await client.respond(ContentRPC.createPost, post, options: CallOptions(delivery: .enqueue))
    try await sessions.signOut()
    #expect(try await offline.outbox.flush().sent == 0)
    try await sessions.signIn(email: "ada@nova.example", password: password)
    #expect(try await offline.outbox.flush().sent == 1)
  }

  @Test func storesNoSecrets() async throws {
    let user = try #require(sessions.current?.user.id)
    let token = try #require(sessions.current?.accessToken.secretValue)
    _ = try await client.respond(GraphRPC.getFollowers, GetFollowersRequest(userId: user, limit: 5))
    _ = try await client.respond(AuthRPC.verifyToken, VerifyTokenRequest(token: token))
    _ = try await client.respond(
      ContentRPC.createPost, CreatePostRequest(creatorId: user, content: "hello"),
      options: CallOptions(delivery: .enqueue))
    await store.end()
    for name in folder.names {
      let text = String(decoding: try folder.bytes(name), as: UTF8.self)
      #expect(!text.contains(token), "\(name)")
      #expect(!text.contains(password), "\(name)")
    }
  }
}
