import NovaContent

/// Posts, and who wrote which.
struct ContentStore: Sendable {
  private var posts: [String: Post] = [:]
  private var byAuthor: [String: [String]] = [:]

  /// The post with this id.
  func post(_ id: String) -> Post? { posts[id] }

  /// The ids of an author's posts, oldest first.
  func postIDs(by author: String) -> [String] { byAuthor[author] ?? [] }

  mutating func add(_ post: Post) {
    posts[post.id] = post
    byAuthor[post.creatorId, default: []].append(post.id)
  }
}
