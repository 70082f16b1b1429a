/// Likes, comments and shares, by the numbers that ``ContentStore`` gives posts.
struct SocialStore: Sendable {
  var likes = LikeStore()
  var comments = CommentStore()
  var shares = ShareStore()

  /// Removes everything that hangs on a post. Costs as much as there is.
  mutating func forget(post: Int32) {
    likes.forget(post: post)
    comments.forget(post: post)
    shares.forget(post: post)
  }

  func counts(ofPost post: Int32) -> PostCounts {
    PostCounts(likes: likes.count(post), comments: comments.count(post), shares: shares.count(post))
  }
}

/// How often a post was liked, commented on and shared.
struct PostCounts: Equatable, Sendable {
  var likes = 0
  var comments = 0
  var shares = 0
}
