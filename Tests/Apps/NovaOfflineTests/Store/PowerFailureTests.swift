import Foundation
import NovaContent
import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// What a power failure leaves: `outbox.db` has every transaction that was committed, `cache.db` can have lost its last
/// ones. docs/offline-inside.md has the table.
@Suite struct PowerFailureTests {
  /// The files of a store at one moment.
  private struct DiskImage: Sendable {
    private static let names = ["", "-wal"].flatMap { suffix in ["cache.db", "outbox.db"].map { $0 + suffix } }
    private let files: [String: Data]

    init(of folder: TemporaryFolder) {
      var files: [String: Data] = [:]
      for name in Self.names { files[name] = try? Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")) }
      self.files = files
    }

    /// Puts the files of one database back, while no program uses them.
    func restore(_ database: String, in folder: TemporaryFolder) throws {
      for suffix in ["", "-wal", "-shm"] {
        let url = URL(filePath: "\(folder.path)/\(database)\(suffix)")
        try? FileManager.default.removeItem(at: url)
        try files[database + suffix]?.write(to: url)
      }
    }
  }

  private let world = OfflineWorld()
  private let ada: OfflineWorld.Program
  private let post: String

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    let bob = try world.newUser("bob")
    let request = CreatePostRequest(creatorId: bob.id, content: "hello")
    post = try world.mock.call(ContentRPC.createPost, request, token: bob.token).post?.id ?? ""
  }

  private var like: CreateLikeRequest { CreateLikeRequest(userId: ada.user.id, postId: post) }

  private func likeCount() async throws -> Int64? {
    try await ada.stored(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post))?.value.count
  }

  private func isLiked() async throws -> Bool? {
    let request = CheckUserLikedRequest(userId: ada.user.id, postId: post)
    return try await ada.stored(SocialRPC.checkUserLiked, request)?.value.liked
  }

  /// Reads what the like will change, and returns the files with it.
  private func diskImage() async throws -> DiskImage {
    _ = try await ada.social.getLikeCount(postId: post)
    _ = try await ada.social.checkUserLiked(postId: post, userId: ada.user.id)
    // What was read waits for a moment in memory.
    try await ada.restart()
    return DiskImage(of: ada.folder)
  }

  /// Ends the program, changes its files, and starts it again.
  private func loseTransactions(_ body: (TemporaryFolder) throws -> Void) async throws {
    await ada.store.end()
    try body(ada.folder)
    try await ada.restart()
  }

  /// Sends the like, unless the program has sent it by itself since its start.
  private func send() async throws {
    _ = try await ada.offline.outbox.flush()
    #expect(try await ada.offline.outbox.entries.isEmpty)
  }

  @Test func theEffectOfADeliveredWriteCanBeLostUntilTheGatewayIsAsked() async throws {
    let before = try await diskImage()
    #expect(try await ada.client.respond(SocialRPC.createLike, like).source == .network)
    #expect(try await likeCount() == 1)
    try await loseTransactions { try before.restore("cache.db", in: $0) }
    #expect(try await likeCount() == 0)
    #expect(try await isLiked() == false)
    #expect(try await ada.social.getLikeCount(postId: post) == 1)
    #expect(try await ada.social.checkUserLiked(postId: post, userId: ada.user.id))
    #expect(try await likeCount() == 1)
    #expect(try await isLiked() == true)
  }

  /// The power fails after the gateway has carried out the write, and before its entry is deleted.
  @Test(arguments: [false, true]) func anAnsweredWriteIsSentAgainAndAppliedOnce(cacheIsLost: Bool) async throws {
    let before = try await diskImage()
    ada.set(.down)
    #expect(try await ada.client.respond(SocialRPC.createLike, like).source == .outbox)
    let answered = Locked<DiskImage?>(nil)
    ada.transport.beforeEachAnswer { [folder = ada.folder] _ in
      answered.withLock { $0 = $0 ?? DiskImage(of: folder) }
    }
    ada.set(.up)
    #expect(try await ada.offline.outbox.flush().sent == 1)
    let image = try #require(answered.withLock { $0 })
    let requests = ada.transport.requestCount
    ada.set(.down)
    try await loseTransactions {
      try image.restore("outbox.db", in: $0)
      if cacheIsLost { try before.restore("cache.db", in: $0) }
    }
    // The entry is shown on top of the facts, whether these have its effect or not.
    #expect(try await likeCount() == 1)
    #expect(try await isLiked() == true)
    #expect(try await ada.offline.outbox.entries.map(\.mayHaveLeft) == [true])
    ada.set(.up)
    try await send()
    #expect(ada.transport.requestCount > requests)
    #expect(try await ada.social.getLikeCount(postId: post) == 1)
    #expect(try await likeCount() == 1)
    #expect(try await isLiked() == true)
    #expect(try world.mock.call(SocialRPC.getLikeCount, .init(postId: post), token: ada.user.token).count == 1)
  }

  @Test func aWriteWhoseCallHasReturnedIsShownAndSentAfterTheStart() async throws {
    _ = try await diskImage()
    ada.set(.down)
    #expect(try await ada.client.respond(SocialRPC.createLike, like).source == .outbox)
    let kept = DiskImage(of: ada.folder)
    try await loseTransactions { try kept.restore("outbox.db", in: $0) }
    #expect(try await likeCount() == 1)
    #expect(try await isLiked() == true)
    ada.set(.up)
    try await send()
    #expect(try await likeCount() == 1)
    #expect(try await isLiked() == true)
  }
}
