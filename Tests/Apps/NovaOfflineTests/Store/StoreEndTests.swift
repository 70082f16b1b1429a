import Foundation
import NovaAuth
import NovaContent
import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// The end of a store, and of a client that is dropped.
@Suite(.hangLimit) struct StoreEndTests {
  private let world = OfflineWorld()

  @Test(arguments: [true, false]) func nothingIsOpenedAfterTheEnd(isShutDown: Bool) async throws {
    let ada = try world.program(of: world.newUser("ada"))
    let create = CreatePostRequest(creatorId: ada.user.id, content: "x")
    let post = try #require(try await ada.client.respond(ContentRPC.createPost, create).value.post).id
    let (store, client, outbox) = (ada.store, ada.client, try ada.offline.outbox)
    if isShutDown { await client.shutdown() } else { await store.end() }
    for name in ada.folder.names { try FileManager.default.removeItem(atPath: "\(ada.folder.path)/\(name)") }

    let read = GetPostRequest(postId: post)
    var errors: [APIError?] = []
    for cache in [CachePolicy.networkFirst(), .cacheFirst(), .cacheOnly, .networkOnly] {
      errors.append(
        await apiError { try await client.respond(ContentRPC.getPost, read, options: CallOptions(cache: cache)) })
    }
    for delivery in [DeliveryPolicy.automatic, .immediate, .enqueue] {
      errors.append(
        await apiError {
          try await client.respond(ContentRPC.createPost, create, options: CallOptions(delivery: delivery))
        })
    }
    errors.append(await apiError { try await outbox.entries })
    errors.append(await apiError { try await outbox.retryAll() })
    errors.append(await apiError { try await outbox.discard(1) })
    errors.append(await apiError { try await store.cacheInfo() })
    errors.append(await apiError { try await store.clearCache() })
    for error in errors {
      #expect(error?.code == .cancelled)
      #expect(error?.message.contains("the client was shut down; nothing was sent") == true)
    }
    #expect(await outbox.flush() == OutboxSummary())
    await outbox.load()
    await store.forget(Identity(gateway: "", caller: .user(ada.user.id)))
    for await _ in outbox.states {}
    await store.end()
    #expect(ada.folder.names.isEmpty)
  }

  /// The transport does not listen to cancellation.
  @Test func theEndDoesNotWaitForAnAttemptThatHangs() async throws {
    let ada = try world.program(of: world.newUser("ada"))
    let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
    let held = Locked<CheckedContinuation<Void, Never>?>(nil)
    ada.transport.beforeEach { _ in
      await withCheckedContinuation { continuation in
        held.withLock { $0 = continuation }
        arrival.yield()
      }
    }
    let like = CreateLikeRequest(userId: ada.user.id, postId: "p")
    _ = try await ada.client.respond(SocialRPC.createLike, like, options: CallOptions(delivery: .enqueue))
    for await _ in arrived { break }
    let ticking = world.tick()
    await ada.store.end()
    ticking.cancel()
    held.withLock { $0 }?.resume()
  }

  /// What a program has dropped without a shutdown.
  private final class Remains: Sendable {
    private struct References {
      weak var client: APIClient?
      weak var store: OfflineStore?
      weak var engine: OfflineEngine?
      weak var sender: OutboxEngine?
      weak var file: OutboxStore?
      weak var cache: OfflineCache?
      weak var connectivity: Connectivity?
    }

    private let references: Locked<References>

    init(_ client: APIClient, _ store: OfflineStore) throws {
      let engine = try store.engine
      references = Locked(
        References(
          client: client, store: store, engine: engine, sender: engine.outbox,
          file: engine.outbox.store, cache: engine.cache, connectivity: try store.part(of: client).part.connectivity))
    }

    var names: [String] {
      references.withLock { references in
        let all: [(String, AnyObject?)] = [
          ("client", references.client), ("store", references.store), ("engine", references.engine),
          ("sender", references.sender), ("file", references.file),
          ("cache", references.cache), ("connectivity", references.connectivity),
        ]
        return all.compactMap { $0.1 == nil ? nil : $0.0 }
      }
    }
  }

  /// Makes a client that reads, writes and observes, and drops it.
  private func useAndDrop(_ tokens: any TokenProvider, user: String, in folder: TemporaryFolder) async throws
    -> Remains
  {
    let connection = Locked(Connection.up)
    let store = OfflineStore(directory: folder.path, clock: world.clock)
    let client = try APIClient.test(
      CuttableTransport(world.mock.backend, connection, clock: world.clock), tokens: tokens, store: store,
      clock: world.clock)
    let create = CreatePostRequest(creatorId: user, content: "x")
    let post = try #require(try await client.respond(ContentRPC.createPost, create).value.post).id
    _ = try await client.respond(ContentRPC.getPost, GetPostRequest(postId: post))
    connection.withLock { $0 = .down }
    let update = UpdatePostRequest(postId: post, content: "y")
    #expect(try await client.respond(ContentRPC.updatePost, update).source == .outbox)
    let offline = try OfflineAccess(store, client: client)
    for await post in try offline.observe(Post.self, id: post) where post?.value.content == "y" { break }
    for await state in offline.outbox.states where state.waiting == 1 { break }
    for await isOnline in offline.connectivity.changes where !isOnline { break }
    return try Remains(client, store)
  }

  @Test func aDroppedClientLeavesNothingBehind() async throws {
    let ada = try world.newUser("ada")
    let folder = try TemporaryFolder()
    let remains = try await useAndDrop(StoredToken(try AccessToken(ada.token)), user: ada.id, in: folder)
    try await waitUntil { remains.names.isEmpty }
    #expect(remains.names.isEmpty)
  }

  /// The session can live longer than the client.
  @Test func aSessionDoesNotKeepItsClient() async throws {
    let plain = try APIClient.test(MockTransport(world.mock.backend), token: nil, clock: world.clock)
    let sessions = SessionManager(
      store: MemorySessionStore(), auth: AuthService(client: plain), clock: world.clock)
    try await sessions.signUp(email: "ada@nova.example", username: "ada", password: "correct horse")
    let folder = try TemporaryFolder()
    let user = try #require(sessions.current?.user.id)
    let remains = try await useAndDrop(sessions, user: user, in: folder)
    try await waitUntil { remains.names.isEmpty }
    #expect(remains.names.isEmpty)
    try await sessions.signOut()
  }
}
