import NovaContent
import NovaCore
import NovaEvents
import NovaGraph
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaOffline

/// What was read for as long as it was visible is not believed after a follow or a block that decides about it has changed.
@Suite(.hangLimit) struct DoubtedFactsTests {
  private let world = OfflineWorld()
  private let ada: OfflineWorld.Program
  private let bob: OfflineWorld.User
  private let post: String

  init() throws {
    ada = try world.program(of: world.newUser("ada"))
    bob = try world.newUser("bob")
    _ = try world.mock.call(
      GraphRPC.createFollow, .init(followerId: ada.user.id, followeeId: bob.id), token: ada.user.token)
    let request = CreatePostRequest(creatorId: bob.id, content: "for followers", privacy: "followers")
    post = try world.mock.call(ContentRPC.createPost, request, token: bob.token).post?.id ?? ""
  }

  private func read() async throws {
    #expect(try await ada.content.getPost(postId: post) != nil)
    _ = try await ada.social.getLikeCount(postId: post)
  }

  private func answer<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request
  ) async throws -> APIResponse<Response> {
    try await ada.client.respond(rpc, request, options: CallOptions(cache: .cacheFirst()))
  }

  /// Whether the gateway is asked again for what was read.
  private func isDoubted() async throws -> Bool {
    let stored = try await ada.stored(ContentRPC.getPost, GetPostRequest(postId: post))
    let count = try await ada.stored(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post))
    let sources = [stored?.source, count?.source]
    let isDoubted = sources.allSatisfy { $0 == .cache(age: nil) }
    #expect(isDoubted || sources.allSatisfy { $0 == .cache(age: .zero) }, "\(sources)")
    return isDoubted
  }

  private func event(_ type: String, by actor: String, about subject: String) -> Event {
    Event(
      id: "\(actor):\(type)", type: type, actorId: actor, subjectId: subject, createdAt: Int64(world.clock.unixTime))
  }

  @Test func afterAnUnfollowAPostForFollowersIsGone() async throws {
    try await read()
    try await ada.graph.unfollowUser(followerId: ada.user.id, followeeId: bob.id)
    #expect(try await answer(ContentRPC.getPost, GetPostRequest(postId: post)).value.found == false)
  }

  @Test(arguments: ["unfollow", "block", "unblock"]) func changesAreDoubted(_ change: String) async throws {
    let eve = try world.newUser("eve")
    if change == "unblock" { try await ada.graph.blockUser(blockerId: ada.user.id, blockedId: eve.id) }
    try await read()
    switch change {
    case "unfollow": try await ada.graph.unfollowUser(followerId: ada.user.id, followeeId: bob.id)
    case "block": try await ada.graph.blockUser(blockerId: ada.user.id, blockedId: bob.id)
    default: try await ada.graph.unblockUser(blockerId: ada.user.id, blockedId: eve.id)
    }
    #expect(try await isDoubted())
  }

  /// They show more, or nothing else.
  @Test func otherChangesAreNotDoubted() async throws {
    let eve = try world.newUser("eve")
    try await read()
    try await ada.graph.followUser(followerId: ada.user.id, followeeId: eve.id)
    try await ada.graph.muteUser(muterId: ada.user.id, muteeId: eve.id)
    #expect(try await !isDoubted())
  }

  /// Such as one on another device, or of the other user, who has removed a follower.
  @Test func announcedChangesAreDoubted() async throws {
    try await read()
    try await ada.received([
      event("follow.created", by: ada.user.id, about: bob.id), event("follow.deleted", by: bob.id, about: ada.user.id),
    ])
    #expect(try await !isDoubted())
    try await ada.received([event("follow.deleted", by: ada.user.id, about: bob.id)])
    #expect(try await isDoubted())
  }
}
