import NovaCore

extension GraphServiceProtocol {
  /// Lists who follows a user, newest follow first.
  ///
  /// ```swift
  /// let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 10)
  /// print(page.userIds, page.totalCount, page.hasMore)
  /// ```
  /// - Parameters:
  ///   - limit: how many ids, at most 1,000. Default 0: the server's default, 50.
  ///   - offset: how many of the newest to skip.
  /// - Throws: ``APIError``; `invalidArgument` for an empty id or a negative number, before anything is sent.
  public func getFollowers(userId: String, limit: Int = 0, offset: Int = 0) async throws -> GetFollowersResponse {
    var page = try await getFollowers(GetFollowersRequest(userId: userId, limit: limit, offset: offset))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.userIds.count, total: page.totalCount)
    return page
  }

  /// Lists whom a user follows, newest follow first.
  ///
  /// - Parameters:
  ///   - limit: how many ids, at most 1,000. Default 0: the server's default, 50.
  ///   - offset: how many of the newest to skip.
  /// - Throws: ``APIError``; `invalidArgument` for an empty id or a negative number, before anything is sent.
  public func getFollowing(userId: String, limit: Int = 0, offset: Int = 0) async throws -> GetFollowingResponse {
    var page = try await getFollowing(GetFollowingRequest(userId: userId, limit: limit, offset: offset))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.userIds.count, total: page.totalCount)
    return page
  }

  /// Makes one user follow another; succeeds if that is so already.
  ///
  /// - Throws: ``APIError``; `permissionDenied` if one has blocked the other, `invalidArgument` for following oneself.
  public func followUser(followerId: String, followeeId: String) async throws {
    try await confirmed(
      GraphRPC.createFollow, CreateFollowRequest(followerId: followerId, followeeId: followeeId), by: createFollow(_:))
  }

  /// Ends a follow; succeeds if there is none.
  ///
  /// - Throws: ``APIError``.
  public func unfollowUser(followerId: String, followeeId: String) async throws {
    try await confirmed(
      GraphRPC.deleteFollow, DeleteFollowRequest(followerId: followerId, followeeId: followeeId), by: deleteFollow(_:))
  }

  /// Whether one user follows another.
  ///
  /// - Throws: ``APIError``.
  public func isFollowing(followerId: String, followeeId: String) async throws -> Bool {
    try await isFollowing(IsFollowingRequest(followerId: followerId, followeeId: followeeId)).isFollowing
  }

  /// Which of many users one user follows.
  ///
  /// Any number of ids may be given: they travel in requests of 100, four at a time.
  ///
  /// - Returns: an entry for each id.
  /// - Throws: ``APIError``.
  public func batchCheckFollowing(followerId: String, followeeIds: [String]) async throws -> [String: Bool] {
    try await inBatches(of: followeeIds, GraphRPC.batchCheckFollowing.descriptor) { ids in
      try await batchCheckFollowing(BatchCheckFollowingRequest(followerId: followerId, followeeIds: ids)).results
    }.merged(allOf: followeeIds)
  }
}
