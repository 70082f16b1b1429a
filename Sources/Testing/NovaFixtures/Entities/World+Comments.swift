public import NovaSocial

extension World {
  /// Returns the number of comments on a post. More liked posts have more comments.
  public func commentCount(ofPostAt index: Int) -> Int {
    guard isPublic(index), size.commentsPerPost > 0 else { return 0 }
    let usual = 4 * size.commentsPerPost
    let popular = postGraph.likes.degree(ofTarget: index) / 4
    return entropy.draw(.commentCount, for: index).lowBelow(usual + 1 + popular)
  }

  /// Returns the comments on a post, oldest first. A third of them reply to an earlier one.
  public func comments(ofPostAt index: Int) -> [Comment] {
    let count = commentCount(ofPostAt: index)
    guard count > 0 else { return [] }
    let author = author(ofPostAt: index)
    let published = postTime(index, by: author)
    return (0..<count).map { place in
      let key = CommentKey(post: index, place: place)
      let created = WorldTime.step(place, of: count, after: published, entropy.draw(.commentTime, for: index, place))
      let writer = commenter(key, at: created, postBy: author)
      return Comment(
        id: key.id, postId: postID(at: index), creatorId: userID(at: writer),
        content: entropy.draw(.commentContent, for: index, place).pick(words(of: writer).comments),
        parentCommentId: parent(key)?.id ?? "", createdAt: created, updatedAt: created)
    }
  }

  private struct CommentKey {
    let post: Int
    let place: Int

    var id: String { "comment-\(post + 1)-\(place + 1)" }
  }

  private func parent(_ key: CommentKey) -> CommentKey? {
    guard key.place > 0, entropy.draw(.commentParent, for: key.post, key.place).chance(333) else { return nil }
    return CommentKey(post: key.post, place: entropy.draw(.commentAnswered, for: key.post, key.place).below(key.place))
  }

  /// Returns a user who existed at the time and can comment; after a few attempts the post's author, who always can.
  private func commenter(_ key: CommentKey, at time: Int64, postBy author: Int) -> Int {
    for attempt in 0..<8 {
      let user = entropy.draw(.commenter, for: key.post, key.place << 3 | attempt).below(size.users)
      if arrival(user) <= time, !graph.isBlockedEitherWay(user, author) { return user }
    }
    return author
  }
}

extension Field {
  static let commentCount = Field("comment.count")
  static let commentTime = Field("comment.created_at")
  static let commentContent = Field("comment.content")
  static let commenter = Field("comment.creator_id")
  static let commentParent = Field("comment.has_parent")
  static let commentAnswered = Field("comment.parent_comment_id")
}
