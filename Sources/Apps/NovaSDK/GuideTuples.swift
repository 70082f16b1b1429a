public import NovaGraph

// The integration guide destructures these responses. In other code, Swift prefers the calls that return whole
// responses, so that `let page = try await graph.getFollowers(userId: id)` has one meaning.
extension GraphServiceProtocol {
  /// Lists the followers of a user, newest follow first, as the parts of the response.
  ///
  /// ```swift
  /// let (userIds, totalCount, hasMore) = try await graph.getFollowers(userId: "mock-user-id")
  /// ```
  /// - Throws: ``APIError``; `invalidArgument` for an empty id or a negative number, before anything is sent.
  @_disfavoredOverload
  public func getFollowers(
    userId: String, limit: Int = 0, offset: Int = 0
  ) async throws -> (userIds: [String], totalCount: Int, hasMore: Bool) {
    let page: GetFollowersResponse = try await getFollowers(userId: userId, limit: limit, offset: offset)
    return (page.userIds, page.totalCount, page.hasMore)
  }

  /// Lists the users that a user follows, newest follow first, as the parts of the response.
  ///
  /// - Throws: ``APIError``; `invalidArgument` for an empty id or a negative number, before anything is sent.
  @_disfavoredOverload
  public func getFollowing(
    userId: String, limit: Int = 0, offset: Int = 0
  ) async throws -> (userIds: [String], totalCount: Int, hasMore: Bool) {
    let page: GetFollowingResponse = try await getFollowing(userId: userId, limit: limit, offset: offset)
    return (page.userIds, page.totalCount, page.hasMore)
  }
}
