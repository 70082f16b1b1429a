public import NovaCore

/// What a post's comments are sorted by. Open: servers may know more.
public struct CommentSort: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// When they were written.
  public static let createdAt = CommentSort(rawValue: "created_at")
  /// When they were last changed.
  public static let updatedAt = CommentSort(rawValue: "updated_at")
}

/// Which end of a list comes first. Open: servers may know more.
public struct SortOrder: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The newest first.
  public static let descending = SortOrder(rawValue: "desc")
  /// The oldest first.
  public static let ascending = SortOrder(rawValue: "asc")
}

extension SocialServiceProtocol {
  /// Writes a comment. Calling it twice writes two.
  ///
  /// ```swift
  /// let comment = try await nova.social.createComment(postId: "post-1", userId: me, content: "Nice!")
  /// ```
  /// - Parameters:
  ///   - content: 1 to 2,000 characters.
  ///   - parentCommentId: the comment this answers. Default: none.
  /// - Throws: ``APIError``.
  @discardableResult
  public func createComment(
    postId: String, userId: String, content: String, parentCommentId: String = ""
  ) async throws -> Comment {
    let request = CreateCommentRequest(
      postId: postId, userId: userId, content: content, parentCommentId: parentCommentId)
    return try await confirmedValue(\.comment, SocialRPC.createComment, request, by: createComment(_:))
  }

  /// Changes a comment; only its author may.
  ///
  /// - Parameter content: 1 to 2,000 characters.
  /// - Throws: ``APIError``; `permissionDenied` for somebody else's comment.
  @discardableResult
  public func updateComment(commentId: String, userId: String, content: String) async throws -> Comment {
    let request = UpdateCommentRequest(commentId: commentId, userId: userId, content: content)
    return try await confirmedValue(\.comment, SocialRPC.updateComment, request, by: updateComment(_:))
  }

  /// Deletes a comment; its author and the post's author may.
  ///
  /// - Throws: ``APIError``; `permissionDenied` for anybody else.
  public func deleteComment(commentId: String, userId: String) async throws {
    try await confirmed(
      SocialRPC.deleteComment, DeleteCommentRequest(commentId: commentId, userId: userId), by: deleteComment(_:))
  }

  /// One comment; nil if there is none.
  ///
  /// - Throws: ``APIError``.
  public func getComment(commentId: String) async throws -> Comment? {
    do {
      return try await getComment(GetCommentRequest(commentId: commentId)).comment
    } catch let error as APIError where error.code == .notFound && error.server?.code.isEmpty == false {
      return nil
    } catch let error as APIError where error.grpcStatus == .notFound {
      return nil
    }
  }

  /// Lists a post's comments.
  ///
  /// - Parameters:
  ///   - limit: how many, at most 100. Default 0: the server's default, 50.
  ///   - offset: how many to skip.
  ///   - sortBy: Default ``CommentSort/createdAt``.
  ///   - order: Default ``SortOrder/descending``.
  /// - Throws: ``APIError``.
  public func getComments(
    postId: String, limit: Int = 0, offset: Int = 0, sortBy: CommentSort = .createdAt, order: SortOrder = .descending
  ) async throws -> GetCommentsResponse {
    var page = try await getComments(
      GetCommentsRequest(
        postId: postId, limit: limit, offset: offset, sortBy: sortBy.rawValue, order: order.rawValue))
    page.hasMore = listGoesOn(page.hasMore, offset: offset, count: page.comments.count, total: page.totalCount)
    return page
  }

  /// How many comments a post has.
  ///
  /// - Throws: ``APIError``.
  public func getCommentCount(postId: String) async throws -> Int {
    Int(try await getCommentCount(GetCommentCountRequest(postId: postId)).count)
  }

  /// All of a post's comments, read page by page while they are iterated.
  ///
  /// - Parameters:
  ///   - pageSize: how many to ask for at a time, 1…100. Default 100.
  ///   - maximumCount: how many to deliver at most. Default: all.
  ///   - onShift: called when the list is seen to have changed while it was read.
  public func comments(
    on postId: String, sortBy: CommentSort = .createdAt, order: SortOrder = .descending, pageSize: Int = 100,
    maximumCount: Int? = nil, onShift: (@Sendable (PageShift) -> Void)? = nil
  ) -> PagedSequence<Comment> {
    PagedSequence(pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) { limit, offset in
      let page = try await getComments(postId: postId, limit: limit, offset: offset, sortBy: sortBy, order: order)
      return Page(items: page.comments, totalCount: page.totalCount, hasMore: page.hasMore)
    }
  }
}
