import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let social = likes + comments + shares

  private static let likes = [
    GuideCall("social.CreateLike") { try await $0.social.createLike(postId: "post-1", userId: user) },
    GuideCall("social.DeleteLike") { try await $0.social.deleteLike(postId: "post-1", userId: user) },
    GuideCall("social.GetPostLikes") { try await $0.social.getPostLikes(postId: "post-1") },
    GuideCall("social.GetPostLikes") { for try await _ in $0.social.likers(of: "post-1") {} },
    GuideCall("social.GetLikeCount") { try await $0.social.getLikeCount(postId: "post-1") },
    GuideCall("social.CheckUserLiked") { try await $0.social.checkUserLiked(postId: "post-1", userId: user) },
    GuideCall("social.BatchCheckUserLiked") {
      try await $0.social.batchCheckUserLiked(postIds: ["post-1"], userId: user)
    },
    GuideCall("social.GetUserLikedPosts") { try await $0.social.getUserLikedPosts(userId: user) },
  ]

  private static let comments = [
    GuideCall("social.CreateComment") {
      try await $0.social.createComment(postId: "post-1", userId: user, content: "Nice!")
    },
    GuideCall("social.UpdateComment") {
      try await $0.social.updateComment(commentId: "comment-1", userId: user, content: "Nice!")
    },
    GuideCall("social.DeleteComment") { try await $0.social.deleteComment(commentId: "comment-1", userId: user) },
    GuideCall("social.GetComment") { try await $0.social.getComment(commentId: "comment-1") },
    GuideCall("social.GetComments") { try await $0.social.getComments(postId: "post-1") },
    GuideCall("social.GetComments") { for try await _ in $0.social.comments(on: "post-1") {} },
    GuideCall("social.GetCommentCount") { try await $0.social.getCommentCount(postId: "post-1") },
  ]

  private static let shares = [
    GuideCall("social.CreateShare") { try await $0.social.createShare(postId: "post-1", userId: user) },
    GuideCall("social.GetShareCount") { try await $0.social.getShareCount(postId: "post-1") },
    GuideCall("social.CheckUserShared") { try await $0.social.checkUserShared(postId: "post-1", userId: user) },
    GuideCall("social.BatchGetPostStats") { try await $0.social.batchGetPostStats(postIds: ["post-1"]) },
  ]
}
