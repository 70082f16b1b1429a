import NovaCore

/// The sort key of a post's comments. Open: servers may support more.
public struct CommentSort: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The time when they were written.
  public static let createdAt = CommentSort(rawValue: "created_at")
  /// The time when they were last changed.
  public static let updatedAt = CommentSort(rawValue: "updated_at")
}

/// The order of a list. Open: servers may support more.
public struct SortOrder: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The newest first.
  public static let descending = SortOrder(rawValue: "desc")
  /// The oldest first.
  public static let ascending = SortOrder(rawValue: "asc")
}

extension SocialServiceProtocol {
  /// Writes a comment. Calling it twice writes two comments.
  ///
  /// ```swift
  /// let comment = try await nova.social.createComment(postId: "post-1", userId: me, content: "Nice!")
  /// ```
  /// - Parameters:
  ///   - content: 1 to 2,000 characters.
  ///   - parentCommentId: the comment that this one answers. Default: none.
  /// - Throws: ``APIError``.
  @discardableResult
  public func createComment(
    postId: String, userId: String, content: String, parentCommentId: String = ""
  ) async throws -> Comment {
    let request = CreateCommentRequest(
      postId: postId, userId: userId, content: content, parentCommentId: parentCommentId)
    return try await acknowledgedValue(\.comment, of: SocialRPC.createComment, for: request, by: createComment(_:))
  }

  /// Changes a comment. Only its author may do that.
  ///
  /// - Parameter content: 1 to 2,000 characters.
  /// - Throws: ``APIError``; `permissionDenied` for another user's comment.
  @discardableResult
  public func updateComment(commentId: String, userId: String, content: String) async throws -> Comment {
    let request = UpdateCommentRequest(commentId: commentId, userId: userId, content: content)
    return try await acknowledgedValue(\.comment, of: SocialRPC.updateComment, for: request, by: updateComment(_:))
  }

  /// Deletes a comment. Its author and the post's author may do that.
  ///
  /// - Throws: ``APIError``; `permissionDenied` for other users.
  public func deleteComment(commentId: String, userId: String) async throws {
    try await acknowledged(
      SocialRPC.deleteComment, DeleteCommentRequest(commentId: commentId, userId: userId), by: deleteComment(_:))
  }

  /// Returns a comment; nil if it does not exist.
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

  /// Returns the number of comments on a post.
  ///
  /// - Throws: ``APIError``.
  public func getCommentCount(postId: String) async throws -> Int {
    Int(try await getCommentCount(GetCommentCountRequest(postId: postId)).count)
  }
}
