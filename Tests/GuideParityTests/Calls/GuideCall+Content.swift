import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let content = [
    GuideCall("content.GetPost") { try await $0.content.getPost(postId: "post-1") },
    GuideCall("content.CreatePost") { try await $0.content.createPost(creatorId: user, content: "Hello.") },
    GuideCall("content.UpdatePost") { try await $0.content.updatePost(postId: "post-1", content: "Hello.") },
    GuideCall("content.DeletePost") { try await $0.content.deletePost(postId: "post-1", deletedById: user) },
    GuideCall("content.GetPostsByIds") { try await $0.content.getPostsByIds(postIds: ["post-2"]) },
    GuideCall("content.GetPostsByAuthor") { try await $0.content.getPostsByAuthor(authorId: user) },
    GuideCall("content.GetPostsByAuthor") { for try await _ in $0.content.posts(by: user) {} },
    GuideCall("content.GetUserBookmarks") { try await $0.content.getUserBookmarks(userId: user) },
    GuideCall("content.GetUserBookmarks") { for try await _ in $0.content.bookmarks(of: user) {} },
    GuideCall("content.CreateBookmark") { try await $0.content.createBookmark(postId: "post-2", userId: user) },
    GuideCall("content.DeleteBookmark") { try await $0.content.deleteBookmark(postId: "post-2", userId: user) },
    GuideCall("content.CheckPostExists") { try await $0.content.checkPostExists(postId: "post-2") },
  ]

  static let feed = [
    GuideCall("feed.GetFeed") { try await $0.feed.getFeed(userId: user) },
    GuideCall("feed.GetFeed") { for try await _ in $0.feed.feed(of: user) {} },
    GuideCall("feed.RankPosts") {
      try await $0.feed.rankPosts(userId: user, posts: [RankablePost(id: "post-2", authorId: "user-0001")])
    },
    GuideCall("feed.GetRecommendedCreators") { try await $0.feed.getRecommendedCreators(userId: user) },
    GuideCall("feed.InvalidateFeedCache") { try await $0.feed.invalidateFeedCache(userId: user) },
  ]
}
