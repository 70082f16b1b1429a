import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

/// The graph service against the mock backend: the contract's rules as a caller sees them.
@Suite struct GraphServiceTests {
  private func service(_ dataSet: MockDataSet = .empty) throws -> GraphService {
    GraphService(client: try APIClient.test(MockTransport(MockBackend(dataSet: dataSet)), token: nil))
  }

  @Test func followingMovesBothLists() async throws {
    let graph = try service()
    try await graph.followUser(followerId: "a", followeeId: "b")
    try await graph.followUser(followerId: "c", followeeId: "b")
    #expect(try await graph.isFollowing(followerId: "a", followeeId: "b"))
    #expect(try await !graph.isFollowing(followerId: "b", followeeId: "a"))
    let followers = try await graph.getFollowers(userId: "b")
    #expect(followers.userIds == ["c", "a"], "newest first")
    #expect(followers.totalCount == 2)
    #expect(try await graph.getFollowing(userId: "a").userIds == ["b"])
    try await graph.unfollowUser(followerId: "a", followeeId: "b")
    #expect(try await graph.getFollowers(userId: "b").userIds == ["c"])
    #expect(try await graph.getFollowing(userId: "a").userIds == [])
  }

  @Test func repeatingChangesNothing() async throws {
    let graph = try service()
    for _ in 0..<3 { try await graph.followUser(followerId: "a", followeeId: "b") }
    #expect(try await graph.getFollowers(userId: "b").totalCount == 1)
    for _ in 0..<3 { try await graph.unfollowUser(followerId: "a", followeeId: "b") }
    #expect(try await graph.getFollowers(userId: "b").totalCount == 0)
    try await graph.unfollowUser(followerId: "x", followeeId: "y")
  }

  @Test func nobodyFollowsThemselves() async throws {
    let graph = try service()
    let error = await apiError { try await graph.followUser(followerId: "a", followeeId: "a") }
    #expect(error?.code == .invalidArgument)
    #expect(error?.grpcStatus == .invalidArgument)
  }

  @Test(arguments: [("a", "b"), ("b", "a")])
  func aBlockEndsFollowsAndPreventsNewOnes(blocker: String, blocked: String) async throws {
    let graph = try service()
    try await graph.followUser(followerId: "a", followeeId: "b")
    try await graph.followUser(followerId: "b", followeeId: "a")
    try await graph.blockUser(blockerId: blocker, blockedId: blocked)
    #expect(try await graph.isBlocked(blockerId: blocker, blockedId: blocked))
    #expect(try await !graph.isBlocked(blockerId: blocked, blockedId: blocker))
    for (one, other) in [("a", "b"), ("b", "a")] {
      #expect(try await !graph.isFollowing(followerId: one, followeeId: other))
      let error = await apiError { try await graph.followUser(followerId: one, followeeId: other) }
      #expect(error?.code == .permissionDenied)
    }
    try await graph.unblockUser(blockerId: blocker, blockedId: blocked)
    #expect(try await !graph.isFollowing(followerId: "a", followeeId: "b"), "follows do not come back")
    try await graph.followUser(followerId: "a", followeeId: "b")
  }

  @Test func mutesStandByThemselves() async throws {
    let graph = try service()
    try await graph.followUser(followerId: "a", followeeId: "b")
    try await graph.muteUser(muterId: "a", muteeId: "b")
    #expect(try await graph.isMuted(muterId: "a", muteeId: "b"))
    #expect(try await graph.isFollowing(followerId: "a", followeeId: "b"))
    try await graph.unmuteUser(muterId: "a", muteeId: "b")
    #expect(try await !graph.isMuted(muterId: "a", muteeId: "b"))
  }

  @Test(arguments: [(0, 50), (1, 1), (999, 999), (1000, 1000), (5000, 1000)])
  func limitsAreDefaultedAndClamped(limit: Int, count: Int) async throws {
    let page = try await service(.guide).getFollowers(userId: "mock-user-id", limit: limit)
    #expect(page.userIds.count == count)
    #expect(page.totalCount == 3021)
    #expect(page.hasMore)
  }

  @Test(arguments: [(3020, 1, false), (3021, 0, false), (1_000_000, 0, false), (3000, 10, true)])
  func offsetsMayPassTheEnd(offset: Int, count: Int, hasMore: Bool) async throws {
    let page = try await service(.guide).getFollowers(userId: "mock-user-id", limit: 10, offset: offset)
    #expect(page.userIds.count == count)
    #expect(page.hasMore == hasMore)
  }

  @Test func theWholeListArrivesOnce() async throws {
    let graph = try service(.guide)
    var ids: [String] = []
    for try await id in graph.followers(of: "mock-user-id", pageSize: 100) { ids.append(id) }
    #expect(ids.count == 3021)
    #expect(Set(ids).count == 3021)
    var following = 0
    for try await _ in graph.following(of: "mock-user-id", maximumCount: 1234) { following += 1 }
    #expect(following == 1234)
  }

  @Test func aListThatGrowsMeanwhileStaysWithoutRepeats() async throws {
    let graph = try service(.guide)
    var ids: [String] = []
    let shifts = Locked<Int>(0)
    for try await id in graph.followers(
      of: "mock-user-id", pageSize: 500, onShift: { _ in shifts.withLock { $0 += 1 } })
    {
      ids.append(id)
      if ids.count % 500 == 1 { try await graph.followUser(followerId: "new-\(ids.count)", followeeId: "mock-user-id") }
    }
    #expect(Set(ids).count == ids.count)
    #expect(ids.filter { $0.hasPrefix("user-") }.count == 3021)
    #expect(shifts.withLock { $0 } > 0)
  }

  @Test func batchesOfAnySizeAreAnswered() async throws {
    let graph = try service()
    for number in stride(from: 0, to: 250, by: 2) {
      try await graph.followUser(followerId: "a", followeeId: "u\(number)")
    }
    let ids = (0..<250).map { "u\($0)" }
    let results = try await graph.batchCheckFollowing(followerId: "a", followeeIds: ids)
    #expect(results.count == 250)
    #expect(ids.allSatisfy { results[$0] == (Int($0.dropFirst()) ?? 1).isMultiple(of: 2) })
    #expect(try await graph.batchCheckFollowing(followerId: "a", followeeIds: []).isEmpty)
  }

  @Test func theServerRefusesLargerBatches() async throws {
    let graph = try service().with { $0.checksArguments = false }
    let error = await apiError {
      try await graph.batchCheckFollowing(
        BatchCheckFollowingRequest(followerId: "a", followeeIds: (0..<101).map { "u\($0)" }))
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.httpStatus == 400)
  }

  @Test func badArgumentsAreNotSent() async throws {
    let transport = RecordingTransport("{}")
    let graph = GraphService(client: try APIClient.test(transport))
    let errors = [
      await apiError { try await graph.getFollowers(userId: "") },
      await apiError { try await graph.getFollowers(userId: "u", limit: -1) },
      await apiError { try await graph.getFollowing(userId: "u", offset: -5) },
      await apiError { try await graph.followUser(followerId: "", followeeId: "b") },
      await apiError { try await graph.isBlocked(blockerId: "a", blockedId: "") },
    ]
    #expect(
      errors.map { "\($0?.rpc ?? ""): \($0?.message ?? "")" } == [
        "graph.GetFollowers: userId must not be empty", "graph.GetFollowers: limit must not be negative, but is -1",
        "graph.GetFollowing: offset must not be negative, but is -5",
        "graph.CreateFollow: followerId must not be empty", "graph.IsBlocked: blockedId must not be empty",
      ])
    #expect(transport.requests.isEmpty)
  }

  @Test func anUnsuccessfulAnswerIsAnError() async throws {
    let graph = GraphService(
      client: try APIClient.test(RecordingTransport(#"{"success":false,"message":"not today"}"#)))
    let error = await apiError { try await graph.followUser(followerId: "a", followeeId: "b") }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.server?.message == "not today")
  }

  @Test func optionsAreCopiedNotShared() async throws {
    let transport = RecordingTransport(#"{"is_following":true}"#)
    let graph = GraphService(client: try APIClient.test(transport))
    _ = try await graph.with { $0.timeout = .seconds(3) }.with { $0.requestID = "mine" }.isFollowing(
      followerId: "a", followeeId: "b")
    _ = try await graph.isFollowing(followerId: "a", followeeId: "b")
    #expect(transport.requests.map { $0.headers["X-Request-ID"] } == ["mine", "test-request-2"])
    #expect(transport.requests.first?.limits.totalTimeout == .seconds(3))
  }
}
