public import NovaCore

extension GraphServiceProtocol {
  /// Everybody who follows a user, newest follow first, read page by page while it is iterated.
  ///
  /// ```swift
  /// for try await id in nova.graph.followers(of: "mock-user-id", maximumCount: 500) { print(id) }
  /// ```
  /// - Parameters:
  ///   - pageSize: how many ids to ask for at a time, 1…1,000. Default 1,000.
  ///   - maximumCount: how many ids to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func followers(
    of userId: String,
    pageSize: Int = 1000,
    maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<String> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getFollowers(userId: userId, limit: limit, offset: offset)
      return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
    }
  }

  /// Everybody whom a user follows, newest follow first, read page by page while it is iterated.
  ///
  /// - Parameters:
  ///   - pageSize: how many ids to ask for at a time, 1…1,000. Default 1,000.
  ///   - maximumCount: how many ids to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func following(
    of userId: String,
    pageSize: Int = 1000,
    maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<String> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getFollowing(userId: userId, limit: limit, offset: offset)
      return Page(items: page.userIds, totalCount: page.totalCount, hasMore: page.hasMore)
    }
  }
}
