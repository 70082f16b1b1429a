import NovaCore
import NovaEvents
import NovaSocial

extension MockHandlers {
  mutating func addComments() {
    on(SocialRPC.createComment, actingAs: \.userId) { request, state in
      let post = try state.existingPost(request.postId)
      let parent = try state.social.comments.parent(request.parentCommentId, on: post)
      let number = state.social.comments.add(
        StoredComment(post: post, author: request.userId, parent: parent, content: request.content, at: state.now))
      state.emitComment(.commentCreated, number, by: request.userId)
      return .init(success: true, comment: state.comment(number))
    }
    on(SocialRPC.updateComment, actingAs: \.userId) { request, state in
      let (number, comment) = try state.existingComment(request.commentId)
      guard comment.author.hasSameBytes(as: request.userId) else {
        throw MockFailure.forbidden("only the author may change \(request.commentId)")
      }
      // The same text again changes nothing, not even the time.
      if !comment.content.hasSameBytes(as: request.content) {
        state.social.comments.change(number, to: request.content, at: state.now)
        state.emitComment(.commentUpdated, number, by: request.userId)
      }
      return .init(success: true, comment: state.comment(number))
    }
    on(SocialRPC.deleteComment, actingAs: \.userId) { request, state in
      let (number, comment) = try state.existingComment(request.commentId)
      guard
        comment.author.hasSameBytes(as: request.userId)
          || state.content.authorID(ofPost: comment.post).hasSameBytes(as: request.userId)
      else {
        throw MockFailure.forbidden("only its author and the post's author may delete \(request.commentId)")
      }
      for (number, deleted) in state.social.comments.delete(number) {
        state.emitComment(.commentDeleted, deleted, number: number, by: request.userId)
      }
      return .init(success: true)
    }
    on(SocialRPC.getComment) { request, state in
      let (number, _) = try state.existingComment(request.commentId)
      return .init(comment: state.comment(number))
    }
    on(SocialRPC.getComments) { request, state in
      let paging = try Paging(limit: request.limit, offset: request.offset, of: SocialRPC.getComments)
      let sorting: CommentSorting = try requireOne(request.sortBy, "sort_by", default: .createdAt)
      let order: SortOrder = try requireOne(request.order, "order", default: .newestFirst)
      guard let post = try state.listedPost(request.postId) else { return GetCommentsResponse() }
      let comments = state.social.comments
      let all = sorting == .createdAt ? comments.byCreation(post) : comments.byChange(post)
      let list = order == .newestFirst ? paging.newestFirst(all) : paging.oldestFirst(all)
      return .init(
        comments: list.page.compactMap { state.comment($0.value) }, totalCount: list.total, hasMore: list.hasMore)
    }
    on(SocialRPC.getCommentCount) { .init(count: Int64(try $1.listedCounts(ofPost: $0.postId).comments)) }
  }
}

private enum CommentSorting: String, CaseIterable {
  case createdAt = "created_at"
  case updatedAt = "updated_at"
}

private enum SortOrder: String, CaseIterable {
  case newestFirst = "desc"
  case oldestFirst = "asc"
}

extension CommentStore {
  /// Returns the number of the parent comment of a reply on `post`.
  fileprivate func parent(_ id: String, on post: Int32) throws(MockFailure) -> Int32? {
    if id.isEmpty { return nil }
    guard let parent = number(id), stored(parent)?.post == post else {
      throw MockFailure(.notFound, "not found: comment \(id.quoted) of this post")
    }
    return parent
  }
}

extension MockState {
  /// Returns a comment on a post that the caller may see.
  fileprivate func existingComment(_ id: String) throws(MockFailure) -> (number: Int32, comment: StoredComment) {
    guard let number = social.comments.number(id), let comment = social.comments.stored(number),
      shows(post: comment.post, to: viewer)
    else { throw .missing("comment", id) }
    return (number, comment)
  }

  fileprivate func comment(_ number: Int32) -> Comment? {
    guard let comment = social.comments.stored(number) else { return nil }
    return Comment(
      id: social.comments.id(number), postId: content.id(comment.post), creatorId: comment.author,
      content: comment.content, parentCommentId: comment.parent.map(social.comments.id) ?? "",
      createdAt: comment.createdAt, updatedAt: comment.updatedAt)
  }
}
