import NovaCore

/// The audience of a post. Open: servers may support more.
public struct PostPrivacy: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let everyone = PostPrivacy(rawValue: "public")
  public static let followers = PostPrivacy(rawValue: "followers")
  public static let onlyMe = PostPrivacy(rawValue: "private")
}

/// The stage of a post. Open: servers may support more.
public struct PostStatus: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let published = PostStatus(rawValue: "published")
  public static let draft = PostStatus(rawValue: "draft")
  public static let archived = PostStatus(rawValue: "archived")
}

extension ContentServiceProtocol {
  /// Returns a post; nil if it does not exist.
  ///
  /// - Throws: ``APIError``.
  public func getPost(postId: String) async throws -> Post? {
    try await value(\.post, if: \.found, of: ContentRPC.getPost, for: GetPostRequest(postId: postId), by: getPost(_:))
  }

  /// Writes a post. Calling it twice writes two posts.
  ///
  /// ```swift
  /// let post = try await nova.content.createPost(creatorId: me, content: "Morning walk along the river.")
  /// ```
  /// - Parameters:
  ///   - content: 1 to 10,000 characters.
  ///   - privacy: who may see it. Default: the server's, `public`.
  ///   - status: its stage. Default: the server's, `published`.
  ///   - mediaIds: uploads that belong to it.
  /// - Throws: ``APIError``.
  @discardableResult
  public func createPost(
    creatorId: String, content: String, title: String = "", privacy: PostPrivacy? = nil, status: PostStatus? = nil,
    mediaIds: [String] = []
  ) async throws -> Post {
    let request = CreatePostRequest(
      creatorId: creatorId, content: content, title: title, privacy: privacy?.rawValue ?? "",
      status: status?.rawValue ?? "", mediaIds: mediaIds)
    return try await value(\.post, of: ContentRPC.createPost, for: request, by: createPost(_:))
  }

  /// Changes the given fields of a post.
  ///
  /// - Parameter content: 1 to 10,000 characters.
  /// - Throws: ``APIError``; `notFound` if the post does not exist.
  @discardableResult
  public func updatePost(
    postId: String, title: String? = nil, content: String? = nil, privacy: PostPrivacy? = nil,
    status: PostStatus? = nil
  ) async throws -> Post {
    let request = UpdatePostRequest(
      postId: postId, title: title, content: content, privacy: privacy?.rawValue, status: status?.rawValue)
    return try await value(\.post, of: ContentRPC.updatePost, for: request, by: updatePost(_:))
  }

  /// Deletes a post with its likes, comments, and bookmarks.
  ///
  /// - Returns: when it was deleted, in Unix seconds.
  /// - Throws: ``APIError``; `permissionDenied` for another user's post, `notFound` if the post does not exist.
  @discardableResult
  public func deletePost(postId: String, deletedById: String) async throws -> Int64 {
    try await deletePost(DeletePostRequest(postId: postId, deletedById: deletedById)).deletedAt
  }

  /// Returns many posts in the order of the IDs; those that do not exist are left out. Accepts any number of IDs, and
  /// sends them in requests of 100, four at a time.
  ///
  /// - Throws: ``APIError``.
  public func getPostsByIds(postIds: [String]) async throws -> [Post] {
    let posts = try await inBatches(of: postIds, ContentRPC.getPostsByIds.descriptor) { ids in
      try await getPostsByIds(GetPostsByIdsRequest(postIds: ids)).posts
    }.flatMap(\.self)
    // Servers need not keep the order.
    let byID = Dictionary(posts.map { ($0.id.byteKey, $0) }) { first, _ in first }
    return postIds.compactMap { byID[$0.byteKey] }
  }

  /// Returns whether a post exists.
  ///
  /// - Throws: ``APIError``.
  public func checkPostExists(postId: String) async throws -> Bool {
    try await checkPostExists(CheckPostExistsRequest(postId: postId)).exists
  }

  // MARK: Bookmarks

  /// Bookmarks a post. Succeeds if that is already the case.
  ///
  /// - Throws: ``APIError``.
  public func createBookmark(postId: String, userId: String) async throws {
    try await acknowledged(
      ContentRPC.createBookmark, CreateBookmarkRequest(userId: userId, postId: postId), by: createBookmark(_:))
  }

  /// Removes a bookmark; also succeeds if the post is not bookmarked.
  ///
  /// - Throws: ``APIError``.
  public func deleteBookmark(postId: String, userId: String) async throws {
    try await acknowledged(
      ContentRPC.deleteBookmark, DeleteBookmarkRequest(userId: userId, postId: postId), by: deleteBookmark(_:))
  }
}
