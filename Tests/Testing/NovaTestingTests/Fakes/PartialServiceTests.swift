import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// An implementation with one RPC, as in a user's own tests.
private struct OneList: GraphServiceProtocol, SocialServiceProtocol, MediaServiceProtocol {
  func getFollowers(_ request: GetFollowersRequest) async throws -> GetFollowersResponse {
    let ids = ["a", "b", "c", "d", "e"].dropFirst(request.offset).prefix(request.limit)
    // Leaves `hasMore` out, as some servers do.
    return GetFollowersResponse(userIds: Array(ids), totalCount: 5)
  }
}

@Suite struct PartialServiceTests {
  @Test func aCallThatIsLeftOutIsUnimplemented() async throws {
    let missing = await apiError { try await OneList().getFollowing(GetFollowingRequest(userId: "a")) }
    #expect(missing?.code == .unimplemented && missing?.rpc == "graph.GetFollowing")
    #expect(missing?.message == "not implemented: OneList has no graph.GetFollowing")
    // Calls that are built on it, and calls of several RPCs.
    let errors = [
      await apiError { try await OneList().followUser(followerId: "a", followeeId: "b") },
      await apiError { try await OneList().batchCheckUserLiked(postIds: ["a"], userId: "b") },
      await apiError { try await OneList().uploadImage(image: [1], userId: "a") },
      await apiError { for try await _ in OneList().likers(of: "a") {} },
    ]
    #expect(errors.map { $0?.code } == Array(repeating: .unimplemented, count: 4))
    #expect(
      errors.map { $0?.rpc } == [
        "graph.CreateFollow", "social.BatchCheckUserLiked", "media.UploadImage", "social.GetPostLikes",
      ])
  }

  /// The sequence and its page form share the normalization of `hasMore`.
  @Test func listsWorkWithTheOneCall() async throws {
    let list = OneList().followers(of: "x", pageSize: 2)
    var ids: [String] = []
    for try await id in list { ids.append(id) }
    #expect(ids == ["a", "b", "c", "d", "e"])
    #expect(try await list.page() == Page(items: ["a", "b"], totalCount: 5, hasMore: true))
    #expect(try await list.page(offset: 4) == Page(items: ["e"], totalCount: 5, hasMore: false))
    #expect(try await list.page(limit: 5).items.count == 5)
  }
}
