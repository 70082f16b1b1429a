public import NovaContent
public import NovaCore
public import NovaSocial

extension SocialServiceProtocol {
  /// The posts that a user likes, newest like first, read page by page during iteration. Deleted posts are left out.
  ///
  /// - Parameters:
  ///   - content: the service with the posts.
  ///   - pageSize: the number of posts to request at a time, 1…100. Default 100.
  ///   - maximumCount: the maximum number of posts to deliver. Default: all.
  ///   - onShift: called when the list turns out to have changed during reading.
  public func likedPosts(
    by userId: String, from content: some ContentServiceProtocol, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Post> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let liked = try await getUserLikedPosts(userId: userId, limit: limit, offset: offset)
      return liked.page(of: try await content.getPostsByIds(postIds: liked.postIds))
    }
  }
}

// Not in the protocol, because the posts come from another service on the same client.
extension SocialService {
  /// The posts that a user likes, newest like first, read page by page during iteration. Deleted posts are left out.
  ///
  /// ```swift
  /// for try await post in nova.social.likedPosts(by: me, maximumCount: 20) { print(post.content) }
  /// ```
  /// - Parameters:
  ///   - pageSize: the number of posts to request at a time, 1…100. Default 100.
  ///   - maximumCount: the maximum number of posts to deliver. Default: all.
  ///   - onShift: called when the list turns out to have changed during reading.
  public func likedPosts(
    by userId: String, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Post> {
    likedPosts(
      by: userId, from: ContentService(client: client, options: options), pageSize: pageSize,
      maximumCount: maximumCount, onShift: onShift)
  }
}
