import NovaSDK
import NovaTestingTraits
import Testing

/// Writes with accounts of its own: on the mock, and at gateways where `QA_WRITES=1` allows it.
@Suite(.freshBackend, .enabled(if: Target.allowsWrites, "set QA_WRITES=1 to write to this gateway"))
struct Writing {
  let target: Target

  init() throws { target = try Target.make() }

  /// Doing it again changes nothing: a client that lost the response repeats the call.
  @Test(arguments: 1...3) func followsCountOnce(_ times: Int) async throws {
    let (ann, bob) = try await (target.newUser("ann"), target.newUser("bob"))
    for _ in 0..<times { try await ann.nova.graph.followUser(followerId: ann.id, followeeId: bob.id) }
    let fans = try await bob.nova.graph.getFollowers(userId: bob.id)
    #expect(fans.userIds == [ann.id] && fans.totalCount == 1)
    for _ in 0..<times { try await ann.nova.graph.unfollowUser(followerId: ann.id, followeeId: bob.id) }
    #expect(try await bob.nova.graph.getFollowers(userId: bob.id).totalCount == 0)
  }

  @Test func privatePostsStayPrivate() async throws {
    let (ann, bob) = try await (target.newUser("ann"), target.newUser("bob"))
    let id = try await ann.nova.content.createPost(creatorId: ann.id, content: "for me", privacy: .onlyMe).id
    #expect(try await ann.nova.content.getPost(GetPostRequest(postId: id)).found)
    #expect(try await bob.nova.content.getPost(GetPostRequest(postId: id)).found == false)
    try await ann.nova.content.deletePost(postId: id, deletedById: ann.id)
  }
}
