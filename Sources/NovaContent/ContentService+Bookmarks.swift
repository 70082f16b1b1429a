public import NovaCore

extension ContentServiceProtocol {
  /// Lists a user's bookmarked posts, newest bookmark first.
  ///
  /// - Parameters:
  ///   - limit: how many, at most 100. Default 0: the server's default, 50.
  ///   - offset: how many of the newest to skip.
  /// - Throws: ``APIError``.
  public func getUserBookmarks(
    userId: String, limit: Int = 0, offset: Int = 0
  ) async throws -> GetUserBookmarksResponse {
    var page = try await getUserBookmarks(GetUserBookmarksRequest(userId: userId, limit: limit, offset: offset))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.posts.count, total: page.total)
    return page
  }

  /// Bookmarks a post; succeeds if that is so already.
  ///
  /// - Throws: ``APIError``.
  public func createBookmark(postId: String, userId: String) async throws {
    try await confirmed(
      ContentRPC.createBookmark, CreateBookmarkRequest(userId: userId, postId: postId), by: createBookmark(_:))
  }

  /// Removes a bookmark; succeeds if there is none.
  ///
  /// - Throws: ``APIError``.
  public func deleteBookmark(postId: String, userId: String) async throws {
    try await confirmed(
      ContentRPC.deleteBookmark, DeleteBookmarkRequest(userId: userId, postId: postId), by: deleteBookmark(_:))
  }

  /// All posts a user bookmarked, newest bookmark first, read page by page while they are iterated.
  ///
  /// - Parameters:
  ///   - pageSize: how many to ask for at a time, 1…100. Default 100.
  ///   - maximumCount: how many to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func bookmarks(
    of userId: String, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Post> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getUserBookmarks(userId: userId, limit: limit, offset: offset)
      return Page(items: page.posts, totalCount: page.total, hasMore: page.hasMore)
    }
  }
}
