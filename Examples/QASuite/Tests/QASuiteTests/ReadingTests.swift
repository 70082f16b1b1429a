import NovaSDK
import NovaTestingTraits
import Testing

/// Reads only: safe at every gateway.
@Suite(.freshBackend) struct Reading {
  let target: Target

  init() throws { target = try Target.make() }

  @Test(arguments: [1, 7, 100]) func pagesContinueWhereTheLastOneEnded(_ size: Int) async throws {
    let graph = target.nova.graph
    let whole = try await graph.getFollowers(userId: Target.user, limit: 3 * size)
    var paged: [String] = []
    for offset in stride(from: 0, to: 3 * size, by: size) {
      let page = try await graph.getFollowers(userId: Target.user, limit: size, offset: offset)
      #expect(page.userIds.count <= size)
      #expect(page.hasMore == (offset + page.userIds.count < page.totalCount))
      paged += page.userIds
    }
    #expect(paged == whole.userIds)
  }

  @Test func aProfileCountsWhatItsListsContain() async throws {
    let profile = try await target.nova.users.getUserProfile(userId: Target.user)
    #expect(
      profile.followerCount == (try await target.nova.graph.getFollowers(userId: Target.user, limit: 1)).totalCount)
    #expect(
      profile.followingCount == (try await target.nova.graph.getFollowing(userId: Target.user, limit: 1)).totalCount)
  }

  @Test(arguments: ["no-such-user", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "a/../b", "%2e"]) func unknownUsersAreNotFound(_ id: String) async throws
  {
    await #expect { try await target.nova.users.getUserProfile(userId: id) } throws: { APIError.notFound ~= $0 }
  }
}
