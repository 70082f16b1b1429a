import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let social = likes + comments + shares

  private static let likes = [
    GuideCall("social.CreateLike", command: "like mock-user-id post-1") {
      try await $0.social.createLike(postId: "post-1", userId: user)
    },
    GuideCall("social.DeleteLike", command: "unlike mock-user-id post-1") {
      try await $0.social.deleteLike(postId: "post-1", userId: user)
    },
    GuideCall("social.GetPostLikes", command: "likes post-1") { try await $0.social.getPostLikes(postId: "post-1") },
    GuideCall("social.GetPostLikes") { for try await _ in $0.social.likers(of: "post-1") {} },
    GuideCall("social.GetLikeCount") { try await $0.social.getLikeCount(postId: "post-1") },
    GuideCall("social.CheckUserLiked") { try await $0.social.checkUserLiked(postId: "post-1", userId: user) },
    GuideCall("social.BatchCheckUserLiked") {
      try await $0.social.batchCheckUserLiked(postIds: ["post-1"], userId: user)
    },
    GuideCall("social.GetUserLikedPosts", command: "liked mock-user-id") {
      try await $0.social.getUserLikedPosts(userId: user)
    },
  ]

  private static let comments = [
    GuideCall("social.CreateComment", command: "comment create post-1 Nice! --as mock-user-id") {
      try await $0.social.createComment(postId: "post-1", userId: user, content: "Nice!")
    },
    GuideCall("social.UpdateComment", command: "comment edit comment-1 Nice! --as mock-user-id") {
      try await $0.social.updateComment(commentId: "comment-1", userId: user, content: "Nice!")
    },
    GuideCall("social.DeleteComment", command: "comment delete comment-1 --as mock-user-id --yes") {
      try await $0.social.deleteComment(commentId: "comment-1", userId: user)
    },
    GuideCall("social.GetComment") { try await $0.social.getComment(commentId: "comment-1") },
    GuideCall("social.GetComments", command: "comments post-1") { try await $0.social.getComments(postId: "post-1") },
    GuideCall("social.GetComments") { for try await _ in $0.social.comments(on: "post-1") {} },
    GuideCall("social.GetCommentCount") { try await $0.social.getCommentCount(postId: "post-1") },
  ]

  private static let shares = [
    GuideCall("social.CreateShare", command: "share mock-user-id post-1") {
      try await $0.social.createShare(postId: "post-1", userId: user)
    },
    GuideCall("social.GetShareCount") { try await $0.social.getShareCount(postId: "post-1") },
    GuideCall("social.CheckUserShared") { try await $0.social.checkUserShared(postId: "post-1", userId: user) },
    GuideCall("social.BatchGetPostStats", command: "stats post-1") {
      try await $0.social.batchGetPostStats(postIds: ["post-1"])
    },
  ]
}
