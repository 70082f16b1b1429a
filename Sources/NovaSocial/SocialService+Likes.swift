public import NovaCore

extension SocialServiceProtocol {
  /// Likes a post; succeeds if that is so already.
  ///
  /// - Returns: how many likes the post has now.
  /// - Throws: ``APIError``.
  @discardableResult
  public func createLike(postId: String, userId: String) async throws -> Int {
    let response = try await confirmed(
      SocialRPC.createLike, CreateLikeRequest(userId: userId, postId: postId), by: createLike(_:))
    return Int(response.likeCount)
  }

  /// Takes a like back; succeeds if there is none.
  ///
  /// - Returns: how many likes the post has now.
  /// - Throws: ``APIError``.
  @discardableResult
  public func deleteLike(postId: String, userId: String) async throws -> Int {
    let response = try await confirmed(
      SocialRPC.deleteLike, DeleteLikeRequest(userId: userId, postId: postId), by: deleteLike(_:))
    return Int(response.likeCount)
  }

  /// Lists who liked a post, newest like first.
  ///
  /// Some backends send only `likes`, others only `user_ids`: `userIds` is always filled.
  ///
  /// - Parameters:
  ///   - limit: how many, at most 100. Default 0: the server's default, 50.
  ///   - offset: how many of the newest to skip.
  /// - Throws: ``APIError``.
  public func getPostLikes(postId: String, limit: Int = 0, offset: Int = 0) async throws -> GetPostLikesResponse {
    var page = try await getPostLikes(GetPostLikesRequest(postId: postId, limit: limit, offset: offset))
    if page.userIds.isEmpty { page.userIds = page.likes.map(\.userId) }
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.userIds.count, total: page.totalCount)
    return page
  }

  /// How many likes a post has.
  ///
  /// - Throws: ``APIError``.
  public func getLikeCount(postId: String) async throws -> Int {
    Int(try await getLikeCount(GetLikeCountRequest(postId: postId)).count)
  }

  /// Whether a user likes a post.
  ///
  /// - Throws: ``APIError``.
  public func checkUserLiked(postId: String, userId: String) async throws -> Bool {
    try await checkUserLiked(CheckUserLikedRequest(userId: userId, postId: postId)).liked
  }

  /// Which of many posts a user likes. Any number of ids may be given: they travel in requests of 100, four at a time.
  ///
  /// - Returns: an entry for each id.
  /// - Throws: ``APIError``.
  public func batchCheckUserLiked(postIds: [String], userId: String) async throws -> [String: Bool] {
    try await inBatches(of: postIds, SocialRPC.batchCheckUserLiked.descriptor) { ids in
      try await batchCheckUserLiked(BatchCheckUserLikedRequest(userId: userId, postIds: ids)).results
    }.merged(allOf: postIds)
  }

  /// Lists the posts a user likes, newest like first.
  ///
  /// - Parameters:
  ///   - limit: how many ids, at most 100. Default 0: the server's default, 50.
  ///   - offset: how many of the newest to skip.
  /// - Throws: ``APIError``.
  public func getUserLikedPosts(
    userId: String, limit: Int = 0, offset: Int = 0
  ) async throws -> GetUserLikedPostsResponse {
    var page = try await getUserLikedPosts(
      GetUserLikedPostsRequest(userId: userId, limit: limit, offset: offset))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.postIds.count, total: page.total)
    return page
  }

  /// The ids of everybody who likes a post, newest like first, read page by page while it is iterated.
  ///
  /// - Parameters:
  ///   - pageSize: how many to ask for at a time, 1…100. Default 100.
  ///   - maximumCount: how many to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func likers(
    of postId: String, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<String> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getPostLikes(postId: postId, limit: limit, offset: offset)
      return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
    }
  }

  /// The ids of the posts a user likes, newest like first, read page by page while it is iterated.
  ///
  /// - Parameters:
  ///   - pageSize: how many to ask for at a time, 1…100. Default 100.
  ///   - maximumCount: how many to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func likedPostIds(
    by userId: String, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<String> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getUserLikedPosts(userId: userId, limit: limit, offset: offset)
      return Page(items: page.postIds, totalCount: page.total, hasMore: page.hasMore)
    }
  }
}
