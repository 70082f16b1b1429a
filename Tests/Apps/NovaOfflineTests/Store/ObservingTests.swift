import NovaContent
import NovaCore
import NovaGraph
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct ObservingTests {
  let world = OfflineWorld()
  let ada: OfflineWorld.Program
  let post: String

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    let request = CreatePostRequest(creatorId: ada.user.id, content: "hello")
    post = try world.mock.call(ContentRPC.createPost, request, token: ada.user.token).post?.id ?? ""
  }

  @Test func reportsARecordWheneverItChanges() async throws {
    var posts = try ada.offline.observe(Post.self, id: post).makeAsyncIterator()
    #expect(await posts.next() == .some(nil), "not stored yet")
    _ = try await ada.content.getPost(postId: post)
    #expect(await posts.next()??.value.content == "hello")
    _ = try await ada.content.updatePost(postId: post, content: "changed")
    #expect(await posts.next()??.value.content == "changed")
    ada.set(.down)
    _ = try await ada.content.updatePost(postId: post, content: "offline")
    #expect(await posts.next()??.value.content == "offline")
    _ = try await ada.content.deletePost(postId: post, deletedById: ada.user.id)
    #expect(await posts.next() == .some(nil))
  }

  @Test func reportsAListWheneverItChanges() async throws {
    let request = GetPostLikesRequest(postId: post, limit: 50)
    var pages = try ada.offline.observe(SocialRPC.getPostLikes, request).makeAsyncIterator()
    #expect(await pages.next() == .some(nil))
    _ = try await ada.client.respond(SocialRPC.getPostLikes, request)
    #expect(await pages.next()??.value.totalCount == 0)
    ada.set(.down)
    _ = try await ada.client.respond(SocialRPC.createLike, CreateLikeRequest(userId: ada.user.id, postId: post))
    #expect(await pages.next()??.value.userIds == [ada.user.id])
  }

  @Test func reportsChangesByOtherProcesses() async throws {
    // A second store on the same directory, as another process has it.
    let other = try world.program(of: ada.user, folder: ada.folder)
    _ = try await ada.content.getPost(postId: post)
    var posts = try ada.offline.observe(Post.self, id: post).makeAsyncIterator()
    #expect(await posts.next()??.value.content == "hello")
    _ = try await other.content.updatePost(postId: post, content: "from elsewhere")
    let ticking = world.tick()
    #expect(await posts.next()??.value.content == "from elsewhere")
    ticking.cancel()
  }

  @Test func refusesWhatIsNotStored() async throws {
    #expect(throws: APIError.self) { try ada.offline.observe(GetPostRequest.self, id: "1") }
  }
}
