package import NovaCore

extension SocialServiceProtocol {
  /// Likes a post. Succeeds if the user already likes it.
  ///
  /// - Returns: the number of likes of the post.
  /// - Throws: ``APIError``.
  @discardableResult
  public func createLike(postId: String, userId: String) async throws -> Int {
    let response = try await acknowledged(
      SocialRPC.createLike, CreateLikeRequest(userId: userId, postId: postId), by: createLike(_:))
    return Int(response.likeCount)
  }

  /// Removes a like; also succeeds if the user does not like the post.
  ///
  /// - Returns: the number of likes of the post.
  /// - Throws: ``APIError``.
  @discardableResult
  public func deleteLike(postId: String, userId: String) async throws -> Int {
    let response = try await acknowledged(
      SocialRPC.deleteLike, DeleteLikeRequest(userId: userId, postId: postId), by: deleteLike(_:))
    return Int(response.likeCount)
  }

  /// Returns the number of likes of a post.
  ///
  /// - Throws: ``APIError``.
  public func getLikeCount(postId: String) async throws -> Int {
    Int(try await getLikeCount(GetLikeCountRequest(postId: postId)).count)
  }

  /// Returns whether a user likes a post.
  ///
  /// - Throws: ``APIError``.
  public func checkUserLiked(postId: String, userId: String) async throws -> Bool {
    try await checkUserLiked(CheckUserLikedRequest(userId: userId, postId: postId)).liked
  }

  /// Returns which of many posts a user likes. Accepts any number of IDs, and sends them in requests of 100, four at a
  /// time.
  ///
  /// - Returns: an entry for each ID.
  /// - Throws: ``APIError``.
  public func batchCheckUserLiked(postIds: [String], userId: String) async throws -> [String: Bool] {
    try await answersInBatches(of: postIds, SocialRPC.batchCheckUserLiked.descriptor) { ids in
      try await batchCheckUserLiked(BatchCheckUserLikedRequest(userId: userId, postIds: ids)).results
    }.merged(allOf: postIds)
  }
}

extension GetUserLikedPostsResponse {
  /// The page of these posts, without the deleted ones.
  package func page<Post: Sendable & Hashable>(of posts: [Post]) -> Page<Post> {
    var page = Page(items: posts, totalCount: total, hasMore: hasMore, coveredCount: postIds.count)
    page.positionIDs = postIds
    return page
  }
}
