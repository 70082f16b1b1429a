import NovaCore
import NovaSocial

extension CheckRun {
  mutating func checkSocial(_ me: String) async throws {
    try await checkLikes(me)
    try await checkComments(me)
    try await checkShares(me)
    try await valid(SocialRPC.getUserLikedPosts, GetUserLikedPostsRequest(userId: me), "a user")
    let ids = Array(facts.posts.prefix(5))
    guard !ids.isEmpty else { return skip(SocialRPC.batchGetPostStats, "no post was found") }
    try await valid(SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: ids), "\(ids.count) posts")
  }

  private mutating func checkLikes(_ me: String) async throws {
    let reads = [
      SocialRPC.getPostLikes.descriptor, SocialRPC.getLikeCount.descriptor, SocialRPC.checkUserLiked.descriptor,
      SocialRPC.batchCheckUserLiked.descriptor,
    ]
    guard let post = facts.post else { return skip(reads, "no post was found") }
    let own = isReadOnly ? nil : facts.account
    if let own {
      try await valid(SocialRPC.createLike, CreateLikeRequest(userId: own.id, postId: post), "a post")
      try await valid(SocialRPC.createLike, CreateLikeRequest(userId: own.id, postId: post), "the same again")
      try await refused(
        SocialRPC.createLike, CreateLikeRequest(userId: own.id, postId: Facts.unknownID), "an unknown post", .notFound)
      try await valid(SocialRPC.getUserLikedPosts, GetUserLikedPostsRequest(userId: own.id), "a user who likes")
    }
    for post in [post] + facts.posts.prefix(3).filter({ $0 != post }) {
      try await valid(SocialRPC.getPostLikes, GetPostLikesRequest(postId: post), "a post")
    }
    try await valid(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post), "a post")
    try await valid(SocialRPC.checkUserLiked, CheckUserLikedRequest(userId: me, postId: post), "a user and a post")
    try await valid(
      SocialRPC.batchCheckUserLiked, BatchCheckUserLikedRequest(userId: me, postIds: Array(facts.posts.prefix(5))),
      "posts")
    if let own {
      try await valid(
        SocialRPC.deleteLike, DeleteLikeRequest(userId: own.id, postId: post), "a post", invalidFirst: true)
    }
  }

  private mutating func checkComments(_ me: String) async throws {
    let comment = try await writeComment()
    try await findComments(comment)
    if let comment = comment ?? facts.comments.first {
      try await valid(SocialRPC.getComment, GetCommentRequest(commentId: comment), "a comment")
    } else {
      skip(SocialRPC.getComment, "no comment was found")
    }
    try await refused(
      SocialRPC.getComment, GetCommentRequest(commentId: Facts.unknownID), "an unknown comment", .notFound)
    guard let comment, let own = facts.account else { return }
    let answer = try await valid(
      SocialRPC.deleteComment, DeleteCommentRequest(commentId: comment, userId: own.id), "the new comment",
      invalidFirst: true)
    if answer != nil { deleted("comment \(comment)") }
  }

  private mutating func writeComment() async throws -> String? {
    guard !isReadOnly, let own = facts.account, let post = facts.ownPost else {
      let rpcs = [
        SocialRPC.createComment.descriptor, SocialRPC.updateComment.descriptor, SocialRPC.deleteComment.descriptor,
      ]
      skip(rpcs, "there is no post of its own")
      return nil
    }
    let answer = try await valid(
      SocialRPC.createComment,
      CreateCommentRequest(postId: post, userId: own.id, content: "A check of the contract."), "a comment")
    guard let comment = answer?.comment, !comment.id.isEmpty else {
      let rpcs = [SocialRPC.updateComment.descriptor, SocialRPC.deleteComment.descriptor]
      skip(rpcs, "no comment could be created")
      return nil
    }
    await created(
      "comment \(comment.id)", deletion: SocialRPC.deleteComment,
      DeleteCommentRequest(commentId: comment.id, userId: own.id))
    try await valid(
      SocialRPC.createComment,
      CreateCommentRequest(postId: post, userId: own.id, content: "A reply.", parentCommentId: comment.id), "a reply")
    try await valid(
      SocialRPC.updateComment,
      UpdateCommentRequest(commentId: comment.id, userId: own.id, content: "A check, changed."), "another text")
    return comment.id
  }

  private mutating func findComments(_ own: String?) async throws {
    guard let post = facts.post else {
      return skip([SocialRPC.getComments.descriptor, SocialRPC.getCommentCount.descriptor], "no post was found")
    }
    for post in [post] + facts.posts.prefix(8).filter({ $0 != post }) {
      let page = try await valid(SocialRPC.getComments, GetCommentsRequest(postId: post), "a post")
      facts.learn(comments: page?.comments.map(\.id) ?? [])
      if !facts.comments.isEmpty, own == nil { break }
    }
    try await valid(
      SocialRPC.getComments, GetCommentsRequest(postId: post, sortBy: "updated_at", order: "asc"),
      "sort_by updated_at, order asc")
    try await refused(
      SocialRPC.getComments, GetCommentsRequest(postId: post, sortBy: "nova-contract"), "an unknown sort_by",
      .invalidArgument)
    try await valid(SocialRPC.getCommentCount, GetCommentCountRequest(postId: post), "a post")
  }

  private mutating func checkShares(_ me: String) async throws {
    if !isReadOnly, let own = facts.account, let post = facts.ownPost {
      for type in ["repost", "story", "dm"] {
        try await valid(
          SocialRPC.createShare, CreateShareRequest(userId: own.id, postId: post, shareType: type), "share_type \(type)"
        )
      }
    } else {
      skip(SocialRPC.createShare, "there is no post of its own")
    }
    guard let post = facts.post else {
      return skip([SocialRPC.getShareCount.descriptor, SocialRPC.checkUserShared.descriptor], "no post was found")
    }
    try await valid(SocialRPC.getShareCount, GetShareCountRequest(postId: post), "a post")
    try await valid(SocialRPC.checkUserShared, CheckUserSharedRequest(userId: me, postId: post), "a user and a post")
  }
}
