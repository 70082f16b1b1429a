public import NovaCore

/// Who may see a post. Open: servers may know more.
public struct PostPrivacy: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let everyone = PostPrivacy(rawValue: "public")
  public static let followers = PostPrivacy(rawValue: "followers")
  public static let onlyMe = PostPrivacy(rawValue: "private")
}

/// How far along a post is. Open: servers may know more.
public struct PostStatus: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let published = PostStatus(rawValue: "published")
  public static let draft = PostStatus(rawValue: "draft")
  public static let archived = PostStatus(rawValue: "archived")
}

extension ContentServiceProtocol {
  /// One post; nil if there is none.
  ///
  /// - Throws: ``APIError``.
  public func getPost(postId: String) async throws -> Post? {
    try await found(ContentRPC.getPost, GetPostRequest(postId: postId), \.found, \.post, by: getPost(_:))
  }

  /// Writes a post. Calling it twice writes two.
  ///
  /// ```swift
  /// let post = try await nova.content.createPost(creatorId: me, content: "Morning walk along the river.")
  /// ```
  /// - Parameters:
  ///   - content: 1 to 10,000 characters.
  ///   - privacy: Default: the server's, `public`.
  ///   - status: Default: the server's, `published`.
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
    return try await value(\.post, ContentRPC.createPost, request, by: createPost(_:))
  }

  /// Changes what is given of a post, and nothing else.
  ///
  /// - Parameter content: 1 to 10,000 characters.
  /// - Throws: ``APIError``; `notFound` if there is no such post.
  @discardableResult
  public func updatePost(
    postId: String, title: String? = nil, content: String? = nil, privacy: PostPrivacy? = nil,
    status: PostStatus? = nil
  ) async throws -> Post {
    let request = UpdatePostRequest(
      postId: postId, title: title, content: content, privacy: privacy?.rawValue, status: status?.rawValue)
    return try await value(\.post, ContentRPC.updatePost, request, by: updatePost(_:))
  }

  /// Deletes a post with its likes, comments and bookmarks.
  ///
  /// - Returns: when it was deleted, in Unix seconds.
  /// - Throws: ``APIError``; `permissionDenied` for somebody else's post, `notFound` if there is no such post.
  @discardableResult
  public func deletePost(postId: String, deletedById: String) async throws -> Int64 {
    try await deletePost(DeletePostRequest(postId: postId, deletedById: deletedById)).deletedAt
  }

  /// Many posts, in the order of the ids; those that do not exist are left out. Any number of ids may be given: they
  /// travel in requests of 100, four at a time.
  ///
  /// - Throws: ``APIError``.
  public func getPostsByIds(postIds: [String]) async throws -> [Post] {
    let posts = try await inBatches(of: postIds, ContentRPC.getPostsByIds.descriptor) { ids in
      try await getPostsByIds(GetPostsByIdsRequest(postIds: ids)).posts
    }.flatMap(\.self)
    // Servers need not keep the order.
    let byID = Dictionary(posts.map { ($0.id, $0) }) { first, _ in first }
    return postIds.compactMap { byID[$0] }
  }

  /// Lists an author's posts, newest first.
  ///
  /// - Parameters:
  ///   - status: only posts of this status. Default: any.
  ///   - limit: how many, at most 100. Default 0: the server's default, 50.
  ///   - offset: how many of the newest to skip.
  /// - Throws: ``APIError``.
  public func getPostsByAuthor(
    authorId: String, status: PostStatus? = nil, limit: Int = 0, offset: Int = 0
  ) async throws -> GetPostsByAuthorResponse {
    var page = try await getPostsByAuthor(
      GetPostsByAuthorRequest(authorId: authorId, status: status?.rawValue ?? "", limit: limit, offset: offset))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.posts.count, total: page.totalCount)
    return page
  }

  /// Whether there is a post.
  ///
  /// - Throws: ``APIError``.
  public func checkPostExists(postId: String) async throws -> Bool {
    try await checkPostExists(CheckPostExistsRequest(postId: postId)).exists
  }

  /// All of an author's posts, newest first, read page by page while they are iterated.
  ///
  /// - Parameters:
  ///   - status: only posts of this status. Default: any.
  ///   - pageSize: how many to ask for at a time, 1…100. Default 100.
  ///   - maximumCount: how many to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func posts(
    by authorId: String, status: PostStatus? = nil, pageSize: Int = 100, maximumCount: Int? = nil,
    onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Post> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getPostsByAuthor(authorId: authorId, status: status, limit: limit, offset: offset)
      return Page(items: page.posts, totalCount: page.totalCount, hasMore: page.hasMore)
    }
  }
}
