import NovaAuth
import NovaContent
import NovaCore
import NovaFeed
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

extension ContractScenario {
  static let errors = [selfEdges, missingPosts, negativePages, emptyIDs]

  private static let selfEdges = ContractScenario(
    "errors.self", "Nobody follows, mutes or blocks themselves.", .writes
  ) { run in
    let ada = try await run.user("ada")
    await run.step("follow", fails: .invalidArgument) {
      try await ada.graph.followUser(followerId: ada.id, followeeId: ada.id)
    }
    await run.step("mute", fails: .invalidArgument) { try await ada.graph.muteUser(muterId: ada.id, muteeId: ada.id) }
    await run.step("block", fails: .invalidArgument) {
      try await ada.graph.blockUser(blockerId: ada.id, blockedId: ada.id)
    }
    await run.step("nobody follows") { try await ada.graph.getFollowers(userId: ada.id) }.expect(GetFollowersResponse())
  }

  private static let missingPosts = ContractScenario(
    "errors.missing-post", "Nothing is written about a post that is not there.", .writes
  ) { run in
    let ada = try await run.user("ada")
    let id = run.missingID
    await run.step("like", fails: .notFound) { try await ada.social.createLike(postId: id, userId: ada.id) }
    await run.step("unlike", fails: .notFound) { try await ada.social.deleteLike(postId: id, userId: ada.id) }
    await run.step("share", fails: .notFound) { try await ada.social.createShare(postId: id, userId: ada.id) }
    await run.step("update", fails: .notFound) { try await ada.content.updatePost(postId: id, title: "?") }
    await run.step("delete", fails: .notFound) { try await ada.content.deletePost(postId: id, deletedById: ada.id) }
  }

  private static let negativePages = ContractScenario(
    "errors.negative", "No list takes a limit or an offset below 0.", .writes
  ) { run in
    let ada = try await run.user("ada")
    let user = ada.unchecked
    for (limit, offset) in [(-1, 0), (0, -1), (-2_147_483_648, 0), (0, -2_147_483_648)] {
      let name = "limit \(limit), offset \(offset)"
      await run.step("followers, \(name)", fails: .invalidArgument) {
        try await user.graph.getFollowers(GetFollowersRequest(userId: ada.id, limit: limit, offset: offset))
      }
      await run.step("following, \(name)", fails: .invalidArgument) {
        try await user.graph.getFollowing(GetFollowingRequest(userId: ada.id, limit: limit, offset: offset))
      }
      await run.step("likes, \(name)", fails: .invalidArgument) {
        try await user.social.getPostLikes(GetPostLikesRequest(postId: "x", limit: limit, offset: offset))
      }
      await run.step("liked posts, \(name)", fails: .invalidArgument) {
        try await user.social.getUserLikedPosts(GetUserLikedPostsRequest(userId: ada.id, limit: limit, offset: offset))
      }
      await run.step("comments, \(name)", fails: .invalidArgument) {
        try await user.social.getComments(GetCommentsRequest(postId: "x", limit: limit, offset: offset))
      }
      await run.step("posts, \(name)", fails: .invalidArgument) {
        try await user.content.getPostsByAuthor(GetPostsByAuthorRequest(authorId: ada.id, limit: limit, offset: offset))
      }
      await run.step("bookmarks, \(name)", fails: .invalidArgument) {
        try await user.content.getUserBookmarks(GetUserBookmarksRequest(userId: ada.id, limit: limit, offset: offset))
      }
      await run.step("search, \(name)", fails: .invalidArgument) {
        try await user.users.searchUsers(SearchUsersRequest(query: "x", limit: limit, offset: offset))
      }
    }
    await run.step("videos, limit -1", fails: .invalidArgument) {
      try await user.media.getUserVideos(GetUserVideosRequest(userId: ada.id, limit: -1))
    }
  }

  private static let emptyIDs = ContractScenario(
    "errors.empty", "No call takes an empty id.", .writes
  ) { run in
    let ada = try await run.user("ada")
    let user = ada.unchecked
    await run.step("followers", fails: .invalidArgument) { try await user.graph.getFollowers(userId: "") }
    await run.step("follow", fails: .invalidArgument) {
      try await user.graph.followUser(followerId: ada.id, followeeId: "")
    }
    await run.step("like", fails: .invalidArgument) { try await user.social.createLike(postId: "", userId: ada.id) }
    await run.step("comment", fails: .invalidArgument) {
      try await user.social.getComment(GetCommentRequest(commentId: ""))
    }
    await run.step("post", fails: .invalidArgument) { try await user.content.getPost(postId: "") }
    await run.step("upload", fails: .invalidArgument) { try await user.media.getUpload(uploadId: "") }
    await run.step("profile", fails: .invalidArgument) { try await user.users.getUserProfile(userId: "") }
    await run.step("feed", fails: .invalidArgument) { try await user.feed.getFeed(userId: "") }
    await run.step("account", fails: .invalidArgument) { try await user.auth.getUser(userId: "") }
  }
}
