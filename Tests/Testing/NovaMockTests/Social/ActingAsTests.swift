import NovaAuth
import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import Testing

/// With an access token nobody writes in somebody else's name. The requests reach the backend as they are, without a
/// client that would refuse some of them first.
@Suite struct ActingAsTests {
  private let caller = MockCaller(dataSet: .guide)

  private func status<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, token: String?
  ) throws -> GRPCStatus? { try caller.refusal(rpc, request, token: token)?.grpcStatus }

  @Test func writesNeedTheTokenOfTheirUser() throws {
    let login = LoginRequest(email: "bruce@nova.social", password: "mock-password")
    let token = try caller.call(AuthRPC.login, login).token
    let mine = CreatePostRequest(creatorId: "mock-user-id", content: "mine")
    let other = try caller.call(ContentRPC.createPost, CreatePostRequest(creatorId: "user-0001", content: "x"))
    let otherID = other.post?.id ?? ""
    #expect(try status(ContentRPC.createPost, mine, token: token) == nil)
    #expect(try status(SocialRPC.createLike, .init(userId: "mock-user-id", postId: otherID), token: token) == nil)
    let refused = [
      try status(ContentRPC.createPost, .init(creatorId: "user-0001", content: "x"), token: token),
      try status(ContentRPC.updatePost, .init(postId: otherID, content: "y"), token: token),
      try status(ContentRPC.deletePost, .init(postId: otherID, deletedById: "user-0001"), token: token),
      try status(ContentRPC.createBookmark, .init(userId: "user-0001", postId: otherID), token: token),
      try status(SocialRPC.createLike, .init(userId: "user-0001", postId: otherID), token: token),
      try status(SocialRPC.createComment, .init(postId: otherID, userId: "user-0001", content: "x"), token: token),
      try status(SocialRPC.createShare, .init(userId: "user-0001", postId: otherID), token: token),
      try status(GraphRPC.createFollow, .init(followerId: "user-0001", followeeId: "user-0002"), token: token),
    ]
    #expect(refused.allSatisfy { $0 == .permissionDenied }, "\(refused)")
    let update = UpdatePostRequest(postId: otherID, content: "y")
    #expect(try status(ContentRPC.updatePost, update, token: nil) == nil, "without a token there is nothing to compare")
  }

  @Test func backendValidatesRequests() throws {
    let long = String(repeating: "x", count: 10_001)
    let ids = (1...101).map { "post-\($0)" }
    let refused = [
      try status(SocialRPC.createLike, .init(userId: "", postId: "post-1"), token: nil),
      try status(SocialRPC.getPostLikes, .init(postId: "post-1", limit: -1), token: nil),
      try status(SocialRPC.batchGetPostStats, .init(postIds: ids), token: nil),
      try status(SocialRPC.createComment, .init(postId: "post-1", userId: "a", content: ""), token: nil),
      try status(ContentRPC.createPost, .init(creatorId: "a", content: long), token: nil),
      try status(ContentRPC.updatePost, .init(postId: "post-1", content: ""), token: nil),
      try status(ContentRPC.getPostsByIds, .init(postIds: ids), token: nil),
    ]
    #expect(refused.allSatisfy { $0 == .invalidArgument }, "\(refused)")
  }
}
