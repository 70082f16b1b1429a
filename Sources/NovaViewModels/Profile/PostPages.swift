import NovaContent
import NovaCore

/// The pages of a tab so far.
struct PostPages: Sendable, Hashable {
  /// Each post once.
  private(set) var posts: [Post] = []
  /// How many places of the server's list they cover: where the next page begins.
  private(set) var covered = 0
  private(set) var hasMore = true
  private var ids: Set<String> = []

  init(_ first: Page<Post>) { append(first) }

  /// Adds what is new in a page that was asked for from `offset` on. A list that changed meanwhile repeats some posts.
  ///
  /// - Returns: whether anything was new.
  @discardableResult
  mutating func append(_ page: Page<Post>, from offset: Int = 0) -> Bool {
    let new = page.items.filter { ids.insert($0.id).inserted }
    posts += new
    covered = max(covered, offset + page.coveredCount)
    hasMore = page.hasMore && page.coveredCount > 0
    return !new.isEmpty
  }

  func contains(_ id: String) -> Bool { ids.contains(id) }

  /// Puts a post in front, as the server does with what was saved or liked last.
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
