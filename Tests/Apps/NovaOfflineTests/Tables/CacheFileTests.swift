import NovaContent
import NovaCore
import NovaGraph
import NovaLibc
import NovaMock
import NovaSQLite
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// Files that cannot be used, and what they do to calls.
@Suite struct CacheFileTests {
  let world = OfflineWorld()
  let user: OfflineWorld.User
  let folder: TemporaryFolder
  private let rpc = GraphRPC.getFollowers
  private var request: GetFollowersRequest { GetFollowersRequest(userId: user.id, limit: 10) }

  init() throws {
    user = try world.newUser("ada")
    folder = try TemporaryFolder()
  }

  private func program() throws -> OfflineWorld.Program { try world.program(of: user, folder: folder) }

  private func readOnce() async throws {
    let program = try program()
    _ = try await program.client.respond(rpc, request)
    await program.store.end()
  }

  @Test func recreatesADamagedFile() async throws {
    try await readOnce()
    for name in folder.names where name.hasPrefix("cache.db-") { unlink("\(folder.path)/\(name)") }
    _ = try folder.write([UInt8](repeating: 7, count: 8192), to: "cache.db")
    let program = try program()
    #expect(try await program.stored(rpc, request) == nil)
    #expect(try await program.store.cacheInfo().problem?.contains("begun anew") == true)
    _ = try await program.client.respond(rpc, request)
    #expect(try await program.stored(rpc, request) != nil)
  }

  /// Opening reads only the first pages.
  @Test func beginsAFileWithADamagedPageAnew() async throws {
    let text = String(repeating: "x", count: 4_000)
    let first = try program()
    for number in 1...50 {
      _ = try await first.content.createPost(creatorId: user.id, content: "\(number) \(text)")
    }
    let posts = GetPostsByAuthorRequest(authorId: user.id, limit: 50)
    _ = try await first.client.respond(ContentRPC.getPostsByAuthor, posts)
    await first.store.end()
    for name in folder.names where name.hasPrefix("cache.db-") { unlink("\(folder.path)/\(name)") }
    var bytes = try folder.bytes("cache.db")
    for index in 40 * 4096..<bytes.count - 4096 { bytes[index] = 0xA5 }
    _ = try folder.write(bytes, to: "cache.db")

    let program = try program()
    // The first read finds the damage; the next one finds nothing stored.
    _ = try? await program.stored(ContentRPC.getPostsByAuthor, posts)
    #expect(try await program.stored(ContentRPC.getPostsByAuthor, posts) == nil)
    #expect(try await program.store.cacheInfo().problem?.contains("begun anew") == true)
    #expect(try await program.client.respond(ContentRPC.getPostsByAuthor, posts).source == .network)
    #expect(try await program.stored(ContentRPC.getPostsByAuthor, posts) != nil)
  }

  @Test func hidesWhatAWriteThatCannotBeStoredHasChanged() async throws {
    let program = try program()
    let post = try await program.content.createPost(creatorId: user.id, content: "before").id
    let database = try SQLiteConnection(opening: "\(folder.path)/cache.db")
    try database.execute(
      """
      CREATE TRIGGER no_write BEFORE UPDATE ON partitions BEGIN SELECT raise(ABORT, 'no write'); END;
      CREATE TRIGGER no_removal BEFORE DELETE ON records BEGIN SELECT raise(ABORT, 'no removal'); END
      """)
    _ = try await program.content.updatePost(postId: post, content: "after")
    // The facts cannot be removed either: the file is recreated.
    #expect(try await program.stored(ContentRPC.getPost, GetPostRequest(postId: post)) == nil)
    #expect(try await program.content.getPost(postId: post)?.content == "after")
    #expect(try await program.stored(ContentRPC.getPost, GetPostRequest(postId: post))?.value.post?.content == "after")
    #expect(try await program.store.cacheInfo().problem == nil)
  }

  @Test func returnsTheFreshAnswerWhenItCannotBeStored() async throws {
    let program = try program()
    let post = try await program.content.createPost(creatorId: user.id, content: "before").id
    _ = try await program.content.getPost(postId: post)
    _ = try await program.client.respond(
      ContentRPC.createPost, CreatePostRequest(creatorId: user.id, content: "waits"),
      options: CallOptions(delivery: .enqueue))
    let database = try SQLiteConnection(opening: "\(folder.path)/cache.db")
    try database.execute(
      "CREATE TRIGGER no_write BEFORE UPDATE ON records BEGIN SELECT raise(ABORT, 'no write'); END")
    let change = UpdatePostRequest(postId: post, content: "after")
    _ = try world.mock.call(ContentRPC.updatePost, change, token: user.token)
    let response = try await program.client.respond(
      ContentRPC.getPost, GetPostRequest(postId: post), options: CallOptions(cache: .networkOnly))
    #expect(response.value.post?.content == "after")
    #expect(response.source == .network)
  }

  @Test func usesTheNewFileWhenAnotherProcessHasBegunOne() async throws {
    let program = try program()
    _ = try await program.client.respond(rpc, request)
    #expect(try await program.stored(rpc, request) != nil)
    for name in folder.names where name.hasPrefix("cache.db") { unlink("\(folder.path)/\(name)") }
    #expect(try await program.stored(rpc, request) == nil)
    _ = try await program.client.respond(rpc, request)
    #expect(try await program.stored(rpc, request) != nil)
    #expect(folder.names.contains("cache.db"))
  }

  /// Numbers of confirmed writes begin again with a new file.
  @Test func storesWhatIsNewerThanTheRepair() async throws {
    let program = try program()
    let post = try await program.content.createPost(creatorId: user.id, content: "1").id
    for number in 2...5 { _ = try await program.content.updatePost(postId: post, content: "\(number)") }
    let read = GetPostRequest(postId: post)
    program.transport.beforeEach { [folder] _ in
      for name in folder.names where name.hasPrefix("cache.db") { unlink("\(folder.path)/\(name)") }
    }
    _ = try await program.client.respond(ContentRPC.getPost, read, options: CallOptions(cache: .networkOnly))
    program.transport.beforeEach(nil)
    _ = try await program.content.updatePost(postId: post, content: "6")
    #expect(try await program.content.getPost(postId: post)?.content == "6")
    #expect(try await program.stored(ContentRPC.getPost, read)?.value.post?.content == "6")
  }

  @Test func readsNeedNoPlaceToWrite() async throws {
    try await readOnce()
    let database = try SQLiteConnection(opening: "\(folder.path)/cache.db")
    try database.execute(
      "CREATE TRIGGER no_account BEFORE INSERT ON partitions BEGIN SELECT raise(ABORT, 'no account'); END")
    let other = try world.program(of: world.newUser("bob"), folder: folder)
    #expect(try await other.stored(rpc, request) == nil)
    #expect(try await other.client.respond(rpc, request).source == .network)
    #expect(try await other.store.cacheInfo().problem?.contains("no account") == true)
  }

  @Test func beginsAnOlderFileAnew() async throws {
    try await readOnce()
    let database = try SQLiteConnection(opening: "\(folder.path)/cache.db")
    try database.setUserVersion(-1)
    database.close()
    let program = try program()
    #expect(try await program.stored(rpc, request) == nil)
    #expect(try await program.store.cacheInfo().problem?.contains("older") == true)
  }

  @Test func leavesANewerFileAlone() async throws {
    try await readOnce()
    let database = try SQLiteConnection(opening: "\(folder.path)/cache.db")
    try database.setUserVersion(CacheFile.version + 1)
    database.close()
    let program = try program()
    // Calls continue without it.
    #expect(try await program.client.respond(rpc, request).source == .network)
    let error = await apiError { try await program.store.cacheInfo() }
    #expect(error?.message.contains("update the program") == true)
    let left = try SQLiteConnection(opening: "\(folder.path)/cache.db")
    #expect(try left.userVersion() == CacheFile.version + 1)
  }

  @Test func callsGoOnWithoutADirectory() async throws {
    let store = OfflineStore(directory: "\(folder.path)/missing", clock: world.clock)
    let client = try APIClient.test(
      MockTransport(world.mock.backend), tokens: StoredToken(AccessToken(user.token)), store: store, clock: world.clock)
    #expect(try await client.respond(rpc, request).source == .network)
    let write = CreatePostRequest(creatorId: user.id, content: "hello")
    let error = await apiError {
      try await client.respond(ContentRPC.createPost, write, options: CallOptions(delivery: .enqueue))
    }
    #expect(error?.code == .failedPrecondition)
  }

  @Test func removesWhatWasNotUsedForTheLongestTime() async throws {
    let program = try world.program(
      of: user, options: OfflineOptions(maximumBytes: 1 << 20), folder: folder)
    let text = String(repeating: "x", count: 9_000)
    for number in 1...400 {
      let request = CreatePostRequest(creatorId: user.id, content: "\(number) \(text)")
      _ = try await program.client.respond(ContentRPC.createPost, request)
      world.advance(seconds: 1)
    }
    let info = try await program.store.cacheInfo()
    #expect(info.usedBytes < 1 << 20, "\(info)")
    #expect(info.usedBytes > 1 << 18, "more than needed was removed: \(info)")
    let last = try world.mock.call(
      ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: user.id, limit: 1), token: user.token)
    #expect(try await program.stored(ContentRPC.getPost, GetPostRequest(postId: last.posts[0].id)) != nil)
    #expect(try await program.stored(ContentRPC.getPost, GetPostRequest(postId: "post-1")) == nil)
  }

  @Test func forgetsWhatWasReadOnRequest() async throws {
    try await readOnce()
    let program = try program()
    #expect(try await program.stored(rpc, request) != nil)
    try await program.store.clearCache()
    #expect(try await program.stored(rpc, request) == nil)
    #expect(try await program.store.cacheInfo().records.isEmpty)
  }
}
