import NovaCore
import NovaSocial

extension SurveyRun {
  mutating func checkSocial(_ me: String) async throws {
    try await checkLikes(me)
    try await checkComments(me)
    try await checkShares(me)
    try await valid(SocialRPC.getUserLikedPosts, .init(userId: me), as: "a user")
    let ids = Array(discovered.posts.prefix(5))
    guard !ids.isEmpty else { return skip(SocialRPC.batchGetPostStats, because: "no post was found") }
    try await valid(SocialRPC.batchGetPostStats, .init(postIds: ids), as: "\(ids.count) posts")
  }

  private mutating func checkLikes(_ me: String) async throws {
    guard let post = discovered.post else {
      return skip(
        SocialRPC.getPostLikes, SocialRPC.getLikeCount, SocialRPC.checkUserLiked, SocialRPC.batchCheckUserLiked,
        because: "no post was found")
    }
    let own = writer
    if let own {
      try await valid(SocialRPC.createLike, .init(userId: own.id, postId: post), as: "a post")
      try await valid(SocialRPC.createLike, .init(userId: own.id, postId: post), as: "the same again")
      try await absent(SocialRPC.createLike, .init(userId: own.id, postId: unknownID), as: "an unknown post")
      try await valid(
        SocialRPC.getUserLikedPosts, .init(userId: own.id), as: "a user who likes", showing: "the like"
      ) { $0.postIds.contains(post) }
    }
    for other in discovered.posts(from: post, others: 3) {
      try await valid(SocialRPC.getPostLikes, .init(postId: other), as: "a post", showing: "the like") {
        own == nil || other != post || !$0.likes.isEmpty || !$0.userIds.isEmpty
      }
    }
    try await valid(SocialRPC.getLikeCount, .init(postId: post), as: "a post", showing: "the like") {
      own == nil || $0.count > 0
    }
    try await valid(
      SocialRPC.checkUserLiked, .init(userId: me, postId: post), as: "a user and a post", showing: "the like"
    ) { own == nil || $0.liked }
    try await valid(
      SocialRPC.batchCheckUserLiked, .init(userId: me, postIds: Array(discovered.posts.prefix(5))), as: "posts")
    if let own {
      try await valid(SocialRPC.deleteLike, .init(userId: own.id, postId: post), as: "a post")
    }
  }

  private mutating func checkComments(_ me: String) async throws {
    let comment = try await writeComment()
    try await findComments(comment)
    if let comment = comment ?? discovered.comments.first {
      try await valid(SocialRPC.getComment, .init(commentId: comment), as: "a comment")
    } else {
      skip(SocialRPC.getComment, because: "no comment was found")
    }
    try await absent(SocialRPC.getComment, .init(commentId: unknownID), as: "an unknown comment")
    guard let comment, let own = discovered.account else { return }
    try await valid(SocialRPC.deleteComment, .init(commentId: comment, userId: own.id), as: "the new comment")
  }

  private mutating func writeComment() async throws -> String? {
    guard let own = writer, let post = discovered.ownPost else {
      skip(
        SocialRPC.createComment, SocialRPC.updateComment, SocialRPC.deleteComment,
        because: "the check has no post of its own")
      return nil
    }
    let answer = try await valid(
      SocialRPC.createComment, .init(postId: post, userId: own.id, content: "A check of the contract."), as: "a comment"
    )
    guard let comment = answer?.comment, !comment.id.isEmpty else {
      skip(SocialRPC.updateComment, SocialRPC.deleteComment, because: "no comment could be created")
      return nil
    }
    await created(
      "comment \(comment.id)", deletion: SocialRPC.deleteComment, .init(commentId: comment.id, userId: own.id))
    try await valid(
      SocialRPC.createComment, .init(postId: post, userId: own.id, content: "A reply.", parentCommentId: comment.id),
      as: "a reply")
    try await valid(
      SocialRPC.updateComment, .init(commentId: comment.id, userId: own.id, content: "A check, changed."),
      as: "another text")
    return comment.id
  }

  private mutating func findComments(_ own: String?) async throws {
    guard let post = discovered.post else {
      return skip(SocialRPC.getComments, SocialRPC.getCommentCount, because: "no post was found")
    }
    for commented in discovered.posts(from: post, others: 8) {
      let page = try await valid(SocialRPC.getComments, .init(postId: commented), as: "a post", showing: "the comment")
      {
        own == nil || commented != post || !$0.comments.isEmpty
      }
      discovered.add(comments: page?.comments.map(\.id) ?? [])
      if !discovered.comments.isEmpty, own == nil { break }
    }
    try await valid(
      SocialRPC.getComments, .init(postId: post, sortBy: "updated_at", order: "asc"),
      as: "sort_by updated_at, order asc")
    try await refused(
      SocialRPC.getComments, .init(postId: post, sortBy: "nova-contract"), as: "an unknown sort_by",
      with: .invalidArgument)
    try await valid(SocialRPC.getCommentCount, .init(postId: post), as: "a post", showing: "the comment") {
      own == nil || $0.count > 0
    }
  }

  private mutating func checkShares(_ me: String) async throws {
    if let own = writer, let post = discovered.ownPost {
      for type in ["repost", "story", "dm"] {
        try await valid(
          SocialRPC.createShare, .init(userId: own.id, postId: post, shareType: type), as: "share_type \(type)")
      }
    } else {
      skip(SocialRPC.createShare, because: "the check has no post of its own")
    }
    guard let post = discovered.post else {
      return skip(SocialRPC.getShareCount, SocialRPC.checkUserShared, because: "no post was found")
    }
    try await valid(SocialRPC.getShareCount, .init(postId: post), as: "a post")
    try await valid(SocialRPC.checkUserShared, .init(userId: me, postId: post), as: "a user and a post")
  }
}
