import NovaSDK

extension GuideCall {
  private static let user = "mock-user-id"

  static let content = [
    GuideCall("content.GetPost", command: "post show post-1") { try await $0.content.getPost(postId: "post-1") },
    GuideCall("content.CreatePost", command: "post create Hello. --as mock-user-id") {
      try await $0.content.createPost(creatorId: user, content: "Hello.")
    },
    GuideCall("content.UpdatePost", command: "post edit post-1 Hello.") {
      try await $0.content.updatePost(postId: "post-1", content: "Hello.")
    },
    GuideCall("content.DeletePost", command: "post delete post-1 --as mock-user-id --yes") {
      try await $0.content.deletePost(postId: "post-1", deletedById: user)
    },
    GuideCall("content.GetPostsByIds") { try await $0.content.getPostsByIds(postIds: ["post-2"]) },
    GuideCall("content.GetPostsByAuthor", command: "posts mock-user-id") {
      try await $0.content.getPostsByAuthor(authorId: user)
    },
    GuideCall("content.GetPostsByAuthor") { for try await _ in $0.content.posts(by: user) {} },
    GuideCall("content.GetUserBookmarks", command: "bookmarks mock-user-id") {
      try await $0.content.getUserBookmarks(userId: user)
    },
    GuideCall("content.GetUserBookmarks") { for try await _ in $0.content.bookmarks(of: user) {} },
    GuideCall("content.CreateBookmark", command: "bookmark mock-user-id post-2") {
      try await $0.content.createBookmark(postId: "post-2", userId: user)
    },
    GuideCall("content.DeleteBookmark", command: "unbookmark mock-user-id post-2") {
      try await $0.content.deleteBookmark(postId: "post-2", userId: user)
    },
    GuideCall("content.CheckPostExists") { try await $0.content.checkPostExists(postId: "post-2") },
  ]

  static let feed = [
    GuideCall("feed.GetFeed", command: "feed mock-user-id") { try await $0.feed.getFeed(userId: user) },
    GuideCall("feed.GetFeed") { for try await _ in $0.feed.feed(of: user) {} },
    GuideCall("feed.RankPosts") {
      try await $0.feed.rankPosts(userId: user, posts: [RankablePost(id: "post-2", authorId: "user-0001")])
    },
    GuideCall("feed.GetRecommendedCreators", command: "creators mock-user-id") {
      try await $0.feed.getRecommendedCreators(userId: user)
    },
    GuideCall("feed.InvalidateFeedCache") { try await $0.feed.invalidateFeedCache(userId: user) },
  ]
}
