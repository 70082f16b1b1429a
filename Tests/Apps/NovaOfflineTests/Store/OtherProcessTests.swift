import NovaContent
import NovaCore
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// What another process of the same user queues, on the same directory.
@Suite(.hangLimit) struct OtherProcessTests {
  private let world = OfflineWorld()
  private let ada: OfflineWorld.Program
  private let other: OfflineWorld.Program
  private let post: String

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    other = try world.program(of: ada.user, folder: ada.folder)
    let request = CreatePostRequest(creatorId: ada.user.id, content: "hello")
    post = try world.mock.call(ContentRPC.createPost, request, token: ada.user.token).post?.id ?? ""
  }

  private func contentAtGateway() throws -> String? {
    try world.mock.call(ContentRPC.getPost, GetPostRequest(postId: post), token: ada.user.token).post?.content
  }

  @Test func anIdleProcessSendsWhatAnotherOneHasQueued() async throws {
    other.set(.down)
    _ = try await other.content.updatePost(postId: post, content: "queued")
    try await other.offline.outbox.stop()
    let ticking = world.tick()
    while try contentAtGateway() != "queued" { await Task.yield() }
    ticking.cancel()
  }

  @Test func statesShowWhatAnotherProcessQueues() async throws {
    for program in [ada, other] { program.set(.down) }
    try ada.offline.connectivity.note(APIError.unreachable)
    // Whose state it is, is known from the first call.
    _ = try await ada.offline.outbox.entries
    await ada.store.settled()
    try await ada.offline.outbox.load()
    var states = try ada.offline.outbox.states.makeAsyncIterator()
    #expect(await states.next()?.waiting == 0)
    _ = try await other.content.updatePost(postId: post, content: "queued")
    let ticking = world.tick()
    while let state = await states.next(), state.waiting == 0 {}
    try await other.offline.outbox.discard(#require(try await other.offline.outbox.entries.first).id)
    while let state = await states.next(), state.waiting == 1 {}
    ticking.cancel()
  }

  @Test func observersSeeWhatAnotherProcessQueues() async throws {
    for program in [ada, other] { _ = try await program.content.getPost(postId: post) }
    for program in [ada, other] { program.set(.down) }
    var posts = try ada.offline.observe(Post.self, id: post).makeAsyncIterator()
    #expect(await posts.next()??.value.content == "hello")
    _ = try await other.content.updatePost(postId: post, content: "queued")
    let ticking = world.tick()
    #expect(await posts.next()??.value.content == "queued")
    ticking.cancel()
  }

  @Test func readsShowWhatAnotherProcessHasQueued() async throws {
    _ = try await ada.content.getPost(postId: post)
    for program in [ada, other] { program.set(.down) }
    _ = try await other.content.updatePost(postId: post, content: "queued")
    world.clock.advance(by: .seconds(1))
    #expect(try await ada.content.getPost(postId: post)?.content == "queued")
  }

  @Test func aWriteStaysBehindThoseOfAnotherProcess() async throws {
    _ = try await ada.content.getPost(postId: post)
    other.set(.down)
    _ = try await other.content.updatePost(postId: post, content: "first")
    try await ada.offline.outbox.stop()
    let update = UpdatePostRequest(postId: post, content: "second")
    #expect(try await ada.client.respond(ContentRPC.updatePost, update).source == .outbox)
    #expect(try contentAtGateway() == "hello")
    #expect(try await ada.offline.outbox.flush().sent == 2)
    #expect(try contentAtGateway() == "second")
  }
}
