import NovaContent
import NovaCore

/// The loaded pages of a tab.
struct PostPages: Sendable, Hashable {
  /// The posts, without duplicates.
  private(set) var posts: [Post] = []
  /// The number of entries of the server's list that the pages cover: the offset of the next page.
  private(set) var covered = 0
  private(set) var hasMore = true
  private var ids: Set<String> = []

  init(_ first: Page<Post>) { append(first) }

  /// Appends the new posts of the page at `offset`. The page repeats posts if the list changed meanwhile.
  ///
  /// - Returns: whether the page had new posts.
  @discardableResult
  mutating func append(_ page: Page<Post>, from offset: Int = 0) -> Bool {
    let new = page.items.filter { ids.insert($0.id).inserted }
    posts += new
    covered = max(covered, offset + page.coveredCount)
    hasMore = page.hasMore && page.coveredCount > 0
    return !new.isEmpty
  }

  func contains(_ id: String) -> Bool { ids.contains(id) }

  /// Inserts a post at the front, where the server lists the latest save or like.
  mutating func insert(_ post: Post) {
    guard ids.insert(post.id).inserted else { return }
    posts.insert(post, at: 0)
    covered += 1
  }

  mutating func remove(_ id: String) {
    guard ids.remove(id) != nil else { return }
    posts.removeAll { $0.id == id }
    covered -= 1
  }
}
